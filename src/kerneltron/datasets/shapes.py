"""Small problems whose labels are never wrong: some in the plane, to be drawn, some over truth values.

Labels are -1 and +1. No linear learner can solve them, but for the ten points. As for
`kerneltron.datasets.generators`, hold out a part of the rows that are drawn at random to test on.
"""

from math import comb, inf
from typing import Any, NamedTuple

import numpy as np

from kerneltron._types import Floats, Integers
from kerneltron.datasets.generators import Generated, Halfspace, check_between, check_sizes

Literal = tuple[int, bool]  # a column, and what it has to be

TEN_POINTS = (
    (1.0, 2.0), (0.5, -1.4), (1.4, 1.0), (0.3, 1.2), (-0.9, -0.9),
    (-0.2, -1.8), (1.6, -0.1), (0.2, -0.6), (-2.0, 1.2), (1.0, -1.3),
)  # fmt: skip
ELLIPSE_POINTS = (
    (-0.6, 1.4), (-0.7, 0.2), (-1.2, 0.8), (-1.6, 0.3), (1.5, -1.8), (-0.7, 0.9), (-1.0, -1.3), (1.9, -1.1),
    (-1.0, -0.1), (-2.0, 2.1), (1.3, 1.1), (-2.6, -0.1), (-0.2, 0.4), (0.7, 1.5), (-2.3, -1.9), (-0.2, 1.1),
    (0.2, -2.0), (-1.3, 1.4), (0.4, 1.8), (0.8, -2.2), (-0.9, 1.7), (2.1, 0.5), (0.4, 1.1), (-2.4, -0.9),
)  # fmt: skip


class Quadrants(NamedTuple):
    """Positive where the two coordinates have different signs."""

    def predict(self, X: Any) -> Integers:
        """Return the label of each row."""
        return np.where(X[:, 0] * X[:, 1] < 0, 1, -1)


class Disc(NamedTuple):
    """Positive inside the circle around the origin."""

    radius: float

    def predict(self, X: Any) -> Integers:
        """Return the label of each row."""
        return np.where(np.hypot(X[:, 0], X[:, 1]) < self.radius, 1, -1)


class Ellipse(NamedTuple):
    """Positive inside an ellipse: where <x, A x> + <b, x> + c > 0, and A is negative definite."""

    A: Floats
    b: Floats
    c: float

    def predict(self, X: Any) -> Integers:
        """Return the label of each row."""
        return np.where(np.einsum("ij,jk,ik->i", X, self.A, X) + X @ self.b + self.c > 0, 1, -1)


class Odd(NamedTuple):
    """Positive where an odd number of the relevant columns is true."""

    relevant: Integers

    def predict(self, X: Any) -> Integers:
        """Return the label of each row."""
        return np.where(X[:, self.relevant].sum(axis=1) % 2 == 1, 1, -1)


class Terms(NamedTuple):
    """Positive where one of the terms, each a conjunction of literals, is satisfied."""

    terms: tuple[tuple[Literal, ...], ...]

    def predict(self, X: Any) -> Integers:
        """Return the label of each row."""
        satisfied = [np.all([X[:, j] == value for j, value in term], axis=0) for term in self.terms]
        return np.where(np.any(satisfied, axis=0), 1, -1)


def xor(n: int, seed: int = 0, *, margin: float = 0.1) -> Generated[Quadrants]:
    """Draw points of the square [-1, 1]^2, none nearer than `margin` to an axis.

    The label is positive where the signs of the coordinates differ, so that every line through the origin
    errs on half of the points.

    Parameters
    ----------
    n
        Number of points.
    seed
        What is drawn at random follows from it.
    margin
        Distance from the axes, at least.

    Examples
    --------
    >>> X, y, *_ = xor(4, seed=2)
    >>> X.round(1).tolist(), y.tolist()
    ([[0.6, -0.8], [-0.3, -0.1], [-0.3, 0.7], [-0.6, -0.2]], [1, -1, 1, -1])
    """
    check_sizes(n=n)
    check_between("margin", margin, 0, 1)
    rng = np.random.default_rng(seed)
    X = rng.choice([-1.0, 1.0], size=(n, 2)) * rng.uniform(margin, 1, size=(n, 2))
    return Generated(X, Quadrants().predict(X), 0.0, Quadrants())


def circle(n: int, seed: int = 0, *, margin: float = 0.1) -> Generated[Disc]:
    """Draw points inside the unit circle and in a ring around it, half of each on average.

    Inside, which is positive, they are uniform up to the radius 1 - margin; outside from 1 + margin to 2.

    Parameters
    ----------
    n
        Number of points.
    seed
        What is drawn at random follows from it.
    margin
        Distance from the circle, at least.

    Examples
    --------
    >>> X, y, *_ = circle(1000, seed=0)
    >>> bool(np.array_equal(y > 0, np.sum(X**2, axis=1) < 1))
    True
    """
    check_sizes(n=n)
    check_between("margin", margin, 0, 0.9)
    rng = np.random.default_rng(seed)
    y = rng.choice([-1, 1], size=n)
    low, high = np.where(y > 0, 0.0, 1 + margin), np.where(y > 0, 1 - margin, 2.0)
    r = np.sqrt(rng.uniform(low**2, high**2))  # uniform in the area
    angle = rng.uniform(0, 2 * np.pi, size=n)
    X = np.column_stack([r * np.cos(angle), r * np.sin(angle)])
    return Generated(X, y, 0.0, Disc(1.0))


