from .delta import Sample as Sample
from .delta import best_delta as best_delta
from .delta import propose_delta as propose_delta

__all__ = [
    "Sample",
    "best_delta",
    "propose_delta",
]
