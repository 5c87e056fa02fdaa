"""Similarity that falls with the distance as slowly as one likes: Gaussians of many widths at once."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from kerneltron._types import Floats
from kerneltron.kernels.distances import OfDistance, Terms, exponents_of
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.pack import SAFE, Pack
from kerneltron.kernels.parameters import positive


@dataclass(frozen=True, repr=False)
class RationalQuadratic(OfDistance):
    """k(x, z) = (1 + |phi(x) - phi(z)|^2 / (2 alpha sigma^2))^(-alpha), with the features phi of `over`.

    A mixture of Gaussians whose 1 / sigma^2 follow a gamma distribution: where no single width fits, since
    labels change over short distances here and over long ones there. The smaller alpha, the heavier the
    tail; for large alpha it is `Gaussian(sigma)`. A value costs as much as two or three of the
    Gaussian.

    Parameters
    ----------
    sigma
        Width, above 0: near 0 it falls as `Gaussian(sigma)` does.
    alpha
        How quickly it falls far away, above 0: there it is a power of the distance, -2 alpha.
    over
        The kernel whose features span the distance, k(x, x) + k(z, z) - 2 k(x, z) its square; None for
        `Linear()`.

    References
    ----------
    Rasmussen and Williams, Gaussian processes for machine learning (2006), section 4.2.1.

    Examples
    --------
    >>> from kerneltron.kernels import RationalQuadratic
    >>> RationalQuadratic(1.0)([[0.0]], [[0.0], [1.0], [10.0]]).round(4)
    array([[1.    , 0.6667, 0.0196]])
    """

    sigma: float | str
    alpha: float = 1.0
    over: Kernel | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        positive("alpha", self.alpha)

    def _fill(self, pack: Pack, X: Any) -> None:
        super()._fill(pack, X)
        if not 1 / SAFE <= self.alpha <= SAFE:
            pack.needs_double = True  # alpha itself may not exist in single precision

    def _fallen(self, terms: Terms) -> Floats:
        # The logarithm keeps the digits where alpha is large. Where a distance over alpha is beyond all
        # numbers, the largest one stands for it: an infinite one would turn a tiny alpha's 1 into 0.
        alpha, exponents = float(self.alpha), exponents_of(terms)
        with np.errstate(over="ignore"):
            values = np.divide(exponents, -alpha, out=exponents)
            np.minimum(values, np.finfo(values.dtype).max, out=values)
            np.log1p(values, out=values)
            values *= -alpha
        return np.exp(values, out=values)
