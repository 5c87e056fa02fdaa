"""The product of two kernels."""

from dataclasses import dataclass
from typing import Any

from kerneltron._types import Floats
from kerneltron.kernels.composed import OfTwo
from kerneltron.kernels.kernel import POWER, PRODUCT, Kernel
from kerneltron.kernels.pack import Pack
from kerneltron.kernels.pair import Pair


@dataclass(frozen=True, repr=False)
class Product(OfTwo):
    """k(x, z) = left(x, z) right(x, z): each feature of the one times each feature of the other.

    Examples
    --------
    >>> from kerneltron.kernels import Linear, Polynomial
    >>> (Linear() * Polynomial(2))([[1, 2]], [[3, 4]])
    array([[1584.]])
    """

    left: Kernel
    right: Kernel

    _binds = PRODUCT
    _of_products = True

    def _diag(self, pack: Pack) -> Floats:
        return self.left._diag(pack) * self.right._diag(pack)

    def _block(self, pair: Pair) -> Floats:
        block = self.left._block(pair)
        block *= self.right._block(pair)
        return block

    def _map(self, width: int) -> Any:
        from kerneltron.maps.algebra import times

        return times([self.left.feature_map(width), self.right.feature_map(width)])

    def _when_normalized(self) -> Kernel:
        return self.left.normalized() * self.right.normalized()

    def __repr__(self) -> str:
        return f"{self.left._bracketed(PRODUCT)} * {self.right._bracketed(POWER)}"
