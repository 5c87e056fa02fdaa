"""ALMA, an approximation of the maximum margin that is learned from mistakes (Gentile, 2001)."""

from math import sqrt
from typing import NamedTuple

from kerneltron.engine.declared import declares
from kerneltron.engine.dispatch import implements
from kerneltron.engine.update import Situation, update


@declares(reads_norm=True)
class AlmaRule(NamedTuple):
    """Ask for a margin of (1 - alpha) times what k updates allow to hope for."""

    alpha: float


@implements(update, AlmaRule)
def alma(rule: AlmaRule, at: Situation) -> tuple[float, float]:
    """Return what adds eta_k x / ||x|| and brings w back into the unit ball, if the margin is too thin.

    With k - 1 updates so far, gamma_k = sqrt(8 / k) / alpha and eta_k = sqrt(2 / k): theorem 3.
    """
    k, length = at.k + 1.0, sqrt(at.q)
    if at.q == 0.0 or at.z > (1.0 - rule.alpha) * sqrt(8.0 / k) / rule.alpha * length:
        return 1.0, 0.0
    eta = sqrt(2.0 / k) * at.weight
    norm = at.N + 2.0 * eta * at.z / length + eta * eta
    shrink = 1.0 / sqrt(max(1.0, norm))
    return shrink, shrink * eta / length
