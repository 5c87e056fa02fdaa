"""Inner products of sparse rows: frequent columns by a matrix product, the others entry by entry."""

from typing import Any

import numpy as np

from kerneltron._types import Floats, Sparse
from kerneltron.engine.sparse_products import add_products, count_columns, spread, transpose
from kerneltron.kernels.ragged import starts_of
from kerneltron.kernels.threads import in_threads

# How many pairs of entries a matrix product multiplies in the time that one takes by itself.
QUICKER = 16
WORTH = 16  # columns: for fewer a matrix product is not begun
TOGETHER = 64  # rows that are worth a thread


def inner_products(left: Sparse, right: Sparse, width: int, kind: Any) -> Floats:
    """Return <x_i, z_j> for all rows of both sides, which have `width` columns, as a matrix of this kind."""
    rows, others = left.starts.size - 1, right.starts.size - 1
    mine, theirs = np.zeros(width, np.int64), np.zeros(width, np.int64)
    count_columns(left, mine)
    count_columns(right, theirs)
    places = np.full(width, -1, np.int32)
    frequent = np.flatnonzero(mine * theirs * QUICKER > rows * others)
    if frequent.size >= WORTH:
        places[frequent] = np.arange(frequent.size)
        wide = np.zeros((rows, frequent.size), kind), np.zeros((others, frequent.size), kind)
        spread(left, places, wide[0])
        spread(right, places, wide[1])
        block: Floats = wide[0] @ wide[1].T
        theirs[frequent] = 0
    else:
        block = np.zeros((rows, others), kind)
    columns = _transposed(right, theirs, places)
    in_threads(lambda first, end: add_products(left, first, end, columns, block), rows, TOGETHER)
    return block


def _transposed(rows: Sparse, counts: Any, places: Any) -> Sparse:
    """Return the columns that have no place, each as a row."""
    starts = starts_of(counts)
    ends, size = starts[1:].copy(), int(starts[-1])
    indices, values = np.empty(size, np.int32), np.empty(size, rows.values.dtype)
    transpose(rows, ends, places, indices, values)
    return Sparse(values, indices, starts, 0.0)
