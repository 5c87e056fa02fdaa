"""Online learning with kernels: learners that learn from their mistakes, one example at a time.

>>> from sklearn.datasets import load_digits
>>> from kerneltron import Perceptron
>>> X, y = load_digits(return_X_y=True)
>>> Perceptron(passes=10, random_state=0).fit(X, y == 9).score(X, y == 9) > 0.95
True
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kerneltron.learners.logistic_regression import LogisticRegression
    from kerneltron.learners.many_tasks import ManyTasks
    from kerneltron.learners.mira import Mira
    from kerneltron.learners.passive_aggressive import PassiveAggressive
    from kerneltron.learners.pegasos import Pegasos
    from kerneltron.learners.perceptron import Perceptron
    from kerneltron.learners.romma import Romma
    from kerneltron.learners.winnow import Winnow

__version__ = "0.1.0"

__all__ = [
    "LogisticRegression",
    "ManyTasks",
    "Mira",
    "PassiveAggressive",
    "Pegasos",
    "Perceptron",
    "Romma",
    "Winnow",
]

# Names and where they live. They are imported when first used: scikit-learn alone takes a second or two.
_HOMES = {
    "LogisticRegression": "kerneltron.learners.logistic_regression",
    "ManyTasks": "kerneltron.learners.many_tasks",
    "Mira": "kerneltron.learners.mira",
    "PassiveAggressive": "kerneltron.learners.passive_aggressive",
    "Pegasos": "kerneltron.learners.pegasos",
    "Perceptron": "kerneltron.learners.perceptron",
    "Romma": "kerneltron.learners.romma",
    "Winnow": "kerneltron.learners.winnow",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
