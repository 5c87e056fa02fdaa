"""Rows times a matrix of numbers, all of it in memory, or drawn again where it is needed."""

from functools import partial
from threading import Lock
from typing import Any, NamedTuple

import numpy as np

from kerneltron._matrices import compressed
from kerneltron._types import Floats, Integers, Sparse
from kerneltron._validate import is_sparse
from kerneltron.engine.random_numbers import normal_rows
from kerneltron.engine.random_products import add_products_drawn, add_products_with
from kerneltron.kernels.threads import in_threads

BYTES = 2**26  # of normal numbers that a matrix keeps, whatever its size
PARTS = 8  # of the columns of a drawn matrix, which threads share between them
LEAST = 256  # columns of a part
ROWS = 512  # that are multiplied at a time with what is drawn
TILE = 64  # rows whose sums stay in the cache
WORTHWHILE = 2**20  # products that are worth a thread: starting one takes 0.1 ms


class Part(NamedTuple):
    """Some columns of a matrix: the rows of `numbers` are those of the rows `owners`, -1 for none."""

    columns: slice
    owners: Integers
    numbers: Floats


class StoredMatrix:
    """A matrix of single precision that is kept as a whole.

    Parameters
    ----------
    numbers
        One row for each column of the rows that it is multiplied with.
    """

    def __init__(self, numbers: Floats) -> None:
        self.numbers = np.require(numbers, np.float32, ["C", "A"])
        self._double: Floats | None = None

    def multiply(self, X: Any, out: Floats) -> None:
        """Write X times the matrix to `out`, computed in its precision; its rows may lie apart."""
        if not is_sparse(X):
            np.matmul(X.astype(out.dtype, copy=False), self._of(out.dtype), out=out)
            return
        rows = compressed(X, out.dtype)

        def work(first: int, end: int) -> None:
            for low in range(first, end, TILE):
                high = min(low + TILE, end)
                sums = np.zeros((high - low, out.shape[1]), out.dtype)
                add_products_with(rows, self.numbers, low, high, sums)
                out[low:high] = sums

        in_threads(work, len(out), max(1, len(out)) if X.nnz * out.shape[1] < WORTHWHILE else 1)

    def _of(self, dtype: Any) -> Floats:
        """Return the numbers in this precision; the copy in double is made when first asked for."""
        if dtype == np.float32:
            return self.numbers
        if self._double is None:
            self._double = self.numbers.astype(np.float64)
        return self._double

    def __getstate__(self) -> dict[str, Any]:
        return {"numbers": self.numbers, "_double": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["numbers"])  # type: ignore[misc]


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
        self._kept: list[Part] | None = None

    def multiply(self, X: Any, out: Floats) -> None:
        """Write X times the matrix to `out`, computed in its precision; its rows may lie apart."""
        if is_sparse(X):
            self._multiply_sparse(X, out)
        else:
            self._multiply_dense(X, out)

    def _multiply_sparse(self, X: Any, out: Floats) -> None:
        with self._lock:
            parts = self._parts()
            try:
                for low in range(0, len(out), ROWS):
                    rows, block = compressed(X[low : low + ROWS], out.dtype), out[low : low + ROWS]
                    work = partial(self._multiply_parts, rows, parts, block)
                    is_worthwhile = rows.values.size * self.columns >= WORTHWHILE
                    in_threads(work, len(parts), 1 if is_worthwhile else len(parts))
            except BaseException:  # after Ctrl-C a thread may still write to them
                self._kept = None
                raise

    def _multiply_parts(self, rows: Sparse, parts: list[Part], out: Floats, first: int, end: int) -> None:
        for part in parts[first:end]:
            start = part.columns.start
            sums = np.zeros((len(out), part.numbers.shape[1]), out.dtype)
            add_products_drawn(rows, self.seed, self.stream, start, part.owners, part.numbers, sums)
            out[:, part.columns] = sums

    def _multiply_dense(self, X: Any, out: Floats) -> None:
        out[:] = 0
        height = max(1, BYTES // (4 * self.columns))
        block = np.empty((min(height, self.width), self.columns), np.float32)
        for low in range(0, self.width, height):
            drawn = block[: min(height, self.width - low)]
            draw(self.seed, self.stream, low, drawn)
            numbers = drawn.astype(out.dtype, copy=False)
            for first in range(0, len(out), ROWS):
                some = X[first : first + ROWS, low : low + len(drawn)].astype(out.dtype, copy=False)
                out[first : first + ROWS] += some @ numbers

    def _parts(self) -> list[Part]:
        """Return the parts with the numbers that are at hand."""
        if self._kept is None:
            size = max(LEAST, -(-self.columns // PARTS) + 1 & ~1)  # even, as numbers come in pairs
            rows = 1 << max(0, (BYTES // (4 * self.columns)).bit_length() - 1)
            starts = range(0, self.columns, size)
            places = [slice(start, min(start + size, self.columns)) for start in starts]
            self._kept = [
                Part(where, np.full(rows, -1), np.empty((rows, where.stop - where.start), np.float32))
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
