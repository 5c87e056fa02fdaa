"""A kernel as a cosine."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from kerneltron._types import Floats
from kerneltron.kernels.composed import OfOne
from kerneltron.kernels.kernel import ATOM, Kernel
from kerneltron.kernels.pack import Pack
from kerneltron.kernels.pair import Pair


@dataclass(frozen=True, repr=False)
class Normalized(OfOne):
    """k(x, z) = base(x, z) / sqrt(base(x, x) base(z, z)): the cosine of the angle in the feature space.

    An example with base(x, x) = 0 has no direction: its similarity is 0 to all, itself included. Where the
    parts can be normalized one by one (products, powers, exponentials) they are, so that a base that would
    overflow does not.

    Examples
    --------
    >>> from kerneltron.kernels import Linear, Polynomial
    >>> Linear().normalized()([[3, 4]], [[1, 0], [6, 8], [0, 0]])
    array([[0.6, 1. , 0. ]])
    >>> Polynomial(200).normalized()([[1e6, 0]], [[1e6, 1]])
    array([[1.]])
    """

    base: Kernel

    _of_products = True

    @cached_property
    def _plan(self) -> Kernel | None:
        """The same kernel, better computed, where there is one."""
        return self.base._when_normalized()

    def _fill(self, pack: Pack, X: Any) -> None:
        if self._plan is not None:
            self._plan._fill(pack, X)
        else:
            self.base._enter(pack, X)
            pack.numbers[self.base] = self.base._diag(pack)

    def _diag(self, pack: Pack) -> Floats:
        if self._plan is not None:
            return self._plan._diag(pack)
        return (pack.numbers[self.base] > 0).astype(np.float64)

    def _block(self, pair: Pair) -> Floats:
        if self._plan is not None:
            return self._plan._block(pair)
        block = self.base._block(pair)
        for squares in pair.numbers(self.base):
            length = np.sqrt(squares)
            block *= np.divide(1, length, out=np.zeros_like(length), where=length > 0)
        return block

    def _map(self, width: int) -> Any:
        from kerneltron.maps.algebra import normalized

        return normalized(self.base.feature_map(width))

    def _when_normalized(self) -> Kernel:
        return self

    def __repr__(self) -> str:
        return f"{self.base._bracketed(ATOM)}.normalized()"
