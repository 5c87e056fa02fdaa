"""Rows as they are learned from, and as they would have been predicted before: see `running_scales`.

A row counts in the scale that it is learned from with. A prediction of it, made before, knows nothing of it.
"""

import numpy as np

from kerneltron._types import Dense, Floats, Integers, Scaling, Sparse
from kerneltron.engine.compiled import compiled
from kerneltron.engine.running_scales import Scales, scale_dense, scale_sparse


@compiled
def scale_dense_twice(
    rows: Dense, order: Integers, scales: Scales, counts: bool, scaling: Scaling, scaled: Floats
) -> None:
    """Fill `scaled` with the rows in their order, then with each by the rows before it."""
    visits, width = order.size, rows.width
    for k in range(visits):
        one = order[k : k + 1]
        before = scaled[(visits + k) * width : (visits + k + 1) * width]
        scale_dense(rows, one, scales, False, False, scaling, before)
        scale_dense(rows, one, scales, counts, True, scaling, scaled[k * width : (k + 1) * width])


@compiled
def scale_sparse_twice(
    rows: Sparse,
    order: Integers,
    scales: Scales,
    counts: bool,
    scaling: Scaling,
    scaled: Sparse,
    before: Sparse,
    bounds: Integers,
) -> None:
    """Fill `scaled` with the rows in their order, and `before` with each by the rows before it.

    Both have room as for `scale_sparse`; `bounds` is for two places.
    """
    scaled.starts[0] = before.starts[0] = 0
    for k in range(order.size):
        one = order[k : k + 1]
        end = np.int64(before.starts[k])
        room = Sparse(before.values[end:], before.indices[end:], bounds, rows.width, rows.bias)
        scale_sparse(rows, one, scales, False, False, scaling, room)
        before.starts[k + 1] = end + bounds[1]
        end = np.int64(scaled.starts[k])
        room = Sparse(scaled.values[end:], scaled.indices[end:], bounds, rows.width, rows.bias)
        scale_sparse(rows, one, scales, counts, True, scaling, room)
        scaled.starts[k + 1] = end + bounds[1]
