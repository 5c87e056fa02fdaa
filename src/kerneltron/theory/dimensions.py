"""What the dimension does to a mistake bound: nothing, unless the length of the examples grows with it.

(R / gamma)^2 knows lengths and angles only. The same examples in more dimensions have the same bound, and the
perceptron makes the same mistakes on them. A kernel with more features has longer examples: those of the
conjunction kernel have R^2 = 2^n, and the bound grows with it.
"""

from typing import Any, NamedTuple

import numpy as np

from kerneltron._types import Floats, Integers
from kerneltron.kernels import Conjunctions
from kerneltron.theory.bounds import vector_bound


def embedded(X: Floats, dimensions: int, seed: int) -> Floats:
    """Return the same examples, turned at random and laid into a space of more dimensions.

    X Q^T, where Q has `dimensions` rows and orthonormal columns: all inner products stay. Takes
    O(dimensions d (d + m)) time for m examples of d columns.

    Parameters
    ----------
    X
        Examples, one row each.
    dimensions
        At least as many as X has columns.
    seed
        What is drawn at random follows from it.

    Examples
    --------
    >>> X = np.array([[3.0, 4.0], [1.0, 0.0]])
    >>> Z = embedded(X, 1000, seed=0)
    >>> Z.shape, (Z @ Z.T).round(9).tolist()
    ((2, 1000), [[25.0, 3.0], [3.0, 1.0]])
    """
    columns = X.shape[1]
    if dimensions < columns:
        raise ValueError(f"dimensions={dimensions} must be at least {columns}, the number of columns of X.")
    rng = np.random.default_rng(seed)
    Q, _ = np.linalg.qr(rng.standard_normal((dimensions, columns)))
    return np.asarray(X @ Q.T)


class ConjunctionRun(NamedTuple):
    """The perceptron with the conjunction kernel on all points of n bits, the truth being a conjunction."""

    n: int
    squared_radius: float
    mistakes: int
    bound: float


def conjunction_points(n: int, size: int) -> tuple[Integers, Integers]:
    """Return all 2^n points of n bits, and 1 where the first `size` bits are all there, else -1.

    Examples
    --------
    >>> conjunction_points(2, size=2)[1].tolist()
    [-1, -1, -1, 1]
    """
    X = np.arange(1 << n)[:, None] >> np.arange(n) & 1
    return X, np.where(X[:, :size].all(axis=1), 1, -1)


def conjunction_bound(n: int) -> float:
    """Return 5 * 2^n: the bound of the perceptron with the conjunction kernel, if the truth is a conjunction.

    In the space of all conjunctions w* = 2 [the truth] - 1 [the empty conjunction] has y <w*, x> = 1 for all
    x and ||w*||^2 = 5, while each example fulfils 2^n of the 3^n conjunctions: R^2 = 2^n. An algorithm that
    starts from the conjunction of all literals, and strikes out those that a positive example refutes, makes
    at most n + 1 mistakes.

    Parameters
    ----------
    n
        Number of bits, at least 1.

    References
    ----------
    Khardon, Roth and Servedio, Efficiency versus convergence of Boolean kernels for on-line learning
    algorithms (2005): there are simple functions, other than conjunctions, for which the mistakes of this
    learner grow exponentially, too.

    Examples
    --------
    >>> conjunction_bound(10)
    5120.0
    """
    return float(round(vector_bound(np.sqrt(5.0), np.sqrt(2.0**n))))


def conjunction_run(learner: Any, n: int, size: int) -> ConjunctionRun:
    """Fit a learner with the conjunction kernel on all points, and put its mistakes beside the bound.

    Parameters
    ----------
    learner
        A perceptron with `kernel=Conjunctions()` and without an intercept; `passes` as it was asked for.
    n
        The number of bits.
    size
        Length of the conjunction that is the truth.
    """
    X, y = conjunction_points(n, size)
    squared_radius = float(Conjunctions().diag(X).max())
    return ConjunctionRun(n, squared_radius, int(learner.fit(X, y).mistakes_.sum()), conjunction_bound(n))
