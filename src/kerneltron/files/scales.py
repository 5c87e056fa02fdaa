"""The scales of columns as contents of a file, and back."""

from kerneltron.files import columns as files
from kerneltron.files.contents import Contents, ModelFileError
from kerneltron.models.running_scales import BY_COLUMN, RunningScales

NUMBERS = ("rows", "lengths")


def state(scales: RunningScales) -> Contents:
    """Return what is to be saved of scales.

    Examples
    --------
    >>> restore(state(RunningScales(3, centres=True)), 3, centres=True).rows
    0.0
    """
    arrays, numbers = scales.known()
    return files.state(dict(zip(NUMBERS, numbers, strict=True)), arrays)


def restore(contents: Contents, width: int, centres: bool) -> RunningScales:
    """Return the scales of this many columns; raise unless they can be those of some rows."""
    arrays = files.restore(contents, "rows", BY_COLUMN, width)
    if not centres and arrays["centres"].any():
        raise ModelFileError("columns are centred, and there is no constant feature that makes up for it")
    return RunningScales.of(arrays, [contents.number(name, 0.0) for name in NUMBERS], centres)
