"""Scalers of columns as contents of a file, and back."""

from kerneltron._types import Scaling
from kerneltron.files import columns as files
from kerneltron.files.contents import Contents, ModelFileError
from kerneltron.scaling.column_scaler import ABSENT_IS_ZERO, BY_COLUMN, ColumnScaler

NUMBERS = ("rows", "lengths")
MOMENTS = BY_COLUMN[:3]
OLDER = ("weights", "means", "squares")  # in older files of scalers in front of learners


def state(scaler: ColumnScaler) -> Contents:
    """Return what is to be saved of a scaler; centres and factors only where they are those of some rows ago.

    Examples
    --------
    >>> import numpy as np
    >>> scaler = ColumnScaler(3)
    >>> scaler.count(np.array([[1.0, 2.0, 3.0]]))
    >>> restore(state(scaler), 3, ABSENT_IS_ZERO).moments.means
    array([1., 2., 3.])
    """
    arrays, numbers = scaler.known()
    names = BY_COLUMN if scaler.is_by_row else MOMENTS
    return files.state(dict(zip(NUMBERS, numbers, strict=True)), {name: arrays[name] for name in names})


def restore(
    contents: Contents, width: int, scaling: Scaling = ABSENT_IS_ZERO, unit_rows: bool = False
) -> ColumnScaler:
    """Return the scaler of this many columns; raise unless it can be that of some rows."""
    if "total" in contents.header:
        arrays = files.restore(contents, "total", OLDER, width)
        moments = dict(zip(MOMENTS, arrays.values(), strict=True))
        return ColumnScaler.of(moments, [contents.number("total", 0.0), 0.0], scaling)
    numbers = [contents.number(name, 0.0) for name in NUMBERS]
    arrays = files.restore(contents, "rows", BY_COLUMN if numbers[1] > 0.0 else MOMENTS, width)
    if not scaling.centres and "centres" in arrays and arrays["centres"].any():
        raise ModelFileError("columns are centred, and there is no constant feature that makes up for it")
    return ColumnScaler.of(arrays, numbers, scaling, unit_rows)


def state_in_front(scaler: ColumnScaler) -> Contents:
    """Return what is to be saved of a scaler in front of a learner, with what it takes absent entries for."""
    header = {
        "centres": scaler.scaling.centres,
        "absent": "zero" if scaler.scaling.absent_is_zero else "missing",
        "unit_rows": scaler.unit_rows,
    }
    return Contents(header, {}).with_part("columns", state(scaler))


def restore_in_front(contents: Contents, width: int) -> ColumnScaler:
    """Return the scaler that `state_in_front` described; older files are of streams."""
    is_older = "moments" in contents.header
    if is_older:
        return restore(contents.part("moments"), width, Scaling(False, contents.truth("centres")))
    is_zero = contents.text("absent", ("zero", "missing")) == "zero"
    scaling = Scaling(is_zero, contents.truth("centres"))
    return restore(contents.part("columns"), width, scaling, contents.truth("unit_rows"))
