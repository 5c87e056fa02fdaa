"""Counts of the conjunctions that two rows of truth values both satisfy."""

from abc import abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from kerneltron._types import Floats
from kerneltron.kernels import booleans
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.pack import Pack
from kerneltron.kernels.pair import Pair
from kerneltron.kernels.parameters import whole
from kerneltron.kernels.vectors import vectors


@dataclass(frozen=True, repr=False)
class _Counting(Kernel):
    """The number of sets, of at most `size`, of what both rows satisfy."""

    size: int | None = None

    domain = "booleans"

    def __post_init__(self) -> None:
        if self.size is not None:
            whole("size", self.size, 1)

    def _fill(self, pack: Pack, X: Any) -> None:
        booleans.fill(pack, X)

    def _diag(self, pack: Pack) -> Floats:
        return sets_of(vectors(pack).width, self.size)[self._own(pack).astype(np.intp)]

    def _block(self, pair: Pair) -> Floats:
        counts = self._common(pair).astype(np.intp)
        with np.errstate(over="ignore"):  # of counts that no row has
            sets = sets_of(vectors(pair.left).width, self.size).astype(pair.dtype)
        return sets.take(counts, mode="clip")  # quicker than with a check of the range

    @abstractmethod
    def _own(self, pack: Pack) -> Floats:
        """Return how many literals each row satisfies."""

    @abstractmethod
    def _common(self, pair: Pair) -> Floats:
        """Return how many literals both rows satisfy."""


@dataclass(frozen=True, repr=False)
class Conjunctions(_Counting):
    """k(x, z) = 2^same(x, z): one feature per conjunction of literals, such as "x1 and not x3".

    same(x, z) is the number of columns in which the two agree: a conjunction that both satisfy has no other
    literals. A block costs one matrix product.

    Parameters
    ----------
    size
        The most literals in a conjunction, or None for all 3^columns conjunctions.

    References
    ----------
    Khardon, Roth and Servedio (2005), Efficiency versus convergence of Boolean kernels for on-line learning
    algorithms.

    Examples
    --------
    >>> from kerneltron.kernels import Conjunctions
    >>> Conjunctions()([[0, 1, 1]], [[0, 1, 0]])  # true, not x0, x1, and the two of them
    array([[4.]])
    >>> Conjunctions(size=1)([[0, 1, 1]], [[0, 1, 0]])
    array([[3.]])
    """

    def _own(self, pack: Pack) -> Floats:
        return np.full(len(pack), float(vectors(pack).width))

    def _common(self, pair: Pair) -> Floats:
        return vectors(pair.left).width - booleans.different(pair)

    def _map(self, width: int) -> Any:
        from kerneltron.maps.conjunctions import Literals

        return Literals(width, None if self.size is None else int(self.size))

    def _when_normalized(self) -> Kernel | None:
        return _Halving(1.0) if self.size is None else None


@dataclass(frozen=True, repr=False)
class MonotoneConjunctions(_Counting):
    """k(x, z) = 2^samePos(x, z): one feature per conjunction without negation, such as "x1 and x3".

    samePos(x, z) is the number of columns in which both are true. A block costs one matrix product.

    Parameters
    ----------
    size
        The most columns in a conjunction, or None for all 2^columns conjunctions.

    References
    ----------
    Khardon, Roth and Servedio (2005), Efficiency versus convergence of Boolean kernels for on-line learning
    algorithms.

    Examples
    --------
    >>> from kerneltron.kernels import MonotoneConjunctions
    >>> MonotoneConjunctions()([[0, 1, 1]], [[1, 1, 1]])  # true, x1, x2, x1 and x2
    array([[4.]])
    """

    def _own(self, pack: Pack) -> Floats:
        return pack.numbers[booleans.ONES]

    def _common(self, pair: Pair) -> Floats:
        return booleans.both(pair)

    def _map(self, width: int) -> Any:
        from kerneltron.maps.subsets import Subsets

        return Subsets(width, None if self.size is None else int(self.size), booleans=True)

    def _when_normalized(self) -> Kernel | None:
        return _Halving(0.5) if self.size is None else None


@dataclass(frozen=True, repr=False)
class _Halving(Kernel):
    """k(x, z) = 2^(-rate different(x, z)): a Gaussian on truth values, for rows of any number of columns."""

    rate: float

    domain = "booleans"

    def _fill(self, pack: Pack, X: Any) -> None:
        booleans.fill(pack, X)

    def _diag(self, pack: Pack) -> Floats:
        return np.ones(len(pack))

    def _block(self, pair: Pair) -> Floats:
        block = booleans.different(pair).astype(pair.dtype, copy=False)
        block *= -self.rate
        np.exp2(block, out=block)
        return block


@lru_cache(maxsize=32)
def sets_of(most: int, size: int | None) -> Floats:
    """Return how many sets of at most `size` there are of 0, 1, ..., `most` things: inf beyond 1e308."""
    with np.errstate(over="ignore"):
        if size is None or size >= min(most, 1024):  # all sets of 1,024 things are beyond 1e308
            at_most: Floats = np.exp2(np.arange(most + 1.0))
            return at_most
        exactly = np.ones(most + 1)
        at_most = exactly.copy()
        for _ in range(size):  # a column of Pascal's triangle is the sum over the one before
            exactly[1:] = np.cumsum(exactly[:-1])
            exactly[0] = 0
            at_most += exactly
    return at_most
