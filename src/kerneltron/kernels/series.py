"""Polynomials of a kernel."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from kerneltron._types import Floats
from kerneltron.kernels.composed import OfOne
from kerneltron.kernels.kernel import ATOM, Kernel, text
from kerneltron.kernels.pack import SAFE, Pack
from kerneltron.kernels.pair import Pair
from kerneltron.kernels.parameters import positive


@dataclass(frozen=True, repr=False)
class Series(OfOne):
    """k(x, z) = a0 + a1 base(x, z) + a2 base(x, z)^2 + ...: products of features, weighted by their number.

    Parameters
    ----------
    base
        The kernel.
    coefficients
        a0, a1, ..., numbers of at least 0: a negative one would leave the cone of kernels.

    Examples
    --------
    >>> from kerneltron.kernels import Linear
    >>> Linear().polynomial([1, 0, 2.0])([[1, 2]], [[3, 4]])
    array([[243.]])
    """

    base: Kernel
    coefficients: tuple[float, ...]

    _of_products = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "coefficients", tuple(self.coefficients))  # a list has no hash
        if not self.coefficients:
            raise ValueError("coefficients are empty: give at least a0, as in k.polynomial([1, 0, 2.0]).")
        for place, coefficient in enumerate(self.coefficients):
            positive(f"coefficients[{place}]", coefficient, least=0)

    def _fill(self, pack: Pack, X: Any) -> None:
        super()._fill(pack, X)
        if any(a and not 1 / SAFE <= a <= SAFE for a in self.coefficients):
            pack.needs_double = True  # the coefficient itself may not exist in single precision

    def _diag(self, pack: Pack) -> Floats:
        return self._horner(self.base._diag(pack))

    def _block(self, pair: Pair) -> Floats:
        return self._horner(self.base._block(pair))

    def _horner(self, values: Floats) -> Floats:
        """Return (... (an k + an-1) k + ...) k + a0 for all k of `values`."""
        *others, last = map(float, self.coefficients)
        result = np.full_like(values, last)
        for coefficient in reversed(others):
            result *= values
            if coefficient:
                result += coefficient
        return result

    def _map(self, width: int) -> Any:
        from kerneltron.maps.algebra import constant, power, scaled, side_by_side

        base = self.base.feature_map(width)
        terms = [(degree, float(a)) for degree, a in enumerate(self.coefficients) if a]
        return side_by_side([scaled(power(base, n), a) if n else constant(a) for n, a in terms])

    def __repr__(self) -> str:
        return f"{self.base._bracketed(ATOM)}.polynomial([{', '.join(map(text, self.coefficients))}])"
