"""Transformers in the contract of scikit-learn: from texts, trees, graphs and records to sparse rows.

>>> from kerneltron.features import WordPairs
>>> WordPairs(window=2).fit(["John likes cake"]).get_feature_names_out().tolist()
['john_likes', 'john_cake', 'likes_cake']
"""

import lazy_loader

_current, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
_RENAMED = {"Conjunctions": "WordPairs"}


def __getattr__(name: str) -> object:
    if name in __all__:
        return _current(name)
    if name not in _RENAMED:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import warnings

    warnings.warn(
        f"kerneltron.features.{name} is now {_RENAMED[name]}: the old name will go in a later version.",
        FutureWarning,
        stacklevel=2,
    )
    return _current(_RENAMED[name])
