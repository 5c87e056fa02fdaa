"""Kernels that are computed from the features that they list."""

from typing import Any

from kerneltron._types import Floats
from kerneltron.kernels.bags import Bags
from kerneltron.kernels.listing import Listing
from kerneltron.kernels.pack import Pack
from kerneltron.kernels.pair import Pair


class Counting(Listing):
    """The inner products of bags of features: all that a new kernel has to do is to find and name them."""

    def __call__(self, X: Any, Z: Any = None) -> Floats:
        """Return the Gram matrix of X and Z, or of X with itself, of which bags compute one half."""
        left = self.pack(X)
        return self.gram(left, left if Z is None else self.pack(Z))

    def _fill(self, pack: Pack, X: Any) -> None:
        pack.add(self, lambda: Bags.of(self._find(X)))

    def _diag(self, pack: Pack) -> Floats:
        bags: Any = pack.parts[self]
        squares: Floats = bags.squares
        return squares

    def _block(self, pair: Pair) -> Floats:
        return pair.products(self)
