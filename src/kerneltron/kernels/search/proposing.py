"""Which kernel, or which width, suits examples and labels, for those who want to see what there is."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any

import numpy as np

from kerneltron._validate import rows_of
from kerneltron.kernels.auto import Auto
from kerneltron.kernels.domains import domain_of
from kerneltron.kernels.fields import fields_of
from kerneltron.kernels.gaussian import Gaussian
from kerneltron.kernels.grammar import parse
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.linear import Linear
from kerneltron.kernels.search.candidates import of_vectors
from kerneltron.kernels.search.finding import FEWEST, searched
from kerneltron.kernels.search.held_out import class_codes
from kerneltron.kernels.search.trying import (
    SAMPLE,
    Sample,
    Tried,
    best_of,
    chosen_rows,
    compared,
    ranked,
    sample_of,
    tried,
    widest_of_best,
)
from kerneltron.kernels.search.widths import closed, median_distance, widths_tried
from kerneltron.kernels.vectors import vectors


@dataclass(frozen=True)
class Proposal:
    """What `propose` found: `rows`, the least error first, from `examples` that were compared.

    `best` is the kernel to take: of those within a standard error of the least error one with about the least
    squared error, and of these the simplest. `fields`, of records, says which fields `best` compares, which
    not, and why.
    """

    rows: tuple[Tried, ...]
    examples: int
    best: Kernel
    fields: str = ""

    @property
    def sentence(self) -> str:
        """What to take, and why."""
        taken = next(row for row in self.rows if row.kernel == self.best)
        said = f"Take {taken.kernel}: it gets {taken.error:.1%} of held-out examples wrong"
        linear = next((row for row in self.rows if row.kernel == Linear() != taken.kernel), None)
        if linear is not None and linear.error <= taken.error + taken.standard_error:
            return (
                f"{said}, and Linear(), which is quicker to learn with, {linear.error:.1%}: no more than one "
                "standard error apart."
            )
        if linear is not None:
            return f"{said}, and Linear() {linear.error:.1%}."
        if taken.error > self.rows[0].error:
            return (
                f"{said}. It is the simplest of those that do about as well as {self.rows[0].kernel} with "
                f"{self.rows[0].error:.1%}, the fewest of {len(self.rows)} kernels."
            )
        return f"{said}, the fewest of {len(self.rows)} kernels."

    def __str__(self) -> str:
        width = max(len(str(row.kernel)) for row in self.rows)
        lines = [f"{'kernel':{width}}  error  +-     alignment  seconds"]
        for kernel, error, standard_error, alignment, seconds, *_ in self.rows:
            aligned = "none" if isnan(alignment) else f"{alignment:.3f}"
            numbers = f"{error:.3f}  {standard_error:.3f}  {aligned:>9}  {seconds:7.2f}"
            lines.append(f"{kernel!s:{width}}  {numbers}")
        return "\n".join([*lines, "", *([self.fields] if self.fields else []), self.sentence])


def propose(
    X: Any, y: Any, kernels: Sequence[Kernel | str] = (), sample: int = SAMPLE, seed: int = 0
) -> Proposal:
    """Rank kernels for examples by what they get wrong when each of these is held out.

    For rows of numbers: the inner product with the columns as they are and scaled, polynomials of degree 2 to
    4, plain and normalised, and Gaussians of several widths, over columns as they are and scaled. For
    strings, trees (texts in brackets) and graphs (pairs of edges and labels): their kernels, normalised, with
    several lengths, depths and decays; powers and exponentials of the best three, and a sum of two. For
    records: all that for each field, and sums over fields where they help. A learner with kernel="auto" takes
    `best` of structures and records.

    Takes O(sample^3) for each kernel: about three seconds in all for rows of numbers, one to five for
    structures, on one core.

    Parameters
    ----------
    X
        Examples: rows of numbers, dense or CSR, strings, trees, graphs, or records.
    y
        One label for each, of two classes or more.
    kernels
        Others to rank beside; where there are some, of structures these alone. Widths such as "auto" are
        several kernels.
    sample
        How many examples to compare, at most. Of large structures, and of records with several fields, fewer
        are compared, by their size.
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
    given = [parse(kernel) for kernel in kernels]
    if Auto() in given:
        raise ValueError("kernels holds 'auto', which stands for what this looks for: leave it out.")
    domain = domain_of(X)
    sampled = sample_of(X, codes, compared(domain, X, sample), seed, with_alignments=True)
    if given or domain == "vectors":
        usual = of_vectors(sampled.some) if domain == "vectors" else []
        found = tried(dict.fromkeys([*closed(given, sampled.some), *usual]), sampled)
    else:
        found = searched(domain, sampled)
    if not found:
        raise ValueError("the numbers of all kernels overflow for these examples: scale the columns.")
    rows = tuple(each._replace(gram=None) for each in ranked(found))
    best = rows[0] if domain == "vectors" else best_of(found)
    about_fields = fields_of(X).sentence(best.kernel) if domain == "records" else ""
    return Proposal(rows, len(sampled.codes), best.kernel, about_fields)


