"""Passive-Aggressive: the smallest step that repairs the margin, all of it or as much as is allowed."""

from typing import NamedTuple

from kerneltron.engine.declared import declares, never_shrinks
from kerneltron.engine.dispatch import implements
from kerneltron.engine.update import Situation, update


@declares(least_shrink=never_shrinks)
class PassiveAggressiveRule(NamedTuple):
    """One formula for three variants: PA-0 (inf, 0), PA-I (C, 0), PA-II (inf, 1 / (2 C))."""

    cap: float
    softness: float


@implements(update, PassiveAggressiveRule)
def passive_aggressive(rule: PassiveAggressiveRule, at: Situation) -> tuple[float, float]:
    """Return (1, min(cap, loss / (q + softness))) with loss = max(0, 1 - z)."""
    loss = max(0.0, 1.0 - at.z)
    return 1.0, min(rule.cap * at.weight, loss / (at.q + rule.softness / at.weight))
