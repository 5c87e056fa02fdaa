"""Examples of different lengths, one after the other in flat arrays."""

from collections.abc import Mapping, Sequence
from typing import Any, Generic, Self, TypeVar

import numpy as np

from kerneltron._types import Anything, Integers
from kerneltron.kernels.pack import Index

Flat = TypeVar("Flat", bound=tuple[Any, ...])  # a NamedTuple of arrays of the same length


class Ragged(Generic[Flat]):
    """Example i holds the entries starts[i]:starts[i + 1] of every array in `flat`."""

    def __init__(self, starts: Integers, flat: Flat) -> None:
        self.starts, self.flat = starts, flat

    def __len__(self) -> int:
        return self.starts.size - 1

    @property
    def lengths(self) -> Integers:
        """How many entries each example has."""
        return np.diff(self.starts)

    def __getitem__(self, index: Index) -> Self:
        """Return some of the examples: neighbours as views, others as copies."""
        if isinstance(index, slice):
            first, end, step = index.indices(len(self))
            if step == 1:
                starts = self.starts[first : max(first, end) + 1]
                return self._with(starts - starts[0], slice(starts[0], starts[-1]))
            index = np.arange(first, end, step)
        lengths = self.lengths[index]
        starts = starts_of(lengths)
        return self._with(
            starts, np.arange(starts[-1]) + np.repeat(self.starts[index] - starts[:-1], lengths)
        )

    def _with(self, starts: Integers, entries: Any) -> Self:
        return type(self)(starts, type(self.flat)(*(array[entries] for array in self.flat)))

    @classmethod
    def join(cls, parts: Sequence[Self]) -> Self:
        """Return the examples of all, one after the other."""
        starts = starts_of(np.concatenate([part.lengths for part in parts]))
        arrays = zip(*(part.flat for part in parts), strict=True)
        return cls(starts, type(parts[0].flat)(*map(np.concatenate, arrays)))

    def tensors(self) -> dict[str, Anything]:
        """Return the arrays to save."""
        return {"starts": self.starts, **self.flat._asdict()}  # type: ignore[attr-defined]


def restored(tensors: Mapping[str, Anything], flat_type: Any, dtypes: Mapping[str, Any]) -> Ragged[Any]:
    """Return the examples that saved arrays describe; raise a ValueError where they do not fit.

    `flat_type` is the NamedTuple that holds the flat arrays, and `dtypes` says what each of them holds.
    """
    starts = array_in(tensors, "starts", np.int64)
    flat = flat_type(**{name: array_in(tensors, name, dtype) for name, dtype in dtypes.items()})
    if starts.size == 0 or starts[0] != 0 or (np.diff(starts) < 0).any():
        raise ValueError("'starts' does not begin at 0, or falls")
    for name, array in flat._asdict().items():
        if array.size != starts[-1]:
            raise ValueError(f"{name!r} has {array.size} entries, and {starts[-1]} belong to the examples")
    return Ragged(starts, flat)


def array_in(tensors: Mapping[str, Anything], name: str, dtype: Any) -> Anything:
    """Return a saved array with one dimension; raise a ValueError unless it is there, of this dtype."""
    if name not in tensors:
        raise ValueError(f"there is no {name!r}")
    array = tensors[name]
    if array.dtype != dtype or array.ndim != 1:
        raise ValueError(
            f"{name!r} is {array.dtype} of the shape {array.shape}, not a row of {dtype.__name__}"
        )
    return array


def starts_of(lengths: Any) -> Integers:
    """Return where examples of these lengths begin, and where the last one ends."""
    starts = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=starts[1:])
    return starts
