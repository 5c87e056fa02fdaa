"""Labels of columns: +1 for the class of an example, and -1 for others."""

import numpy as np

from kerneltron._types import Integers


def labels_of(codes: Integers, columns: int) -> Integers:
    """Return +1 for the class of each visit and -1 for others, one column per class; two classes share one.

    Where `codes` are already such labels, with 0 for unknown, they are returned.

    Examples
    --------
    >>> labels_of(np.array([0, 1]), 1).tolist(), labels_of(np.array([0, 2]), 3).tolist()
    ([[-1], [1]], [[1, -1, -1], [-1, -1, 1]])
    """
    if codes.ndim == 2:
        return np.ascontiguousarray(codes, np.int8)
    if codes.size == 1:  # as of a call with one row
        own: Integers = np.full((1, columns), -1, np.int8)
        if columns > 1 or codes[0] == 1:
            own[0, codes[0] if columns > 1 else 0] = 1
        return own
    is_own = codes[:, None] == (1 if columns == 1 else np.arange(columns))
    signs: Integers = 2 * is_own.view(np.int8) - np.int8(1)
    return signs
