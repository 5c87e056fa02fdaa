"""Perceptron: a fixed step on every mistake, or on every margin that is too thin."""

from typing import NamedTuple

from kerneltron.engine.declared import declares, never_shrinks
from kerneltron.engine.dispatch import implements
from kerneltron.engine.update import Situation, update


@declares(least_shrink=never_shrinks)
class PerceptronRule(NamedTuple):
    """Move by `learning_rate` when the margin is at most `margin`."""

    learning_rate: float
    margin: float


@implements(update, PerceptronRule)
def perceptron(rule: PerceptronRule, at: Situation) -> tuple[float, float]:
    """Return (1, r) if z <= g, else (1, 0)."""
    return 1.0, rule.learning_rate * at.weight if at.z <= rule.margin else 0.0
