"""Pegasos: the support vector machine's objective by stochastic subgradient descent."""

from typing import NamedTuple

from kerneltron.engine.declared import declares
from kerneltron.engine.dispatch import implements
from kerneltron.engine.rates import rate
from kerneltron.engine.update import Situation, update


@declares(least_shrink=lambda rule, t: max(0.0, 1.0 - rule.l2 / (rule.inverse_rate + rule.decay * t)))
class PegasosRule(NamedTuple):
    """Subgradient steps of size eta_t on max(0, 1 - z) + (l2 / 2) ||w||^2."""

    inverse_rate: float
    decay: float
    l2: float


@implements(update, PegasosRule)
def pegasos(rule: PegasosRule, at: Situation) -> tuple[float, float]:
    """Return (1 - eta_t l2, eta_t if z < 1 else 0); with eta_t = 1 / (l2 t) that is (1 - 1/t, ...)."""
    eta = rate(rule.inverse_rate, rule.decay, at.t)
    return max(0.0, 1.0 - eta * rule.l2), eta * at.weight if at.z < 1.0 else 0.0
