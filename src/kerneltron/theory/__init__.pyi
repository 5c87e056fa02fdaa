from .bounds import best_delta as best_delta
from .bounds import delta_bound as delta_bound
from .bounds import deviation as deviation
from .bounds import inseparable_bound as inseparable_bound
from .bounds import separable_bound as separable_bound
from .bounds import vector_bound as vector_bound

__all__ = [
    "best_delta",
    "delta_bound",
    "deviation",
    "inseparable_bound",
    "separable_bound",
    "vector_bound",
]
