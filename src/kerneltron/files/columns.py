"""What is known of columns as contents of a file, and back: of those that had entries."""

from math import isfinite

import numpy as np

from kerneltron._types import Floats
from kerneltron.files.contents import Contents, ModelFileError


def state(numbers: dict[str, float], arrays: dict[str, Floats]) -> Contents:
    """Return numbers, and arrays with one number per column: the first of these counts its entries.

    Examples
    --------
    >>> known = state({"total": 2.0}, {"weights": np.array([2.0, 0.0]), "squares": np.array([1.5, 0.0])})
    >>> restore(known, "total", ("weights", "squares"), columns=2)["squares"]
    array([1.5, 0. ])
    """
    there = np.flatnonzero(next(iter(arrays.values())))
    tensors = {name: array[there] for name, array in arrays.items()}
    return Contents(dict(numbers), {"columns": there.astype(np.int64), **tensors})


def restore(contents: Contents, total: str, names: tuple[str, ...], columns: int) -> dict[str, Floats]:
    """Return the arrays of this many columns; raise unless they can be those of so many rows in `total`."""
    there, rows = contents.places("columns", (None,), columns), contents.number(total, 0.0)
    if (np.diff(there) <= 0).any():
        raise ModelFileError("the columns whose scale is known are not in order")
    found: dict[str, Floats] = {name: np.zeros(columns) for name in names}
    for name, array in found.items():
        array[there] = contents.array(name, np.float64, (there.size,))
        if not np.isfinite(array).all():
            raise ModelFileError(f"the tensor {name!r} holds what is not a number")
    counts, squares = found[names[0]][there], found["squares"][there]
    if not isfinite(rows) or not ((counts > 0) & (counts <= rows) & (squares >= 0)).all():
        raise ModelFileError(f"the {names[0]} and squares of columns are not those of any rows")
    return found
