# Written by `python -m tools.stubs` from the catalogue of kernels: change that, not this.

from .all_subsets import AllSubsets as AllSubsets
from .catalogue import register as register
from .checking import check as check
from .conjunctions import Conjunctions as Conjunctions
from .conjunctions import MonotoneConjunctions as MonotoneConjunctions
from .constant import Constant as Constant
from .diagnosis import diagnose as diagnose
from .from_function import FromFunction as FromFunction
from .gaussian import Gaussian as Gaussian
from .grammar import parse as parse
from .graphs.random_walks import RandomWalks as RandomWalks
from .graphs.shortest_paths import ShortestPaths as ShortestPaths
from .graphs.weisfeiler_lehman import WeisfeilerLehman as WeisfeilerLehman
from .kernel import Kernel as Kernel
from .linear import Linear as Linear
from .on import On as On
from .pack import Pack as Pack
from .polynomial import Polynomial as Polynomial
from .precomputed import Precomputed as Precomputed
from .quadratic_form import QuadraticForm as QuadraticForm
from .rational_quadratic import RationalQuadratic as RationalQuadratic
from .scaled_columns import ScaledColumns as ScaledColumns
from .search.proposing import propose as propose
from .search.proposing import propose_sigma as propose_sigma
from .strings.mismatch import Mismatch as Mismatch
from .strings.spectrum import Spectrum as Spectrum
from .strings.subsequences import Subsequences as Subsequences
from .strings.substrings import Substrings as Substrings
from .strings.weighted_degree import WeightedDegree as WeightedDegree
from .syntax import KernelSyntaxError as KernelSyntaxError
from .trees.partial_trees import PartialTrees as PartialTrees
from .trees.subset_trees import SubsetTrees as SubsetTrees
from .trees.subtrees import Subtrees as Subtrees

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
    "Precomputed",
    "QuadraticForm",
    "RandomWalks",
    "RationalQuadratic",
    "ScaledColumns",
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
    "propose",
    "propose_sigma",
    "register",
]
