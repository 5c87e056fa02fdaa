"""The generated examples that the cases learn from, dense or sparse, with two classes and with ten."""

from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

ROWS = 500_000
WIDTH = 2**18
NON_ZEROS = 60  # in each row

DENSE_ROWS = 60_000
DENSE_WIDTH = 784


class Problem(NamedTuple):
    """A matrix and two ways to label its rows."""

    X: Any
    two: NDArray[np.int64]
    ten: NDArray[np.int64]

    def anew(self) -> "Problem":
        """Return the same data as a new matrix: SciPy notes on a matrix which checks it has passed."""
        return self._replace(X=_matrix(self.X.data, self.X.indices, self.X.indptr) if self.sparse else self.X)

    def head(self, count: int) -> "Problem":
        """Return the first rows alone."""
        return Problem(self.X[:count], self.two[:count], self.ten[:count])

    @property
    def sparse(self) -> bool:
        """Whether the matrix is in CSR form."""
        return bool(sp.issparse(self.X))


@lru_cache(maxsize=1)
def sparse_problem(rows: int) -> Problem:
    """Return `rows` rows of float32 values in uniformly random, distinct columns with int32 indices."""
    random = np.random.default_rng(0)
    # Sorted numbers below WIDTH - NON_ZEROS + 1, pulled apart by one each, are distinct and below WIDTH.
    indices = random.integers(0, WIDTH - NON_ZEROS + 1, (rows, NON_ZEROS), dtype=np.int32)
    indices.sort(axis=1)
    indices += np.arange(NON_ZEROS, dtype=np.int32)
    values = random.standard_normal(rows * NON_ZEROS, dtype=np.float32)
    starts = np.arange(0, rows * NON_ZEROS + 1, NON_ZEROS, dtype=np.int32)
    return _labelled(_matrix(values, indices.reshape(-1), starts), random)


@lru_cache(maxsize=1)
def dense_problem(rows: int, width: int = DENSE_WIDTH) -> Problem:
    """Return rows like pictures of digits: of 784 numbers from 0 to 1, four out of five are 0."""
    random = np.random.default_rng(1)
    X = random.random((rows, width), dtype=np.float32)
    X *= random.random(X.shape, dtype=np.float32) < 0.2
    return _labelled(X, random)


def save(problem: Problem, folder: Path) -> None:
    """Write a sparse problem where `load` in another process finds it."""
    arrays = (problem.X.data, problem.X.indices, problem.X.indptr, problem.two, problem.ten)
    for number, array in enumerate(arrays):
        np.save(folder / f"{number}.npy", array)


def load(folder: Path) -> Problem:
    """Read what `save` wrote."""
    values, indices, starts, two, ten = (np.load(folder / f"{number}.npy") for number in range(5))
    return Problem(_matrix(values, indices, starts), two, ten)


def _matrix(values: Any, indices: Any, starts: Any) -> Any:
    return sp.csr_matrix((values, indices, starts), shape=(starts.size - 1, WIDTH), copy=False)


def _labelled(X: Any, random: np.random.Generator) -> Problem:
    """Label rows by random linear targets and noise: two classes by the first, ten by the largest of all."""
    targets = random.standard_normal((X.shape[1], 10), dtype=np.float32)
    scores = X @ targets
    scores -= scores.mean(axis=0)
    scores += 0.25 * scores.std() * random.standard_normal(scores.shape, dtype=np.float32)
    return Problem(X, (scores[:, 0] > 0).astype(np.int64), scores.argmax(axis=1))
