"""ALMA, which scales examples to length 1."""

from math import inf

import numpy as np

from kerneltron.engine.rules.alma import AlmaRule
from kerneltron.theory.compared import Compared
from kerneltron.theory.theorems.theorem import Statement, Theorem


def theorem(rule: AlmaRule, columns: int) -> Theorem:
    """Return 2 (2 / alpha - 1)^2 / gamma^2 + 8 / alpha - 4, gamma the least of y <u, x> / ||x||."""

    def bound(compared: Compared) -> float:
        if not compared.separates or compared.lengths.min(initial=inf) == 0:
            return inf
        gamma = float(np.min(compared.margins / compared.lengths)) / compared.norm
        return 2.0 * (2.0 / rule.alpha - 1.0) ** 2 / gamma**2 + 8.0 / rule.alpha - 4.0

    says = Statement(
        "updates <= 2 (2 / alpha - 1)^2 / gamma^2 + 8 / alpha - 4, gamma of examples scaled to length 1",
        "Gentile, A new approximate maximal margin classification algorithm (2001), theorem 3, for p = 2",
    )
    return Theorem(says, bound)
