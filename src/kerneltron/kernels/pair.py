"""Two packs that meet: what the parts of one kernel expression compute once and share."""

from collections.abc import Hashable
from typing import Any

import numpy as np

from kerneltron._types import Floats
from kerneltron.kernels.pack import Pack

DOUBLE = np.dtype(np.float64)


class Pair:
    """The left and the right side of a Gram block.

    `shared` says that several atoms of the expression read the same inner products; `least` is the precision
    that the kernel around needs.
    """

    def __init__(self, left: Pack, right: Pack, shared: bool, least: Any = np.float32) -> None:
        self.left, self.right, self.shared, self.least = left, right, shared, least
        self.shape = len(left), len(right)
        self.dtype = _common(left.precision, right.precision, least)  # of the block
        self._products: dict[Hashable, Floats] = {}
        self._inside: dict[Hashable, Pair] = {}

    def products(self, key: Hashable) -> Floats:
        """Return the inner products of the parts called `key`, as a new array that may be written to."""
        if key in self._products:
            return self._products[key].copy()
        left: Any = self.left.parts[key]
        products: Floats = left.products(self.right.parts[key], self.dtype)
        if self.shared:
            self._products[key] = products
            return products.copy()
        return products

    def put(self, key: Hashable, products: Floats) -> None:
        """Let these be the inner products of the parts called `key`."""
        self._products[key] = products.astype(self.dtype, copy=False)

    def is_given(self, key: Hashable) -> bool:
        """Whether the inner products of the parts called `key` are known already."""
        return key in self._products

    def inside(self, key: Hashable) -> "Pair":
        """Return the pair of the packs that are the parts called `key`."""
        if key not in self._inside:
            left: Any = self.left.parts[key]
            right: Any = self.right.parts[key]
            self._inside[key] = Pair(left, right, self.shared, self.dtype)
        return self._inside[key]

    def numbers(self, key: Hashable) -> tuple[Floats, Floats]:
        """Return the numbers called `key` of the left side as a column and of the right side as a row.

        They may be those of the packs: they are not to be written to.
        """
        left, right = self.left.numbers[key], self.right.numbers[key]
        left, right = left.astype(self.dtype, copy=False), right.astype(self.dtype, copy=False)
        return left[:, None], right[None, :]


def _common(left: Any, right: Any, least: Any) -> Any:
    """Return the type that holds numbers of all three; NumPy takes three times as long to say so."""
    return DOUBLE if left == right == DOUBLE else np.result_type(left, right, least)
