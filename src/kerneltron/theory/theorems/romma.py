"""ROMMA, the relaxed online maximum margin algorithm, which may be aggressive."""

from math import inf

from kerneltron.engine.rules.romma import RommaRule
from kerneltron.theory.theorems.theorem import Statement, Theorem


def theorem(rule: RommaRule, columns: int) -> Theorem:
    """Return R^2 ||w*||^2, for examples that w* separates with y <w*, x> >= 1.

    w is the shortest vector with the newest constraints, so it is never longer than w*; and every mistake
    adds at least 1 / R^2 to ||w||^2. Updates of thin margins, in the aggressive form, are not counted.
    """
    says = Statement(
        "mistakes <= R^2 ||w*||^2",
        "Li and Long, The relaxed online maximum margin algorithm (2002), theorems 2 and 3",
        "mistakes <= (R / gamma)^2",
    )
    return Theorem(
        says,
        lambda compared: (compared.radius * compared.norm) ** 2 if compared.separates else inf,
    )
