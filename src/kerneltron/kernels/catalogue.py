"""The kernels that an expression may name, where they are defined, and hints for other names."""

from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from kerneltron.kernels.kernel import Kernel

# Names, and the modules that define them: a new kernel of this package is one line, whose module begins with
# a dot; others come by `register`.
KERNELS: dict[str, str] = {
    "AllSubsets": ".all_subsets",
    "Conjunctions": ".conjunctions",
    "Constant": ".constant",
    "Gaussian": ".gaussian",
    "Linear": ".linear",
    "Mismatch": ".strings.mismatch",
    "MonotoneConjunctions": ".conjunctions",
    "On": ".on",
    "PartialTrees": ".trees.partial_trees",
    "Polynomial": ".polynomial",
    "Precomputed": ".precomputed",
    "QuadraticForm": ".quadratic_form",
    "RandomWalks": ".graphs.random_walks",
    "RationalQuadratic": ".rational_quadratic",
    "ScaledColumns": ".scaled_columns",
    "ShortestPaths": ".graphs.shortest_paths",
    "Spectrum": ".strings.spectrum",
    "Subsequences": ".strings.subsequences",
    "SubsetTrees": ".trees.subset_trees",
    "Substrings": ".strings.substrings",
    "Subtrees": ".trees.subtrees",
    "WeightedDegree": ".strings.weighted_degree",
    "WeisfeilerLehman": ".graphs.weisfeiler_lehman",
}
CONSTRUCTORS = {"Gaussian": ("from_gamma", "from_width")}
NO_TEXT = "a kernel that holds a Python function has no text: build it in Python, and pass the kernel itself."
HINTS = {
    "rbf": "write Gaussian(sigma), or Gaussian.from_gamma(gamma).",
    "poly": "write Polynomial(degree).",
    "cosine": "write Linear().normalized().",
    "sigmoid": "tanh of an inner product is not a kernel: its Gram matrix can have negative eigenvalues.",
    "auto": "'auto' stands alone, as kernel='auto'; a width is found as in Gaussian('auto').",
    "Sum": "write k1 + k2.",
    "Product": "write k1 * k2.",
    "Scaled": "write 2.0 * k.",
    "Power": "write k ** 2.",
    "Exponential": "write k.exp().",
    "Normalized": "write k.normalized().",
    "Series": "write k.polynomial([1, 2]).",
    "inf": "numbers must be finite.",
    "nan": "numbers must be finite.",
    "after": NO_TEXT,
    "weighted": NO_TEXT,
    "After": NO_TEXT,
    "Weighted": NO_TEXT,
    "FromFunction": NO_TEXT,
}

Registered = TypeVar("Registered", bound="type[Kernel]")


def kernel_type(name: str) -> Any:
    """Return the class of a kernel in the catalogue. It is imported only now."""
    return getattr(import_module(KERNELS[name], __package__), name)


def register(new: Registered) -> Registered:
    """Let a kernel from elsewhere be known by its name, wherever ours are; return it.

    From then on texts such as "Name(2.0)" stand for it: as the `kernel` of a learner, in model files and on
    the command line of the same process. A program that loads such a file first imports the module that
    registers the kernel.

    Parameters
    ----------
    new
        The class: a frozen dataclass that derives from `Kernel`, at the top of a module that can be imported.

    Examples
    --------
    A module `my_kernels.py` holds

        @kernels.register
        @dataclass(frozen=True)
        class Hamming(kernels.Kernel):
            ...

    and after `import my_kernels` there is `Perceptron(kernel="Hamming()")`.
    """
    from kerneltron.kernels.kernel import Kernel

    name = getattr(new, "__name__", repr(new))
    if not (isinstance(new, type) and issubclass(new, Kernel)):
        raise TypeError(f"{name} is not a kernel: derive its class from kerneltron.kernels.Kernel.")
    if "." in new.__qualname__:
        raise ValueError(f"{new.__qualname__} cannot be found again: define it at the top of a module.")
    if KERNELS.get(name, new.__module__) != new.__module__:
        raise ValueError(f"there is a kernel {name} already: choose another name.")
    KERNELS[name] = new.__module__
    return new
