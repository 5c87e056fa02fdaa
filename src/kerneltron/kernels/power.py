"""A kernel to a whole power."""

from dataclasses import dataclass
from typing import Any

from kerneltron._types import Floats
from kerneltron.kernels.composed import OfOne
from kerneltron.kernels.elementwise import raise_to
from kerneltron.kernels.kernel import ATOM, POWER, Kernel, text
from kerneltron.kernels.pack import Pack
from kerneltron.kernels.pair import Pair
from kerneltron.kernels.parameters import whole


@dataclass(frozen=True, repr=False)
class Power(OfOne):
    """k(x, z) = base(x, z)^exponent: the products of `exponent` features of the base.

    Parameters
    ----------
    base
        The kernel.
    exponent
        A whole number of at least 1: other powers are not kernels in general.

    Examples
    --------
    >>> from kerneltron.kernels import Linear
    >>> ((Linear() + 1) ** 2)([[1, 2]], [[3, 4]])
    array([[144.]])
    """

    base: Kernel
    exponent: int

    _binds = POWER
    _of_products = True

    def __post_init__(self) -> None:
        whole("exponent", self.exponent, 1)

    def _diag(self, pack: Pack) -> Floats:
        # A copy: the base may have given numbers of the pack itself.
        return raise_to(self.base._diag(pack).copy(), int(self.exponent))

    def _block(self, pair: Pair) -> Floats:
        return raise_to(self.base._block(pair), int(self.exponent))

    def _map(self, width: int) -> Any:
        from kerneltron.maps.algebra import power

        return power(self.base.feature_map(width), int(self.exponent))

    def _when_normalized(self) -> Kernel:
        return self.base.normalized() ** self.exponent

    def __repr__(self) -> str:
        return f"{self.base._bracketed(ATOM)} ** {text(self.exponent)}"
