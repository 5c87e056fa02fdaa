"""Kernels whose features can be listed for each example, though there is no end of them in all."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

from kerneltron._types import Floats
from kerneltron.kernels.bags import Bags, Found
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.pack import Pack
from kerneltron.kernels.pair import Pair


class Counting(Kernel):
    """k(x, z) = sum over features f of count_f(x) count_f(z), with few features in each example.

    A new kernel of this kind finds features, 64-bit content hashes, and can say what each of them is.
    """

    @abstractmethod
    def _find(self, X: Any) -> Found:
        """Return the features of all examples."""

    @abstractmethod
    def _names(self, x: Any, places: Sequence[int]) -> list[str]:
        """Return what the features at some places, among those that `_find` finds in x alone, look like."""

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
