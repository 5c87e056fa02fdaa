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

from kerneltron.kernels.catalogue import KERNELS

if TYPE_CHECKING:
    from kerneltron.kernels.all_subsets import AllSubsets
    from kerneltron.kernels.checking import check
    from kerneltron.kernels.conjunctions import Conjunctions, MonotoneConjunctions
    from kerneltron.kernels.constant import Constant
    from kerneltron.kernels.diagnosis import diagnose
    from kerneltron.kernels.from_function import FromFunction
    from kerneltron.kernels.gaussian import Gaussian
    from kerneltron.kernels.grammar import parse
    from kerneltron.kernels.graphs.random_walks import RandomWalks
    from kerneltron.kernels.graphs.shortest_paths import ShortestPaths
    from kerneltron.kernels.graphs.weisfeiler_lehman import WeisfeilerLehman
    from kerneltron.kernels.kernel import Kernel
    from kerneltron.kernels.linear import Linear
    from kerneltron.kernels.on import On
    from kerneltron.kernels.pack import Pack
    from kerneltron.kernels.polynomial import Polynomial
    from kerneltron.kernels.quadratic_form import QuadraticForm
    from kerneltron.kernels.strings.mismatch import Mismatch
    from kerneltron.kernels.strings.spectrum import Spectrum
    from kerneltron.kernels.strings.subsequences import Subsequences
    from kerneltron.kernels.strings.substrings import Substrings
    from kerneltron.kernels.strings.weighted_degree import WeightedDegree
    from kerneltron.kernels.syntax import KernelSyntaxError
    from kerneltron.kernels.trees.partial_trees import PartialTrees
    from kerneltron.kernels.trees.subset_trees import SubsetTrees
    from kerneltron.kernels.trees.subtrees import Subtrees
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
    "Mismatch",
    "MonotoneConjunctions",
    "On",
    "Pack",
    "PartialTrees",
    "Polynomial",
    "QuadraticForm",
    "RandomWalks",
    "ShortestPaths",
    "Spectrum",
    "Subsequences",
    "SubsetTrees",
    "Substrings",
    "Subtrees",
    "WeightedDegree",
    "WeisfeilerLehman",
    "check",
    "diagnose",
    "parse",
    "propose_sigma",
]

# Names and the modules that define them. They are imported when first used: a linear learner needs one.
_HOMES = KERNELS | {
    "FromFunction": "from_function",
    "Kernel": "kernel",
    "KernelSyntaxError": "syntax",
    "Pack": "pack",
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
