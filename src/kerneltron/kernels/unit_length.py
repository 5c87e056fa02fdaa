"""Kernels for which every example has the length 1."""

from kerneltron.kernels.composed import OfImages
from kerneltron.kernels.distances import OfDistance
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.normalized import Normalized
from kerneltron.kernels.power import Power
from kerneltron.kernels.product import Product


def has_unit_length(kernel: Kernel) -> bool:
    """Return whether k(x, x) = 1 follows from the expression, but for examples without any feature.

    Examples
    --------
    >>> from kerneltron.kernels import Gaussian, Linear, Spectrum
    >>> [has_unit_length(k) for k in (Gaussian(2.0), Spectrum(3).normalized() ** 2, Linear())]
    [True, True, False]
    """
    if isinstance(kernel, OfDistance | Normalized):
        return True
    if isinstance(kernel, Power | Product | OfImages):
        return all(map(has_unit_length, kernel._parts()))
    return False
