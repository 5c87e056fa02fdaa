"""Means and variances of columns that grow row by row, and can be joined: what running scaling is made of."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from kerneltron._matrices import frozen
from kerneltron._types import Anything, ColumnMoments, Entries, Floats, Scaling


class Moments:
    """For each column the weight, the mean and the squared deviations of the entries that rows had there.

    With entries x_i of the weights w_i, W = sum_i w_i, m = sum_i w_i x_i / W and S = sum_i w_i (x_i - m)^2:
    Welford's updates, which lose no digits where the mean is large beside the deviations. They are made in
    the order of the rows, so that it does not matter how these are cut into calls, to the last bit. What a
    sparse row leaves out is not counted; `total`, the weight of all rows, tells how often that was.

    Parameters
    ----------
    columns
        How many there are.

    References
    ----------
    B. P. Welford, "Note on a method for calculating corrected sums of squares and products", 1962; T. Chan,
    G. Golub and R. LeVeque, "Algorithms for computing the sample variance", 1983, for `joined`.

    Examples
    --------
    >>> moments = Moments(1)
    >>> moments.add(np.array([[1e8], [1e8 + 2.0]]), np.ones(2))
    >>> moments.means - 1e8, moments.squares, moments.total
    (array([1.]), array([2.]), 2.0)
    """

    def __init__(self, columns: int) -> None:
        self.total = 0.0
        self.weights: Floats = np.zeros(columns)
        self.means: Floats = np.zeros(columns)
        self.squares: Floats = np.zeros(columns)

    @classmethod
    def of(cls, total: float, weights: Floats, means: Floats, squares: Floats) -> Self:
        """Return the moments that are known so."""
        moments = cls(0)
        moments.total, moments.weights, moments.means, moments.squares = total, weights, means, squares
        return moments

    def add(self, X: Any, row_weights: Floats) -> None:
        """Count the rows of a dense matrix, or of a CSR matrix without repeated entries."""
        self.add_entries(_entries(X, row_weights))

    def add_entries(self, entries: Entries, limits: Scaling | None = None) -> None:
        """Count rows as compiled code takes them; whoever hands them over has looked at their bounds.

        With `limits` outliers count for less, in columns that will be scaled so: see `engine.outliers`.
        """
        from kerneltron.engine.scaling import add_rows

        centres = limits is not None and limits.centres
        self.total = add_rows(entries, self._columns(), self.total, limits is not None, centres)

    def add_and_scale(self, X: Any, row_weights: Floats, scaling: Scaling) -> Any:
        """Count rows; return them, each scaled by what was known up to and including it."""
        from kerneltron.engine.scaling import add_and_scale_rows

        entries = _entries(X, row_weights)
        scaled = np.empty(entries.values.size, X.dtype)
        self.total = add_and_scale_rows(entries, self._columns(), self.total, scaling, scaled)
        return _like(X, scaled)

    def scales(self, scaling: Scaling) -> tuple[Floats, Floats]:
        """Return c and f for each column: (x - c) f is the scaled value of an entry x.

        Where what rows do not hold is 0, c is the mean and 1 / f the standard deviation of all rows, 1 for a
        constant column. Where it is not known, a column that all rows held is scaled likewise, while one that
        some rows lacked, or that is constant, is divided by the root of the mean square of its entries: so
        words, which count 1 where they are, stay as they are. Without `centres` c is 0, without `divides` f
        is 1.
        """
        from kerneltron.engine.scaling import fill_scales

        centres, factors = np.empty((2, self.weights.size))
        fill_scales(self._columns(), self.total, scaling, centres, factors)
        return centres, factors

    def copy(self) -> Self:
        """Return a copy that goes its own way."""
        return self.of(self.total, *(array.copy() for array in self._columns()))

    def __getstate__(self) -> tuple[Any, ...]:
        """Return what moves between processes: the columns that have entries."""
        there = np.flatnonzero(self.weights)
        return self.weights.size, self.total, there, [array[there] for array in self._columns()]

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        columns, total, there, arrays = state
        Moments.__init__(self, columns)
        self.total = total
        for array, values in zip(self._columns(), arrays, strict=True):
            array[there] = values

    def _columns(self) -> ColumnMoments:
        return ColumnMoments(self.weights, self.means, self.squares)


def joined(parts: Sequence[Moments], base: Moments | None = None) -> Moments:
    """Return the moments of the rows of all parts; those of a base, which each of them has, count once."""
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


def limit_entries(scaled: Floats, indices: Anything, moments: Moments) -> None:
    """Limit the scaled entries of sparse rows that are to be learned from: see `engine.outliers`."""
    from kerneltron.engine import outliers

    outliers.limit_entries(scaled, frozen(indices, indices.dtype), moments.weights)


def scaled_entries(values: Floats, indices: Anything, centres: Floats, factors: Floats, dtype: Any) -> Floats:
    """Return the entries of sparse rows, scaled."""
    from kerneltron.engine.scaling import scale_entries

    scaled = np.empty(values.size, dtype)
    scale_entries(frozen(values, values.dtype), frozen(indices, indices.dtype), centres, factors, scaled)
    return scaled


def _entries(X: Any, row_weights: Floats) -> Entries:
    """View a matrix, dense or CSR, as compiled code takes it."""
    weights = frozen(row_weights, np.float64)
    if isinstance(X, np.ndarray):
        starts = np.arange(X.shape[0] + 1, dtype=np.int64) * X.shape[1]
        indices = frozen(np.empty(0, np.int64), np.int64)
        return Entries(frozen(X.reshape(-1), X.dtype), indices, frozen(starts, np.int64), weights)
    places = X.indices.dtype if X.indices.dtype == X.indptr.dtype else np.dtype(np.int64)
    return Entries(frozen(X.data, X.dtype), frozen(X.indices, places), frozen(X.indptr, places), weights)


def _like(X: Any, values: Floats) -> Any:
    """Return a matrix with the shape and the structure of X, and other entries."""
    if isinstance(X, np.ndarray):
        return values.reshape(X.shape)
    return type(X)((values, X.indices.copy(), X.indptr.copy()), shape=X.shape)