def ten_points() -> Generated[Halfspace]:
    """Return ten points of which a perceptron takes in two, the first and the seventh: w = x_1 - x_7.

    They are to be visited in this order, without a constant feature. The first is a mistake, as w is 0; then
    all are right until the seventh, and none is wrong after it, in any pass.

    Examples
    --------
    >>> from kerneltron import Perceptron
    >>> X, y, *_ = ten_points()
    >>> learner = Perceptron(shuffle=False, fit_intercept=False, hypothesis="last", passes=3).fit(X, y)
    >>> learner.mistakes_, learner.coef_.round(9)[0], X[0] - X[6]
    (array([2, 0, 0]), array([-0.6,  2.1]), array([-0.6,  2.1]))
    """
    X = np.array(TEN_POINTS)
    truth = Halfspace(X[0] - X[6])
    return Generated(X, truth.predict(X), 0.0, truth)


def ellipse_points() -> Generated[Ellipse]:
    """Return 24 points of which a perceptron with the kernel (1 + <x, z>)^2 takes in three.

    They are to be visited in this order, without another constant feature. The three, x_1 and against it x_5
    and x_11, are enough to draw an ellipse: (1 + <x_1, x>)^2 > (1 + <x_5, x>)^2 + (1 + <x_11, x>)^2.

    Examples
    --------
    >>> from kerneltron import Perceptron
    >>> X, y, *_ = ellipse_points()
    >>> options = {"shuffle": False, "fit_intercept": False, "hypothesis": "last", "passes": 3}
    >>> learner = Perceptron(kernel="Polynomial(2)", representation="dual", **options).fit(X, y)
    >>> learner.support_, learner.dual_coef_
    (array([ 0,  4, 10]), array([[ 1., -1., -1.]]))
    """
    X = np.array(ELLIPSE_POINTS)
    entered, signs = X[[0, 4, 10]], np.array([1.0, -1.0, -1.0])
    truth = Ellipse((entered.T * signs) @ entered, 2 * signs @ entered, float(signs.sum()))
    return Generated(X, truth.predict(X), 0.0, truth)


def parity(n: int, *, bits: int, seed: int, columns: int | None = None) -> Generated[Odd]:
    """Draw rows of 0 and 1; the label is positive where an odd number of `bits` of the columns is 1.

    Any `bits - 1` of the columns tell nothing about it. `columns` beyond `bits` (the default) are noise.

    Parameters
    ----------
    n
        Number of rows.
    bits
        Number of columns on which the label depends.
    seed
        What is drawn at random follows from it.
    columns
        Number of columns in all; None is `bits`.

    Examples
    --------
    >>> X, y, _, truth, _ = parity(4, bits=2, columns=5, seed=3)
    >>> truth.relevant.tolist(), X[:, truth.relevant].tolist(), y.tolist()
    ([0, 3], [[0.0, 1.0], [0.0, 0.0], [0.0, 1.0], [0.0, 0.0]], [1, -1, 1, -1])
    """
    columns = bits if columns is None else columns
    check_sizes(n=n, bits=bits)
    check_between("columns", columns, bits, inf)
    rng = np.random.default_rng(seed)
    truth = Odd(np.sort(rng.choice(columns, bits, replace=False)))
    X = truth_values(rng, n, columns)
    return Generated(X, truth.predict(X), 0.0, truth)


def dnf(
    n: int, *, columns: int, terms: int, size: int, seed: int, monotone: bool = False
) -> Generated[Terms]:
    """Draw rows of 0 and 1, labelled by a random formula in disjunctive normal form.

    Parameters
    ----------
    n
        Number of rows.
    columns
        Number of truth values in a row.
    terms
        Number of conjunctions of which one has to be satisfied, over different sets of columns.
    size
        Number of literals in each of them.
    seed
        What the formula and the rows are drawn from.
    monotone
        Whether no literal is negated.

    Examples
    --------
    >>> X, y, _, truth, _ = dnf(3, columns=4, terms=2, size=2, seed=5)
    >>> truth.terms
    (((2, False), (3, True)), ((0, False), (3, False)))
    >>> X.tolist(), y.tolist()
    ([[0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [1.0, 1.0, 1.0, 0.0]], [1, 1, -1])
    """
    check_sizes(n=n, columns=columns, terms=terms, size=size)
    check_between("size", size, 1, columns)
    check_between("terms", terms, 1, comb(columns, size))
    rng = np.random.default_rng(seed)
    chosen: dict[tuple[int, ...], tuple[Literal, ...]] = {}
    while len(chosen) < terms:
        used = tuple(sorted(rng.choice(columns, size, replace=False).tolist()))
        wanted = [True] * size if monotone else (rng.random(size) < 0.5).tolist()
        chosen.setdefault(used, tuple(zip(used, wanted, strict=True)))
    truth = Terms(tuple(chosen.values()))
    X = truth_values(rng, n, columns)
    return Generated(X, truth.predict(X), 0.0, truth)


def truth_values(rng: np.random.Generator, n: int, columns: int) -> Floats:
    """Return rows of 0 and 1, equally likely."""
    return rng.integers(0, 2, size=(n, columns)).astype(float)
