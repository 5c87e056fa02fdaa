"""Passive-Aggressive, in its three variants."""

from math import inf

import numpy as np

from kerneltron.engine.rules.passive_aggressive import PassiveAggressiveRule
from kerneltron.theory.compared import Compared
from kerneltron.theory.theorems.theorem import Machine, Statement, Theorem

WHERE = "Crammer et al., Online passive-aggressive algorithms (2006), theorem "


def theorem(rule: PassiveAggressiveRule, columns: int) -> Theorem:
    """Return the theorem of the variant: see `repairs_all`, `capped` and `soft`."""
    if rule.softness > 0:
        return soft(1.0 / (2.0 * rule.softness))
    return repairs_all() if rule.cap == inf else capped(rule.cap)


def repairs_all() -> Theorem:
    """Return R^2 ||w*||^2, for examples that w* separates with y <w*, x> >= 1 (variant 0)."""
    return Theorem(
        Statement("mistakes <= R^2 ||w*||^2", WHERE + "2", "mistakes <= (R / gamma)^2"),
        lambda compared: (compared.radius * compared.norm) ** 2 if compared.separates else inf,
    )


def capped(C: float) -> Theorem:
    """Return max(R^2, 1/C) (||w*||^2 + 2 C sum of max(0, 1 - y <w*, x>)) (variant I)."""

    def bound(compared: Compared) -> float:
        lacking = compared.visits * compared.short.sum()
        return float(max(compared.radius**2, 1.0 / C) * (compared.norm**2 + 2.0 * C * lacking))

    statement = "mistakes <= max(R^2, 1/C) (||w*||^2 + 2 C sum of max(0, 1 - y <w*, x>))"
    return Theorem(Statement(statement, WHERE + "4"), bound, lambda visits: Machine("hinge", C * visits))


def soft(C: float) -> Theorem:
    """Return (R^2 + 1/(2C)) (||w*||^2 + 2 C sum of max(0, 1 - y <w*, x>)^2) (variant II)."""

    def bound(compared: Compared) -> float:
        lacking = compared.visits * np.square(compared.short).sum()
        return float((compared.radius**2 + 1.0 / (2.0 * C)) * (compared.norm**2 + 2.0 * C * lacking))

    statement = "mistakes <= (R^2 + 1/(2C)) (||w*||^2 + 2 C sum of max(0, 1 - y <w*, x>)^2)"
    return Theorem(
        Statement(statement, WHERE + "5"), bound, lambda visits: Machine("squared_hinge", C * visits)
    )
