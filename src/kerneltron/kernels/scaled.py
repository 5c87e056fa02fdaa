"""A kernel times a number."""

from dataclasses import dataclass
from math import isfinite
from typing import Any

from kerneltron._types import Floats
from kerneltron.kernels.composed import OfOne
from kerneltron.kernels.kernel import POWER, PRODUCT, Kernel, text
from kerneltron.kernels.pack import SAFE, Pack
from kerneltron.kernels.pair import Pair
from kerneltron.kernels.parameters import is_number


@dataclass(frozen=True, repr=False)
class Scaled(OfOne):
    """k(x, z) = factor base(x, z): every feature times the root of the factor.

    Parameters
    ----------
    factor
        A number of at least 0: with a negative one the result would not be a kernel.
    base
        The kernel.

    Examples
    --------
    >>> from kerneltron.kernels import Linear
    >>> 0.5 * Linear()
    0.5 * Linear()
    """

    factor: float
    base: Kernel

    _binds = PRODUCT
    _of_products = True

    def __post_init__(self) -> None:
        if not is_number(self.factor):
            raise TypeError(f"factor={self.factor!r} is not a number.")
        if not (isfinite(self.factor) and self.factor >= 0):
            raise ValueError(
                f"{text(self.factor)} times {self.base} would leave the cone of kernels: a kernel can be "
                "scaled by finite numbers that are not negative, for k(x, x) is a squared length."
            )

    def _fill(self, pack: Pack, X: Any) -> None:
        super()._fill(pack, X)
        if self.factor and not 1 / SAFE <= self.factor <= SAFE:
            pack.needs_double = True  # the factor itself may not exist in single precision

    def _diag(self, pack: Pack) -> Floats:
        return self.base._diag(pack) * float(self.factor)

    def _block(self, pair: Pair) -> Floats:
        block = self.base._block(pair)
        block *= float(self.factor)
        return block

    def _map(self, width: int) -> Any:
        from kerneltron.maps.algebra import scaled

        return scaled(self.base.feature_map(width), float(self.factor))

    def _when_normalized(self) -> Kernel | None:
        return self.base.normalized() if self.factor else None

    def __repr__(self) -> str:
        return f"{text(self.factor)} * {self.base._bracketed(POWER)}"
