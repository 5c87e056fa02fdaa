"""Similarity that falls with the distance, in the features of any kernel."""

from dataclasses import dataclass
from math import sqrt
from typing import Self

from kerneltron._types import Floats
from kerneltron.engine.distances import to_gaussians
from kerneltron.kernels.distances import OfDistance, Terms
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.parameters import positive


@dataclass(frozen=True, repr=False)
class Gaussian(OfDistance):
    """k(x, z) = exp(-|phi(x) - phi(z)|^2 / (2 sigma^2)), with the features phi of the kernel `over`.

    Infinitely many features: the normalized exponential of <x, z> / sigma^2. Small sigma makes all examples
    different, large sigma makes them all alike.

    Parameters
    ----------
    sigma
        Width, above 0: at the distance sigma the similarity has fallen to exp(-1/2). "auto" is for learners:
        `fit` finds the width for its examples and labels, and `kernel_` holds it.
    over
        The kernel whose features span the distance, k(x, x) + k(z, z) - 2 k(x, z) its square; None for
        `Linear()` or, beside "auto", for `ScaledColumns` where these do better on held-out examples.

    Examples
    --------
    >>> from kerneltron.kernels import Gaussian
    >>> Gaussian(1.0)([[0.0], [1.0]]).round(4)
    array([[1.    , 0.6065],
           [0.6065, 1.    ]])
    >>> Gaussian.from_gamma(0.125) == Gaussian.from_width(8.0) == Gaussian(2.0)
    True
    """

    sigma: float | str
    over: Kernel | None = None

    @classmethod
    def from_gamma(cls, gamma: float, over: Kernel | None = None) -> Self:
        """Return exp(-gamma |x - z|^2)."""
        positive("gamma", gamma)
        return cls(sqrt(0.5 / gamma), over)

    @classmethod
    def from_width(cls, c: float, over: Kernel | None = None) -> Self:
        """Return exp(-|x - z|^2 / c)."""
        positive("c", c)
        return cls(sqrt(0.5 * c), over)

    def _fallen(self, terms: Terms) -> Floats:
        to_gaussians(*terms)
        return terms.block
