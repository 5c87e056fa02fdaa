"""The inner product."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from kerneltron._types import Floats
from kerneltron.kernels import vectors
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.pack import Pack
from kerneltron.kernels.pair import Pair


@dataclass(frozen=True, repr=False)
class Linear(Kernel):
    """k(x, z) = <x, z>: the features as they are.

    Examples
    --------
    >>> from kerneltron.kernels import Linear
    >>> Linear()([[1, 2], [0, 3]])
    array([[5., 6.],
           [6., 9.]])
    """

    domain = "vectors"
    _of_products = True

    @property
    def _rows(self) -> Hashable:
        return vectors.KEY

    def _fill(self, pack: Pack, X: Any) -> None:
        vectors.fill(pack, X)

    def _diag(self, pack: Pack) -> Floats:
        return vectors.vectors(pack).squares()

    def _block(self, pair: Pair) -> Floats:
        return pair.products(vectors.KEY)

    def _map(self, width: int) -> Any:
        from kerneltron.maps.monomials import Monomials

        return Monomials(width, 1, 0.0)
