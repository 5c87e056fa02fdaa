"""Moments of columns as contents of a file, and back."""

from kerneltron.files import columns as files
from kerneltron.files.contents import Contents
from kerneltron.models.moments import Moments

ARRAYS = ("weights", "means", "squares")


def state(moments: Moments) -> Contents:
    """Return what is to be saved of moments.

    Examples
    --------
    >>> import numpy as np
    >>> moments = Moments(4)
    >>> moments.add(np.array([[1.0, 2.0, 3.0, 4.0]]), np.ones(1))
    >>> restore(state(moments), columns=4).means
    array([1., 2., 3., 4.])
    """
    return files.state({"total": moments.total}, {name: getattr(moments, name) for name in ARRAYS})


def restore(contents: Contents, columns: int) -> Moments:
    """Return the moments of this many columns; raise unless they can be those of some rows."""
    arrays = files.restore(contents, "total", ARRAYS, columns)
    return Moments.of(contents.number("total", 0.0), **arrays)
