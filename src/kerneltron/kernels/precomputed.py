"""A Gram matrix that the user has computed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from kerneltron._types import Floats, Integers
from kerneltron._validate import is_sparse, read_matrix
from kerneltron.kernels.kernel import ROWS, Kernel
from kerneltron.kernels.pack import Index, Pack
from kerneltron.kernels.pair import Pair

KEY = "similarities"
TOLERANCE = 1e-4  # of k(x, z) and k(z, x), relative to the largest: float32 matrix products differ


class Similarities:
    """Rows of a matrix of similarities to the training examples; `places` says which of these each row is."""

    def __init__(self, matrix: Any, places: Integers) -> None:
        self.matrix, self.places = matrix, places

    def __len__(self) -> int:
        return self.places.size

    def __getitem__(self, index: Index) -> Self:
        return type(self)(self.matrix, self.places[index])

    @classmethod
    def join(cls, parts: Sequence[Self]) -> Self:
        """Return the rows of all; they are rows of one matrix."""
        return cls(parts[0].matrix, np.concatenate([part.places for part in parts]))

    def without_rows(self) -> Self:
        """Return the places alone: new examples bring their own similarities to them."""
        return type(self)(self.matrix[:0], self.places)

    def products(self, other: Self, dtype: Any) -> Floats:
        """Look the similarities up."""
        return np.asarray(self.matrix[np.ix_(self.places, other.places)], dtype)


@dataclass(frozen=True, repr=False)
class Precomputed(Kernel):
    """k(x, z) as it stands in the matrix that is given in place of the examples.

    To learn, the matrix is square; to predict, it has one row per new example and one column per example that
    was learned from.
    """

    domain = "similarities"

    def _fill(self, pack: Pack, X: Any) -> None:
        matrix = read_matrix(X)
        matrix = matrix.toarray() if is_sparse(matrix) else matrix
        pack.dtype = matrix.dtype
        pack.parts[KEY] = Similarities(matrix, np.arange(len(matrix)))

    def _enter_whole(self, pack: Pack, X: Any) -> None:
        self._fill(pack, X)  # new examples have no k(x, x) to look at

    def _enter(self, pack: Pack, X: Any) -> None:
        raise ValueError(
            "Precomputed() stands alone: for new examples no k(x, x) is known. Combine the Gram matrices "
            "themselves before they are handed over."
        )

    def _diag(self, pack: Pack) -> Floats:
        part: Any = pack.parts[KEY]
        return np.asarray(part.matrix[part.places, part.places], np.float64)

    def _block(self, pair: Pair) -> Floats:
        return pair.products(KEY)


def is_given(pack: Pack) -> bool:
    """Return whether examples are all rows of a Gram matrix, in its precision."""
    part: Any = pack.parts.get(KEY)
    return (
        part is not None
        and part.matrix.shape == (len(pack), len(pack))
        and part.matrix.dtype == pack.precision
    )


def given_matrix(pack: Pack) -> Floats:
    """Return the Gram matrix whose rows are examples."""
    part: Any = pack.parts[KEY]
    matrix: Floats = part.matrix
    return matrix


def check_similarities(matrix: Any) -> None:
    """Raise unless a matrix is square and symmetric, and its diagonal is not negative."""
    if matrix.shape[0] != matrix.shape[1]:
        raise ValueError(
            f"kernel='precomputed' learns from a square matrix of similarities, but X is {matrix.shape[0]} x "
            f"{matrix.shape[1]}: give k(x_i, x_j) for all pairs of training examples."
        )
    X = matrix.toarray() if hasattr(matrix, "toarray") else matrix
    negative = np.flatnonzero(X.diagonal() < 0)
    if negative.size:
        i = negative[0]
        raise ValueError(
            f"X holds k(x, x) = {X[i, i]:g} in row {i}, but k(x, x) is a squared length and at least 0: this "
            "is not a Gram matrix."
        )
    allowed = TOLERANCE * max(X.max(initial=0.0), -X.min(initial=0.0))
    for first in range(0, len(X), ROWS):
        part = slice(first, first + ROWS)
        wrong = np.argwhere(np.abs(X[part] - X[:, part].T) > allowed)
        if wrong.size:
            i, j = first + wrong[0, 0], wrong[0, 1]
            raise ValueError(
                f"X holds {X[i, j]:g} in row {i}, column {j}, and {X[j, i]:g} the other way round: a Gram "
                "matrix is symmetric."
            )
