"""Input that scikit-learn would hand back as it is: to be told that takes it longer than learning from a row.

Whatever is not plain goes to scikit-learn, which converts it or says what is wrong.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from kerneltron._types import Anything
from kerneltron._validate import is_sparse

LABELS = "biuSU"  # kinds of arrays that are labels whatever they hold: whole numbers and text


def is_plain_matrix(X: Any, dtypes: Sequence[Any]) -> bool:
    """Return whether X is a dense C-ordered or a CSR matrix with rows, of one of these types."""
    if type(X) is np.ndarray:
        has_form = X.ndim == 2 and X.flags.c_contiguous
    else:
        has_form = is_sparse(X) and X.format == "csr" and X.ndim == 2
    return has_form and X.dtype in dtypes and min(X.shape) > 0


def has_columns_of(estimator: Any, X: Any) -> bool:
    """Return whether X has as many columns as an estimator knows, and these have no names to compare."""
    known = estimator.__dict__
    return "feature_names_in_" not in known and known.get("n_features_in_") == X.shape[1]


def without_extension(y: Any) -> Any:
    """Return labels of pandas' own types of whole numbers and booleans as an array of NumPy's.

    scikit-learn makes float64 of them, in which large numbers are the same.

    Examples
    --------
    >>> import pandas
    >>> without_extension(pandas.Series([2**60, 2**60 + 1], dtype="Int64")).tolist()
    [1152921504606846976, 1152921504606846977]
    """
    dtype = getattr(getattr(y, "dtype", None), "numpy_dtype", None)
    if getattr(dtype, "kind", "") not in tuple("biu") or y.isna().any():
        return y
    return y.to_numpy(dtype)


def plain_labels(y: Any, rows: int) -> Anything | None:
    """Return one label per row, whole numbers or text, as an array; None where y is something else.

    Examples
    --------
    >>> plain_labels(["ham"], 1), plain_labels([0.5], 1), plain_labels([1, 2], 1)
    (array(['ham'], dtype='<U3'), None, None)
    """
    if type(y) is list and all(isinstance(label, str | int | np.generic) for label in y):
        y = np.asarray(y)
    is_plain = type(y) is np.ndarray and y.shape == (rows,) and y.dtype.kind in LABELS
    return y if is_plain else None
