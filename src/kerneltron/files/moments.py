"""Moments of columns as contents of a file, and back: those of columns that had entries."""

from math import isfinite

import numpy as np

from kerneltron.files.contents import Contents, ModelFileError
from kerneltron.models.moments import Moments

ARRAYS = ("weights", "means", "squares")


def state(moments: Moments) -> Contents:
    """Return what is to be saved of moments.

    Examples
    --------
    >>> moments = Moments(4)
    >>> moments.add(np.array([[1.0, 2.0, 3.0, 4.0]]), np.ones(1))
    >>> restore(state(moments), columns=4).means
    array([1., 2., 3., 4.])
    """
    there = np.flatnonzero(moments.weights)
    tensors = {name: getattr(moments, name)[there] for name in ARRAYS}
    return Contents({"total": moments.total}, {"columns": there.astype(np.int64), **tensors})


def restore(contents: Contents, columns: int) -> Moments:
    """Return the moments of this many columns; raise unless they can be those of some rows."""
    found = Moments(columns)
    found.total = contents.number("total", 0.0)
    there = contents.places("columns", (None,), columns)
    if (np.diff(there) <= 0).any():
        raise ModelFileError("the columns of the moments are not in order")
    for name in ARRAYS:
        array = contents.array(name, np.float64, (there.size,))
        if not np.isfinite(array).all():
            raise ModelFileError(f"the tensor {name!r} holds what is not a number")
        getattr(found, name)[there] = array
    within = (found.weights[there] > 0) & (found.weights[there] <= found.total) & (found.squares[there] >= 0)
    if not isfinite(found.total) or not within.all():
        raise ModelFileError("the weights and squares of the moments are not those of any rows")
    return found
