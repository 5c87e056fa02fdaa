"""Classes and columns: k classes have k columns, but two share one, and so does a first one alone."""

from typing import Any

import numpy as np

from kerneltron._types import Anything
from kerneltron._validate import check_labels
from kerneltron.models.weights import FRESH, Source


def columns_for(classes: int) -> int:
    """Return how many vectors `classes` classes need."""
    return 1 if classes <= 2 else classes


def sources(before: Anything, after: Anything) -> list[Source]:
    """Say where the columns for the classes `after` come from, if those of `before` are known.

    A shared column speaks for the second class and against the first: a third class splits it into w and -w.

    Examples
    --------
    >>> import numpy as np
    >>> sources(np.array(["b", "c"]), np.array(["a", "b", "c"]))
    [(-1, 0.0), (0, -1.0), (0, 1.0)]
    """
    known = {label: code for code, label in enumerate(before.tolist())}

    def source(label: object) -> Source:
        if label not in known:
            return FRESH
        code = known[label]
        return (code, 1.0) if len(known) > 2 else (0, 1.0 if code == 1 else -1.0)

    labels = after.tolist()
    if len(labels) == 2 and labels[1] not in known:  # the column speaks for a class that has just come
        column, sign = source(labels[0])
        return [(column, -sign)]
    return [source(label) for label in labels[-columns_for(len(labels)) :]]


def meet(known: Anything | None, y: Anything, announced: Any) -> Anything:
    """Return all classes known after the labels y have come, sorted.

    `announced` are classes that may come, or None; if given, y must hold no others.
    """
    new = np.unique(y)
    if announced is not None:
        check_labels(announced)
        strangers = np.setdiff1d(new, announced)
        if strangers.size:
            raise ValueError(
                f"y holds {strangers.tolist()[0]!r}, which is not among classes={list(announced)!r}."
            )
        new = np.unique(np.asarray(announced))
    if known is None:
        return new
    if _is_text(known) != _is_text(new):
        now, then = ("text", "numbers") if _is_text(new) else ("numbers", "text")
        raise ValueError(f"y holds {now}, but earlier labels were {then} such as {known.tolist()[0]!r}.")
    return np.union1d(known, new)


def _is_text(labels: Anything) -> bool:
    return labels.dtype.kind in "OUS"
