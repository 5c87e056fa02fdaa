"""What a learner is handed, checked by scikit-learn's contract, with errors that name the row."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, column_or_1d, validate_data

from kerneltron._types import Anything
from kerneltron._validate import as_csr, check_labels, is_sparse

FLOATS: Sequence[Any] = (np.float64, np.float32)  # kept as they are; anything else becomes the first


def read_rows(learner: Any, X: Any, precision: Sequence[Any] = FLOATS, reset: bool = False) -> Any:
    """Return X as a C-ordered dense or a CSR matrix; `reset` lets the learner note its width and names."""
    return _validated(learner, X, reset=reset, **_demands(precision))


def check_given(learner: Any, y: Any) -> Any:
    """Return y; raise if it is missing."""
    if y is None:
        raise ValueError(f"{type(learner).__name__} requires y to be passed, but the target y is None.")
    return y


def read_examples(
    learner: Any, X: Any, y: Any, precision: Sequence[Any] = FLOATS, reset: bool = False
) -> tuple[Any, Anything]:
    """Return X as `read_rows` does, and y as one label a row."""
    check_labels(y)
    X, y = _validated(learner, X, y, reset=reset, **_demands(precision))
    return X, _labels(y)


def read_objects(X: Any, y: Any = None) -> tuple[Any, Any]:
    """Return X as it is, for kernels that compare anything, and y as one label an example."""
    if not hasattr(X, "__getitem__") or isinstance(X, str | bytes | dict):
        raise TypeError(f"X is a {type(X).__name__}: give a sequence of examples.")
    if y is None:
        return X, None
    check_labels(y)
    check_consistent_length(X, y)
    return X, _labels(y)


def _validated(learner: Any, X: Any, *y: Any, **demands: Any) -> Any:
    """Let scikit-learn check what is given; before that, all entries of a sparse matrix are looked at."""
    try:
        return validate_data(learner, as_csr(X) if is_sparse(X) else X, *y, **demands)
    except OverflowError as error:
        raise ValueError(f"X holds a number that is too large: {error}.") from error


def _labels(y: Any) -> Anything:
    y = column_or_1d(y, warn=True)
    if y.dtype.kind not in "biuSU":  # whole numbers and text are labels; of others some are
        check_classification_targets(y)
    return np.asarray(y)


def _demands(precision: Sequence[Any]) -> dict[str, Any]:
    return {"accept_sparse": "csr", "dtype": list(precision), "order": "C", "ensure_all_finite": False}
