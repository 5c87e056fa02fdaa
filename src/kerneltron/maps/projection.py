"""The features of QuadraticForm."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from kerneltron._types import Floats
from kerneltron.maps.feature_map import FeatureMap, is_index


class Projection(FeatureMap):
    """x @ root: a feature (r,) for each column r of `root`."""

    is_of_products = True

    def __init__(self, root: Floats) -> None:
        self.root = root
        self.inputs = len(root)

    @property
    def width(self) -> int:
        """The number of columns of the root."""
        return int(self.root.shape[1])

    def features(self) -> Iterator[tuple[int]]:
        """Yield the columns of the root."""
        return ((column,) for column in range(self.width))

    def check(self, feature: Any) -> None:
        """Raise a ValueError unless `feature` is such a column."""
        if not (isinstance(feature, tuple) and len(feature) == 1 and is_index(feature[0], self.width)):
            raise ValueError(
                f"{feature!r} is not a feature of this map: give (r,) with a number r below {self.width}."
            )

    def _fill(self, X: Any, out: Floats) -> None:
        out[:] = X @ self.root

    def _column(self, X: Any, feature: tuple[int]) -> Floats:
        return np.asarray(X @ self.root[:, feature[0]], X.dtype)

    def _squares(self, X: Any) -> Floats:
        squares: Floats = np.square(X @ self.root).sum(axis=1)
        return squares
