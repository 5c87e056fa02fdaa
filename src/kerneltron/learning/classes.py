"""Labels that are not as they should be: refused, missing, or of a class that came late."""

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from kerneltron._types import Anything, Floats, Integers
from kerneltron.learning.label_types import are_among
from kerneltron.stream.labels import stands_for_missing

if TYPE_CHECKING:
    from kerneltron.learning.targets.target import Met


def introduced(met: "Met", weight: Floats | None, rows: int) -> Floats | None:
    """Return the weights of the rows, 0 for those that only introduce a late class; None where all are 1."""
    if not met.late:
        return weight
    weight = np.ones(rows) if weight is None else weight.copy()
    weight[list(met.late.values())] = 0.0
    return weight


def warn_of_late(met: "Met") -> None:
    """Warn that a class came late, if one did: the first of them, once per call of `partial_fit`."""
    if met.late:
        label = min(met.late, key=lambda label: met.late[label])
        warnings.warn(late_message(label, f"row {met.late[label]}"), UserWarning, stacklevel=5)


def warn_of_missing(met: "Met", known: Anything | None = None, stacklevel: int = 4) -> None:
    """Warn of new classes whose name stands for a missing label, unless the user gave all names.

    NumPy makes text of NaN where it stands beside text.
    """
    classes = met.target.classes
    if met.target.is_closed or classes is None or classes is known or not is_text(classes):
        return
    earlier = () if known is None else known.tolist()
    for name in classes.tolist():
        if name not in earlier and isinstance(name, str) and (not name or stands_for_missing(name)):
            warnings.warn(
                f"y holds the text {name!r}, and {name!r} is a class now. If it stands for a missing label, "
                "drop the rows without a label.",
                UserWarning,
                stacklevel=stacklevel,
            )


def late_message(label: Any, place: str, remedy: str = "partial_fit(..., classes=[...])") -> str:
    """Say that a class came late, and how to have all classes known from the first.

    Examples
    --------
    >>> print(late_message("spma", "row 7"))
    The class 'spma' came late (row 7): its first example only introduces it, and is not learned from. If \
all labels are known, give them by partial_fit(..., classes=[...]): mistyped ones are then refused.
    """
    return (
        f"The class {label!r} came late ({place}): its first example only introduces it, and is not learned "
        f"from. If all labels are known, give them by {remedy}: mistyped ones are then refused."
    )


def check_allowed(labels: Anything, rows: Integers, allowed: Anything, before: bool) -> None:
    """Raise a ValueError that names the first row whose label is not allowed."""
    strange = np.flatnonzero(~are_among(labels, allowed))
    if not strange.size:
        return
    first = strange[np.argmin(rows[strange])]
    message = f"y holds {labels.tolist()[first]!r} in row {rows[first]}, which is not among "
    if before:
        message += (
            f"the classes that were given, {allowed.tolist()!r}. Correct the label, or give all classes "
            "again by partial_fit(..., classes=[...])."
        )
    else:
        message += f"classes={allowed.tolist()!r}."
    raise ValueError(message)


def check_types(known: Anything | None, new: Anything) -> None:
    """Raise a ValueError if labels are text now and were numbers before, or the other way round."""
    if known is not None and is_text(known) != is_text(new):
        raise ValueError(
            f"y holds {type_of(new)}, but earlier labels were {type_of(known)} such as {known.tolist()[0]!r}."
        )


def type_of(labels: Anything) -> str:
    """Return what labels are, in a word."""
    return "text" if is_text(labels) else "numbers"


def is_text(labels: Anything) -> bool:
    """Return whether labels are text."""
    return labels.dtype.kind in "OUS"
