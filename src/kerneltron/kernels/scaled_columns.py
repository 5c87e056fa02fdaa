"""Inner products of rows whose columns are scaled, each by a factor of its own."""

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np

from kerneltron._types import Anything, Floats
from kerneltron._validate import is_sparse
from kerneltron.kernels.changed_rows import OfChangedRows, real_array
from kerneltron.kernels.kernel import Kernel

SMALLEST = 1e-300  # a standard deviation whose inverse is a number
# Columns are looked at whose largest entry has more than max(LARGE, sqrt(n) / AGAIN) standard deviations: no
# value that 16 of n entries have is larger. See `engine.outliers`, whose limits are alike.
LARGE, AGAIN = 5.0, 4.0
ROUNDING = 4  # units in the last place of its largest entry: a column that varies less is constant


@dataclass(frozen=True, repr=False, eq=False)
class ScaledColumns(OfChangedRows):
    """k(x, z) = sum_j f_j^2 x_j z_j: the inner product, with column j times the factor f_j.

    With f_j = 1 / (standard deviation of column j) no column counts for more because of its unit, as if the
    rows had been standardised before; centring them would change no distance. Rows are scaled once, when they
    are made ready: comparing them costs what it costs with `Linear`.

    Parameters
    ----------
    factors
        One finite number per column; 0 leaves a column out. A copy is kept.

    Examples
    --------
    >>> from kerneltron.kernels import Gaussian, ScaledColumns
    >>> k = Gaussian(1.0, over=ScaledColumns([1.0, 0.001]))
    >>> k([[0.0, 2000.0]], [[1.0, 3000.0]]).round(4), k
    (array([[0.3679]]), Gaussian(1.0, over=ScaledColumns(@F...)))
    """

    factors: Any

    letter = "F"

    def __post_init__(self) -> None:
        factors = real_array(self.factors, "factors", "hold")
        if factors.ndim != 1:
            raise ValueError(f"factors have the shape {factors.shape}: give a list, one number per column.")
        if not np.isfinite(factors).all():
            place = int(np.flatnonzero(~np.isfinite(factors))[0])
            raise ValueError(f"factors[{place}] is {factors[place]}: all must be finite.")
        factors.flags.writeable = False
        object.__setattr__(self, "factors", factors)

    @property
    def array(self) -> Anything:
        """The factors."""
        factors: Floats = self.factors
        return factors

    def _changed(self, X: Any) -> Any:
        if is_sparse(X):
            scaled = X.copy()
            scaled.data = (X.data * self.factors[X.indices]).astype(X.dtype)
            return scaled
        return (X * self.factors).astype(X.dtype, copy=False)

    def unchanged(self, rows: Any) -> Any:
        """Return rows that become these; columns that are left out are 0.

        Examples
        --------
        >>> from kerneltron.kernels import ScaledColumns
        >>> k = ScaledColumns([2.0, 0.0])
        >>> k.unchanged(k.changed(np.array([[3.0, 5.0]])))
        array([[3., 0.]])
        """
        there = self.factors != 0
        return type(self)(np.divide(1.0, self.factors, out=np.zeros(len(there)), where=there)).changed(rows)

    def _matrix(self) -> Floats:
        return np.diag(self.factors)[:, self.factors != 0]

    def _check_columns(self, columns: int) -> None:
        if columns != len(self.factors):
            raise ValueError(
                f"X has {columns} columns, but {self} has {len(self.factors)} factors: it needs one for each."
            )


def scales_columns(kernel: Kernel) -> bool:
    """Return whether an expression sees rows with scaled columns."""
    return isinstance(kernel, ScaledColumns) or any(map(scales_columns, kernel._parts()))


def standardizing(X: Any) -> ScaledColumns:
    """Return the factors that bring all columns of X to a standard deviation of 1; constant ones get 0.

    No entry counts for more than all that are nearer to the median together, where fewer than 16 outweigh all
    others: one that is far away would leave these alike.

    Parameters
    ----------
    X
        Rows of numbers, dense or CSR, at least one.

    Examples
    --------
    >>> import numpy as np
    >>> from kerneltron.kernels.scaled_columns import standardizing
    >>> standardizing(np.array([[0.0, 5.0, 10.0], [4.0, 5.0, 10.5]])).factors
    array([0.5, 0. , 4. ])
    """
    if is_sparse(X):
        X = X.astype(np.float64)
        means, largest = np.asarray(X.mean(axis=0)).ravel(), abs(X).max(axis=0).toarray().ravel()
        counts = np.diff(X.tocsc().indptr)
        away = X.copy()
        away.data = (X.data - means[X.indices]) ** 2
        variances = (np.asarray(away.sum(axis=0)).ravel() + (X.shape[0] - counts) * means**2) / X.shape[0]
        deviations, precision = np.sqrt(variances), np.float64
    else:
        deviations, largest = X.std(axis=0, dtype=np.float64), np.abs(X).max(axis=0)
        precision = X.dtype
    usual = largest <= max(LARGE, sqrt(X.shape[0]) / AGAIN) * deviations
    for j in np.flatnonzero(~usual | np.isinf(deviations)):
        column = X[:, [j]].toarray()[:, 0] if is_sparse(X) else X[:, j]
        deviations[j] = _deviation(column, deviations[j])
    varies = (deviations > SMALLEST) & (deviations > ROUNDING * np.finfo(precision).eps * largest)
    factors = np.zeros(X.shape[1])
    factors[varies] = 1 / deviations[varies]
    return ScaledColumns(factors)


def _deviation(column: Floats, otherwise: float) -> float:
    """Return the standard deviation of a column in which no entry counts for more than all nearer ones.

    Nearer to the median, that is, and by the sum of squares. The nearer half of those that are not the median
    count as they are. `otherwise` is returned where there is nothing to limit.
    """
    away = column.astype(np.float64) - np.median(column)
    away = away[np.argsort(np.abs(away), kind="stable")]
    with np.errstate(over="ignore"):
        squares = away**2
    same = int(np.searchsorted(squares, 0.0, side="right"))
    first = place = max(1, (same + squares.size) // 2)
    sums = np.cumsum(squares)
    # Each time the sum doubles: there are few, however many entries there are.
    while (far := np.flatnonzero((squares[place:] > sums[place - 1 : -1]) & (sums[place - 1 : -1] > 0))).size:
        place += int(far[0])
        squares[place] = sums[place - 1]
        sums[place:] = sums[place - 1] + np.cumsum(squares[place:])
        place += 1
    return otherwise if place == first else float(np.copysign(np.sqrt(squares), away).std())
