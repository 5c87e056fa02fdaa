"""What is known of columns as contents of a file, and back."""

from math import isfinite

import numpy as np

from kerneltron._types import Floats
from kerneltron.files.contents import Contents, ModelFileError
from kerneltron.files.packing import is_packed, packed, unpacked


def state(numbers: dict[str, float], arrays: dict[str, Floats]) -> Contents:
    """Return numbers, and arrays with one number per column: the first of these counts its entries.

    Examples
    --------
    >>> known = state({"total": 2.0}, {"weights": np.array([2.0, 0.0]), "squares": np.array([1.5, 0.0])})
    >>> restore(known, "total", ("weights", "squares"), columns=2)["squares"]
    array([1.5, 0. ])
    """
    tensors = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    counts = next(iter(tensors.values()))
    small = packed(Contents(dict(numbers), tensors), counts.size)
    if is_packed(small):
        return small
    there = np.flatnonzero(counts)
    listed = {name: array[there] for name, array in tensors.items()}
    return Contents(dict(numbers), {"columns": there.astype(np.int64), **listed})


def restore(contents: Contents, total: str, names: tuple[str, ...], columns: int) -> dict[str, Floats]:
    """Return the arrays of this many columns; raise unless they can be those of so many rows in `total`."""
    rows = contents.number(total, 0.0)
    if is_packed(contents):
        contents = unpacked(contents, columns)
        found = {name: contents.array(name, np.float64, (columns,)) for name in names}
    else:
        found = _listed(contents, names, columns)
    if not all(np.isfinite(array).all() for array in found.values()):
        raise ModelFileError("what is known of the columns is not a number")
    counts, squares = found[names[0]], found["squares"]
    has_entries = counts > 0
    if not isfinite(rows) or (counts < 0).any() or (counts > rows).any() or (squares < 0).any():
        raise ModelFileError(f"the {names[0]} and squares of columns are not those of any rows")
    if any(array[~has_entries].any() for array in found.values()):
        raise ModelFileError("something is known of a column that had no entries")
    return found


def _listed(contents: Contents, names: tuple[str, ...], columns: int) -> dict[str, Floats]:
    """Return the arrays of a file that lists the columns that had entries."""
    there = contents.places("columns", (None,), columns)
    if (np.diff(there) <= 0).any():
        raise ModelFileError("the columns whose scale is known are not in order")
    found: dict[str, Floats] = {name: np.zeros(columns) for name in names}
    for name, array in found.items():
        array[there] = contents.array(name, np.float64, (there.size,))
    return found
