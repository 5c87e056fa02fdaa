"""The learning methods: parameters become a rule and a model, without data and without scikit-learn.

>>> from kerneltron.learning.methods import method
>>> perceptron = method("perceptron")(margin=0.5)
>>> perceptron.begin(width=1000, columns=1, dtype="float32", seed=0).rule
PerceptronRule(learning_rate=1.0, margin=0.5)
"""

import re
from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kerneltron.learning.method import OnlineMethod

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


def short_name(name: str) -> str:
    """Return what the command line calls a method, by that name or the estimator's, however it is written.

    Examples
    --------
    >>> from kerneltron.learning.methods import short_name
    >>> short_name("LogisticRegression"), short_name("Winnow"), short_name("passive_aggressive")
    ('logistic', 'winnow', 'passive-aggressive')
    >>> short_name("pegasus")
    Traceback (most recent call last):
    ValueError: there is no learner 'pegasus': did you mean 'pegasos'? Choose one of perceptron, ...
    """
    ways = {_letters(way): short for short, (_, estimator) in METHODS.items() for way in (short, estimator)}
    short = ways.get(_letters(name))
    if short is None:
        close = get_close_matches(_letters(name), ways, n=1)
        hint = f": did you mean {ways[close[0]]!r}?" if close else "."
        raise ValueError(f"there is no learner {name!r}{hint} Choose one of {', '.join(METHODS)}.")
    return short


def _letters(name: str) -> str:
    """Return a name without capitals, and without what may stand between its words."""
    return re.sub(r"[-_\s]", "", name).lower()


def method(name: str) -> "type[OnlineMethod]":
    """Return the class of a method, by its name or that of its estimator. It is imported only now.

    Examples
    --------
    >>> from kerneltron.learning.methods import method
    >>> method("logistic") is method("LogisticRegression")
    True
    """
    home, estimator = METHODS[short_name(name)]
    found: type[OnlineMethod] = getattr(import_module(f"{__name__}.{home}"), f"{estimator}Method")
    return found
