"""Small problems that no linear learner can solve: two in the plane, two over truth values.

Labels are -1 and +1, and no label is wrong. As for `kerneltron.datasets.generators`, hold out a part of the
rows to test on.
"""

from math import comb, inf
from typing import Any, NamedTuple

import numpy as np

from kerneltron._types import Floats, Integers
from kerneltron.datasets.generators import Generated, check_between, check_sizes

Literal = tuple[int, bool]  # a column, and what it has to be


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
