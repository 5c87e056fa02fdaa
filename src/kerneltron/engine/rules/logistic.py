"""Logistic regression by stochastic gradient descent with an implicit step on the L2 term."""

from math import exp
from typing import NamedTuple

from kerneltron.engine.declared import declares
from kerneltron.engine.dispatch import implements
from kerneltron.engine.rates import rate
from kerneltron.engine.update import Situation, update


@declares(
    least_shrink=lambda rule, t: 1.0 / (1.0 + rule.l2 / (rule.inverse_rate + rule.decay * t)),
    has_log_odds=lambda rule: True,
)
class LogisticRule(NamedTuple):
    """Gradient steps of size eta_t on log(1 + exp(-z)) + (l2 / 2) ||w||^2."""

    inverse_rate: float
    decay: float
    l2: float


@implements(update, LogisticRule)
def logistic(rule: LogisticRule, at: Situation) -> tuple[float, float]:
    """Return (1 / (1 + eta_t l2), eta_t sigmoid(-z))."""
    eta = rate(rule.inverse_rate, rule.decay, at.t)
    if at.z > 0.0:
        small = exp(-at.z)
        slope = small / (1.0 + small)
    else:
        slope = 1.0 / (1.0 + exp(at.z))
    return 1.0 / (1.0 + eta * rule.l2), eta * slope * at.weight
