"""The features of Conjunctions."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import comb, log
from typing import Any

import numpy as np

from kerneltron._types import Floats
from kerneltron.kernels.booleans import check_booleans
from kerneltron.kernels.conjunctions import sets_of
from kerneltron.maps.counting import log_comb
from kerneltron.maps.feature_map import columns_of, is_index
from kerneltron.maps.graded import Graded


@dataclass(frozen=True)
class Literals(Graded):
    """Whether a row satisfies each conjunction of at most `size` literals, as 1 or 0.

    The feature ((0, True), (3, False)) is "x0 and not x3", and () is true of all rows.

    Examples
    --------
    >>> from kerneltron.maps.conjunctions import Literals
    >>> list(Literals(2, size=1).features())
    [(), ((0, True),), ((0, False),), ((1, True),), ((1, False),)]
    >>> Literals(2, size=1)([[0, 1]])
    array([[1., 0., 1., 1., 0.]])
    """

    inputs: int
    size: int | None = None

    ways = 2  # a column and its negation

    @property
    def degrees(self) -> range:
        """From 0 to the size."""
        return range(1 + (self.inputs if self.size is None else min(self.size, self.inputs)))

    def _count(self, degree: int, columns: int) -> int:
        return comb(columns, degree) << degree  # each literal is positive or negative

    @property
    def width(self) -> int:
        """The number of features."""
        return pow(3, self.inputs) if len(self.degrees) == self.inputs + 1 else super().width

    @property
    def log_width(self) -> float:
        """The logarithm of the number of features."""
        is_whole = len(self.degrees) == self.inputs + 1
        return self.inputs * log(3) if is_whole else super().log_width

    def _log_most(self) -> float:
        degree = min(self.degrees[-1], 2 * self.inputs // 3)  # beyond, there are fewer sets than signs gain
        return log_comb(self.inputs, degree) + degree * log(2)

    def features(self) -> Iterator[tuple[tuple[int, bool], ...]]:
        """Yield the literals of each conjunction, as columns and what they must be."""
        for degree in self.degrees:
            yield from self._literals(degree, 0)

    def _literals(self, degree: int, first: int) -> Iterator[tuple[tuple[int, bool], ...]]:
        if degree == 0:
            yield ()
            return
        for column in range(first, self.inputs - degree + 1):
            for truth in (True, False):
                for rest in self._literals(degree - 1, column + 1):
                    yield ((column, truth), *rest)

    def check(self, feature: Any) -> None:
        """Raise a ValueError unless `feature` is a tuple of literals."""
        is_increasing = (
            isinstance(feature, tuple)
            and all(isinstance(literal, tuple) and len(literal) == 2 for literal in feature)
            and all(is_index(column, self.inputs) and truth in (True, False) for column, truth in feature)
            and all(left[0] < right[0] for left, right in pairwise(feature))
        )
        if not is_increasing or len(feature) not in self.degrees:
            raise ValueError(
                f"{feature!r} is not a feature of this map: give a tuple of at most {self.degrees.stop - 1} "
                f"literals, pairs of a column below {self.inputs} and its truth, in increasing order of the "
                "columns, such as ((0, True), (3, False)) for x0 and not x3."
            )

    def _factors(self, X: Floats) -> Floats:
        check_booleans(X)
        return np.stack([X, 1 - X], axis=2).reshape(len(X), 2 * X.shape[1])

    def _column(self, X: Any, feature: tuple[tuple[int, bool], ...]) -> Floats:
        values = columns_of(X, [column for column, _ in feature])
        check_booleans(values)
        truths = np.array([truth for _, truth in feature], bool)
        return np.asarray((values == truths).all(axis=1), X.dtype)

    def _squares(self, X: Any) -> Floats:
        # A row satisfies one of the two literals of each column: as many conjunctions as there are sets.
        return np.full(X.shape[0], sets_of(self.inputs, self.size)[-1])
