"""Kernels that are worth trying for examples, by what these are."""

from collections.abc import Callable
from typing import Any

import numpy as np

from kerneltron.kernels.distances import AUTO
from kerneltron.kernels.gaussian import Gaussian
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.linear import Linear
from kerneltron.kernels.polynomial import Polynomial
from kerneltron.kernels.scaled_columns import standardizing
from kerneltron.kernels.vectors import matrix_of

DEGREES = (2, 3, 4)
MOST_STEPS = 10**9  # of a quadratic programme over all pairs of strings: two or three seconds


def of_vectors(X: Any) -> list[Kernel]:
    """Return inner products, polynomials and Gaussians of open width."""
    polynomials = [Polynomial(degree) for degree in DEGREES]
    plain = [Linear(), standardizing(matrix_of(X)), *polynomials]
    return [*plain, *(kernel.normalized() for kernel in polynomials), Gaussian(AUTO)]


def of_strings(X: Any) -> list[Kernel]:
    """Return kernels of pieces; where all strings have the same length also of pieces at the same place."""
    from kerneltron.kernels.strings.spectrum import Spectrum
    from kerneltron.kernels.strings.subsequences import Subsequences
    from kerneltron.kernels.strings.substrings import Substrings
    from kerneltron.kernels.strings.weighted_degree import WeightedDegree

    found: list[Kernel] = [Spectrum(k) for k in (1, 2, 3, 4, 5)]
    found += [Spectrum(k, blended=True) for k in (3, 5, 8)] + [Substrings(0.5)]
    if (len(X) * mean_size("strings", X)) ** 2 <= MOST_STEPS:
        found += [Subsequences(k, 0.5) for k in (2, 3)]
    if len({len(text) for text in X}) == 1:
        found += [WeightedDegree(k) for k in (1, 3, 5, 10, 20) if k <= len(X[0])]
    return [kernel.normalized() for kernel in found]


def of_trees(X: Any) -> list[Kernel]:
    """Return kernels of fragments; those with a terminal factor are as KeLP has them."""
    from kerneltron.kernels.trees.partial_trees import PartialTrees
    from kerneltron.kernels.trees.subset_trees import SubsetTrees
    from kerneltron.kernels.trees.subtrees import Subtrees

    found: list[Kernel] = [Subtrees(decay) for decay in (0.5, 1.0)]
    found += [SubsetTrees(decay) for decay in (0.2, 0.4, 0.8)]
    found += [PartialTrees(0.1), PartialTrees(0.4), PartialTrees(0.4, terminal_factor=2.0)]
    found += [PartialTrees(decay, 0.7, terminal_factor=5.0) for decay in (0.2, 0.4)]
    return [kernel.normalized() for kernel in found]


def of_graphs(X: Any) -> list[Kernel]:
    """Return kernels of neighbourhoods and of paths."""
    from kerneltron.kernels.graphs.shortest_paths import ShortestPaths
    from kerneltron.kernels.graphs.weisfeiler_lehman import WeisfeilerLehman

    found: list[Kernel] = [WeisfeilerLehman(h) for h in (0, 1, 2, 3, 5, 10)]
    return [kernel.normalized() for kernel in [*found, ShortestPaths()]]


USUAL: dict[str, Callable[[Any], list[Kernel]]] = {
    "vectors": of_vectors,
    "strings": of_strings,
    "trees": of_trees,
    "graphs": of_graphs,
}


def mean_size(domain: str, X: Any) -> float:
    """Return how many symbols, nodes or edges an example has on average."""
    return float(np.mean([_size(domain, x) for x in X])) if len(X) else 0.0


def _size(domain: str, x: Any) -> int:
    if domain == "trees":
        return str(x).count("(") + str(x).count(" ")
    if domain == "graphs":
        return len(x[0]) if isinstance(x, tuple | list) else int(x.number_of_edges())
    return len(x)
