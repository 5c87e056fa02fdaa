"""Online learning with kernels: learners that learn from their mistakes, one example at a time.

>>> from sklearn.datasets import load_digits
>>> from kerneltron import Perceptron
>>> X, y = load_digits(return_X_y=True)
>>> Perceptron(passes=10, random_state=0).fit(X, y == 9).score(X, y == 9) > 0.95
True
"""

from importlib import import_module
from typing import Any

from kerneltron._version import __version__ as __version__
from kerneltron.learning.methods import METHODS

# Names and where they live. They are imported when first used: scikit-learn alone takes a second or two.
_HOMES = {
    "Hasher": "kerneltron.features.hasher",
    "ManyTasks": "kerneltron.estimators.many_tasks",
    "load": "kerneltron.estimators.saving",
    "save": "kerneltron.estimators.saving",
}
__all__ = sorted([*_HOMES, *(entry.estimator for entry in METHODS.values())])  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    if any(entry.estimator == name for entry in METHODS.values()):
        from kerneltron.estimators.making import estimator

        return estimator(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
