"""Examples made ready for a kernel, once per data set: typed, flat, sliceable, joinable."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Protocol, Self, TypeAlias, TypeVar

import numpy as np

from kerneltron._types import Floats
from kerneltron.kernels.pieces import Pieces

SAFE = 1e30  # numbers beyond this are computed in double precision: single precision ends at 3e38
Index: TypeAlias = Any  # a slice, or an array of places
EMPTY: Mapping[Hashable, Any] = MappingProxyType({})


class Part(Protocol):
    """What one pack holds of its examples for one way of looking at them."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: Index) -> Self:
        """Return some of the examples."""

    @classmethod
    def join(cls, parts: Sequence[Self]) -> Self:
        """Return the examples of all, one after the other."""


PartType = TypeVar("PartType", bound=Part)


class Pack:
    """Examples as the atoms of one kernel want them.

    `parts` holds them once for each way of looking at them that occurs in the kernel: all atoms over vectors
    share one matrix. `numbers` holds a number per example for kernels that ask for one (a norm, a
    weight). Two packs of the same kernel, made apart, can be compared.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.parts: dict[Hashable, Part] = {}
        self.numbers: dict[Hashable, Floats] = {}
        self.dtype: Any = np.float64  # of Gram blocks, unless the numbers are too large for it
        self.largest = 0.0  # of k(x, x) and 1 / k(x, x), over the examples and all kernels in the expression
        self.needs_double = False  # a kernel asks for double precision, whatever the numbers are

    def __len__(self) -> int:
        return self.size

    @property
    def precision(self) -> Any:
        """The type of Gram blocks: |k(x, z)|^2 is at most k(x, x) k(z, z), so overflow is foreseen."""
        return np.dtype(np.float64) if self.needs_double or self.largest > SAFE else self.dtype

    def add(self, key: Hashable, make: Callable[[], PartType]) -> PartType:
        """Return the part called `key`, made now if it is not there."""
        if key not in self.parts:
            self.parts[key] = make()
        return self.parts[key]  # type: ignore[return-value]

    def __getitem__(self, index: Index) -> "Pack":
        """Return some of the examples."""
        numbers = {key: array[index] for key, array in self.numbers.items()}
        parts = {key: part[index] for key, part in self.parts.items()}
        size = len(range(*index.indices(self.size))) if isinstance(index, slice) else len(index)
        return self._of_these(size, parts, numbers)

    def without_rows(self) -> "Pack":
        """Return what others need to be compared with these examples; mostly that is all, and so itself."""
        if not any(hasattr(part, "without_rows") for part in self.parts.values()):
            return self
        parts = {key: _without_rows(part) for key, part in self.parts.items()}
        if all(part is self.parts[key] for key, part in parts.items()):
            return self
        return self._of_these(self.size, parts, self.numbers)

    @classmethod
    def join(cls, packs: Sequence["Pack"], known: Mapping[Hashable, Any] = EMPTY) -> "Pack":
        """Return the examples of all packs, one after the other; some parts of that may be known."""
        if len(packs) == 1:
            return packs[0]
        first = packs[0]
        held = first.parts.keys(), first.numbers.keys()
        if any((pack.parts.keys(), pack.numbers.keys()) != held for pack in packs):
            raise ValueError("these examples were packed by different kernels, and cannot be joined.")
        parts = {
            key: known[key] if key in known else type(part).join([p.parts[key] for p in packs])
            for key, part in first.parts.items()
        }
        numbers = {key: np.concatenate([p.numbers[key] for p in packs]) for key in first.numbers}
        pack = first._of_these(sum(map(len, packs)), parts, numbers)
        if any(each.dtype != first.dtype for each in packs):
            pack.dtype = np.result_type(*(each.dtype for each in packs))
        pack.largest = max(each.largest for each in packs)
        pack.needs_double = any(each.needs_double for each in packs)
        return pack

    def extended(self, others: Sequence["Pack"]) -> "Pack":
        """Return these examples and others; parts that can grow at their end are not copied."""
        parts = {
            key: part.extended([pack.parts[key] for pack in others])
            for key, part in self.parts.items()
            if hasattr(part, "extended")
        }
        return Pack.join([self, *others], parts)

    def _of_these(self, size: int, parts: dict[Hashable, Any], numbers: dict[Hashable, Floats]) -> "Pack":
        """Return a pack of such parts and numbers, which are computed with as these are."""
        pack = type(self)(size)
        pack.parts, pack.numbers = parts, numbers
        pack.dtype, pack.largest, pack.needs_double = self.dtype, self.largest, self.needs_double
        return pack


def _without_rows(part: Any) -> Any:
    return part.without_rows() if hasattr(part, "without_rows") else part


class Memory:
    """Packs that grow: examples are appended block by block, and each is copied O(log n) times in all."""

    def __init__(self) -> None:
        self.packs: list[Pack] = []
        self._whole = Pieces()  # of all that is there

    def __len__(self) -> int:
        return sum(map(len, self.packs))

    def append(self, pack: Pack) -> None:
        """Add the examples of `pack` at the end."""
        self._whole = Pieces(self._whole, [pack])
        self.packs.append(pack)
        while len(self.packs) > 1 and len(self.packs[-2]) < 2 * len(self.packs[-1]):
            self.packs[-2:] = [Pack.join(self.packs[-2:])]

    def pieces(self, places: Any, most: int) -> Iterator[tuple[slice, Pack]]:
        """Yield the examples at increasing `places`, at most `most` at a time, with the slice of `places`.

        Small parts of several packs are joined: one matrix product is quicker than many small ones.
        """
        start = 0
        if len(places) == len(self):  # so these are all
            for piece in self._whole.of(self.packs, most):
                yield slice(start, start + len(piece)), piece
                start += len(piece)
            return
        parts: list[Pack] = []
        for part in self._parts(places, most):
            size = sum(len(pack) for pack in parts)
            if parts and size + len(part) > most:
                yield slice(start, start + size), Pack.join(parts)
                start, parts = start + size, []
            parts.append(part)
        if parts:
            yield slice(start, len(places)), Pack.join(parts)

    def _parts(self, places: Any, most: int) -> Iterator[Pack]:
        first = start = 0
        for pack in self.packs:
            end = int(np.searchsorted(places, first + len(pack)))
            if end - start == len(pack) <= most:
                yield pack
                start, first = end, first + len(pack)
                continue
            for low in range(start, end, most):
                inside = places[low : min(low + most, end)] - first
                yield pack[as_slice(inside)]
            start, first = end, first + len(pack)

    def after(self, count: int) -> Iterator[Pack]:
        """Yield all examples but the first `count`."""
        for pack in self.packs:
            if count < len(pack):
                yield pack[count:] if count else pack
            count = max(0, count - len(pack))

    def keep(self, places: Any) -> None:
        """Forget all examples but those at increasing `places`."""
        self._become([pack for _, pack in self.pieces(places, max(1, len(places)))])

    def rearrange(self, places: Any, pack: Pack | None) -> None:
        """Let the examples be those at `places`, counted through all that are there, then `pack`."""
        packs = self.packs if pack is None else [*self.packs, pack]
        count = sum(map(len, packs))
        if len(places) == count and (places == np.arange(count)).all():
            if pack is not None:
                self.append(pack)
        else:
            self._become([Pack.join(packs)[places]] if len(places) else [])

    def join(self) -> None:
        """Make one pack of all."""
        self._become([Pack.join(self.packs)] if self.packs else [])

    def let_go(self) -> None:
        """Keep of the examples only what others need to be compared with them."""
        packs = [pack.without_rows() for pack in self.packs]
        if any(new is not old for new, old in zip(packs, self.packs, strict=True)):
            self._become(packs)

    def _become(self, packs: list[Pack]) -> None:
        """Hold other packs, and nothing that was made of those before."""
        self.packs, self._whole = packs, Pieces()

    def copy(self) -> "Memory":
        """Return a copy that grows on its own; packs are never changed, so both may hold them."""
        other = Memory()
        other.packs, other._whole = self.packs.copy(), self._whole
        return other


def as_slice(places: Any) -> Any:
    """Return the slice that is `places`, where there is one: a view is quicker than a copy."""
    if places.size == 1:
        return slice(int(places[0]), int(places[0]) + 1)
    if places.size and places[-1] - places[0] + 1 == places.size and (np.diff(places) == 1).all():
        return slice(places[0], places[-1] + 1)
    return places
