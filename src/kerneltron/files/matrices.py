"""Matrices of rows: dense, or in CSR form as values, columns and where each row begins."""

from typing import Any

import numpy as np

from kerneltron._matrices import compressed
from kerneltron._validate import is_sparse
from kerneltron.engine.structure import increasing
from kerneltron.files.contents import Contents, ModelFileError

FLOATS = (np.float32, np.float64)


def state(X: Any) -> Contents:
    """Return the contents of a dense or CSR matrix of floats; entries stay in their order."""
    if not is_sparse(X):
        return Contents({"layout": "dense"}, {"rows": X})
    places = np.int32 if max(X.nnz, X.shape[1]) < 2**31 else np.int64
    tensors = {"values": X.data, "columns": X.indices.astype(places), "starts": X.indptr.astype(places)}
    return Contents({"layout": "csr", "width": X.shape[1]}, tensors)


def restore(contents: Contents) -> Any:
    """Return the matrix; raise unless the loops can rely on it."""
    if contents.text("layout", ("dense", "csr")) == "dense":
        return contents.array("rows", FLOATS, (None, None))
    import scipy.sparse as sp

    width = contents.whole("width")
    values = contents.array("values", FLOATS, (None,))
    columns = contents.array("columns", (np.int32, np.int64), values.shape)
    starts = contents.array("starts", columns.dtype, (None,))
    if not starts.size:
        raise ModelFileError("the tensor 'starts' has no entry")
    if starts[-1] != values.size:
        raise ModelFileError(f"the last of 'starts' is {starts[-1]}, but there are {values.size} values")
    X = sp.csr_matrix((values, columns, starts), shape=(starts.size - 1, width), copy=False)
    _check(X)
    return X


def _check(X: Any) -> None:
    """Raise if a column is out of range, or comes twice in a row: the loops would not notice."""
    rows = compressed(X, X.dtype)
    if increasing(rows.indices, rows.starts, X.shape[1]):
        return
    try:
        X.check_format(full_check=True)
    except ValueError as error:
        raise ModelFileError(f"rows are damaged: {error}") from error
    ordered = X.copy()
    ordered.has_sorted_indices = False
    ordered.sort_indices()
    rows = compressed(ordered, X.dtype)
    if not increasing(rows.indices, rows.starts, X.shape[1]):
        raise ModelFileError("rows are damaged: a column comes twice")
