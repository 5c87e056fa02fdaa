"""The same for all pairs."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from kerneltron._types import Floats
from kerneltron.kernels.kernel import ANYTHING, Kernel
from kerneltron.kernels.pack import Pack
from kerneltron.kernels.pair import Pair
from kerneltron.kernels.parameters import positive


@dataclass(frozen=True, repr=False)
class Constant(Kernel):
    """k(x, z) = c: one feature, the same for every example. In an expression a number stands for it.

    Parameters
    ----------
    c
        The number, at least 0.

    Examples
    --------
    >>> from kerneltron.kernels import Constant, Linear
    >>> Linear() + Constant(2.0) == Linear() + 2.0
    True
    """

    c: float

    domain = ANYTHING
    _of_products = True

    def __post_init__(self) -> None:
        positive("c", self.c, least=0)

    def _fill(self, pack: Pack, X: Any) -> None:
        pass

    def _diag(self, pack: Pack) -> Floats:
        return np.full(len(pack), float(self.c))

    def _block(self, pair: Pair) -> Floats:
        return np.full(pair.shape, self.c, pair.dtype)

    def _map(self, width: int) -> Any:
        from kerneltron.maps.algebra import constant

        return constant(float(self.c))
