"""The inverted index: which names a slot stands for, how often each came, and which share it."""

from typing import NamedTuple

import numpy as np

from kerneltron._types import Anything, Integers
from kerneltron.engine.text.names import Table, count_names, refill
from kerneltron.stream.hashing import Hashing
from kerneltron.stream.parsing import Parsed

MOST_NAMES = 1 << 21
FIRST_TABLE = 1 << 16
FIRST_BYTES = 1 << 20


class Name(NamedTuple):
    """A feature as it was written, how often it came, and the sign and slot of its hash."""

    text: str
    seen: int  # how often
    sign: int
    slot: int


class Names:
    """All names seen so far, with counts: watches a stream while it is parsed.

    Two names with the same 32 bits of hash count as one. After `most` names, further ones are not noted.
    """

    def __init__(self, hashing: Hashing, most: int = MOST_NAMES) -> None:
        self.hashing, self.most = hashing, most
        self.known = 0
        self._groups = hashing.recipe().groups
        self._table = _blank(FIRST_TABLE, FIRST_BYTES)

    def watch(self, parsed: Parsed) -> None:
        """Note the names of a piece of text."""
        first, last = 0, parsed.reached.items
        while True:
            first, self.known = count_names(
                parsed.chunk.text,
                parsed.items,
                self._groups,
                (first, last),
                self._table,
                self.known,
                self.most,
            )
            if first == last:
                return
            self._grow()

    def _grow(self) -> None:
        table = self._table
        larger = _blank(2 * table.keys.size, 2 * table.bytes.size)
        larger.ends[: table.ends.size] = table.ends
        larger.bytes[: table.bytes.size] = table.bytes
        refill(table, larger)
        self._table = larger

    def index(self) -> "NameIndex":
        """Return what is known now."""
        table = self._table
        used = np.flatnonzero(table.counts)
        order = used[np.argsort(table.keys[used], kind="stable")]
        starts = np.concatenate([[0], table.ends[: self.known]])
        texts = [table.bytes[starts[n] : starts[n + 1]].tobytes() for n in table.names[order]]
        return NameIndex(self.hashing, table.keys[order], table.counts[order], texts)


class NameIndex:
    """Names by slot, as a model keeps them.

    Parameters
    ----------
    hashing
        Says which slot a key belongs to.
    keys, counts, texts
        Sorted hashes, how often each came, and the bytes of its name.
    """

    def __init__(self, hashing: Hashing, keys: Integers, counts: Integers, texts: list[bytes]) -> None:
        self.hashing, self.keys, self.counts, self.texts = hashing, keys, counts, texts
        self._by_slot: dict[int, list[int]] | None = None

    def __len__(self) -> int:
        return len(self.texts)

    def of(self, slot: int) -> list[Name]:
        """Return the names that share a slot, the most frequent first."""
        if self._by_slot is None:
            self._by_slot = {}
            for number, place in enumerate(self.slots().tolist()):
                self._by_slot.setdefault(place, []).append(number)
        numbers = self._by_slot.get(slot, [])
        return [self._name(n, slot) for n in sorted(numbers, key=lambda n: -int(self.counts[n]))]

    def slots(self) -> Integers:
        """Return the slot of each name (of its first copy)."""
        return np.abs(self.keys.astype(np.int32).astype(np.int64)) & (self.hashing.slots - 1)

    def _name(self, number: int, slot: int) -> Name:
        sign = -1 if self.hashing.signed and self.keys[number] >= 1 << 31 else 1
        return Name(self.texts[number].decode("utf-8", "replace"), int(self.counts[number]), sign, slot)

    def tensors(self) -> dict[str, Anything]:
        """Return the index as arrays."""
        return {
            "names.keys": self.keys.astype(np.uint32),
            "names.counts": self.counts.astype(np.int64),
            "names.ends": np.cumsum([len(text) for text in self.texts], dtype=np.int64),
            "names.bytes": np.frombuffer(b"".join(self.texts), np.uint8),
        }

    @classmethod
    def from_tensors(cls, hashing: Hashing, tensors: dict[str, Anything]) -> "NameIndex":
        """Return the index that `tensors` wrote."""
        ends = tensors["names.ends"].tolist()
        joined = tensors["names.bytes"].tobytes()
        texts = [joined[a:b] for a, b in zip([0, *ends], ends, strict=False)]
        return cls(hashing, tensors["names.keys"], tensors["names.counts"], texts)


def _blank(size: int, bytes_of_names: int) -> Table:
    return Table(
        keys=np.zeros(size, np.uint32),
        counts=np.zeros(size, np.int64),
        names=np.zeros(size, np.int32),
        ends=np.zeros(size // 2, np.int64),
        bytes=np.zeros(bytes_of_names, np.uint8),
    )
