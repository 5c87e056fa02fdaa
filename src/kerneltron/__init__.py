"""Online learning with kernels: learners that learn from their mistakes, one example at a time.

>>> from sklearn.datasets import load_digits
>>> from kerneltron import Perceptron
>>> X, y = load_digits(return_X_y=True)
>>> Perceptron(passes=10, random_state=0).fit(X, y == 9).score(X, y == 9) > 0.95
True
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from kerneltron._version import __version__ as __version__

if TYPE_CHECKING:
    from kerneltron.estimators.logistic_regression import LogisticRegression
    from kerneltron.estimators.many_tasks import ManyTasks
    from kerneltron.estimators.mira import Mira
    from kerneltron.estimators.passive_aggressive import PassiveAggressive
    from kerneltron.estimators.pegasos import Pegasos
    from kerneltron.estimators.perceptron import Perceptron
    from kerneltron.estimators.romma import Romma
    from kerneltron.estimators.saving import load, save
    from kerneltron.estimators.winnow import Winnow
    from kerneltron.features.hasher import Hasher


__all__ = [
    "Hasher",
    "LogisticRegression",
    "ManyTasks",
    "Mira",
    "PassiveAggressive",
    "Pegasos",
    "Perceptron",
    "Romma",
    "Winnow",
    "load",
    "save",
]

# Names and where they live. They are imported when first used: scikit-learn alone takes a second or two.
_HOMES = {
    "Hasher": "kerneltron.features.hasher",
    "LogisticRegression": "kerneltron.estimators.logistic_regression",
    "ManyTasks": "kerneltron.estimators.many_tasks",
    "Mira": "kerneltron.estimators.mira",
    "PassiveAggressive": "kerneltron.estimators.passive_aggressive",
    "Pegasos": "kerneltron.estimators.pegasos",
    "Perceptron": "kerneltron.estimators.perceptron",
    "Romma": "kerneltron.estimators.romma",
    "Winnow": "kerneltron.estimators.winnow",
    "load": "kerneltron.estimators.saving",
    "save": "kerneltron.estimators.saving",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
