"""The exponential of a kernel."""

from dataclasses import dataclass

import numpy as np

from kerneltron._types import Floats
from kerneltron.kernels.composed import OfOne
from kerneltron.kernels.kernel import ATOM, Kernel
from kerneltron.kernels.pack import Pack
from kerneltron.kernels.pair import Pair


@dataclass(frozen=True, repr=False)
class Exponential(OfOne):
    """k(x, z) = exp(base(x, z)): the products of any number of features of the base.

    It overflows where base(x, x) > 709; `k.exp().normalized()` does not, and is `Gaussian(1.0, over=k)`.

    Examples
    --------
    >>> from kerneltron.kernels import Linear
    >>> (0.25 * Linear()).exp()([[2, 0]], [[2, 0], [0, 1]]).round(3)
    array([[2.718, 1.   ]])
    """

    base: Kernel

    _of_products = True

    def _diag(self, pack: Pack) -> Floats:
        return np.exp(self.base._diag(pack))

    def _block(self, pair: Pair) -> Floats:
        block = self.base._block(pair)
        return np.exp(block, out=block)

    def _when_normalized(self) -> Kernel:
        from kerneltron.kernels.gaussian import Gaussian

        return Gaussian(1.0, over=self.base)  # k(x, z) - k(x, x) / 2 - k(z, z) / 2 is -|x - z|^2 / 2

    def __repr__(self) -> str:
        return f"{self.base._bracketed(ATOM)}.exp()"
