"""The features of AllSubsets and MonotoneConjunctions."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, combinations, pairwise
from math import comb, inf, log
from typing import Any

import numpy as np

from kerneltron._types import Floats
from kerneltron.kernels.all_subsets import AllSubsets
from kerneltron.kernels.booleans import check_booleans
from kerneltron.maps.counting import log_comb
from kerneltron.maps.feature_map import columns_of, is_index
from kerneltron.maps.graded import Graded


@dataclass(frozen=True)
class Subsets(Graded):
    """The product over each set of at most (or exactly) `size` columns; of truth values, their conjunction.

    Examples
    --------
    >>> from kerneltron.maps.subsets import Subsets
    >>> list(Subsets(3, size=2).features())
    [(), (0,), (1,), (2,), (0, 1), (0, 2), (1, 2)]
    >>> Subsets(3, size=2)([[2, 3, 5]])
    array([[ 1.,  2.,  3.,  5.,  6., 10., 15.]])
    """

    inputs: int
    size: int | None = None
    exact: bool = False
    booleans: bool = False

    @property
    def degrees(self) -> range:
        """From 0 to the size, or exactly this."""
        most = self.inputs if self.size is None else min(self.size, self.inputs)
        if self.exact and self.size is not None:
            return range(self.size, most + 1)
        return range(most + 1)

    def _count(self, degree: int, columns: int) -> int:
        return comb(columns, degree)

    @property
    def width(self) -> int:
        """The number of features."""
        return 2**self.inputs if len(self.degrees) == self.inputs + 1 else super().width

    @property
    def log_width(self) -> float:
        """The logarithm of the number of features."""
        is_whole = len(self.degrees) == self.inputs + 1
        return self.inputs * log(2) if is_whole else super().log_width

    def _log_most(self) -> float:
        if not self.degrees:
            return -inf
        return log_comb(self.inputs, max(self.degrees[0], min(self.degrees[-1], self.inputs // 2)))

    def features(self) -> Iterator[tuple[int, ...]]:
        """Yield the columns of each product, in increasing order."""
        return chain.from_iterable(combinations(range(self.inputs), degree) for degree in self.degrees)

    def check(self, feature: Any) -> None:
        """Raise a ValueError unless `feature` is a tuple of such columns."""
        is_increasing = (
            isinstance(feature, tuple)
            and all(is_index(column, self.inputs) for column in feature)
            and all(left < right for left, right in pairwise(feature))
        )
        if not is_increasing or len(feature) not in self.degrees:
            count = f"{'exactly' if self.exact else 'at most'} {self.degrees.stop - 1}"
            raise ValueError(
                f"{feature!r} is not a feature of this map: give a tuple of {count} different column numbers "
                f"below {self.inputs} in increasing order, such as (0, 3) for x0 x3."
            )

    def _factors(self, X: Floats) -> Floats:
        if self.booleans:
            check_booleans(X)
        return X

    def _column(self, X: Any, feature: tuple[int, ...]) -> Floats:
        products: Floats = np.prod(self._factors(columns_of(X, list(feature))), axis=1)
        return products

    def _squares(self, X: Any) -> Floats:
        return AllSubsets(self.size, self.exact).diag(X)
