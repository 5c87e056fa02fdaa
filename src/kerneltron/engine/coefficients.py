"""Sweeps over coefficients, one row per remembered example and one column per class.

NumPy takes 30 ns for a row that is as short as that, whatever it does with it: ten times as long as these,
and longer than the row takes in a matrix product.
"""

import numpy as np

from kerneltron._types import Floats, Integers
from kerneltron.engine.compiled import compiled


@compiled
def find_occupied(v: Floats, slots: Integers) -> int:
    """Fill in which rows hold a number other than 0; return how many there are."""
    found = 0
    for slot in range(v.shape[0]):
        for c in range(v.shape[1]):
            if v[slot, c] != 0.0:
                slots[found] = slot
                found += 1
                break
    return found


@compiled
def find_largest(v: Floats, largest: Floats, sure: float) -> bool:
    """Let `largest`, which holds 0, be the largest absolute number of each column.

    Returns whether each of them is 0, or between `sure` and its inverse.
    """
    for slot in range(v.shape[0]):
        for c in range(v.shape[1]):
            size = abs(v[slot, c])
            if size > largest[c] or np.isnan(size):
                largest[c] = size
    are_held = True
    for c in range(v.shape[1]):
        are_held &= largest[c] == 0.0 or sure < largest[c] < 1.0 / sure
    return are_held


@compiled
def add_rows(v: Floats, sums: Floats) -> None:
    """Add all rows, in order, to `sums`."""
    for slot in range(v.shape[0]):
        for c in range(v.shape[1]):
            sums[c] += v[slot, c]
