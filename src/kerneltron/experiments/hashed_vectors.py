"""Hashed norms, inner products and distances, measured over many hash functions."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from kerneltron._types import Floats, Integers
from kerneltron.engine.text.hashing import copy_keys, hash_texts
from kerneltron.kernels.threads import one_blas_thread
from kerneltron.plots.hashing import Deviation, Spread, TailCurve
from kerneltron.theory.hashing import (
    Tail,
    distances_tail,
    hashed_variance,
    norm_tail,
    peak,
    product_tail,
)

BLOCK = 1 << 18  # features, or slots, at a time: they stay in the processor's cache


class HashFunctions:
    """A number of hash functions of the features 0, ..., n - 1.

    Function f hashes the pair of f and the name of the feature, as crosses of features are hashed.

    Parameters
    ----------
    features, functions
        How many there are.
    """

    def __init__(self, features: int, functions: int) -> None:
        self.features, self.functions = features, functions
        keys = hash_texts([f"feature {number}".encode() for number in range(features)])
        hashes = np.empty((features, 1 + functions), np.uint32)
        copy_keys(keys, hashes)
        self._signed = np.ascontiguousarray(hashes.view(np.int32)[:, 1:].T)

    def places(self, slots: int, signed: bool = True) -> Iterator[tuple[Integers, Floats]]:
        """Yield the slots and the signs of all features, for some functions at a time, one row each."""
        at_a_time = max(1, BLOCK // max(self.features, slots))
        for first in range(0, self.functions, at_a_time):
            number = self._signed[first : first + at_a_time].astype(np.int64)
            signs = np.where(number < 0, -1.0, 1.0) if signed else np.ones(number.shape)
            yield np.abs(number) % slots, signs

    def products(self, x: Floats, z: Floats, slots: int, signed: bool = True) -> Floats:
        """Return <phi(x), phi(z)> under each function."""
        found = []
        for where, signs in self.places(slots, signed):
            hashed = [_added_up(where, signs * vector, slots) for vector in (x, z)]
            found.append(np.einsum("ij,ij->i", *hashed))
        return np.concatenate(found)

    def largest_errors(self, points: Floats, slots: int, first: Sequence[int]) -> Floats:
        """Return the largest relative error of a squared distance among the first of the points.

        One row per function, one column per number of points. Slots that nothing is in are left out.
        """
        exact = _squared_distances(points @ points.T)
        pairs = [np.triu_indices(count, 1) for count in first]
        found = []
        with one_blas_thread():  # products are small, and there are many
            for places, sign in (each for block in self.places(slots) for each in zip(*block, strict=True)):
                order = np.argsort(places)
                _, starts = np.unique(places[order], return_index=True)
                hashed = np.add.reduceat((points * sign)[:, order], starts, axis=1)
                errors = np.abs(_squared_distances(hashed @ hashed.T) - exact)
                found.append([float(np.max(errors[pair] / exact[pair])) for pair in pairs])
        return np.array(found)


def deviation(x: Floats, z: Floats, functions: HashFunctions, slots: int, signed: bool = True) -> Deviation:
    """Compare the inner product of two vectors with that of their hashed forms."""
    off = functions.products(x, z, slots, signed) - x @ z
    return Deviation(float(off.mean()), float(off.std()), float(np.sqrt(hashed_variance(x, z, slots))))


def spread(errors: Floats) -> Spread:
    """Return the median of some errors, and what 5 % of them are below and above."""
    low, middle, high = np.quantile(errors, [0.05, 0.5, 0.95])
    return Spread(float(low), float(middle), float(high))


class Case(NamedTuple):
    """Two vectors and a number of slots."""

    name: str
    x: Floats
    z: Floats
    slots: int


def norm_curve(case: Case, functions: HashFunctions, epsilons: Sequence[float]) -> TailCurve:
    """Put theorem 3 beside how often the squared norm of x is off by as much."""
    square = case.x @ case.x
    off = np.abs(functions.products(case.x, case.x, case.slots) - square) / square
    return _curve(case.name, off, epsilons, lambda epsilon: norm_tail(case.x, case.slots, epsilon))


def product_curve(case: Case, functions: HashFunctions, epsilons: Sequence[float]) -> TailCurve:
    """Put corollary 4 beside how often the inner product is off by as much."""
    off = np.abs(functions.products(case.x, case.z, case.slots) - case.x @ case.z)
    return _curve(case.name, off, epsilons, lambda epsilon: product_tail(case.x, case.z, case.slots, epsilon))


def distance_curve(case: Case, functions: HashFunctions, deltas: Sequence[float]) -> TailCurve:
    """Put corollary 5, for the two points x and z, beside how often their distance is off by as much."""
    gap = case.x - case.z
    off = np.abs(functions.products(gap, gap, case.slots) / (gap @ gap) - 1)
    return _curve(case.name, off, deltas, lambda delta: distances_tail(2, peak(gap), case.slots, delta))


def _curve(name: str, off: Floats, settings: Sequence[float], tail: Callable[[float], Tail]) -> TailCurve:
    tails = [tail(setting) for setting in settings]
    measured = [float(np.mean(off >= each.error)) for each in tails]
    return TailCurve(name, list(settings), measured, [min(1.0, each.probability) for each in tails], off.size)


def _added_up(where: Integers, values: Floats, slots: int) -> Floats:
    """Return rows of slots, each the sum of the values that are placed in it."""
    rows = len(where)
    place = where + slots * np.arange(rows)[:, None]
    sums = np.bincount(place.ravel(), values.ravel(), rows * slots)
    return np.asarray(sums, np.float64).reshape(rows, slots)


def _squared_distances(products: Floats) -> Floats:
    squares = np.diag(products)
    return np.asarray(squares[:, None] + squares - 2 * products)
