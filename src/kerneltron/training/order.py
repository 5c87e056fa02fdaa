"""The order of the examples in a pass."""

from collections.abc import Iterator

import numpy as np

from kerneltron._types import Integers
from kerneltron.engine.order import BLOCK, fill_order


def order(n: int, number: int, seed: int | None, blocks: int = 16) -> Iterator[Integers]:
    """Yield the rows of pass `number` over n examples in the order of the visits, some blocks at a time.

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
    chunk = blocks * BLOCK
    if seed is None:
        for start in range(0, n, chunk):
            yield np.arange(start, min(start + chunk, n))
        return
    rows = np.empty(chunk, np.int64)
    first = 0
    while first * BLOCK < n:
        filled = fill_order(rows, first, n, number, seed)
        yield rows[:filled].copy()
        first += -(-filled // BLOCK)


def beginning(chunks: Iterator[Integers], count: int) -> Iterator[Integers]:
    """Yield the first `count` visits."""
    for chunk in chunks:
        yield chunk[:count]
        count -= chunk.size
        if count <= 0:
            return
