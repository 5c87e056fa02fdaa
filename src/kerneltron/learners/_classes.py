"""Classes and columns: k classes have k columns, but two share one, and so does a first one alone."""

from kerneltron._types import Anything
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
