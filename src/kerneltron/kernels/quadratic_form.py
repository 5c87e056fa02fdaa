"""Inner products after a linear change of the features."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from kerneltron._types import Anything, Floats
from kerneltron._validate import as_csr, is_sparse
from kerneltron.kernels.changed_rows import OfChangedRows, real_array

OF_ROOT = 1e-6  # relative difference of R R^T and A: what rounding on another machine explains
TOLERANCE = (
    1e-8  # relative, of what rounding may have done to a symmetric matrix without negative eigenvalues
)


@dataclass(frozen=True, repr=False, eq=False)
class QuadraticForm(OfChangedRows):
    """k(x, z) = x^T A z, for a symmetric A without negative eigenvalues.

    A = R R^T is taken apart once, so that k(x, z) = <R^T x, R^T z> is as quick as the inner product.

    Parameters
    ----------
    A
        A square matrix; a copy is kept.

    Examples
    --------
    >>> from kerneltron.kernels import QuadraticForm
    >>> k = QuadraticForm([[2.0, 1.0], [1.0, 2.0]])
    >>> k([[1, 0]], [[1, 1]]).round(9), k
    (array([[3.]]), QuadraticForm(@A...))
    """

    A: Any

    letter = "A"

    def __post_init__(self) -> None:
        A = real_array(as_csr(self.A).toarray() if is_sparse(self.A) else self.A, "A", "holds")
        _check(A)
        A.flags.writeable = False
        object.__setattr__(self, "A", A)
        self._root  # noqa: B018 - raises if an eigenvalue is negative

    @property
    def array(self) -> Anything:
        """The matrix A."""
        A: Floats = self.A
        return A

    def _changed(self, X: Any) -> Any:
        return (X @ self._root).astype(X.dtype)

    def _matrix(self) -> Floats:
        return self._root

    def _check_columns(self, columns: int) -> None:
        if columns != len(self.A):
            raise ValueError(
                f"X has {columns} columns, but A of {self} is {len(self.A)} x {len(self.A)}: "
                "it needs one row and one column for each."
            )

    def _content(self) -> bytes:
        return str(self.A.shape).encode() + super()._content()

    def take_root(self, root: Floats) -> None:
        """Use this root of the many that A has: another machine would find another, and other last digits.

        Raises a ValueError if it is not a root of A.
        """
        with np.errstate(over="ignore", invalid="ignore"):  # then it is none
            apart = np.abs(root @ root.T - self.A).max(initial=0.0)
        if not apart <= OF_ROOT * np.abs(self.A).max(initial=0.0):
            raise ValueError(f"the root of @{self._name} is not a root: R R^T is not @{self._name}")
        self.__dict__["_root"] = root

    @cached_property
    def _root(self) -> Floats:
        """R with A = R R^T, one column per eigenvalue that is not 0."""
        values, directions = np.linalg.eigh(self.A / 2 + self.A.T / 2)
        largest = max(abs(values), default=0.0)
        if len(values) and values[0] < -TOLERANCE * largest:
            raise ValueError(
                f"A has the eigenvalue {values[0]:.6g}: x^T A z is a kernel only where no eigenvalue is "
                "negative. Use A.T @ A, or add a multiple of the identity."
            )
        kept = values > largest * len(values) * np.finfo(np.float64).eps
        root: Floats = directions[:, kept] * np.sqrt(values[kept])
        return root


def _check(A: Floats) -> None:
    """Raise unless A is a square, finite, symmetric matrix."""
    if A.ndim != 2 or A.shape[0] != A.shape[1]:
        raise ValueError(f"A has the shape {A.shape}: x^T A z needs a square matrix.")
    if not np.isfinite(A).all():
        row, column = np.argwhere(~np.isfinite(A))[0]
        raise ValueError(f"A[{row}, {column}] is {A[row, column]}: all entries must be finite.")
    apart = abs(A - A.T)
    if apart.max(initial=0.0) > TOLERANCE * abs(A).max(initial=0.0):
        row, column = np.unravel_index(int(apart.argmax()), A.shape)
        raise ValueError(
            f"A is not symmetric: A[{row}, {column}] is {A[row, column]:.6g}, but A[{column}, {row}] is "
            f"{A[column, row]:.6g}. Use (A + A.T) / 2."
        )
