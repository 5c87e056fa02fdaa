"""The 64-bit content hashes that occur in a pack, numbered from 0."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from kerneltron._types import Integers
from kerneltron.engine.interning import intern, look_up


class Vocabulary:
    """Different ids, each with a code: its place. Packs that share one have comparable codes."""

    def __init__(self, ids: Integers) -> None:
        self.ids = ids

    def __len__(self) -> int:
        return self.ids.size

    @cached_property
    def _slots(self) -> Integers:
        slots, distinct = _free(self.ids.size), np.empty_like(self.ids)
        codes = np.empty(self.ids.size, np.int32)
        if intern(self.ids, 0, slots, distinct, codes) < self.ids.size:
            raise ValueError("an id comes twice")
        return slots

    @classmethod
    def of(cls, ids: Integers) -> tuple["Vocabulary", Integers]:
        """Return the different ones among `ids`, in the order in which they come, and the code of each."""
        codes, distinct = np.empty(ids.size, np.int32), np.empty(ids.size, np.uint64)
        slots = _free(ids.size)
        known = intern(ids, 0, slots, distinct, codes)
        return cls(distinct[:known].copy()), codes

    def codes(self, ids: Integers) -> Integers:
        """Return the code of each id, -1 for those that are not here."""
        codes = np.empty(ids.size, np.int32)
        look_up(ids, self._slots, self.ids, codes)
        return codes

    def compacted(self, codes: Integers) -> tuple["Vocabulary", Integers]:
        """Return a vocabulary of those ids alone whose codes are given, and their new codes."""
        used = np.zeros(len(self) + 1, bool)
        used[codes] = True
        used[-1] = False  # where the code -1 stands
        renumbered = (np.cumsum(used) - 1).astype(np.int32)
        renumbered[~used] = -1
        return type(self)(self.ids[used[:-1]]), renumbered[codes]


def united(vocabularies: Sequence[Vocabulary]) -> tuple[Vocabulary, list[Integers]]:
    """Return a vocabulary of all ids, and for each one the new codes of its codes."""
    first = vocabularies[0]
    if all(other is first for other in vocabularies):
        same = np.arange(len(first), dtype=np.int32)
        return first, [same for _ in vocabularies]
    every, codes = Vocabulary.of(np.concatenate([vocabulary.ids for vocabulary in vocabularies]))
    return every, np.split(codes, np.cumsum([len(vocabulary) for vocabulary in vocabularies])[:-1])


def _free(ids: int) -> Integers:
    """Return free slots for this many ids."""
    return np.full(1 << max(4, (2 * ids - 1).bit_length()), -1, np.int32)
