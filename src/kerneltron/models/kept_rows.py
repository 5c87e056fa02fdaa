"""Rows of the Gram matrix of a call that are kept: moves of their examples need no kernel values any more.

A move of an example whose row is kept is added to the scores of all examples at once; other moves are
logged, and added when an example is met again.
"""

from typing import Any, NamedTuple

import numpy as np

from kerneltron._types import Floats, Integers
from kerneltron.engine.ascent import Room, spread, take_columns
from kerneltron.kernels.cost import resident_size
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.pack import Pack, as_slice
from kerneltron.kernels.threads import side_by_side

NONE = -1  # the place of an example whose row is not kept
STRIP = 1024  # scores that take moves at a time: their part of the rows stays in the second-level cache
WIDTH = 2048  # values of a row that are computed at a time
LEAST = 1 / 16  # the part of the rows for which there must be room, or none are kept
# Rows that are computed at a time cost at least as much as this many where the examples are read from memory:
# 60,000 rows of 784 numbers take 20 ms to read, and 1.3 ms to compare with one more example.
TOGETHER = 16
IN_CACHE = 2**22  # bytes of examples that are read from a cache
# A row must save this many times what it costs: it is written to memory, and read again for each move.
WORTH = 1.5
ASSUMED = 1.0  # later moves of an example, as long as none has been visited again
SURE = 256  # visits to examples that have moved, after which their share of moves is trusted


class Reuse(NamedTuple):
    """What was kept of the kernel values of a call, and how often that was of use."""

    kept_rows: int = 0
    moves: int = 0
    hits: int = 0


class KeptRows:
    """Kernel values of some examples with all examples of a call.

    Where there is room for all rows, one may be kept when its example first moves a vector; else when it does
    so for the second time, so that those which move often are kept. Either way the count must say that it
    pays. Of visits to examples that have moved before, a share are moves; this share times the passes that
    are left is how often a row will be used again. Of MNIST's nines a perceptron moves one in ten of these,
    and no rows are kept; where a fifth of the labels are wrong, it moves half of them, and all are.

    Parameters
    ----------
    kernel, pack
        The examples of the call, and what compares them.
    room
        Bytes that may be used. Memory is there only once it is written to.
    passes
        How often each example will be visited.

    Attributes
    ----------
    place
        Where the row of each example is, `NONE` where it is not kept.
    asked, hits
        Moves so far, and those that needed no kernel values.
    """

    def __init__(self, kernel: Kernel, pack: Pack, room: int, passes: float) -> None:
        self.kernel, self.pack, self.passes = kernel, pack, passes
        size, precision = len(pack), np.dtype(pack.precision)
        self.capacity = min(size, room // max(1, size * precision.itemsize))
        self.matrix = np.empty((self.capacity, size), precision)
        self.place = np.full(size, NONE)
        self.count = self.asked = self.hits = 0
        self._needs_second = self.capacity < size
        self._has_moved = np.zeros(size, bool)
        self._visits = self._met = self._again = 0
        self._least = TOGETHER if resident_size(pack) > IN_CACHE else 1

    @property
    def is_worth_it(self) -> bool:
        """Whether there is room for a part of the rows that matters."""
        return bool(self.capacity >= LEAST * len(self.pack))

    @property
    def reuse(self) -> Reuse:
        """What was kept so far, and how often it was of use."""
        return Reuse(self.count, self.asked, self.hits)

    def own(self, asked: Integers, examples: Integers) -> Floats:
        """Return the values of examples whose rows are kept with some examples."""
        out = np.empty((asked.size, examples.size), self.matrix.dtype)
        take_columns(self.matrix, self.place[asked], examples, out)
        return out

    def admit(self, visited: Integers, examples: Integers) -> Any:
        """Take note of visits, and of those that moved a vector; return which have rows, perhaps from now on.

        An example that moved several times among these visits stands in `examples` as often.
        """
        self.asked += examples.size
        self.hits += int(np.count_nonzero(self.place[examples] >= 0))
        moved = self._has_moved[examples]
        self._visits += visited.size
        self._met += int(np.count_nonzero(self._has_moved[visited]))
        self._again += int(np.count_nonzero(moved))
        new = examples[(self.place[examples] < 0) & (moved if self._needs_second else True)]
        new = new[: self.capacity - self.count]
        self._has_moved[examples] = True
        if self._pays(new.size):
            self.place[new] = np.arange(self.count, self.count + new.size)
            self._fill(new)
            self.count += new.size
        return self.place[examples] >= 0

    def _pays(self, rows: int) -> bool:
        """Return whether it pays to keep more rows: each serves the move at hand, and later ones."""
        left = self.passes - self._visits / len(self.pack)
        later = ASSUMED if self._met < SURE else self._again / self._met * left
        return rows > 0 and rows * (1 + later) >= WORTH * max(rows, self._least)

    def _fill(self, new: Integers) -> None:
        rows = self.pack[as_slice(new)]

        def fill(first: int) -> None:
            part = slice(first, first + WIDTH)
            self.matrix[self.count : self.count + new.size, part] = self.kernel.gram(rows, self.pack[part])

        for _ in side_by_side(fill, range(0, len(self.pack), WIDTH)):
            pass

    def spread(self, examples: Integers, steps: Floats, constant: float, scores: Floats) -> None:
        """Let all scores, one row per column, take the moves of examples whose rows are kept."""
        kind = self.matrix.dtype
        room = Room(np.empty(examples.size, np.int64), np.empty(4, kind), np.empty(STRIP, kind))
        spread(self.matrix, self.place[examples], np.ascontiguousarray(steps.T), constant, scores, 0, room)


class GivenRows(KeptRows):
    """The rows of a Gram matrix that the user has computed: all are there, and none is copied."""

    def __init__(self, pack: Pack, matrix: Floats) -> None:
        self.pack, self.matrix = pack, matrix
        self.capacity = self.count = len(pack)
        self.place = np.arange(len(pack))
        self.asked = self.hits = 0

    def admit(self, visited: Integers, examples: Integers) -> Any:
        """Count moves; all of them have rows."""
        self.asked += examples.size
        self.hits += examples.size
        return np.ones(examples.size, bool)
