"""Whether a row of a CSR matrix names a column twice: then it has no squares of its own."""

import numpy as np

from kerneltron._types import Integers
from kerneltron.engine.compiled import compiled


@compiled
def increasing(indices: Integers, starts: Integers) -> bool:
    """Tell whether the columns increase within every row, so that none comes twice.

    All neighbours are compared as if there were one row, in vector registers, and those that belong to two
    rows are then taken out.
    """
    falls = 0
    for p in range(np.uintp(1), np.uintp(indices.size)):
        falls += indices[p] <= indices[p - np.uintp(1)]
    last = -1
    for i in range(1, starts.size - 1):
        p = starts[i]
        if last < p < indices.size and p > 0:  # once for each border, whatever the empty rows there
            falls -= indices[p] <= indices[p - 1]
            last = p
    return falls == 0


@compiled
def repeated(indices: Integers, starts: Integers, seen: Integers) -> bool:
    """Tell whether a column comes twice within a row, in any order; `seen` is -1 for each column."""
    for i in range(starts.size - 1):
        for p in range(starts[i], starts[i + 1]):
            if seen[indices[p]] == i:
                return True
            seen[indices[p]] = i
    return False
