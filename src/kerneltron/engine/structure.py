"""Whether a CSR matrix is as the loops take it: columns in range, and none twice in a row."""

import numpy as np

from kerneltron._types import Integers
from kerneltron.engine.compiled import compiled


@compiled
def increasing(indices: Integers, starts: Integers, width: int) -> bool:
    """Return whether the columns increase within every row, from 0 to below `width`: so none comes twice.

    All neighbours are compared as if there were one row, in vector registers, and those that belong to two
    rows are then taken out. Of each row only the ends need be looked at for the rest.
    """
    falls = 0
    for p in range(np.uintp(1), np.uintp(indices.size)):
        falls += indices[p] <= indices[p - np.uintp(1)]
    before = 0
    for i in range(starts.size - 1):
        first, last = starts[i], starts[i + 1]
        if first != before or last < first or last > indices.size:
            return False
        if last > first:
            if indices[first] < 0 or indices[last - 1] >= width:
                return False
            if first > 0:
                falls -= indices[first] <= indices[first - 1]
        before = last
    return falls == 0


@compiled
def repeated(indices: Integers, starts: Integers, seen: Integers) -> bool:
    """Return whether a column comes twice within a row, in any order; `seen` is -1 for each column."""
    for i in range(starts.size - 1):
        for p in range(starts[i], starts[i + 1]):
            if seen[indices[p]] == i:
                return True
            seen[indices[p]] = i
    return False
