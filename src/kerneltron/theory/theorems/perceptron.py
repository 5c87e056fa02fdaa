"""The perceptron, plain and with a margin."""

import numpy as np

from kerneltron.engine.rules.perceptron import PerceptronRule
from kerneltron.theory.compared import Compared
from kerneltron.theory.theorems.theorem import Statement, Theorem


def theorem(rule: PerceptronRule, columns: int) -> Theorem:
    """Return (A ||w*|| + sqrt(sum of max(0, 1 - y <w*, x>)^2))^2 with A^2 = R^2 + 2 g / r.

    An update by r at a margin of at most g adds at most r^2 R^2 + 2 r g to ||w||^2, and at least
    r (1 - what the example lacks) to <w, w*>. All updates are counted. Without a margin, A is R.
    """
    thick = 2.0 * rule.margin / rule.learning_rate

    def bound(compared: Compared) -> float:
        length = np.sqrt(compared.radius**2 + thick)
        lacking = np.sqrt(compared.visits * np.square(compared.short).sum())
        return float((length * compared.norm + lacking) ** 2)

    what, A = ("updates", "sqrt(R^2 + 2 margin / rate)") if thick else ("mistakes", "R")
    says = Statement(
        f"{what} <= ({A} ||w*|| + sqrt(sum of max(0, 1 - y <w*, x>)^2))^2",
        "Freund and Schapire, Large margin classification using the perceptron algorithm (1999), theorem 2",
        f"{what} <= ({A} / gamma)^2",
    )
    return Theorem(says, bound)
