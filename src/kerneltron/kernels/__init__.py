"""Kernels: similarities that are inner products in some feature space, and the algebra over them.

>>> from kerneltron.kernels import Gaussian, Linear, Polynomial, parse
>>> k = 0.5 * Polynomial(2) + (Linear() + 1) * Gaussian(3.0)
>>> k([[0.0, 1.0]], [[1.0, 1.0]]).round(3)
array([[3.892]])
>>> parse(repr(k)) == k
True
"""

from kerneltron.kernels.all_subsets import AllSubsets
from kerneltron.kernels.check import check
from kerneltron.kernels.conjunctions import Conjunctions, MonotoneConjunctions
from kerneltron.kernels.constant import Constant
from kerneltron.kernels.diagnosis import diagnose
from kerneltron.kernels.from_function import FromFunction
from kerneltron.kernels.gaussian import Gaussian
from kerneltron.kernels.grammar import parse
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.linear import Linear
from kerneltron.kernels.pack import Pack
from kerneltron.kernels.polynomial import Polynomial
from kerneltron.kernels.quadratic_form import QuadraticForm
from kerneltron.kernels.syntax import KernelSyntaxError
from kerneltron.kernels.width import propose_sigma

__all__ = [
    "AllSubsets",
    "Conjunctions",
    "Constant",
    "FromFunction",
    "Gaussian",
    "Kernel",
    "KernelSyntaxError",
    "Linear",
    "MonotoneConjunctions",
    "Pack",
    "Polynomial",
    "QuadraticForm",
    "check",
    "diagnose",
    "parse",
    "propose_sigma",
]
