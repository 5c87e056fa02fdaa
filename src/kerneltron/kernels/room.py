"""Room behind what several models know: who may write there, so that a model and its successor share arrays.

A call of one example must not copy what a thousand calls have learned. What a learner in dual form adds to
its arrays stands behind what is there, and what is there does not change: so the model before the call and
the one after it can read the same memory, each as far as it knows, and only one of them may write behind it.
"""

from typing import Any, Self

import numpy as np

from kerneltron._process_lock import process_lock
from kerneltron._types import Anything


class Room:
    """How far arrays that models share are written, or may be.

    Whoever knows less than that has to take copies first. So a call that fails has nothing to undo, whenever
    it fails: what it wrote stands where nobody reads, and the room that it took is not taken again.
    """

    def __init__(self, taken: int = 0, is_shared: bool = False) -> None:
        self._lock = process_lock()
        self._taken = taken
        self.is_shared = is_shared  # whether more than one model has ever had the arrays

    def __reduce__(self) -> tuple[Any, ...]:
        return Room, (self._taken, self.is_shared)

    def take(self, known: int, more: int) -> bool:
        """Take room for this many more entries behind those that are known; tell whether it was free."""
        with self._lock:
            is_free = self._taken <= known
            if is_free:
                self._taken = known + more
        return is_free

    def give_back(self, known: int) -> None:
        """Give back what was taken behind those that are known now, and was not written to."""
        with self._lock:
            self._taken = known


class Growing:
    """An array that grows at its end; copies of it share what they have in common."""

    def __init__(self, array: Anything) -> None:
        self._buffer, self._size, self._room = array, len(array), Room(len(array))

    @property
    def array(self) -> Anything:
        """What it holds: a view, which later entries do not change."""
        return self._buffer[: self._size]

    def append(self, entries: Anything) -> None:
        """Add entries at the end; what is there is copied only where there is no room, or another took it."""
        size = self._size + len(entries)
        if size > len(self._buffer) or not self._room.take(self._size, len(entries)):
            self._buffer, self._room = enlarged(self.array, 2 * size), Room(size)
        self._buffer[self._size : size] = entries
        self._size = size

    def copy(self) -> Self:
        """Return an independent copy."""
        other = type(self).__new__(type(self))
        other._buffer, other._size, other._room = self._buffer, self._size, self._room
        return other


def enlarged(array: Any, size: int) -> Any:
    """Return a copy with `size` entries (rows), the new ones 0."""
    other = np.zeros((size, *array.shape[1:]), array.dtype)
    other[: len(array)] = array
    return other
