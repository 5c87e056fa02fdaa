"""The learning methods: parameters become a rule and a model, without data and without scikit-learn.

>>> from kerneltron.methods import method
>>> perceptron = method("perceptron")(margin=0.5)
>>> perceptron.begin(width=1000, columns=1, dtype="float32", seed=0).rule
PerceptronRule(learning_rate=1.0, margin=0.5)
"""

from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kerneltron.methods.online import OnlineMethod

# What the command line calls a method, where it lives, and the estimator of that method.
METHODS = {
    "perceptron": ("perceptron", "Perceptron"),
    "passive-aggressive": ("passive_aggressive", "PassiveAggressive"),
    "romma": ("romma", "Romma"),
    "mira": ("mira", "Mira"),
    "logistic": ("logistic_regression", "LogisticRegression"),
    "pegasos": ("pegasos", "Pegasos"),
    "winnow": ("winnow", "Winnow"),
}


def method(name: str) -> "type[OnlineMethod]":
    """Return the class of a method, by its name or that of its estimator. It is imported only now.

    Examples
    --------
    >>> from kerneltron.methods import method
    >>> method("logistic") is method("LogisticRegression")
    True
    >>> method("pegasus")
    Traceback (most recent call last):
    ValueError: there is no learner 'pegasus': did you mean 'pegasos'? Choose one of perceptron, ...
    """
    estimators = {estimator: short for short, (_, estimator) in METHODS.items()}
    short = estimators.get(name, name)
    if short not in METHODS:
        close = get_close_matches(name, [*METHODS, *estimators], n=1)
        hint = f": did you mean {close[0]!r}?" if close else "."
        raise ValueError(f"there is no learner {name!r}{hint} Choose one of {', '.join(METHODS)}.")
    home, estimator = METHODS[short]
    found: type[OnlineMethod] = getattr(import_module(f"{__name__}.{home}"), f"{estimator}Method")
    return found
