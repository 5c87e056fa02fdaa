"""The scales of columns as contents of a file, and back."""

import numpy as np

from kerneltron.files.contents import Contents, ModelFileError
from kerneltron.models.running_scales import BY_COLUMN, RunningScales

NUMBERS = ("rows", "lengths", "due")


def state(scales: RunningScales) -> Contents:
    """Return what is to be saved of scales: those of columns that had entries.

    Examples
    --------
    >>> restore(state(RunningScales(3, centres=True)), 3, centres=True).rows
    0.0
    """
    arrays, numbers = scales.known()
    there = np.flatnonzero(arrays["counts"])
    tensors = {name: array[there] for name, array in arrays.items()}
    return Contents(dict(zip(NUMBERS, numbers, strict=True)), {"columns": there.astype(np.int64), **tensors})


def restore(contents: Contents, width: int, centres: bool) -> RunningScales:
    """Return the scales of this many columns; raise unless they can be those of some rows."""
    there = contents.places("columns", (None,), width)
    if (np.diff(there) <= 0).any():
        raise ModelFileError("the columns of the scales are not in order")
    numbers = [contents.number(name, 0.0) for name in NUMBERS]
    arrays = {name: np.zeros(width) for name in BY_COLUMN}
    for name, array in arrays.items():
        array[there] = contents.array(name, np.float64, (there.size,))
    counts = arrays["counts"][there]
    if not ((counts > 0) & (counts <= numbers[0]) & (arrays["squares"][there] >= 0)).all():
        raise ModelFileError("the counts and squares of the scales are not those of any rows")
    if not centres and arrays["centres"].any():
        raise ModelFileError("columns are centred, and there is no constant feature that makes up for it")
    return RunningScales.of(arrays, numbers, centres)
