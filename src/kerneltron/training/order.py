"""The order of the examples in a pass."""

from collections.abc import Iterator

import numpy as np

from kerneltron._types import Integers
from kerneltron.engine.order import BLOCK, fill_order

CHUNK = 16 * BLOCK


def order(n: int, number: int, seed: int | None) -> Iterator[Integers]:
    """Yield the rows of pass `number` over n examples in the order of the visits, some thousands at a time.

    With a seed, the first pass (number 0) is a permutation of all rows; that order is cut into blocks of
    512, and each later pass permutes the blocks and the rows inside each. Without one, the given order.

    Examples
    --------
    >>> import numpy as np
    >>> np.concatenate(list(order(8, 0, seed=1)))
    array([7, 1, 4, 0, 6, 5, 2, 3])
    >>> np.concatenate(list(order(8, 0, seed=None)))
    array([0, 1, 2, 3, 4, 5, 6, 7])
    """
    if seed is None:
        yield from (np.arange(start, min(start + CHUNK, n)) for start in range(0, n, CHUNK))
        return
    room = np.empty(CHUNK, np.int64)
    first = 0
    while filled := fill_order(room, first, n, number, seed):
        yield room[:filled].copy()
        first += -(-filled // BLOCK)


def beginning(chunks: Iterator[Integers], count: int) -> Iterator[Integers]:
    """Yield the first `count` visits."""
    for chunk in chunks:
        yield chunk[:count]
        count -= chunk.size
        if count <= 0:
            return
