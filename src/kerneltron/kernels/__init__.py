"""Kernels: similarities that are inner products in some feature space, and the algebra over them.

>>> from kerneltron.kernels import Gaussian, Linear, Polynomial, parse
>>> k = 0.5 * Polynomial(2) + (Linear() + 1) * Gaussian(3.0)
>>> k([[0.0, 1.0]], [[1.0, 1.0]]).round(3)
array([[3.892]])
>>> parse(repr(k)) == k
True
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kerneltron.kernels.all_subsets import AllSubsets
    from kerneltron.kernels.checking import check
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

# Names and the modules that define them. They are imported when first used: a linear learner needs one.
_HOMES = {
    "AllSubsets": "all_subsets",
    "Conjunctions": "conjunctions",
    "Constant": "constant",
    "FromFunction": "from_function",
    "Gaussian": "gaussian",
    "Kernel": "kernel",
    "KernelSyntaxError": "syntax",
    "Linear": "linear",
    "MonotoneConjunctions": "conjunctions",
    "Pack": "pack",
    "Polynomial": "polynomial",
    "QuadraticForm": "quadratic_form",
    "check": "checking",
    "diagnose": "diagnosis",
    "parse": "grammar",
    "propose_sigma": "width",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
