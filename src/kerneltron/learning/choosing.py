"""A method by its name and by those parameters that differ from its own."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from kerneltron.learning.method import OnlineMethod
from kerneltron.learning.methods import METHODS, method, short_name

# A stream is repeatable unless told otherwise; texts have dozens of features an example, so that the first
# steps of 0.5 that suit a few scaled columns would be too long.
ON_STREAMS: dict[str, dict[str, Any]] = {"logistic": {"learning_rate": 0.1}}
SEED = 0


def chosen(name: str, given: Mapping[str, Any]) -> OnlineMethod:
    """Return a method for a stream, with the given parameters.

    Examples
    --------
    >>> chosen("logistic", {"l2": 0.0}).learning_rate
    0.1
    >>> chosen("logistic", {"margin": 1.0})
    Traceback (most recent call last):
    ValueError: the learner logistic has no margin: perceptron has it.
    """
    name = short_name(name)
    known = parameters_of(name)
    for parameter in given:
        if parameter not in known:
            having = [other for other in METHODS if parameter in parameters_of(other)]
            verb = "has" if len(having) == 1 else "have"
            raise ValueError(f"the learner {name} has no {parameter}: {', '.join(having)} {verb} it.")
    ready = method(name)(**{"random_state": SEED, **ON_STREAMS.get(name, {}), **given})
    ready._check_parameters()
    ready._check_streaming()
    return ready


def parameters_of(name: str) -> list[str]:
    """Return the names of the parameters of a method."""
    return [field.name for field in fields(method(name))]
