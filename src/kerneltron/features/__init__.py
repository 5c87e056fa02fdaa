"""Transformers in the contract of scikit-learn: from texts, trees, graphs and records to sparse rows.

>>> from kerneltron.features import Conjunctions
>>> Conjunctions(window=2).fit(["John likes cake"]).get_feature_names_out().tolist()
['john_likes', 'john_cake', 'likes_cake']
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kerneltron.features.conjunctions import Conjunctions
    from kerneltron.features.hasher import Hasher
    from kerneltron.features.ngrams import NGrams
    from kerneltron.features.patterns import Patterns
    from kerneltron.features.substructures import Substructures

__all__ = ["Conjunctions", "Hasher", "NGrams", "Patterns", "Substructures"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{name.lower()}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
