"""Labels of several types in one type that holds all of them exactly: no two labels may become one."""

import numpy as np

from kerneltron._types import Anything

WHOLE = "iu"  # kinds of arrays that hold whole numbers
LARGE = (np.dtype(np.int64), np.dtype(np.uint64))  # what may be left to hold them


def joined(*groups: Anything) -> Anything:
    """Return all labels of some groups, sorted, each once.

    Examples
    --------
    >>> joined(np.array([1, 2]), np.array([2, 3], np.uint64))
    array([1, 2, 3])
    """
    return np.unique(np.concatenate(in_one_type(*groups)))


def in_one_type(*groups: Anything) -> list[Anything]:
    """Return groups of labels in one type; where NumPy's would round them, in another.

    NumPy has float64 for int64 and uint64, in which 2**60 and 2**60 + 1 are the same number.
    """
    common = np.result_type(*groups)
    if common.kind == "f" and any(group.dtype.kind in WHOLE for group in groups):
        types = (*(group.dtype for group in groups), common, *LARGE)
        exact = [dtype for dtype in types if all(_holds(dtype, group) for group in groups)]
        if not exact:
            raise ValueError(_message(groups))
        common = exact[0]
    return [group.astype(common, copy=False) for group in groups]


def are_among(labels: Anything, classes: Anything) -> Anything:
    """Return for each label whether it is one of the classes, whatever the types of both."""
    known = set(classes.tolist())
    return np.array([label in known for label in labels.tolist()], bool)


def _holds(dtype: np.dtype, labels: Anything) -> bool:
    """Return whether a type has each of these numbers: Python compares whole and other numbers exactly."""
    with np.errstate(invalid="ignore"):
        return bool(labels.astype(dtype).tolist() == labels.tolist())


def _message(groups: tuple[Anything, ...]) -> str:
    types = sorted({group.dtype.name for group in groups})
    ends = [int(end) for group in groups if group.size for end in (group.min(), group.max())]
    span = f", from {min(ends)} to {max(ends)}" if ends else ""
    return (
        f"labels came as {' and as '.join(types)}{span}: no type of NumPy holds all of them exactly. Give "
        "text from the first call on, such as [str(label) for label in y], or smaller numbers."
    )
