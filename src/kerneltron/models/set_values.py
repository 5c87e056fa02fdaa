"""The kernel values of a set of examples with each other: kept in memory, or computed when needed."""

from collections.abc import Iterator
from typing import Protocol

import numpy as np

from kerneltron._types import Floats, Integers
from kerneltron.engine.ascent import Own, compact, take_rows, widen
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.pack import Pack
from kerneltron.kernels.threads import one_blas_thread, side_by_side

WIDTH = 2048  # values of a row at a time
HEIGHT = 512  # rows that are computed at a time


class SetValues(Protocol):
    """Where a working set gets its kernel values from."""

    most: int  # examples that there is room for

    def own(self, places: Integers) -> Own:
        """Return the values of some examples with each other."""

    def strips(self, places: Integers, together: bool) -> Iterator[tuple[int, Floats, Integers]]:
        """Yield the values of some examples with all, some columns at a time.

        That is the first of the columns, a matrix, and where in it the rows of the examples are: one after
        the other if they are wanted `together`.
        """

    def kept(self, places: Integers) -> None:
        """Forget all examples but those at increasing places."""

    def extended(self, more: Pack) -> None:
        """Take further examples."""


class Recomputed:
    """Values that cost less to compute than to keep."""

    def __init__(self, kernel: Kernel, pack: Pack) -> None:
        self.kernel, self.pack, self.most = kernel, pack, np.iinfo(np.int64).max

    def own(self, places: Integers) -> Own:
        """Compute a square."""
        pack = self.pack[places]
        with one_blas_thread():
            values = np.ascontiguousarray(self.kernel.gram(pack, pack))
        return own_of(values, np.arange(places.size))

    def strips(self, places: Integers, together: bool) -> Iterator[tuple[int, Floats, Integers]]:
        """Compute some columns at a time."""
        pack, rows = self.pack[places], np.arange(places.size)
        for first in range(0, len(self.pack), WIDTH):
            with one_blas_thread():
                values = np.ascontiguousarray(self.kernel.gram(pack, self.pack[first : first + WIDTH]))
            yield first, values, rows

    def kept(self, places: Integers) -> None:
        """Keep fewer examples."""
        self.pack = self.pack[places]

    def extended(self, more: Pack) -> None:
        """Take more examples."""
        self.pack = Pack.join([self.pack, more])


class Kept:
    """Values that are all in memory.

    `room` bytes may be used. Memory that was asked for is there only once it is written to.
    """

    def __init__(self, kernel: Kernel, pack: Pack, most: int, room: int) -> None:
        self.kernel, self.pack = kernel, pack[:0]
        precision = np.dtype(pack.precision)
        self.most = min(most, int((room / precision.itemsize) ** 0.5))
        self._room = np.empty(self.most**2, precision)
        self.extended(pack)

    @property
    def matrix(self) -> Floats:
        """All values."""
        size = len(self.pack)
        return self._room[: size * size].reshape(size, size)

    def own(self, places: Integers) -> Own:
        """Point to a square in the matrix."""
        return own_of(self.matrix, places)

    def strips(self, places: Integers, together: bool) -> Iterator[tuple[int, Floats, Integers]]:
        """Yield the matrix as it is or, where the rows are to stand together, parts of them."""
        return strips_of(self.matrix, places, together)

    def kept(self, places: Integers) -> None:
        """Let the values of the others go."""
        compact(self._room, len(self.pack), places)
        self.pack = self.pack[places]

    def extended(self, more: Pack) -> None:
        """Compute the values of further examples."""
        before = len(self.pack)
        self.pack = Pack.join([self.pack, more]) if before else more
        widen(self._room, before, len(self.pack))
        matrix = self.matrix

        def fill(first: int) -> None:
            end = min(first + HEIGHT, len(matrix))
            rows = self.pack[first:end]
            for low in range(0, end, WIDTH):
                high = min(low + WIDTH, end)
                block = self.kernel.gram(rows, self.pack[low:high])
                matrix[first:end, low:high] = block
                matrix[low:high, first:end] = block.T

        for _ in side_by_side(fill, range(before, len(matrix), HEIGHT)):
            pass


class Given:
    """A Gram matrix that the user has computed: nothing is copied, and no example is forgotten."""

    def __init__(self, matrix: Floats) -> None:
        self.matrix, self.most = matrix, len(matrix)

    def own(self, places: Integers) -> Own:
        """Point to a square in the matrix."""
        return own_of(self.matrix, places)

    def strips(self, places: Integers, together: bool) -> Iterator[tuple[int, Floats, Integers]]:
        """Yield the matrix as it is or, where the rows are to stand together, parts of them."""
        return strips_of(self.matrix, places, together)

    def kept(self, places: Integers) -> None:
        """Refuse: the matrix is not ours."""
        raise NotImplementedError

    def extended(self, more: Pack) -> None:
        """Refuse: all examples are there."""
        raise NotImplementedError


def own_of(values: Floats, places: Integers) -> Own:
    """Return the square of some places in a matrix."""
    return Own(values, places, np.empty(places.size, values.dtype))


def strips_of(matrix: Floats, places: Integers, together: bool) -> Iterator[tuple[int, Floats, Integers]]:
    """Yield rows of a matrix as `SetValues.strips` does."""
    if not together:
        yield 0, matrix, places
        return
    rows = np.arange(places.size)
    for first in range(0, matrix.shape[1], WIDTH):
        part = np.empty((places.size, min(WIDTH, matrix.shape[1] - first)), matrix.dtype)
        take_rows(matrix, places, first, part)
        yield first, part, rows
