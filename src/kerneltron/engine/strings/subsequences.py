"""Subsequences with gaps, after Lodhi and others (2002), one diagonal of two strings after the other.

With gain_s(p, q), what all common subsequences of s symbols of the first p symbols on the left and the first
q on the right weigh, counted from where they begin to the ends p and q,

    gain_s(p + 1, q + 1)  = decay gain_s(p, q + 1) + reach_s(p, q + 1),
    reach_s(p, q + 1)     = decay reach_s(p, q) + [left[p] = right[q]] decay^2 gain_{s-1}(p, q),

and the kernel is the sum of decay^2 gain_{k-1}(p, q) over all p and q with left[p] = right[q]. Both
recursions wait for the cell before, in a row or in a column. Cells with the same p + q do not wait for each
other: in this order the loops use SIMD, and take 0.5 ns per cell and symbol where rows take 1.4.
"""

from typing import NamedTuple

import numpy as np

from kerneltron._types import Floats, Integers
from kerneltron.engine.compiled import compiled, inlined
from kerneltron.engine.strings.encoded import EncodedStrings

ONE = np.uintp(1)  # places are unsigned, so that numba does not test for an index counted from the end
TINY = 1e-290  # what is smaller counts as 0: arithmetic on the smallest floats is slow


class Diagonals(NamedTuple):
    """The cells of two diagonals, by q; a diagonal takes the place of the last but one."""

    gains: Floats  # (2, k, columns)
    reaches: Floats  # (2, k, columns)
    matches: Floats  # (columns,)
    ends: Floats  # (columns,)
    backwards: Integers  # the string on the left, so that its symbols on a diagonal rise with q


@inlined
def begin(diagonals: Diagonals, columns: int) -> None:
    """No symbols are found everywhere, with a gain of 1, and more of them nowhere."""
    for now in range(2):
        for s in range(diagonals.gains.shape[1]):
            gains, reaches = diagonals.gains[now, s], diagonals.reaches[now, s]
            for q in range(columns):
                gains[q] = 1.0 if s == 0 else 0.0
                reaches[q] = 0.0
    for q in range(columns):
        diagonals.ends[q] = 0.0


# A function of its own, not inlined: where it sees that the arrays are parts of one, LLVM does not use SIMD.
@compiled
def sweep(
    matches: Floats,
    fewer: Floats,
    before: Floats,
    after: Floats,
    old: Floats,
    new: Floats,
    low: np.uintp,
    decay: float,
) -> None:
    """Go through the cells low <= q < matches.size of a diagonal for one number of symbols."""
    for q in range(low, np.uintp(matches.size)):
        reach = decay * before[q] + matches[q] * fewer[q]
        gain = decay * old[q + ONE] + reach
        after[q + ONE] = reach if reach > TINY else 0.0
        new[q + ONE] = gain if gain > TINY else 0.0


@inlined
def cross(diagonals: Diagonals, now: int, low: np.uintp, high: np.uintp, decay: float) -> None:
    """Go through the cells low <= q < high of a diagonal, whose matches are known."""
    longest, matches = diagonals.gains.shape[1] - 1, diagonals.matches[:high]
    gains = diagonals.gains[now, longest]
    for q in range(low, high):
        diagonals.ends[q] += matches[q] * gains[q]
    for s in range(longest, 0, -1):  # the gains of s - 1 symbols are still those of the last diagonal but one
        sweep(
            matches,
            diagonals.gains[now, s - 1],
            diagonals.reaches[1 - now, s],
            diagonals.reaches[now, s],
            diagonals.gains[1 - now, s],
            diagonals.gains[now, s],
            low,
            decay,
        )


@inlined
def compare(
    left: EncodedStrings, i: int, right: EncodedStrings, j: int, decay: float, diagonals: Diagonals
) -> float:
    """Return the kernel of two strings."""
    first, n = left.starts[i], left.starts[i + 1] - left.starts[i]
    start, m = right.starts[j], right.starts[j + 1] - right.starts[j]
    begin(diagonals, m + 1)
    for p in range(n):
        diagonals.backwards[p] = left.codes[first + n - 1 - p]
    for d in range(n + m - 1):
        low, high = np.uintp(max(0, d - n + 1)), np.uintp(min(m, d + 1))
        for q in range(low, high):
            is_equal = diagonals.backwards[np.uintp(n - 1 - d) + q] == right.codes[np.uintp(start) + q]
            diagonals.matches[q] = decay * decay if is_equal else 0.0
        cross(diagonals, d & 1, low, high, decay)
    total = 0.0
    for q in range(m):
        total += diagonals.ends[q]
    return total


@compiled
def common_subsequences(
    rows: EncodedStrings,
    others: EncodedStrings,
    first: int,
    end: int,
    decay: float,
    diagonals: Diagonals,
    out: Floats,
) -> None:
    """Write the kernel of string i of `rows` and string j of `others` to out[i, j], for first <= i < end.

    Subsequences have diagonals.gains.shape[1] symbols. There is space for the cells of the shorter string of
    each pair, and for the longer one backwards.
    """
    for i in range(first, end):
        for j in range(out.shape[1]):
            if rows.starts[i + 1] - rows.starts[i] < others.starts[j + 1] - others.starts[j]:
                out[i, j] = compare(others, j, rows, i, decay, diagonals)
            else:
                out[i, j] = compare(rows, i, others, j, decay, diagonals)


@compiled
def own_subsequences(
    rows: EncodedStrings, first: int, end: int, decay: float, diagonals: Diagonals, out: Floats
) -> None:
    """Write the kernel of string i and itself to out[i], for first <= i < end."""
    for i in range(first, end):
        out[i] = compare(rows, i, rows, i, decay, diagonals)