def propose_sigma(
    X: Any,
    y: Any = None,
    quantile: float = 0.5,
    sample: int = 1000,
    seed: int = 0,
    over: Kernel | None = None,
) -> float:
    """Return a width for Gaussian(sigma, over=over), from distances and, with labels, from held-out errors.

    With much smaller widths an example is similar only to itself, with much larger ones all are alike.
    Without labels it is the median distance between two examples. With labels, widths from that down to an
    eighth of it, each half of the one before, and narrower ones as long as these do better, are tried on
    held-out examples; it is the widest whose error is within one standard error of the smallest.

    Takes O(sample^2) inner products and, with labels, O(sample^3) for each width: half a second for 1,000
    examples on one core. The result depends on the seed, not on the speed of the machine.

    Parameters
    ----------
    X
        Rows of numbers, dense or CSR, or whatever `over` compares.
    y
        One label for each, of two classes or more, or None.
    quantile
        Which distance is the widest that is tried, from 0 to 1; 0.5 is the median.
    sample
        How many examples to look at, at most.
    seed
        Which examples are drawn, where there are more, follows from it.
    over
        The kernel whose feature space holds the distances; None is the space of the rows.

    Returns
    -------
    The width. Examples without a difference count for nothing; if none differ, any width gives the same
    kernel, and 1.0 is returned.

    Examples
    --------
    >>> from kerneltron.kernels import propose_sigma
    >>> round(propose_sigma([[0.0, 0.0], [3.0, 4.0], [0.0, 0.0]]), 6)
    5.0
    >>> rows = [[column / 50] for column in range(200)]
    >>> stripes = [int(2 * x) % 2 for x, in rows]
    >>> round(propose_sigma(rows), 3), round(propose_sigma(rows, stripes), 3)
    (1.18, 0.295)
    """
    if not 0 <= quantile <= 1:
        raise ValueError(f"quantile={quantile!r} must lie between 0 and 1; 0.5 is the median.")
    if sample < 2:
        raise ValueError(f"sample={sample!r} must be at least 2: a distance takes two examples.")
    kernel = Linear() if over is None else over
    pack = kernel.pack(X)
    codes = None if y is None else class_codes(y, len(pack))
    chosen = chosen_rows(len(pack), sample, seed)
    pack = pack[chosen] if len(chosen) < len(pack) else pack
    widest = median_distance(pack, over, quantile)
    if codes is None:
        return widest
    if not codes.any():
        raise ValueError(
            "y holds one class only, which says nothing about the width: leave y out for the median distance."
        )
    rows = vectors(pack).X if over is None else rows_of(X, chosen)
    labels = np.unique(codes[chosen], return_inverse=True)[1]
    found = widths_tried(lambda factor: Gaussian(factor * widest, over), Sample(X, rows, labels))
    best: Any = widest_of_best(found).kernel
    return float(best.sigma)
