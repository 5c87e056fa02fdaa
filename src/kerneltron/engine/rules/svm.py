"""Support vector machines by dual coordinate ascent: one coefficient at a time is brought to its optimum."""

from typing import NamedTuple

from kerneltron.engine.compiled import inlined
from kerneltron.engine.declared import declares, never_shrinks
from kerneltron.engine.dispatch import implements
from kerneltron.engine.update import Situation, update


@declares(least_shrink=never_shrinks, ascends=True)
class AscentRule(NamedTuple):
    """One formula for two losses: the hinge has (C, 0), the squared hinge (inf, 1 / (2 C)).

    The dual problem is to maximise sum_i alpha_i - softness_i alpha_i^2 / 2 - ||w||^2 / 2 with
    w = sum_i alpha_i y_i x_i and 0 <= alpha_i <= cap_i. The weight of an example multiplies C.
    """

    cap: float
    softness: float


@inlined
def coefficient(rule: AscentRule, alpha: float, z: float, q: float, weight: float) -> float:
    """Return the best coefficient of an example whose margin is z, while all others stay.

    It is the number itself and no difference from `alpha`, so that 0 and the cap are exact.
    """
    softness = rule.softness / weight
    best = alpha + (1.0 - z - softness * alpha) / (q + softness)
    return min(max(best, 0.0), rule.cap * weight)


@inlined
def loss_of(rule: AscentRule, z: float, weight: float) -> float:
    """Return what an example of margin z adds to the objective: C xi or C xi^2, with xi = max(0, 1 - z)."""
    xi = max(0.0, 1.0 - z)
    if rule.softness > 0.0:
        return xi * xi * weight / (2.0 * rule.softness)
    return rule.cap * weight * xi


@inlined
def share_of_gap(rule: AscentRule, alpha: float, z: float, weight: float) -> float:
    """Return what an example adds to the duality gap, which is a sum over examples; never below 0.

    With ||w||^2 = sum_i alpha_i z_i, objective - dual objective = sum_i loss_i - alpha_i (1 - z_i)
    + softness_i alpha_i^2 / 2.
    """
    own = 0.5 * rule.softness / weight * alpha * alpha
    return max(0.0, loss_of(rule, z, weight) - alpha * (1.0 - z) + own)


@implements(update, AscentRule)
def ascent(rule: AscentRule, at: Situation) -> tuple[float, float]:
    """Return (1, alpha' - alpha)."""
    return 1.0, coefficient(rule, at.alpha, at.z, at.q, at.weight) - at.alpha
