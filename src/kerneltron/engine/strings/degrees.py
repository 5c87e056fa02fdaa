"""Runs of equal symbols at equal positions of two strings."""

import numpy as np

from kerneltron._types import Floats
from kerneltron.engine.compiled import compiled
from kerneltron.engine.strings.encoded import EncodedStrings


@compiled
def weigh_runs(
    left: EncodedStrings,
    right: EncodedStrings,
    first: int,
    end: int,
    longest: int,
    factor: float,
    out: Floats,
) -> None:
    """Write the sum over positions l of factor r_l - r_l^2 to out[i, j], for first <= i < end.

    r_l is the length of the run of equal symbols that ends at l, at most `longest`. Its sums are whole
    numbers: an addition of floats takes four times as long, and each waits for the one before.
    """
    for i in range(first, end):
        size = left.starts[i + 1] - left.starts[i]
        for j in range(out.shape[1]):
            x, z = np.uintp(left.starts[i]), np.uintp(right.starts[j])
            runs = squares = run = 0
            for l in range(np.uintp(min(size, right.starts[j + 1] - right.starts[j]))):  # noqa: E741
                is_equal = left.codes[x + l] == right.codes[z + l]
                run = min(run + 1, longest) if is_equal else 0
                runs += run
                squares += run * run
            out[i, j] = factor * runs - squares
