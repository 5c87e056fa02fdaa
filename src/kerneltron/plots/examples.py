"""Examples as pictures take them: few columns, as numbers, with one label each."""

from typing import Any

import numpy as np

from kerneltron._types import Anything, Floats
from kerneltron._validate import check_finite, is_sparse


def dense(X: Any) -> Floats:
    """Return a matrix of numbers, whatever it was before."""
    return np.asarray(X.toarray() if is_sparse(X) else X, float)


def points_of(X: Any, y: Any, columns: int = 2, classes: int | None = None) -> tuple[Floats, Anything]:
    """Return the rows of X and their labels; raise unless they can be drawn.

    Parameters
    ----------
    X, y
        Examples and labels.
    columns
        How many features the picture has room for.
    classes
        How many labels there have to be; None takes any number.

    Examples
    --------
    >>> points_of([[1, 2, 3, 4, 5]], ["yes"])
    Traceback (most recent call last):
    ValueError: This picture shows 2 features, but X has the shape (1, 5): fit a learner on 2 columns, such as
    X[:, :2], or on a projection such as scikit-learn's PCA(2), and hand over the same.
    """
    points, labels = dense(X), np.asarray(y)
    if points.ndim != 2 or points.shape[1] != columns:
        raise ValueError(
            f"This picture shows {columns} features, but X has the shape {points.shape}: fit a learner on "
            f"{columns} columns, such as X[:, :{columns}], or on a projection such as scikit-learn's "
            f"PCA({columns}), and hand over the same."
        )
    if not len(points):
        raise ValueError("X has no rows, so there is nothing to draw: hand over at least one example.")
    check_finite(points)
    if labels.shape != (len(points),):
        raise ValueError(
            f"X has {len(points)} rows, but y has the shape {labels.shape}: give one label for each row."
        )
    found = len(np.unique(labels))
    if classes is not None and found != classes:
        raise ValueError(
            f"This picture shows {classes} classes, but y holds {found} labels: take the rows of two "
            "classes, or set one against the rest, as in y == 'one'."
        )
    return points, labels
