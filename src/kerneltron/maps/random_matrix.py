"""Rows times a matrix of numbers, all of it in memory, or drawn again where it is needed."""

from threading import Lock
from typing import Any

import numpy as np

from kerneltron._matrices import compressed
from kerneltron._types import Floats, Integers
from kerneltron._validate import is_sparse
from kerneltron.engine.random_numbers import normal_rows
from kerneltron.engine.random_products import add_products_drawn, add_products_with
from kerneltron.kernels.threads import in_threads

BYTES = 2**26  # of normal numbers that a matrix keeps, whatever its size
PARTS = 8  # of the columns of a drawn matrix, which threads share between them
LEAST = 256  # columns of a part
WORTHWHILE = 2**20  # products that are worth a thread: starting one takes 0.1 ms


class StoredMatrix:
    """A matrix of single precision that is kept as a whole.

    Parameters
    ----------
    numbers
        One row for each column of the rows that it is multiplied with.
    """

    def __init__(self, numbers: Floats) -> None:
        self.numbers = np.ascontiguousarray(numbers, np.float32)
        self._double: Floats | None = None

    def product(self, X: Any, dtype: Any) -> Floats:
        """Return X times the matrix, computed in this precision."""
        if not is_sparse(X):
            return np.asarray(X.astype(dtype, copy=False) @ self._of(dtype))
        rows, out = compressed(X, dtype), np.zeros((X.shape[0], self.numbers.shape[1]), dtype)
        least = max(1, X.shape[0] if X.nnz * out.shape[1] < WORTHWHILE else 1)
        in_threads(
            lambda first, end: add_products_with(rows, self.numbers, first, end, out), X.shape[0], least
        )
        return out

    def _of(self, dtype: Any) -> Floats:
        """Return the numbers in this precision; the copy in double is made when first asked for."""
        if dtype == np.float32:
            return self.numbers
        if self._double is None:
            self._double = self.numbers.astype(np.float64)
        return self._double

    def __getstate__(self) -> dict[str, Any]:
        return {"numbers": self.numbers, "_double": None}


class DrawnMatrix:
    """A matrix of independent normal numbers, too large to be kept: rows are drawn when they are needed.

    Sparse rows need few of them, and mostly the same: of words the commonest make up most of a text. The last
    `BYTES` of rows stay at hand, row c in the place c mod their number. Columns lie in parts, each with rows
    of its own, so that threads work on parts and share nothing.

    Parameters
    ----------
    seed, stream
        Where the numbers come from: `engine.random_numbers`.
    width, columns
        Its shape.
    """

    def __init__(self, seed: int, stream: int, width: int, columns: int) -> None:
        self.seed, self.stream = np.uint64(seed), stream
        self.width, self.columns = width, columns
        self._lock = Lock()
        self._kept: list[tuple[slice, Integers, Floats]] | None = None

    def product(self, X: Any, dtype: Any) -> Floats:
        """Return X times the matrix, computed in this precision."""
        out = np.zeros((X.shape[0], self.columns), dtype)
        if is_sparse(X):
            self._add_sparse(X, out)
        else:
            self._add_dense(X, out)
        return out

    def _add_sparse(self, X: Any, out: Floats) -> None:
        rows = compressed(X, out.dtype)
        with self._lock:
            parts = self._parts()

            def work(first: int, end: int) -> None:
                for where, owners, kept in parts[first:end]:
                    sums = np.zeros((out.shape[0], kept.shape[1]), out.dtype)
                    add_products_drawn(rows, self.seed, self.stream, where.start, owners, kept, sums)
                    out[:, where] = sums

            in_threads(work, len(parts), 1 if X.nnz * self.columns >= WORTHWHILE else len(parts))

    def _add_dense(self, X: Any, out: Floats) -> None:
        height = max(1, BYTES // (4 * self.columns))
        block = np.empty((min(height, self.width), self.columns), np.float32)
        for low in range(0, self.width, height):
            drawn = block[: min(height, self.width - low)]
            draw(self.seed, self.stream, low, drawn)
            some = X[:, low : low + len(drawn)].astype(out.dtype, copy=False)
            out += some @ drawn.astype(out.dtype, copy=False)

    def _parts(self) -> list[tuple[slice, Integers, Floats]]:
        """Return the parts: which columns, whose rows are kept, and these."""
        if self._kept is None:
            size = max(LEAST, -(-self.columns // PARTS) + 1 & ~1)  # even, as numbers come in pairs
            rows = 1 << max(0, (BYTES // (4 * self.columns)).bit_length() - 1)
            starts = range(0, self.columns, size)
            places = [slice(start, min(start + size, self.columns)) for start in starts]
            self._kept = [
                (where, np.full(rows, -1), np.empty((rows, where.stop - where.start), np.float32))
                for where in places
            ]
        return self._kept

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_lock": None, "_kept": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ = {**state, "_lock": Lock()}


def normal_matrix(seed: int, stream: int, width: int, columns: int) -> StoredMatrix | DrawnMatrix:
    """Return a matrix of independent normal numbers, kept where it has at most `BYTES`."""
    if 4 * width * columns > BYTES:
        return DrawnMatrix(seed, stream, width, columns)
    return StoredMatrix(normal_numbers(seed, stream, width, columns))


def normal_numbers(seed: int, stream: int, width: int, columns: int) -> Floats:
    """Return a matrix of independent normal numbers of single precision."""
    out = np.empty((width, columns), np.float32)
    draw(np.uint64(seed), stream, 0, out)
    return out


def draw(seed: np.uint64, stream: int, row: int, out: Floats) -> None:
    """Write the rows from `row` on of a matrix of normal numbers."""
    least = len(out) if out.size < WORTHWHILE // 4 else 1
    in_threads(lambda first, end: normal_rows(seed, stream, row, first, end, out), len(out), max(1, least))
