"""Inner products of rows whose columns are scaled, each by a factor of its own."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from kerneltron._types import Anything, Floats
from kerneltron._validate import is_sparse
from kerneltron.kernels.changed_rows import OfChangedRows, real_array
from kerneltron.kernels.kernel import Kernel
from kerneltron.scaling.column_scaler import ColumnScaler


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
    """Return the factors that bring all columns of X to one scale; constant ones get 0.

    They are those of `scaling.column_scaler.ColumnScaler`: 1 / the standard deviation of a column without
    zeros, and one that few rows hold is divided by the root of the mean square of its entries. Outliers are
    limited.

    Parameters
    ----------
    X
        Rows of numbers, dense or CSR, at least one.

    Examples
    --------
    >>> import numpy as np
    >>> from kerneltron.kernels.scaled_columns import standardizing
    >>> standardizing(np.array([[1.0, 5.0, 10.0], [5.0, 5.0, 10.5]])).factors
    array([0.5, 0. , 4. ])
    """
    scaler = ColumnScaler(X.shape[1])
    scaler.count_all(X)
    return ScaledColumns(scaler.centres_and_factors()[1])
