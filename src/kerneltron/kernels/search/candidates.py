"""Kernels that are worth trying for examples, by what these are, or to be compared with a given kernel."""

from collections.abc import Callable
from typing import Any

import numpy as np

from kerneltron._validate import is_sparse
from kerneltron.kernels.distances import AUTO, OfDistance
from kerneltron.kernels.fields import Field
from kerneltron.kernels.gaussian import Gaussian
from kerneltron.kernels.kernel import OF_NUMBERS, Kernel
from kerneltron.kernels.linear import Linear
from kerneltron.kernels.polynomial import Polynomial
from kerneltron.kernels.scaled_columns import ScaledColumns
from kerneltron.kernels.search.trying import mean_size
from kerneltron.kernels.search.widths import (
    can_be_scaled,
    closed,
    median_distance,
    of_distances,
    scaled_columns,
    with_widths_times,
)
from kerneltron.kernels.vectors import matrix_of

DEGREES = (2, 3, 4)
MOST_STEPS = 10**9  # of a quadratic programme over all pairs of strings: two or three seconds
LARGEST = 1e25  # mean squared length of rows whose products of four can be listed
WIDTHS = (0.125, 0.25, 0.5, 2.0, 4.0)  # of rivals, as multiples of the widths that a kernel has


def of_vectors(X: Any) -> list[Kernel]:
    """Return inner products, polynomials and Gaussians of several widths, for a table."""
    polynomials = [Polynomial(degree) for degree in DEGREES]
    plain = [Linear(), scaled_columns(X), *polynomials]
    return [*plain, *(kernel.normalized() for kernel in polynomials), *closed([Gaussian(AUTO)], X)]


def of_unit_length(X: Any) -> list[Kernel]:
    """Return inner products and normalised polynomials, for learners.

    Rows have the length 1 on average, whatever their scale: then the same C suits all of these kernels.
    """
    rows = matrix_of(X)
    found: list[Kernel] = []
    if (factor := _inverse(Linear(), rows)) is not None:
        found = [factor * Linear(), *(Polynomial(degree).normalized() for degree in DEGREES)]
    if can_be_scaled(rows):
        scaled = scaled_columns(rows)
        if (factor := _inverse(scaled, rows)) is not None:
            found.append(ScaledColumns(scaled.factors * np.sqrt(factor)))
    return found


def _inverse(kernel: Kernel, rows: Any) -> float | None:
    """Return 1 over the mean of k(x, x), with four digits; None where that is out of all proportion."""
    try:
        mean = float(np.mean(kernel.diag(rows)))
    except ValueError:  # it overflows
        return None
    return _rounded(1 / mean) if 1 / LARGEST < mean < LARGEST else None


def of_numbers(X: Any, fields: list[Field]) -> list[Kernel]:
    """Return kernels on the fields of records that hold numbers, all of the same scale."""
    scaled: list[Kernel] = [field.on(scaled_columns(field.on(Linear())._seen_inside(X))) for field in fields]
    total = sum(scaled[1:], scaled[0])
    return [total.normalized(), *closed([Gaussian(AUTO, over=total)], X)]


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
    "strings": of_strings,
    "trees": of_trees,
    "graphs": of_graphs,
}


def rivals(kernel: Kernel, X: Any) -> list[Kernel]:
    """Return the kernel with other widths and with scaled columns, normalised, the inner product, a Gaussian.

    Parameters
    ----------
    kernel
        An expression that has to be compared with these, before it may be said to suit the data.
    X
        Some of the examples that it is for: scales and median distances are theirs.
    """
    found = [with_widths_times(kernel, factor) for factor in WIDTHS] if list(of_distances(kernel)) else []
    if kernel.domain in OF_NUMBERS:
        rows = matrix_of(X)
        found.append(Linear())
        if not isinstance(kernel, OfDistance):
            found.append(Gaussian(_rounded(median_distance(rows))))
        elif kernel.base == Linear() and not is_sparse(rows):
            scaled = scaled_columns(rows)
            change = median_distance(rows, scaled) / median_distance(rows)
            found.append(kernel.replace(sigma=_rounded(float(kernel.sigma) * change), over=scaled))
    if not isinstance(kernel, OfDistance):
        found.append(kernel.normalized())
    return [rival for rival in found if rival != kernel]


def _rounded(number: float) -> float:
    """Return a number with four digits, which are enough for a comparison."""
    return float(f"{number:.4g}")
