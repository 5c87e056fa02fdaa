"""Which kernel suits examples and labels: many are tried on held-out examples, and ranked in one table."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any, NamedTuple

import numpy as np

from kerneltron.kernels.auto import Auto
from kerneltron.kernels.candidates import of_vectors
from kerneltron.kernels.domains import domain_of
from kerneltron.kernels.fields import fields_of
from kerneltron.kernels.finding import FEWEST, compared, sampled, searched
from kerneltron.kernels.grammar import parse
from kerneltron.kernels.held_out import class_codes
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.linear import Linear
from kerneltron.kernels.open_widths import has_open_width, of_widths
from kerneltron.kernels.searching import SAMPLE, Tried, best_of, tried
from kerneltron.kernels.trying import FACTORS


class Row(NamedTuple):
    """A kernel, its held-out error with the standard error, its centred alignment, and what it took."""

    kernel: Kernel
    error: float
    standard_error: float
    alignment: float
    seconds: float


@dataclass(frozen=True)
class Proposal:
    """What `propose` found: `rows`, the least error first, from `examples` that were compared.

    `best` is the kernel to take: of those within a standard error of the least error one with about the least
    squared error, and of these the simplest. `fields`, of records, says which fields `best` compares, which
    not, and why.
    """

    rows: tuple[Row, ...]
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
        for kernel, error, standard_error, alignment, seconds in self.rows:
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
    count = min(compared(domain, X, sample), total)
    some, labels = sampled(X, codes, count, seed)
    if given or domain == "vectors":
        usual = of_vectors(some) if domain == "vectors" else []
        found = list(tried(dict.fromkeys(_closed([*given, *usual], some)), some, labels))
    else:
        found = searched(domain, X, codes, seed, sample)
    if not found:
        raise ValueError("the numbers of all kernels overflow for these examples: scale the columns.")
    rows = [_row(each) for each in sorted(found, key=lambda each: each.result.rank)]
    best = rows[0].kernel if domain == "vectors" else best_of(found).kernel
    about_fields = fields_of(X).sentence(best) if domain == "records" else ""
    return Proposal(tuple(rows), count, best, about_fields)


def _closed(kernels: list[Kernel], X: Any) -> Iterator[Kernel]:
    """Yield kernels, and for each with an open width those of several widths."""
    for kernel in kernels:
        if has_open_width(kernel):
            yield from (at(factor) for at in of_widths(kernel, X, X) for factor in FACTORS)
        else:
            yield kernel


def _row(each: Tried) -> Row:
    return Row(each.kernel, each.result.error, each.result.standard_error, each.alignment, each.seconds)
