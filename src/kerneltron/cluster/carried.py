"""Learners that move between workers: in as few bytes as tell every bit of them."""

from copy import copy
from typing import Any, NamedTuple

import numpy as np

from kerneltron._types import Anything, Weights
from kerneltron.learning.learner import Learner
from kerneltron.models.primal import Primal
from kerneltron.models.shared_vectors import SharedVectors

SPARSE = 0.25  # of the numbers differ from the first one, at most, where they alone are sent


class Packed(NamedTuple):
    """An array on its way: all of it, or the numbers that are not `fill`; if that will do, as single."""

    dtype: str
    size: int
    values: Anything
    fill: Any = None
    places: Anything | None = None


class Carried:
    """A learner on a cluster. What mixing rounds to single precision moves as such, and zeros do not move."""

    def __init__(self, learner: Learner) -> None:
        self.learner = learner

    def __reduce__(self) -> Any:
        learner = self.learner
        if not learner.has_model or not isinstance(learner.model, Primal):
            return Carried, (learner,)
        shell, model = learner.shell(), copy(learner.model)
        packed = [pack(array) for array in model.weights]
        model._weights = None  # type: ignore[assignment]
        model._shown, model._vectors = SharedVectors(), None  # others may be looking at those of the original
        shell.model = model
        return _unpacked, (shell, packed)

    def __sizeof__(self) -> int:
        if not self.learner.has_model or not isinstance(self.learner.model, Primal):
            return 1 << 10
        return sum(array.nbytes for array in self.learner.model.weights)


def _unpacked(shell: Learner, packed: list[Packed]) -> Carried:
    model: Any = shell.model
    model._weights = Weights._make(map(unpack, packed))
    return Carried(shell)


def pack(array: Anything) -> Packed:
    """Return an array as it moves.

    Examples
    --------
    >>> packed = pack(np.array([0.0, 0.0, 0.0, 0.0, 2.5, 0.0, 0.0, 0.0]))
    >>> packed.values, packed.places
    (array([2.5], dtype=float32), array([4], dtype=int32))
    >>> unpack(packed)
    array([0. , 0. , 0. , 0. , 2.5, 0. , 0. , 0. ])
    """
    dtype, fill, places = array.dtype.str, None, None
    if array.dtype.kind == "f" and array.size:
        bits = array.view(f"u{array.dtype.itemsize}")  # zeros have signs
        others = np.flatnonzero(bits != bits[0])
        if others.size <= SPARSE * array.size:
            index = np.int32 if array.size < 2**31 else np.int64
            fill, places, array = array[0].copy(), others.astype(index), array[others]
    if array.dtype == np.float64:
        with np.errstate(over="ignore"):
            single = array.astype(np.float32)
        if np.array_equal(single, array):
            array = single
    size = array.size if places is None else bits.size
    return Packed(dtype, size, array, fill, places)


def unpack(packed: Packed) -> Anything:
    """Return the array that `pack` was given; it can be written to."""
    if packed.places is None:
        return packed.values.astype(packed.dtype)
    # Zeros that are not touched take no memory.
    is_zero = packed.fill == 0 and not np.signbit(packed.fill)
    array: Anything = np.zeros(packed.size, packed.dtype)
    if not is_zero:
        array[:] = packed.fill
    array[packed.places] = packed.values
    return array
