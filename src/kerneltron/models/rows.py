"""Matrices as the engine sees them, and back."""

from typing import Any, TypeVar

import numpy as np
import scipy.sparse as sp

from kerneltron._types import Anything, Dense, Rows, Sparse
from kerneltron._validate import is_sparse
from kerneltron.engine.structure import increasing, repeated

Array = TypeVar("Array", bound=Anything)


def as_rows(X: Any, bias: float) -> Rows:
    """View a dense matrix or a CSR matrix of floats as rows; nothing is copied, unless entries repeat.

    The views are read-only, as memory-mapped data are: so one type is compiled for both.
    """
    if not is_sparse(X):
        return Dense(_frozen(X.reshape(-1)), X.shape[1], bias)
    rows = _sparse(X, bias)
    if not increasing(rows.indices, rows.starts, X.shape[1]):
        try:
            X.check_format(full_check=True)  # the loops would read and write anywhere
        except ValueError as error:
            raise ValueError(f"X is damaged, not a valid CSR matrix: {error}.") from error
        seen = np.full(X.shape[1], -1, rows.indices.dtype)
        if repeated(rows.indices, rows.starts, seen):
            X = X.copy()
            X.sum_duplicates()
            return _sparse(X, bias)
    return rows


def take(rows: Rows, index: Anything, width: int) -> Any:
    """Return copies of some rows as a matrix, dense or CSR as they were."""
    if isinstance(rows, Dense):
        return rows.values.reshape(-1, rows.width)[index]
    shape = (rows.starts.size - 1, width)
    return sp.csr_matrix((rows.values, rows.indices, rows.starts), shape=shape, copy=False)[index]


def _sparse(X: Any, bias: float) -> Sparse:
    kind = X.indices.dtype if X.indices.dtype == X.indptr.dtype else np.dtype(np.int64)
    indices, starts = X.indices.astype(kind, copy=False), X.indptr.astype(kind, copy=False)
    return Sparse(_frozen(X.data), _frozen(indices), _frozen(starts), bias)


def _frozen(array: Array) -> Array:
    view = np.ascontiguousarray(array).view()
    view.flags.writeable = False
    return view  # type: ignore[return-value]
