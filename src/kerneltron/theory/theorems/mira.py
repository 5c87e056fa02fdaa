"""MIRA, whose two classes share one vector: twice that vector is what PA-I has."""

from math import isfinite

from kerneltron.engine.joint import MiraRule
from kerneltron.theory.theorems.passive_aggressive import capped, repairs_all
from kerneltron.theory.theorems.theorem import Theorem


def theorem(rule: MiraRule, columns: int) -> Theorem | None:
    """Return the theorem of PA-I for two classes; None for more, whose vectors move together."""
    if columns > 1:
        return None
    return capped(rule.C) if isfinite(rule.C) else repairs_all()
