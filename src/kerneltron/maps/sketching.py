"""Rows brought into few slots by hashes that are regenerated and not stored."""

from typing import Any

import numpy as np

from kerneltron._matrices import compressed
from kerneltron._types import Floats
from kerneltron._validate import is_sparse
from kerneltron.engine.count_sketches import sketch_dense, sketch_sparse


def add_sketch(
    X: Any, seed: int, stream: int, groups: int, scales: Floats, first: int, end: int, out: Floats
) -> None:
    """Add the sketches of scales[i] x_i, for first <= i < end, to out[i]: one slot in each of the groups.

    Takes O(groups) for each non-zero of sparse rows, and for each number of dense ones.
    """
    if is_sparse(X):
        rows = compressed(X, out.dtype)
        sketch_sparse(rows, np.uint64(seed), stream, groups, scales, first, end, out)
    else:
        sketch_dense(X, np.uint64(seed), stream, groups, scales, first, end, out)
