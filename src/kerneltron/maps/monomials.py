"""The features of polynomial kernels."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, combinations_with_replacement
from math import comb, factorial, inf, prod
from typing import Any

import numpy as np

from kerneltron._types import Floats
from kerneltron.kernels.vectors import Vectors
from kerneltron.maps.counting import log_comb
from kerneltron.maps.feature_map import columns_of, is_index
from kerneltron.maps.graded import Graded


@dataclass(frozen=True)
class Monomials(Graded):
    """All products of `degree` columns and, if c > 0, of fewer: phi of (c + <x, z>)^degree.

    The feature (0, 0, 3) is x0 x0 x3, weighted by the root of its multinomial coefficient.

    Examples
    --------
    >>> from kerneltron.maps.monomials import Monomials
    >>> list(Monomials(2, degree=2, c=1.0).features())
    [(), (0,), (1,), (0, 0), (0, 1), (1, 1)]
    >>> Monomials(2, degree=2, c=1.0).column([[3, 5]], (1, 1))
    array([25.])
    """

    inputs: int
    degree: int
    c: float

    gap = 0  # a column may follow itself

    @property
    def degrees(self) -> range:
        """From 0, or with c = 0 only `degree`."""
        return range(0 if self.c else self.degree, self.degree + 1)

    def _count(self, degree: int, columns: int) -> int:
        return comb(columns + degree - 1, degree) if columns else int(degree == 0)

    @property
    def width(self) -> int:
        """The number of features: with a further factor for those that are missing, all are of one degree."""
        columns = self.inputs + 1 if self.c else self.inputs
        return self._count(self.degree, columns)

    def _log_most(self) -> float:
        columns = self.inputs + 1 if self.c else self.inputs
        return log_comb(columns + self.degree - 1, self.degree) if columns else -inf

    def features(self) -> Iterator[tuple[int, ...]]:
        """Yield the columns of each product, in increasing order and with repetitions."""
        columns = range(self.inputs)
        return chain.from_iterable(combinations_with_replacement(columns, degree) for degree in self.degrees)

    def check(self, feature: Any) -> None:
        """Raise a ValueError unless `feature` is a tuple of such columns."""
        is_increasing = (
            isinstance(feature, tuple)
            and all(is_index(column, self.inputs) for column in feature)
            and list(feature) == sorted(feature)
        )
        if not is_increasing or len(feature) not in self.degrees:
            count = f"at most {self.degree}" if self.c else f"exactly {self.degree}"
            raise ValueError(
                f"{feature!r} is not a feature of this map: give a tuple of {count} column numbers below "
                f"{self.inputs} in increasing order, such as (0, 0, 3) for x0 x0 x3."
            )

    def _fill(self, X: Any, out: Floats) -> None:
        super()._fill(X, out)
        out *= self._weights

    def _column(self, X: Any, feature: tuple[int, ...]) -> Floats:
        orders = factorial(len(feature)) // prod(factorial(count) for count in Counter(feature).values())
        products: Floats = np.prod(columns_of(X, list(feature)), axis=1)
        products *= self._weight(len(feature), orders)
        return products

    def _squares(self, X: Any) -> Floats:
        powers: Floats = (Vectors(X).squares() + self.c) ** self.degree
        return powers

    def _weight(self, degree: int, orders: Any) -> Floats:
        """Return the root of the coefficient, in the kernel, of a product that has this many orders."""
        missing = self.degree - degree
        try:
            weight: Floats = np.sqrt(np.float64(comb(self.degree, missing) * self.c**missing) * orders)
        except OverflowError:
            raise ValueError(
                f"the products of {degree} columns have a weight beyond 1e308 in this map of degree "
                f"{self.degree}: take a smaller degree."
            ) from None
        return weight

    @cached_property
    def _weights(self) -> Floats:
        """The weight of each feature, degree by degree as in Graded."""
        orders, run = np.ones(1), np.zeros(1)  # run: how often the first column of a product stands in it
        weights = [self._weight(0, orders)]
        for degree in range(1, self.degree + 1):
            counts = [self._count(degree - 1, columns) for columns in range(self.inputs, -1, -1)]
            runs = [np.ones(count) for count in counts[:-1]]
            for longer, after in zip(runs, counts[1:], strict=True):
                same = (
                    len(longer) - after
                )  # this many of the rest begin with the column that is put before them
                longer[:same] += run[len(run) - len(longer) :][:same]
            orders = np.concatenate([orders[:0], *(orders[len(run) - len(r) :] * degree / r for r in runs)])
            run = np.concatenate([run[:0], *runs])
            weights.append(self._weight(degree, orders))
        return np.concatenate(weights[self.degrees.start :])
