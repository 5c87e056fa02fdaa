"""The least bound on the mistakes of a column that a theorem gives, over vectors to compare with."""

from collections.abc import Iterable
from math import inf
from typing import NamedTuple

import numpy as np

from kerneltron._types import Floats, Integers
from kerneltron.theory.compared import Compared
from kerneltron.theory.comparing import Vectors
from kerneltron.theory.theorems.theorem import Theorem

SCALES = 65  # margins that are tried for each vector
ROUNDING = 1e-9  # relative: the sums of a run and those of a bound are rounded differently
AT_MARGIN = 1 + 1e-12  # an example at the margin is not short of it, whatever division does to its last digit


class Proof(NamedTuple):
    """A bound and what it comes from: a unit vector u, the margin gamma, and what examples lack of it."""

    bound: float
    vector: Floats
    margin: float
    products: Floats  # <u, x> of each example
    deviation: float  # D = sqrt(sum over examples of max(0, gamma - y <u, x>)^2)

    def __repr__(self) -> str:
        numbers = f"bound={self.bound:.6g}, margin={self.margin:.6g}, deviation={self.deviation:.6g}"
        return f"Proof({numbers}, vector of {self.vector.size}, products of {self.products.size})"


class Margins(NamedTuple):
    """The largest margin of a column lies between these."""

    lower: float
    upper: float


class Proofs(NamedTuple):
    """What is proved of a column: by the vector with the largest margin, and by the one that proves most.

    Where examples cannot be separated, both are the same.
    """

    separating: Proof
    sharpest: Proof
    margins: Margins


class Column(NamedTuple):
    """The examples of a run as one column sees them.

    `delta` is the value of the feature that each example had of its own in the run; 0 for none.
    """

    number: int
    labels: Integers
    lengths: Floats
    visits: float = 1.0
    delta: float = 0.0


def prove(theorem: Theorem | None, candidates: Iterable[Vectors], column: Column) -> Proofs:
    """Return the bounds for a column; infinite without a theorem."""
    widest = sharpest = Proof(inf, np.zeros(0), 0.0, np.zeros(column.labels.size), 0.0)
    lower, upper = -inf, inf
    for vectors in candidates:
        norm = float(vectors.norms[column.number])
        if norm == 0:
            continue
        margins = column.labels * vectors.scores[:, column.number]
        compared = Compared(margins, norm, column.lengths, column.visits)
        margin = float(margins.min(initial=inf)) / norm
        upper = min(upper, float(vectors.limits()[column.number]))
        if margin > lower:
            lower, widest = margin, _separating(theorem, compared, vectors, column)
        bound, factor = _least(theorem, compared, column.delta)
        if bound < sharpest.bound or not sharpest.vector.size:
            sharpest = _proof(bound, vectors, column, factor)
    if lower == -inf:  # no example has any length
        return Proofs(widest, sharpest, Margins(0.0, 0.0))
    return Proofs(widest if lower > 0 else sharpest, sharpest, Margins(lower, max(lower, upper)))


def _separating(theorem: Theorem | None, compared: Compared, vectors: Vectors, column: Column) -> Proof:
    """Return the proof by a vector as far as all examples have its margin."""
    least = float(compared.margins.min())
    factor = 1.0 / least if least > 0 else 1.0
    bound = inf if theorem is None else _bound(theorem, compared.scaled(factor), column.delta)
    return _proof(bound, vectors, column, factor)


def _least(theorem: Theorem | None, compared: Compared, delta: float) -> tuple[float, float]:
    """Return the least bound over the margins that a vector may be asked for, and the factor to that one."""
    positive = compared.margins[compared.margins > 0]
    if theorem is None or positive.size == 0:
        return inf, 1.0
    factors = [1.0, *(1.0 / np.unique(np.quantile(positive, np.linspace(0, 1, SCALES))))]
    bounds = [_bound(theorem, compared.scaled(factor), delta) for factor in factors]
    best = int(np.argmin(bounds))
    return bounds[best], float(factors[best])


def _bound(theorem: Theorem, compared: Compared, delta: float) -> float:
    compared = compared._replace(margins=compared.margins * AT_MARGIN)
    return theorem.bound(compared.with_own_features(delta) if delta else compared) * (1 + ROUNDING)


def _proof(bound: float, vectors: Vectors, column: Column, factor: float) -> Proof:
    norm = float(vectors.norms[column.number])
    products, margin = vectors.scores[:, column.number] / norm, 1.0 / (factor * norm)
    lacking = np.maximum(0.0, margin / AT_MARGIN - column.labels * products)
    deviation = float(np.sqrt(np.square(lacking).sum()))
    return Proof(bound, vectors.vectors[:, column.number] / norm, margin, products, deviation)
