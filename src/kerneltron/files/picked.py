"""Some rows of an array, as a tensor that is copied piece by piece while it is written."""

from collections.abc import Iterator
from typing import Any

from kerneltron._types import Anything, Integers

BYTES = 2**20  # of a piece: it stays in the cache


class Picked:
    """The rows of a matrix at some places, one after the other in a list if it `is_flat`.

    Examples
    --------
    >>> import numpy as np
    >>> some = Picked(np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), np.array([2, 0]), is_flat=True)
    >>> some.shape, np.asarray(some)
    ((4,), array([5., 6., 1., 2.]))
    """

    def __init__(self, matrix: Anything, places: Integers, is_flat: bool) -> None:
        self._matrix, self._places = matrix, places
        rows, columns = places.size, matrix.shape[1]
        self.dtype, self.shape = matrix.dtype, (rows * columns,) if is_flat else (rows, columns)
        self.ndim, self.size = len(self.shape), rows * columns
        self.itemsize, self.nbytes = self.dtype.itemsize, rows * columns * self.dtype.itemsize

    def pieces(self) -> Iterator[Anything]:
        """Yield the rows, some at a time."""
        step = max(1, BYTES // (self._matrix.shape[1] * self.itemsize))
        for start in range(0, self._places.size, step):
            yield self._matrix[self._places[start : start + step]]

    def tobytes(self) -> bytes:
        """Return all bytes, as an array does."""
        return b"".join(piece.tobytes() for piece in self.pieces())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Anything:
        """Return all rows as an array, which is always a copy."""
        rows: Anything = self._matrix[self._places].reshape(self.shape)
        return rows if dtype is None else rows.astype(dtype)
