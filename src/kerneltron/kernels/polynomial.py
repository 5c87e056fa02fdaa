"""Powers of inner products."""

from dataclasses import dataclass
from typing import Any

from kerneltron._types import Floats
from kerneltron.kernels import vectors
from kerneltron.kernels.elementwise import raise_to
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.linear import Linear
from kerneltron.kernels.pack import Pack
from kerneltron.kernels.pair import Pair
from kerneltron.kernels.parameters import positive, whole


@dataclass(frozen=True, repr=False)
class Polynomial(Kernel):
    """k(x, z) = (c + <x, z>)^degree: all products of `degree` features, and with c > 0 of fewer.

    Parameters
    ----------
    degree
        A whole number of at least 1.
    c
        Weight of the products of fewer features, at least 0; 0 leaves those of exactly `degree`.

    Examples
    --------
    >>> from kerneltron.kernels import Polynomial
    >>> Polynomial(2)([[1, 2]], [[3, 4]])
    array([[144.]])
    >>> Polynomial(6).feature_map(100).width
    1705904746
    """

    degree: int
    c: float = 1.0

    domain = "vectors"
    _of_products = True

    def __post_init__(self) -> None:
        whole("degree", self.degree, 1)
        positive("c", self.c, least=0)

    def _fill(self, pack: Pack, X: Any) -> None:
        vectors.fill(pack, X)

    def _diag(self, pack: Pack) -> Floats:
        return raise_to(vectors.vectors(pack).squares() + self.c, self.degree)

    def _block(self, pair: Pair) -> Floats:
        block = pair.products(vectors.KEY)
        block += block.dtype.type(self.c)
        return raise_to(block, self.degree)

    def _map(self, width: int) -> Any:
        from kerneltron.maps.monomials import Monomials

        return Monomials(width, int(self.degree), float(self.c))

    def _when_normalized(self) -> Kernel:
        inner: Kernel = Linear() if self.c == 0 else Linear() + self.c
        return inner.normalized() ** self.degree
