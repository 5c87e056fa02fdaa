"""Means and variances of columns, which can be joined: what every scale is made of."""

from collections.abc import Sequence
from typing import Self

import numpy as np

from kerneltron._types import ColumnMoments, Floats


class Moments:
    """For each column the weight, the mean and the squared deviations of the entries that rows had there.

    With entries x_i of the weights w_i, W = sum_i w_i, m = sum_i w_i x_i / W and S = sum_i w_i (x_i - m)^2.
    `scaling.column_scaler.ColumnScaler` counts rows. What a row does not hold is not counted; `total`, the
    weight of all rows, says how often that was.

    Parameters
    ----------
    columns
        How many there are.

    References
    ----------
    T. Chan, G. Golub and R. LeVeque, "Algorithms for computing the sample variance", 1983, for `joined`.
    """

    def __init__(self, columns: int) -> None:
        self.total = 0.0
        self.weights: Floats = np.zeros(columns)
        self.means: Floats = np.zeros(columns)
        self.squares: Floats = np.zeros(columns)

    @classmethod
    def of(cls, total: float, weights: Floats, means: Floats, squares: Floats) -> Self:
        """Return the moments with these numbers."""
        moments = cls(0)
        moments.total, moments.weights, moments.means, moments.squares = total, weights, means, squares
        return moments

    @property
    def by_column(self) -> ColumnMoments:
        """The arrays, as compiled functions take them."""
        return ColumnMoments(self.weights, self.means, self.squares)

    def copy(self) -> Self:
        """Return an independent copy."""
        return self.of(self.total, *(array.copy() for array in self.by_column))


def joined(parts: Sequence[Moments], base: Moments | None = None) -> Moments:
    """Return the moments of the rows of all parts; those of a base, which each of them has, count once.

    Examples
    --------
    >>> one = Moments.of(2.0, np.array([2.0]), np.array([1.0]), np.array([2.0]))
    >>> joined([one, one]).squares
    array([4.])
    """
    terms = [(part, 1.0) for part in parts]
    if base is not None:
        terms.append((base, 1.0 - len(parts)))
    found = Moments(parts[0].weights.size)
    found.total = sum(sign * part.total for part, sign in terms)
    for part, sign in terms:
        found.weights += sign * part.weights
    there = found.weights > 0
    # Sums are taken from the first mean on: a large one, that all have in common, costs no digits.
    first = parts[0].means
    shift = sum(sign * part.weights * (part.means - first) for part, sign in terms)
    np.divide(shift, found.weights, out=found.means, where=there)
    found.means[there] += first[there]
    for part, sign in terms:
        found.squares += sign * (part.squares + part.weights * (part.means - found.means) ** 2)
    found.squares[~there] = 0.0
    np.maximum(found.squares, 0.0, out=found.squares)
    return found
