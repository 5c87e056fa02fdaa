"""Maps of products, of no factor, of one, of two, and so on."""

from abc import abstractmethod
from math import log
from typing import Any

import numpy as np

from kerneltron._types import Floats
from kerneltron.maps.feature_map import FeatureMap

COUNTABLE = 960 * log(2)  # logarithm of numbers of features that are quickly added up


class Graded(FeatureMap):
    """Products of factors that each come from one column, ordered by degree and then by their factors.

    Each column gives `ways` factors. In a product factors stand in increasing order, with at least `gap`
    columns from one to the next. So those of degree k that begin with a factor of column i are this factor
    times the products of degree k - 1 of the columns from i + gap on: and they are the last of these.
    """

    inputs: int
    ways: int = 1
    gap: int = 1

    @property
    @abstractmethod
    def degrees(self) -> range:
        """The numbers of factors in a product."""

    @abstractmethod
    def _count(self, degree: int, columns: int) -> int:
        """Return how many products of this degree there are in the last `columns` columns."""

    def _factors(self, X: Floats) -> Floats:
        """Return the factors of the dense rows X."""
        return X

    @property
    def width(self) -> int:
        """The number of features."""
        return sum(self._count(degree, self.inputs) for degree in self.degrees)

    @property
    def log_width(self) -> float:
        """The logarithm of the number of features: where that is huge, of those of the commonest degree."""
        most = self._log_most()
        return most if most > COUNTABLE else super().log_width

    @abstractmethod
    def _log_most(self) -> float:
        """Return the logarithm of the number of products of one degree, the degree with the most."""

    def _fill(self, X: Any, out: Floats) -> None:
        factors = self._factors(X)
        block = np.ones((len(X), 1), out.dtype)
        end = 0
        for degree in range(self.degrees.stop):
            if degree in self.degrees:
                target = out[:, end : end + self._count(degree, self.inputs)]
                end += target.shape[1]
            else:
                target = np.empty((len(X), self._count(degree, self.inputs)), out.dtype)
            if degree == 0:
                target[:] = 1
            else:
                self._multiply(factors, block, degree, target)
            block = target

    def _multiply(self, factors: Floats, block: Floats, degree: int, out: Floats) -> None:
        """Write the products of one degree from those of one degree less."""
        end = 0
        for column in range(self.inputs):
            rest = block[
                :, block.shape[1] - self._count(degree - 1, max(0, self.inputs - column - self.gap)) :
            ]
            for way in range(self.ways):
                factor = factors[:, self.ways * column + way, None]
                np.multiply(factor, rest, out=out[:, end : end + rest.shape[1]])
                end += rest.shape[1]
