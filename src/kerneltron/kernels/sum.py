"""The sum of two kernels."""

from dataclasses import dataclass
from typing import Any

from kerneltron._types import Floats
from kerneltron.kernels.composed import OfTwo
from kerneltron.kernels.constant import Constant
from kerneltron.kernels.kernel import PRODUCT, SUM, Kernel, text
from kerneltron.kernels.pack import Pack
from kerneltron.kernels.pair import Pair


@dataclass(frozen=True, repr=False)
class Sum(OfTwo):
    """k(x, z) = left(x, z) + right(x, z): the features of both, side by side.

    Examples
    --------
    >>> from kerneltron.kernels import Linear, Polynomial
    >>> Linear() + Polynomial(2) + 1
    Linear() + Polynomial(2) + 1
    """

    left: Kernel
    right: Kernel

    _binds = SUM
    _of_products = True

    def _diag(self, pack: Pack) -> Floats:
        return self.left._diag(pack) + self.right._diag(pack)

    def _block(self, pair: Pair) -> Floats:
        block = self.left._block(pair)
        block += self.right._block(pair)
        return block

    def _map(self, width: int) -> Any:
        from kerneltron.maps.algebra import side_by_side

        return side_by_side([self.left.feature_map(width), self.right.feature_map(width)])

    def __repr__(self) -> str:
        left, right = self.left._bracketed(SUM), self.right._bracketed(PRODUCT)
        # Python's own sum of two numbers, or of 0 and a kernel, would be read back as something else.
        if isinstance(self.right, Constant) and not isinstance(self.left, Constant):
            right = text(self.right.c)
        elif isinstance(self.left, Constant) and not isinstance(self.right, Constant) and self.left.c:
            left = text(self.left.c)
        return f"{left} + {right}"
