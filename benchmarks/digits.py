"""The digits that kernels are measured on: MNIST where KERNELTRON_DATA has it, else rows like it."""

import os
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kerneltron.datasets.mnist import load_mnist

REAL = "MNIST"
WIDTH = 784
TEST_ROWS = 10_000
NINE = 9
# With these a kernel perceptron makes about as many mistakes as on MNIST, and one pixel of five is not black.
DIRECTIONS = 20  # in which rows differ
SPREAD = 1.0  # how far they differ in them
APART = 0.2  # how far the centres of the classes are apart


class Digits(NamedTuple):
    """Float32 rows between 0 and 1, to learn from and to test with, and their classes from 0 to 9."""

    name: str
    X: NDArray[np.float32]
    y: NDArray[np.int64]
    X_test: NDArray[np.float32]
    y_test: NDArray[np.int64]

    @property
    def real(self) -> bool:
        """Whether these are MNIST's."""
        return self.name == REAL

    @property
    def nine(self) -> NDArray[np.bool_]:
        """Whether a row is a nine: the problem of two classes."""
        return np.asarray(self.y == NINE)

    @property
    def nine_test(self) -> NDArray[np.bool_]:
        """Whether a row to test with is a nine."""
        return np.asarray(self.y_test == NINE)

    def head(self, count: int) -> "Digits":
        """Return the first rows alone, with the same rows to test with."""
        return self._replace(X=self.X[:count], y=self.y[:count])

    def error(self, learner: Any) -> float:
        """Return how often a learner of nines is wrong about the rows to test with."""
        return float(np.mean(learner.predict(self.X_test) != self.nine_test))


@lru_cache(maxsize=1)
def digits(rows: int) -> Digits:
    """Return at most `rows` rows to learn from, and 10,000 to test with."""
    folder = Path(os.environ.get("KERNELTRON_DATA", ""), "mnist")
    return (_read(folder) if folder.is_dir() else generated_digits(rows)).head(rows)


def _read(folder: Path) -> Digits:
    X, y, X_test, y_test = load_mnist(folder)
    return Digits(REAL, X, y.astype(np.int64), X_test, y_test.astype(np.int64))


def generated_digits(rows: int) -> Digits:
    """Draw ten clusters of pictures that are mostly black, stretched in the same directions."""
    random = np.random.default_rng(3)
    y = random.integers(0, 10, rows + TEST_ROWS)
    directions = random.normal(0, SPREAD / DIRECTIONS**0.5, (DIRECTIONS, WIDTH)).astype(np.float32)
    centres = random.normal(-1, 0.5, WIDTH) + random.normal(0, APART, (10, WIDTH))
    X = random.standard_normal((y.size, DIRECTIONS), np.float32) @ directions
    X += centres.astype(np.float32)[y]
    np.clip(X, 0, 1, out=X)
    return Digits("generated digits", X[:rows], y[:rows], X[rows:], y[rows:])
