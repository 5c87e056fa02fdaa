"""ROMMA, the relaxed online maximum margin algorithm (Li and Long, 2002)."""

from math import sqrt
from typing import NamedTuple

from kerneltron.engine.declared import declares
from kerneltron.engine.dispatch import implements
from kerneltron.engine.update import Situation, update

# On data that no vector separates, w grows with every mistake without end. One that is 1e15 times as long as
# a margin of 1 asks for turns as a longer one does, up to rounding: so it grows no further.
LONGEST = 1e30  # the largest q ||w||^2


@declares(reads_norm=True)
class RommaRule(NamedTuple):
    """Act on mistakes, or in the aggressive form on every margin below 1."""

    aggressive: bool


@implements(update, RommaRule)
def romma(rule: RommaRule, at: Situation) -> tuple[float, float]:
    """Return the shortest w with y <w, x> >= 1 that still satisfies <w, w_old> >= ||w_old||^2.

    Where x is parallel to w_old the two demands leave no such w (or the second is not needed), and the
    newest example alone decides: (0, 1/q). No w has a margin on an example without features.
    """
    if at.q == 0.0 or at.z >= 1.0 or (at.z > 0.0 and not rule.aggressive):
        return 1.0, 0.0
    qN = at.q * at.N
    determinant = qN - at.z * at.z  # of the Gram matrix of x and w_old
    if at.N == 0.0 or at.z >= qN or determinant <= 1e-12 * qN:
        return 0.0, 1.0 / at.q
    shrink, step = (qN - at.z) / determinant, at.N * (1.0 - at.z) / determinant
    length = at.q * (shrink * at.N + step)  # <w, w> = shrink <w_old, w> + step y <x, w>
    if length > LONGEST:
        return shrink * sqrt(LONGEST / length), step * sqrt(LONGEST / length)
    return shrink, step
