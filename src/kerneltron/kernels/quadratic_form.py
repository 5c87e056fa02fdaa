"""Inner products after a linear change of the features."""

import hashlib
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from kerneltron._types import Anything, Floats
from kerneltron._validate import as_csr, is_sparse, read_matrix
from kerneltron.kernels import vectors
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.pack import Pack
from kerneltron.kernels.pair import Pair
from kerneltron.kernels.vectors import Vectors

OF_ROOT = 1e-6  # relative difference of R R^T and A: what rounding on another machine explains
TOLERANCE = (
    1e-8  # relative, of what rounding may have done to a symmetric matrix without negative eigenvalues
)


@dataclass(frozen=True, repr=False, eq=False)
class QuadraticForm(Kernel):
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

    domain = "vectors"

    def __post_init__(self) -> None:
        given = np.asarray(as_csr(self.A).toarray() if is_sparse(self.A) else self.A)
        if given.dtype.kind not in "biuf":
            raise TypeError(f"A holds {given.dtype}, not real numbers.")
        A = given.astype(np.float64) + 0.0  # equal arrays have equal bytes: no -0.0
        _check(A)
        A.flags.writeable = False
        object.__setattr__(self, "A", A)
        self._root  # noqa: B018 - raises if an eigenvalue is negative

    def _fill(self, pack: Pack, X: Any) -> None:
        X = vectors.vectors(pack).X if vectors.KEY in pack.parts else read_matrix(X)
        if X.shape[1] != len(self.A):
            raise ValueError(
                f"X has {X.shape[1]} columns, but A of {self} is {len(self.A)} x {len(self.A)}: "
                "it needs one row and one column for each."
            )
        pack.add(self, lambda: Vectors((X @ self._root).astype(X.dtype)))
        pack.dtype = X.dtype

    @property
    def _rows(self) -> Hashable:
        return self

    def _diag(self, pack: Pack) -> Floats:
        part: Any = pack.parts[self]
        squares: Floats = part.squares()
        return squares

    def _block(self, pair: Pair) -> Floats:
        return pair.products(self)

    def _map(self, width: int) -> Any:
        from kerneltron.maps.projection import Projection

        if width != len(self.A):
            raise ValueError(f"rows of {width} columns do not fit {self}: it compares rows of {len(self.A)}.")
        return Projection(self._root)

    def take_root(self, root: Floats) -> None:
        """Use this root of the many that A has: another machine would find another, and other last digits.

        Raises a ValueError if it is not a root of A.
        """
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

    @cached_property
    def _name(self) -> str:
        content = str(self.A.shape).encode() + self.A.tobytes()
        return "A" + hashlib.sha256(content).hexdigest()[:8]

    def arrays(self) -> Mapping[str, Anything]:
        """Return A by the name that the text gives it."""
        return {self._name: self.A}

    def __repr__(self) -> str:
        return f"QuadraticForm(@{self._name})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, QuadraticForm) and np.array_equal(self.A, other.A)

    def __hash__(self) -> int:
        return hash((QuadraticForm, self._name))


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
