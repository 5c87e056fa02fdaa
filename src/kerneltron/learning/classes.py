"""Classes and columns: k classes have k columns, but two share one, and so does a first one alone."""

import warnings
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kerneltron._types import Anything, Floats, Integers
from kerneltron._validate import check_labels
from kerneltron.learning.label_types import are_among, joined
from kerneltron.stream.labels import stands_for_missing

if TYPE_CHECKING:
    from kerneltron.learning.targets.target import Met
    from kerneltron.models.late import ColumnOrigin


def columns_for(classes: int) -> int:
    """Return how many vectors `classes` classes need."""
    return 1 if classes <= 2 else classes


def origins_of_columns(before: Anything, after: Anything) -> "list[ColumnOrigin]":
    """Say where the columns for the classes `after` come from, if those of `before` are known.

    A shared column speaks for the second class and against the first: a third class splits it into w and -w,
    and is late. The column of a first class alone speaks against it, and so for whichever come after it.

    Examples
    --------
    >>> import numpy as np
    >>> origins_of_columns(np.array(["b", "c"]), np.array(["a", "b", "c"]))
    [(-1, 0.0), (0, -1.0), (0, 1.0)]
    >>> origins_of_columns(np.array(["b"]), np.array(["a", "b", "c"]))
    [(0, 1.0), (0, -1.0), (0, 1.0)]
    """
    from kerneltron.models.late import LATE

    known = {label: code for code, label in enumerate(before.tolist())}

    def origin(label: object) -> "ColumnOrigin":
        if label not in known:
            return LATE if len(known) > 1 else (0, 1.0)
        code = known[label]
        return (code, 1.0) if len(known) > 2 else (0, 1.0 if code == 1 else -1.0)

    labels = after.tolist()
    return [origin(label) for label in labels[-columns_for(len(labels)) :]]


class MetClasses(NamedTuple):
    """The classes that are known after some labels came.

    `late` are labels that came after others and were not given, with the row in which each came first.
    """

    classes: Anything
    is_closed: bool
    late: dict[Any, int]


def meet(
    known: Anything | None, y: Anything, given: Any = None, is_closed: bool = False, there: Any = None
) -> MetClasses:
    """Return all classes known after the labels y have come, sorted.

    Parameters
    ----------
    known
        The classes so far, None before the first call.
    y
        One label per row.
    given
        All labels that may come, or None; from then on the classes are closed.
    is_closed
        Whether earlier classes were given, so that y must hold no others.
    there
        Which rows exist, all for None: the labels of others do not count.
    """
    if given is None and known is not None and _are_known(y, known):
        return MetClasses(known, is_closed, {})
    rows = np.arange(len(y)) if there is None else np.flatnonzero(there)
    labels, firsts = np.unique(y[rows], return_index=True)
    new = labels
    if given is not None:
        check_labels(given)
        new = np.unique(np.asarray(given))
        if _is_text(new) != _is_text(labels):
            raise ValueError(f"y holds {_type_of(labels)}, but classes={new.tolist()!r} are {_type_of(new)}.")
    _check_types(known, new)
    allowed = new if given is not None else known if is_closed else None
    if allowed is not None:
        _check_allowed(labels, rows[firsts], allowed, given is None)
    if known is None:
        return MetClasses(new, given is not None, {})
    classes = joined(known, new)
    late = {}
    if given is None and len(known) > 1:
        is_late = ~are_among(labels, known)
        late = dict(zip(labels[is_late].tolist(), rows[firsts[is_late]].tolist(), strict=True))
    return MetClasses(classes, is_closed or given is not None, late)


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
    if met.target.is_closed or classes is None or classes is known or not _is_text(classes):
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


def _are_known(labels: Anything, known: Anything) -> bool:
    """Tell whether all labels are among the sorted ones that are known, which have room for their text."""
    if labels.dtype != known.dtype and (
        labels.dtype.kind != known.dtype.kind or np.result_type(labels, known) != known.dtype
    ):
        return False
    if labels.size == 1:
        place = int(known.searchsorted(labels[0]))
        return place < known.size and bool(known[place] == labels[0])
    places = np.minimum(np.searchsorted(known, labels), known.size - 1)
    return bool((known[places] == labels).all())


def _check_allowed(labels: Anything, rows: Integers, allowed: Anything, before: bool) -> None:
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


def _check_types(known: Anything | None, new: Anything) -> None:
    """Raise a ValueError if labels are text now and were numbers before, or the other way round."""
    if known is not None and _is_text(known) != _is_text(new):
        raise ValueError(
            f"y holds {_type_of(new)}, but earlier labels were {_type_of(known)} such as "
            f"{known.tolist()[0]!r}."
        )


def _type_of(labels: Anything) -> str:
    return "text" if _is_text(labels) else "numbers"


def _is_text(labels: Anything) -> bool:
    return labels.dtype.kind in "OUS"
