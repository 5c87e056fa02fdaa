"""Rows that a primal learner keeps because its vectors moved there."""

from collections.abc import Callable
from typing import Any, Self

import numpy as np

from kerneltron._matrices import stacked
from kerneltron._types import Floats, Integers
from kerneltron._validate import is_sparse


class Remembered:
    """Copies of rows, each kept once per call, with a constant feature `bias`."""

    def __init__(self, bias: float) -> None:
        self.bias = bias
        self.kept: list[Any] = []
        self.count = 0
        self.slots = np.empty(0, np.int64)  # of the rows of this call, -1 where not kept

    def begin(self) -> None:
        """Get ready for rows of another call."""
        self.slots = np.empty(0, np.int64)

    def remember(self, copies: Callable[[Integers], Any], order: Integers, moved: Integers) -> Integers:
        """Keep the rows of the visits `moved`, and return the places of all rows `order`.

        `copies` returns copies of some rows, as a matrix.
        """
        size = int(order.max(initial=-1)) + 1
        if size > self.slots.size:
            self.slots = np.append(self.slots, np.full(size - self.slots.size, -1))
        new = np.unique(order[moved][self.slots[order[moved]] < 0])
        if new.size:
            self.slots[new] = self.count + np.arange(new.size)
            self.count += new.size
            self.kept.append(copies(new))
        return self.slots[order]

    def products(self, X: Any) -> Floats:
        """Return the inner products of the rows of X with those that are kept."""
        support = self._joined()
        if support is None:
            return np.empty((X.shape[0], 0))
        products = X.astype(np.float64) @ support.T  # single precision ends at 1e-38 and 3e38
        dense = products.toarray() if is_sparse(products) else np.asarray(products)
        return dense + self.bias**2

    def copy(self) -> Self:
        """Return a copy; what is kept is never changed, so both may hold it."""
        other = type(self)(self.bias)
        other.kept, other.count, other.slots = self.kept.copy(), self.count, self.slots.copy()
        return other

    def _joined(self) -> Any:
        if len(self.kept) > 1:
            self.kept = [stacked(self.kept)]
        return self.kept[0] if self.kept else None
