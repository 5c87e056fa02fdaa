"""Slips that are found in print, each with the evidence against it.

>>> for lesson in (strict_update(), positive_diagonal(), monomials()):
...     print(lesson)
With y f(x) < 0 as the condition of an update, 10 passes make 0 updates: w stays 0. With <= they make 2.
Every entry of the diagonal of [[1, 2], [2, 1]] is positive. Not a kernel: its Gram matrix has the negative
eigenvalue -1 (the largest is 3). Compared 2 of 2 examples, to within 1e-08.
100 columns have 1,705,904,746 monomials of degrees 0 to 6, which is C(106, 6), and 1,609,344,100 of exactly
degree 6, which is C(105, 6).
"""

from math import comb
from typing import NamedTuple

import numpy as np

from kerneltron._types import Floats, Integers
from kerneltron.kernels import Polynomial, check
from kerneltron.kernels.checking import Check

PASSES = 10
X, Y = np.array([[1.0, 0.5], [-1.0, 0.5], [0.5, -2.0]]), np.array([1, -1, 1])


class StrictUpdate(NamedTuple):
    """Updates by the condition y f(x) < 0, and by y f(x) <= 0."""

    with_less: int
    with_less_or_equal: int

    def __str__(self) -> str:
        return (
            f"With y f(x) < 0 as the condition of an update, {PASSES} passes make {self.with_less} updates: "
            f"w stays 0. With <= they make {self.with_less_or_equal}."
        )


def strict_update(X: Floats = X, y: Integers = Y) -> StrictUpdate:
    """Count the updates of a perceptron that moves where y f(x) < 0: from w = 0 it never does.

    All scores of w = 0 are 0, and none of them is below 0. A score of 0 has to count as a mistake.

    Parameters
    ----------
    X, y
        Examples, one row each, and their labels -1 and 1; by default three examples of two columns.
    """
    return StrictUpdate(_updates(X, y, strict=True), _updates(X, y, strict=False))


def _updates(X: Floats, y: Integers, strict: bool) -> int:
    w, updates = np.zeros(X.shape[1]), 0
    for _ in range(PASSES):
        for x, label in zip(X, y, strict=True):
            score = label * (w @ x)
            if score < 0 or (score == 0 and not strict):
                w, updates = w + label * x, updates + 1
    return updates


class PositiveDiagonal(NamedTuple):
    """A symmetric matrix, and what a look at its eigenvalues says."""

    matrix: Floats
    found: Check

    def __str__(self) -> str:
        return f"Every entry of the diagonal of {self.matrix.astype(int).tolist()} is positive. {self.found}"


def positive_diagonal() -> PositiveDiagonal:
    """Return a matrix with a positive diagonal that is not the Gram matrix of any kernel.

    k(x, x) >= 0 is necessary and not sufficient: [[1, 2], [2, 1]] has the eigenvalue -1, so the difference of
    the two examples would have the squared length 1 + 1 - 2 * 2 = -2.
    """
    matrix = np.array([[1.0, 2.0], [2.0, 1.0]])
    return PositiveDiagonal(matrix, check("precomputed", matrix))


class Monomials(NamedTuple):
    """How many monomials there are up to a degree and of exactly that degree."""

    columns: int
    degree: int
    up_to: int
    exactly: int

    def __str__(self) -> str:
        return (
            f"{self.columns} columns have {self.up_to:,} monomials of degrees 0 to {self.degree}, which is "
            f"C({self.columns + self.degree}, {self.degree}), and {self.exactly:,} of exactly degree "
            f"{self.degree}, which is C({self.columns + self.degree - 1}, {self.degree})."
        )


def monomials(columns: int = 100, degree: int = 6) -> Monomials:
    """Count monomials: C(n + d, d) up to degree d, C(n + d - 1, d) of exactly degree d.

    The former is the number of features of the kernel (1 + <x, z>)^d, and is taken from its map.

    Parameters
    ----------
    columns
        Number of columns n, at least 1.
    degree
        Degree d, at least 1.
    """
    up_to = Polynomial(degree).feature_map(columns).width
    return Monomials(columns, degree, up_to, comb(columns + degree - 1, degree))
