"""What a learner is handed, checked by scikit-learn's contract, with errors that name the row."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _num_samples, check_consistent_length, column_or_1d, validate_data

from kerneltron._plain import has_columns_of, is_plain_matrix, plain_labels, without_extension
from kerneltron._types import Anything, Floats
from kerneltron._validate import as_csr, check_labels, is_sparse
from kerneltron.kernels.field_values import is_missing
from kerneltron.kernels.on import field_names
from kerneltron.kernels.precomputed import Precomputed, check_similarities
from kerneltron.learning.learner import Learner
from kerneltron.learning.space import Data, takes_matrices
from kerneltron.learning.weighting import checked

FLOATS: Sequence[Any] = (np.float64, np.float32)  # kept as they are; anything else becomes the first


def read(estimator: Any, learner: Learner, X: Any, y: Any = None, reset: bool = False) -> tuple[Any, Any]:
    """Return X as the learner's model takes it, and y (None for new rows) as one label per row.

    Parameters
    ----------
    estimator
        Where scikit-learn notes the number and the names of the columns, and looks for them.
    learner
        Its kernel says what examples are, its method which numbers cannot be learned from.
    X, y
        What was given.
    reset
        Whether the estimator is to note width and names of these rows, as it begins with them.
    """
    kernel = learner.kernel
    if not takes_matrices(kernel, X):
        return _read_objects(X, y)
    known = learner.model.dtype if learner.has_model else None
    dtypes = [known] if known is not None and y is not None else list(FLOATS)
    demands = {
        "accept_sparse": "csr",
        "dtype": dtypes,
        "order": "C",
        "ensure_all_finite": False,
        "reset": reset,
    }
    if y is not None:
        check_labels(y)
        y = without_extension(y)
    is_plain = not reset and is_plain_matrix(X, dtypes) and has_columns_of(estimator, X)
    labels = plain_labels(y, X.shape[0]) if is_plain else None
    if is_plain and (y is None or labels is not None):
        X, y = as_csr(X) if is_sparse(X) else X, labels
    elif y is None:
        X = _validated(estimator, X, **demands)
    else:
        X, y = _validated(estimator, X, y, **demands)
        y = _labels(y)
    if not is_sparse(X) and not X.flags.aligned:  # from a file, or packed records
        X = np.require(X, requirements="A")
    learner.method.check_values(X, getattr(estimator, "feature_names_in_", None))
    if reset:
        if isinstance(kernel, Precomputed):
            check_similarities(X)
        learner.inputs = int(estimator.n_features_in_)
        learner.input_names = getattr(estimator, "feature_names_in_", None)
    return X, y


def data_of(learner: Learner, X: Any, at_least: int = 0, **more: Any) -> Data:
    """Return what a learner is told of the rows that it begins with; at least `at_least` are to come."""
    examples = max(_num_samples(X), at_least)
    if takes_matrices(learner.kernel, X):
        return Data(examples, X.shape[1], X.dtype, X, **more)
    return Data(examples, 0, X=X, **more)


def check_given(estimator: Any, y: Any) -> Any:
    """Return y; raise if it is missing."""
    if y is None:
        raise ValueError(f"{type(estimator).__name__} requires y to be passed, but the target y is None.")
    return y


def weights_for(given: Any, classes: Anything, y: Anything, whole: bool) -> Floats:
    """Return one weight per class, from all labels y."""
    return checked(given, np.asarray(compute_class_weight(given, classes=classes, y=y), float), whole)


def is_structure(X: Any) -> bool:
    """Return whether X is one string, record, tree or graph, and not a sequence of them."""
    if isinstance(X, str | bytes | Mapping) or callable(getattr(X, "label", None)):
        return True
    return all(hasattr(X, name) for name in ("nodes", "edges", "is_directed"))


def _read_objects(X: Any, y: Any = None) -> tuple[Any, Any]:
    """Return X as it is, for kernels that compare anything, and y as one label per example."""
    if not hasattr(X, "__getitem__") or is_structure(X):
        raise TypeError(f"X is a {type(X).__name__}: give a sequence of examples, such as [X].")
    if y is None:
        return X, None
    check_labels(y)
    check_consistent_length(X, y)
    return X, _labels(y)


def _validated(estimator: Any, X: Any, *y: Any, **demands: Any) -> Any:
    """Let scikit-learn check what is given; before that, all entries of a sparse matrix are looked at."""
    try:
        return validate_data(estimator, as_csr(X) if is_sparse(X) else X, *y, **demands)
    except OverflowError as error:
        raise ValueError(f"X holds a number that is too large: {error}.") from error
    except (TypeError, ValueError) as error:
        if (place := _first_other(X)) is None:
            raise
        raise type(error)(
            f"{place}, which is not a number ({error}). Encode it first, for example with "
            "sklearn.preprocessing.OneHotEncoder, or leave it out; kernel='auto' takes data frames and dicts "
            "with columns of text and dates, too."
        ) from error


def _first_other(X: Any) -> str | None:
    """Return where X first holds something that cannot be a number, and what; None where it does not."""
    names = field_names(X)
    if names is None and isinstance(X, np.ndarray) and X.dtype.kind in "biuf":
        return None
    try:
        table = np.asarray(X, object)
    except ValueError:  # rows of different lengths
        return None
    for row, entries in enumerate(table if table.ndim == 2 else ()):
        for column, value in enumerate(entries):
            if not _is_number(value):
                where = f"column {column}" if names is None else f"the column {names[column]!r}"
                return f"X[{row}] holds {value!r:.60} in {where}"
    return None


def _is_number(value: Any) -> bool:
    try:
        float(np.nan if is_missing(value) else value)
    except (TypeError, ValueError):
        return False
    return True


def _labels(y: Any) -> Anything:
    y = column_or_1d(y, warn=True)
    if y.dtype.kind not in "biuSU":  # whole numbers and text are labels; of others some are
        check_classification_targets(y)
    return np.asarray(y)
