"""Online learning with kernels: learners that learn from their mistakes, one example at a time.

>>> from sklearn.datasets import load_digits
>>> from kerneltron import Perceptron
>>> X, y = load_digits(return_X_y=True)
>>> Perceptron(passes=10, random_state=0).fit(X, y == 9).score(X, y == 9) > 0.95
True
"""

import lazy_loader

from kerneltron._version import __version__ as __version__
from kerneltron.learning.methods import estimator_names

# Everything is imported when first used: scikit-learn alone takes a second or two. `__init__.pyi`, for type
# checkers and editors, is written by `python -m tools.stubs` from these lists and the catalogue of methods.
_PACKAGES = ["datasets", "features", "kernels", "maps", "plots", "theory"]
_NAMES = {
    "estimators.many_tasks": ["ManyTasks"],
    "estimators.saving": ["load", "save"],
    "features.hasher": ["Hasher"],
}
_other, _, _names = lazy_loader.attach(__name__, _PACKAGES, _NAMES)
__all__ = sorted([*_names, *estimator_names()])  # noqa: PLE0605


def __getattr__(name: str) -> object:
    if name in estimator_names():
        from kerneltron.estimators.making import estimator

        return estimator(name)
    if name in _names:
        return _other(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *estimator_names()})
