"""Rows that are made of others: what examples become that are merged."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from kerneltron._matrices import stacked
from kerneltron._types import Floats
from kerneltron._validate import is_sparse

LEAST_ENTRIES = 1024  # that a sparse row may always have
TIMES = 4  # as many entries as the longest row it may be made of


def mixed_rows(weights: Floats, matrices: Sequence[Any]) -> Any:
    """Return weights times the rows of all matrices, one after the other, in their precision.

    Sums of sparse rows have more entries than each of them, and sums of these more again. Of more than 1,024
    entries, and four times those of the longest row, only the largest are kept.

    Examples
    --------
    >>> mixed_rows(np.array([[0.5, 0.25, 0.25]]), [np.array([[4.0]]), np.array([[0.0], [8.0]])])
    array([[4.]])
    """
    rows = stacked(matrices)
    if not is_sparse(rows):
        return weights.astype(rows.dtype) @ rows
    from scipy.sparse import csr_matrix

    mixed = (csr_matrix(weights.astype(rows.dtype)) @ rows).tocsr()
    mixed.sort_indices()
    return _pruned(mixed, max(LEAST_ENTRIES, TIMES * int(np.diff(rows.indptr).max(initial=0))))


def _pruned(rows: Any, most: int) -> Any:
    """Return sparse rows with at most this many entries each, the largest ones."""
    counts = np.diff(rows.indptr)
    if counts.max(initial=0) <= most:
        return rows
    for i in np.flatnonzero(counts > most):
        entries = rows.data[rows.indptr[i] : rows.indptr[i + 1]]
        entries[np.argsort(-np.abs(entries), kind="stable")[most:]] = 0.0
    rows.eliminate_zeros()
    return rows
