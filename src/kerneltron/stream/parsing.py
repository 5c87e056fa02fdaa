"""Chunks of text become sparse rows."""

from collections import deque
from collections.abc import Iterator
from threading import local
from typing import NamedTuple

import numpy as np

from kerneltron._types import Integers
from kerneltron.engine.text.faults import LONG_RECORD
from kerneltron.engine.text.items import MOST, SMALL, Items, Reached, Recipe, Room
from kerneltron.engine.text.labels import number_labels
from kerneltron.stream.chunks import CHUNK, Chunk
from kerneltron.stream.errors import Fault
from kerneltron.stream.formats.format import Format

ROWS = 1 << 14  # that are parsed at a time, at most
FAULTS = 1 << 8
MOST_FEATURES = 1 << 23  # room made ahead, whatever the settings; longer rows get more
ITEMS = 1 << 16


class Parsed(NamedTuple):
    """Rows parsed from a chunk up to `reached.place`, in the first part of `room`."""

    chunk: Chunk
    start: int
    reached: Reached
    room: Room
    items: Items
    label_codes: Integers
    label_names: list[bytes]

    def faults(self, line: int) -> Iterator[Fault]:
        """Yield the bad records, if `line` lines of the source lie before these."""
        for more, column, reason in self.room.faults[: self.reached.faults].tolist():
            yield Fault(self.chunk.source, line + more + 1, column, reason, self.chunk.exceeded)


class Parser:
    """Parses chunks, in several threads if need be; room for rows is used again and again."""

    def __init__(self, form: Format, recipe: Recipe, naming: bool) -> None:
        self.form, self.recipe, self.naming = form, recipe, naming
        expansion = (1 + recipe.groups.shape[0] + recipe.crosses.shape[0]) * recipe.copies
        self._features = min(CHUNK // 4 * expansion, MOST_FEATURES)
        self._items = self._features if naming else ITEMS
        self._free: deque[tuple[Room, Items]] = deque()
        self._mine = local()  # tables that stay in the cache of a thread's processor

    def parse(self, chunk: Chunk, start: int | None = None) -> Parsed:
        """Parse the records of a chunk from `start` on, as many as there is room for."""
        place = chunk.start if start is None else start
        if start is None:
            self.form.look(chunk.text, place, chunk.stop)
        room, items = self._take()
        if chunk.exceeded:
            room.faults[0] = 0, 1, LONG_RECORD
            reached = Reached(chunk.stop, 1, 0, 0, 0, 1)
            return Parsed(chunk, place, reached, room, items, np.empty(0, np.int32), [])
        while True:
            reached = self.form.parse(chunk.text, place, chunk.stop, self.recipe, items, room)
            if reached.faults >= 0:
                break
            room, items = self._rooms(min(2 * room.indices.size, MOST), min(2 * items.keys.size, MOST))
        codes, names = self._labels(chunk, room.labels[: reached.rows])
        return Parsed(chunk, place, reached, room, items, codes, names)

    def release(self, parsed: Parsed) -> None:
        """Use the room of rows that are not needed any more for others."""
        if parsed.room.indices.size == self._features and parsed.items.keys.size == self._items:
            self._free.append((parsed.room, parsed.items))

    def _take(self) -> tuple[Room, Items]:
        try:
            room, items = self._free.pop()
        except IndexError:
            return self._rooms(self._features, self._items)
        return room._replace(met=self._met(self._features, self._items), seen=self._seen(self._items)), items

    def _rooms(self, features: int, count: int) -> tuple[Room, Items]:
        items = Items(
            keys=np.empty(count, np.uint32),
            values=np.empty(count, np.float32),
            spaces=np.empty(count, np.int32),
            origins=np.empty((count if self.naming else 0, 5), np.int32),
        )
        room = Room(
            values=np.empty(features, np.float32),
            indices=np.empty(features, np.int32),
            starts=np.empty(ROWS + 1, np.int32),
            importance=np.empty(ROWS, np.float32),
            labels=np.empty((ROWS, 2), np.int32),
            tags=np.empty((ROWS, 2), np.int32),
            records=np.empty((ROWS, 3), np.int32),
            digests=np.empty(ROWS, np.uint32),
            faults=np.empty((FAULTS, 3), np.int32),
            met=self._met(features, count),
            seen=self._seen(count),
        )
        return room, items

    def _met(self, features: int, count: int) -> Integers:
        """Return this thread's table for the slots of one example, of at most so many features and items."""
        size = 1 + max(SMALL, 1 << (2 * min(features, count * self.recipe.copies)).bit_length())
        if not hasattr(self._mine, "met") or self._mine.met.size < size:
            self._mine.met = np.zeros(size, np.uint64)
        found: Integers = self._mine.met
        return found

    def _seen(self, count: int) -> Integers:
        """Return this thread's table for the keys of one example, of at most `count` items."""
        size = 1 + (1 << (2 * count).bit_length() if self.recipe.binary else 1)
        if not hasattr(self._mine, "seen") or self._mine.seen.size < size:
            self._mine.seen = np.zeros(size, np.uint64)
        found: Integers = self._mine.seen
        return found

    def _labels(self, chunk: Chunk, spans: Integers) -> tuple[Integers, list[bytes]]:
        count = len(spans)
        codes, firsts = np.empty(count, np.int32), np.empty(count, np.int32)
        table = np.full(1 << (2 * count + 1).bit_length(), -1, np.int32)
        distinct = number_labels(chunk.text, spans, table, codes, firsts)
        names = [chunk.text[spans[i, 0] : spans[i, 1]].tobytes() for i in firsts[:distinct]]
        return codes, names
