"""The Cholesky factor of a Gram matrix that grows: what projects onto the examples that it belongs to.

An inverse that is updated by rank-one terms drifts, and must be computed anew. Bordering the factor L of
K = L L' is as quick and loses nothing: no entry of L is ever changed, a new row follows from those before.
"""

from typing import Any, Self

import numpy as np

from kerneltron._types import Floats

LEAST = 1e-12  # part of a squared length that is always left of an example: less is rounding


def cholesky(rest: Floats, squares: Floats) -> Floats:
    """Return the lower triangle L with L L' = rest, what is left of examples of these squared lengths.

    Where rounding has made a rest negative, it is taken as the least that there can be.

    Examples
    --------
    >>> cholesky(np.array([[4.0, 2.0], [2.0, 1.0 - 1e-15]]), np.array([4.0, 1.0])).round(6)
    array([[2.e+00, 0.e+00],
           [1.e+00, 1.e-06]])
    """
    try:
        return np.linalg.cholesky(rest)
    except np.linalg.LinAlgError:
        lower = np.zeros_like(rest)
        for i in range(len(rest)):
            for j in range(i):
                lower[i, j] = (rest[i, j] - lower[i, :j] @ lower[j, :j]) / lower[j, j]
            left = rest[i, i] - lower[i, :i] @ lower[i, :i]
            lower[i, i] = np.sqrt(max(left, LEAST * squares[i]))
        return lower


class Factor:
    """The lower triangle L with K = L L', in double precision; `size` rows of it are in use.

    Copies share it until one of them grows: to learn from a single row takes a copy, and then mostly nothing
    grows any more.
    """

    def __init__(self, lower: Floats | None = None) -> None:
        self._room: Any = np.zeros((0, 0)) if lower is None else lower
        self._is_shared = False
        self.size = len(self._room)

    @property
    def lower(self) -> Floats:
        """The factor."""
        lower: Floats = self._room[: self.size, : self.size]
        return lower

    def solve(self, rows: Floats) -> Floats:
        """Return K^-1 k for each row k, as rows."""
        from scipy.linalg import cho_solve

        if not self.size:
            return np.zeros((len(rows), 0))
        # The transpose is what LAPACK takes as it is; of the factor itself SciPy would make a copy.
        solved: Floats = cho_solve((self.lower.T, False), rows.T, check_finite=False).T
        return solved

    def extend(self, common: Floats, own: Floats) -> None:
        """Let K grow by new rows: their values with those before, and among themselves."""
        from scipy.linalg import solve_triangular

        size, new = self.size, len(own)
        self._make_room(size + new)
        rows: Floats = np.zeros((new, 0))
        if size:
            rows = solve_triangular(self.lower, common.T, lower=True, check_finite=False).T
        self._room[size : size + new, :size] = rows
        self._room[size : size + new, size : size + new] = cholesky(own - rows @ rows.T, np.diag(own))
        self.size += new

    def _make_room(self, size: int) -> None:
        if size > len(self._room) or self._is_shared:
            length = max(size, 3 * self.size // 2)
            room: Any = np.zeros((length, length))
            room[: self.size, : self.size] = self.lower
            self._room, self._is_shared = room, False

    def copy(self) -> Self:
        """Return a copy that grows on its own."""
        other = type(self)(self._room)
        other.size = self.size
        self._is_shared = other._is_shared = True
        return other
