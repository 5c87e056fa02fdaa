"""From inner products to what falls with the distance, in one pass over a Gram block."""

from typing import Any

from kerneltron._types import Floats
from kerneltron.engine.compiled import compiled, inlined, internal
from kerneltron.engine.exponential import exponential


@inlined
def exponent(real: Any, product: Any, mine: Any, other: Any, before: Any, after: Any) -> Any:
    """Return after * min(0, before * product - mine - other), each difference rounded."""
    value = real(real(real(product * before) - mine) - other)
    return (real(0.0) if value > real(0.0) else value) * after


@compiled
def to_exponents(block: Floats, left: Floats, right: Floats, before: float, after: float) -> None:
    """Let block[i, j] be after * min(0, before * block[i, j] - left[i] - right[j]).

    One pass in place of five: 20 in place of 120 microseconds for 256 x 500 numbers of single precision.
    """
    real = block.dtype.type
    first, then = real(before), real(after)
    for i in range(block.shape[0]):
        mine = left[i]
        for j in range(block.shape[1]):
            block[i, j] = exponent(real, block[i, j], mine, right[j], first, then)


@internal
def row_to_gaussians(row: Floats, mine: float, others: Floats, before: float, after: float) -> None:
    """Let row[j] be exp(after * min(0, before * row[j] - mine - others[j])).

    A function of its own: only there the compiler knows enough of the arrays to make vectors of the loop.
    """
    real = row.dtype.type
    left, first, then = real(mine), real(before), real(after)
    for j in range(row.size):
        row[j] = exponential(exponent(real, row[j], left, others[j], first, then))


@compiled
def to_gaussians(block: Floats, left: Floats, right: Floats, before: float, after: float) -> None:
    """Let each row of a block be what `row_to_gaussians` makes of it."""
    for i in range(block.shape[0]):
        row_to_gaussians(block[i], left[i], right, before, after)
