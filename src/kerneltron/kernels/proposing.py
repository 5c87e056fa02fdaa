"""Which kernel suits examples and labels: many are tried on held-out examples, and ranked in one table."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from kerneltron._types import Anything
from kerneltron._validate import rows_of
from kerneltron.kernels.diagnosis import alignments
from kerneltron.kernels.distances import AUTO
from kerneltron.kernels.gaussian import Gaussian
from kerneltron.kernels.grammar import parse
from kerneltron.kernels.held_out import HeldOut, class_codes, held_out, symmetric_gram
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.linear import Linear
from kerneltron.kernels.open_widths import has_open_width, of_widths
from kerneltron.kernels.polynomial import Polynomial
from kerneltron.kernels.scaled_columns import standardizing
from kerneltron.kernels.trying import FACTORS, chosen_rows
from kerneltron.kernels.vectors import matrix_of

DEGREES = (2, 3, 4)
FEWEST = 10  # examples that errors are compared for
STRUCTURED = 300  # of strings, trees and graphs, which take longer to compare, that are looked at


class Row(NamedTuple):
    """A kernel, its held-out error with the standard error, its centred alignment, and what it took."""

    kernel: Kernel
    error: float
    standard_error: float
    alignment: float
    seconds: float


@dataclass(frozen=True)
class Proposal:
    """What `propose` found: `rows`, the best first, from `examples` that were compared."""

    rows: tuple[Row, ...]
    examples: int

    @property
    def best(self) -> Kernel:
        """The kernel with the smallest held-out error."""
        return self.rows[0].kernel

    @property
    def sentence(self) -> str:
        """What to take, and why."""
        first = self.rows[0]
        said = f"Take {first.kernel}: it gets {first.error:.1%} of held-out examples wrong"
        linear = next((row for row in self.rows[1:] if row.kernel == Linear()), None)
        if linear is None:
            return f"{said}, the fewest of {len(self.rows)} kernels."
        if linear.error <= first.error + first.standard_error:
            return (
                f"{said}, and Linear(), which is quicker to learn with, {linear.error:.1%}: no more than one "
                "standard error apart."
            )
        return f"{said}, and Linear() {linear.error:.1%}."

    def __str__(self) -> str:
        width = max(len(str(row.kernel)) for row in self.rows)
        lines = [f"{'kernel':{width}}  error  +-     alignment  seconds"]
        for kernel, error, standard_error, alignment, seconds in self.rows:
            numbers = f"{error:.3f}  {standard_error:.3f}  {alignment:9.3f}  {seconds:7.2f}"
            lines.append(f"{kernel!s:{width}}  {numbers}")
        return "\n".join([*lines, "", self.sentence])


def propose(
    X: Any, y: Any, kernels: Sequence[Kernel | str] = (), sample: int = 1000, seed: int = 0
) -> Proposal:
    """Rank kernels for examples by what they get wrong when each of these is held out.

    For rows of numbers: the inner product with the columns as they are and scaled, polynomials of degree 2 to
    4, plain and normalised, and Gaussians of several widths, over columns as they are and scaled. For
    strings, trees (texts in brackets) and graphs (pairs of edges and labels): their kernels, normalised, with
    several lengths, depths and decays.

    Takes O(sample^3) for each kernel: about three seconds in all for rows of numbers.

    Parameters
    ----------
    X
        Examples: rows of numbers, dense or CSR, strings, trees or graphs.
    y
        One label for each, of two classes or more.
    kernels
        Others to rank beside; where there are some, of strings, trees and graphs these alone. Widths such as
        "auto" are several kernels.
    sample
        How many examples to compare, at most; of strings, trees and graphs at most 300.
    seed
        Which examples are drawn, where there are more, follows from it.

    Examples
    --------
    >>> import numpy as np
    >>> from kerneltron.kernels import propose
    >>> X = np.random.default_rng(0).normal(size=(200, 2))
    >>> found = propose(X, X[:, 0] * X[:, 1] > 0)
    >>> print(found.sentence)
    Take Polynomial(4).normalized(): it gets 5.0% of held-out examples wrong, and Linear() 55.5%.
    >>> found.rows[0].error < found.rows[-1].error
    True
    """
    total = X.shape[0] if hasattr(X, "shape") else len(X)
    codes = class_codes(y, total)
    if total < FEWEST or not codes.any():
        raise ValueError(
            f"X has {total} examples of {len(np.unique(codes))} classes: kernels are compared by at least "
            f"{FEWEST} of two or more."
        )
    if sample < FEWEST:
        raise ValueError(f"sample={sample!r} must be at least {FEWEST}.")
    domain = domain_of(X)
    chosen = chosen_rows(total, sample if domain == "vectors" else min(sample, STRUCTURED), seed)
    some, labels = rows_of(X, chosen), np.unique(codes[chosen], return_inverse=True)[1]
    given = [parse(kernel) for kernel in kernels]
    usual = [] if given and domain != "vectors" else USUAL[domain](some)
    found: dict[Kernel, tuple[HeldOut, Row]] = {}
    for kernel in _closed([*given, *usual], some):
        if kernel not in found and (measured := _measured(kernel, some, labels)) is not None:
            found[kernel] = measured
    if not found:
        raise ValueError("the numbers of all kernels overflow for these examples: scale the columns.")
    rows = [row for _, row in sorted(found.values(), key=lambda each: each[0].rank)]
    return Proposal(tuple(rows), len(chosen))


def domain_of(X: Any) -> str:
    """Return what examples are: "vectors", "strings", "trees" or "graphs"."""
    first = X[0] if not hasattr(X, "shape") or getattr(X, "ndim", 2) == 1 else None
    if isinstance(first, str):
        is_tree = all(text.strip().startswith("(") and text.strip().endswith(")") for text in X)
        return "trees" if is_tree else "strings"
    is_graph = isinstance(first, tuple) and len(first) == 2 and not np.isscalar(first[1])
    return "graphs" if is_graph else "vectors"


def _closed(kernels: list[Kernel], X: Any) -> Iterator[Kernel]:
    """Yield kernels, and for each with an open width those of several widths."""
    for kernel in kernels:
        if has_open_width(kernel):
            yield from (at(factor) for at in of_widths(kernel, X, X) for factor in FACTORS)
        else:
            yield kernel


def _measured(kernel: Kernel, X: Any, codes: Anything) -> tuple[HeldOut, Row] | None:
    """Return what a kernel gets wrong; None where its numbers overflow."""
    began = perf_counter()
    try:
        gram = symmetric_gram(kernel, X)
    except ValueError:
        return None
    result = held_out(gram, codes)
    alignment = alignments(gram / (np.max(np.abs(gram)) or 1.0), codes)[0]
    row = Row(kernel, result.error, result.standard_error, alignment, perf_counter() - began)
    return result, row


def _of_vectors(X: Any) -> list[Kernel]:
    polynomials = [Polynomial(degree) for degree in DEGREES]
    plain = [Linear(), standardizing(matrix_of(X)), *polynomials]
    return [*plain, *(kernel.normalized() for kernel in polynomials), Gaussian(AUTO)]


def _of_strings(X: Any) -> list[Kernel]:
    from kerneltron.kernels.strings.spectrum import Spectrum
    from kerneltron.kernels.strings.subsequences import Subsequences
    from kerneltron.kernels.strings.substrings import Substrings
    from kerneltron.kernels.strings.weighted_degree import WeightedDegree

    found: list[Kernel] = [Spectrum(k) for k in (1, 2, 3, 4, 5)]
    found += [Spectrum(k, blended=True) for k in (3, 5)]
    found += [Substrings(decay) for decay in (0.5, 0.8)] + [Subsequences(k, 0.5) for k in (2, 3)]
    if len({len(text) for text in X}) == 1:
        found += [WeightedDegree(k) for k in (1, 3, 5) if k <= len(X[0])]
    return [kernel.normalized() for kernel in found]


def _of_trees(X: Any) -> list[Kernel]:
    from kerneltron.kernels.trees.partial_trees import PartialTrees
    from kerneltron.kernels.trees.subset_trees import SubsetTrees
    from kerneltron.kernels.trees.subtrees import Subtrees

    found: list[Kernel] = [Subtrees(decay) for decay in (0.5, 1.0)]
    found += [SubsetTrees(decay) for decay in (0.2, 0.4, 0.8)]
    found += [PartialTrees(decay, decay) for decay in (0.2, 0.4)]
    return [kernel.normalized() for kernel in found]


def _of_graphs(X: Any) -> list[Kernel]:
    from kerneltron.kernels.graphs.shortest_paths import ShortestPaths
    from kerneltron.kernels.graphs.weisfeiler_lehman import WeisfeilerLehman

    found: list[Kernel] = [WeisfeilerLehman(h) for h in (0, 1, 2, 3, 5, 8)]
    return [kernel.normalized() for kernel in [*found, ShortestPaths()]]


USUAL = {"vectors": _of_vectors, "strings": _of_strings, "trees": _of_trees, "graphs": _of_graphs}
