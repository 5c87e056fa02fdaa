"""The slots of remembered examples: which example stands where, and who has to know when that changes."""

from collections.abc import Iterator, Sequence
from math import inf
from typing import Protocol, Self

import numpy as np

from kerneltron._types import Integers
from kerneltron.kernels.cost import are_dense, resident_size
from kerneltron.kernels.pack import Memory, Pack
from kerneltron.kernels.room import Growing

NO_ORIGIN = -1  # of an example that was made of others


class Follower(Protocol):
    """Something that is kept by slot."""

    def move_slots(self, places: Integers) -> None:
        """Follow the examples: `places[old]` is the new slot, -1 for those that were released."""


class SupportSet:
    """Remembered examples in slots 0, 1, ...; released ones leave no gap.

    Attributes
    ----------
    memory
        The examples, ready to be compared with others.
    origins
        Which example of all so far each one is: `NO_ORIGIN` if it was made of others.
    seen
        Examples of earlier calls, remembered or not.
    """

    def __init__(self) -> None:
        self.memory = Memory()
        self._origins = Growing(np.empty(0, np.int64))
        self.seen = 0

    def __len__(self) -> int:
        return len(self.memory)

    @property
    def origins(self) -> Integers:
        """Which example of all so far each one is."""
        return self._origins.array

    @origins.setter
    def origins(self, origins: Integers) -> None:
        self._origins = Growing(origins)

    def append(self, pack: Pack, numbers: Integers) -> None:
        """Remember more examples; `numbers` are theirs in this call."""
        self.memory.append(pack)
        self._origins.append(self.seen + numbers)

    def pieces(self, slots: Integers, most: int) -> Iterator[tuple[slice, Pack]]:
        """Yield the examples in increasing slots, at most `most` at a time, with their place among these."""
        return self.memory.pieces(slots, most)

    def size_of(self, slots: Integers) -> float:
        """Return the bytes that a copy of the examples in some slots takes; infinite where that is not known.

        Known it is of dense rows of numbers.
        """
        packs = self.memory.packs
        if not all(map(are_dense, packs)):
            return inf
        return slots.size * max((resident_size(pack) / len(pack) for pack in packs), default=0.0)

    def rearrange(self, places: Integers, pack: Pack | None, numbers: Integers) -> None:
        """Let slot i hold what stood in slot places[i], or behind all slots, in `pack`.

        `numbers` are those of the examples of the pack in this call, `NO_ORIGIN` for those made of others.
        """
        added = np.where(numbers == NO_ORIGIN, NO_ORIGIN, self.seen + numbers)
        self.origins = np.append(self.origins, added)[places]
        self.memory.rearrange(places, pack)

    def release(self, slots: Integers, followers: Sequence[Follower]) -> Integers:
        """Forget the examples in some slots, move up those behind them, and tell all who follow.

        Returns
        -------
        places
            The new slot for each old one, -1 for those that were released.
        """
        stays = np.ones(len(self), bool)
        stays[slots] = False
        places = np.where(stays, np.cumsum(stays) - 1, -1)
        for follower in followers:  # first: one of them may refuse
            follower.move_slots(places)
        self.memory.keep(np.flatnonzero(stays))
        self.origins = self.origins[stays]
        return places

    def unite(self, others: Sequence["SupportSet"], base: "SupportSet | None" = None) -> list[Integers]:
        """Add the examples of others; those of `base`, which all began with, are there once.

        Returns
        -------
        places
            For this one and each of the others, the slots that its examples now have.
        """
        common, seen_before = (0, 0) if base is None else (len(base), base.seen)
        places: list[Integers] = [np.arange(len(self))]
        for other in others:
            if base is not None and not np.array_equal(other.origins[:common], base.origins):
                raise ValueError("the models did not all go on from the same one.")
            first = len(self)
            for pack in other.memory.after(common):
                self.memory.append(pack)
            self.origins = np.append(self.origins, self.seen - seen_before + other.origins[common:])
            self.seen += other.seen - seen_before
            places.append(np.append(np.arange(common), np.arange(first, len(self))))
        return places

    def copy(self) -> Self:
        """Return an independent copy; examples are never changed, so both may hold them."""
        other = type(self)()
        other.memory, other._origins, other.seen = self.memory.copy(), self._origins.copy(), self.seen
        return other
