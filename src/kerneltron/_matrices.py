"""Matrices as the engine sees them, and back. SciPy is imported where matrices are made: it takes 0.1 s."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from kerneltron._types import Anything, Dense, Rows, Sparse
from kerneltron._validate import check_structure, is_sparse
from kerneltron.engine.structure import increasing, repeated


def as_rows(X: Any, bias: float) -> Rows:
    """View a dense matrix or a CSR matrix of floats as rows; nothing is copied, unless entries repeat."""
    if is_sparse(X):
        return compressed(sound(X), X.dtype, bias)
    return Dense(frozen(X.reshape(-1), X.dtype), X.shape[1], bias)


def compressed(X: Any, dtype: Any, bias: float = 0.0) -> Sparse:
    """View a CSR or CSC matrix as the engine takes it, its values as numbers of this dtype."""
    places = X.indices.dtype if X.indices.dtype == X.indptr.dtype else np.dtype(np.int64)
    arrays = frozen(X.data, dtype), frozen(X.indices, places), frozen(X.indptr, places)
    return Sparse(*arrays, X.shape[0 if X.format == "csc" else 1], bias)


def sound(X: Any) -> Any:
    """Return a CSR matrix that loops can rely on: checked, without repeated entries; a copy if need be."""
    rows = compressed(X, X.dtype)
    has_room = rows.starts.size == X.shape[0] + 1 and rows.values.size == rows.indices.size
    if has_room and increasing(rows.indices, rows.starts, X.shape[1]):
        return X
    check_structure(X)  # the loops would read and write anywhere
    if repeated(rows.indices, rows.starts, np.full(X.shape[1], -1, rows.indices.dtype)):
        X = X.copy()
        X.sum_duplicates()
    return X


def with_own_features(X: Any, delta: float) -> Any:
    """Return the rows of X with a further feature each, `delta` in a column of its own."""
    import scipy.sparse as sp

    own = sp.identity(X.shape[0], X.dtype, "csr") * X.dtype.type(delta)
    return sp.hstack([sp.csr_matrix(X), own], "csr", X.dtype)


def stacked(matrices: Sequence[Any]) -> Any:
    """Return the rows of all matrices, one after the other: CSR if one of them is sparse."""
    if not any(map(is_sparse, matrices)):
        return np.concatenate(matrices)
    from scipy.sparse import vstack

    return vstack(matrices, "csr")


def take(rows: Rows, index: Anything, width: int) -> Any:
    """Return copies of some rows as a matrix, dense or CSR as they were."""
    if isinstance(rows, Dense):
        return rows.values.reshape(-1, rows.width)[index]
    from scipy.sparse import csr_matrix

    shape = (rows.starts.size - 1, width)
    return csr_matrix((rows.values, rows.indices, rows.starts), shape=shape, copy=False)[index]


class Used(NamedTuple):
    """Entries of some rows: values, which of the columns `features` they stand in, and whose they are."""

    values: Anything
    places: Anything
    owners: Anything
    features: Anything

    def times(self, w: Anything, rows: int) -> Any:
        """Return the products of these rows, of which there are so many, with vectors for `features`."""
        found = np.zeros((rows, w.shape[1]))
        np.add.at(found, self.owners, self.values[:, None].astype(np.float64) * w[self.places])
        return found


def used(rows: Sparse, index: Anything) -> Used:
    """Return the entries of some rows; SciPy, which the command line does without, takes 0.2 s to import."""
    counts = rows.starts[index + 1] - rows.starts[index]
    owners = np.repeat(np.arange(index.size), counts)
    ends = np.cumsum(counts)
    positions = np.arange(owners.size) + np.repeat(rows.starts[index] - (ends - counts), counts)
    features, places = np.unique(rows.indices[positions], return_inverse=True)
    return Used(rows.values[positions], places, owners, features)


def frozen(array: Anything, dtype: Any) -> Any:
    """View an array read-only, as memory-mapped data are: so one type is compiled for both."""
    view = np.ascontiguousarray(array, dtype).view()
    view.flags.writeable = False
    return view
