"""Chunks of text become sparse rows."""

import re
from collections import deque
from collections.abc import Iterator
from itertools import islice
from threading import local
from typing import NamedTuple

import numpy as np

from kerneltron._types import Integers
from kerneltron.engine.text.faults import BAD_VALUE, BAD_WEIGHT, LONG_RECORD, TOO_LARGE
from kerneltron.engine.text.items import MOST_FEATURES, SMALL, Items, Reached, Recipe, RowBuffers
from kerneltron.engine.text.labels import number_labels
from kerneltron.stream.chunks import CHUNK, LINE_END, Chunk
from kerneltron.stream.errors import Fault
from kerneltron.stream.formats.format import Format

ROWS = 1 << 14  # that are parsed at a time, at most
FAULTS = 1 << 8
FEATURES_AHEAD = 1 << 23  # that buffers are made for ahead, whatever the settings; longer rows get more
ITEMS = 1 << 16
OF_A_WORD = (BAD_VALUE, TOO_LARGE, BAD_WEIGHT)  # faults that are seen in what stands there
WORD = re.compile(rb"[^\s,|}\]]{1,40}")


class Parsed(NamedTuple):
    """Rows parsed from a chunk up to `reached.place`, in the first part of `buffers`."""

    chunk: Chunk
    start: int
    reached: Reached
    buffers: RowBuffers
    items: Items
    label_codes: Integers
    label_names: list[bytes]

    def faults(self, line: int) -> Iterator[Fault]:
        """Yield the bad records, if `line` lines of the source lie before these."""
        found = self.buffers.faults[: self.reached.faults].tolist()
        words = self._words([(more, column) for more, column, reason in found if reason in OF_A_WORD])
        for more, column, reason in found:
            text = words.get((more, column), "")
            yield Fault(self.chunk.source, line + more + 1, column, reason, self.chunk.exceeded, text)

    def _words(self, places: list[tuple[int, int]]) -> dict[tuple[int, int], str]:
        """Return what stands at a byte of a record that begins so many lines further on, from 1."""
        if not places:
            return {}
        text = self.chunk.text[self.start : self.chunk.stop].tobytes()
        ends = islice(LINE_END.finditer(text), max(line for line, _ in places))
        begins = [0, *(end.end() for end in ends)]
        there = [(line, byte) for line, byte in places if line < len(begins)]
        found = {(line, byte): WORD.match(text, begins[line] + byte - 1) for line, byte in there}
        return {place: word[0].decode("utf-8", "backslashreplace") for place, word in found.items() if word}


class Parser:
    """Parses chunks, in several threads if need be; buffers are used again and again."""

    def __init__(self, format: Format, recipe: Recipe, naming: bool) -> None:
        self.format, self.recipe, self.naming = format, recipe, naming
        expansion = (1 + recipe.groups.shape[0] + recipe.crosses.shape[0]) * recipe.copies
        self._features = min(CHUNK // 4 * expansion, FEATURES_AHEAD)
        self._items = self._features if naming else ITEMS
        self._free: deque[tuple[RowBuffers, Items]] = deque()
        self._mine = local()  # tables that stay in the cache of a thread's processor

    def parse(self, chunk: Chunk, start: int | None = None) -> Parsed:
        """Parse the records of a chunk from `start` on, as many as there is room for."""
        place = chunk.start if start is None else start
        if start is None:
            self.format.look(chunk.text, place, chunk.stop)
        buffers, items = self._take()
        if chunk.exceeded:
            buffers.faults[0] = 0, 1, LONG_RECORD
            reached = Reached(chunk.stop, 1, 0, 0, 0, 1)
            return Parsed(chunk, place, reached, buffers, items, np.empty(0, np.int32), [])
        while True:
            reached = self.format.parse(chunk.text, place, chunk.stop, self.recipe, items, buffers)
            if reached.faults >= 0:
                break
            features, count = 2 * buffers.indices.size, 2 * items.keys.size
            buffers, items = self._new_buffers(min(features, MOST_FEATURES), min(count, MOST_FEATURES))
        codes, names = self._labels(chunk, buffers.labels[: reached.rows])
        return Parsed(chunk, place, reached, buffers, items, codes, names)

    def release(self, parsed: Parsed) -> None:
        """Use the buffers of rows that are not needed any more for others."""
        if parsed.buffers.indices.size == self._features and parsed.items.keys.size == self._items:
            self._free.append((parsed.buffers, parsed.items))

    def _take(self) -> tuple[RowBuffers, Items]:
        try:
            buffers, items = self._free.pop()
        except IndexError:
            return self._new_buffers(self._features, self._items)
        met, seen = self._met(self._features, self._items), self._seen(self._items)
        return buffers._replace(met=met, seen=seen), items

    def _new_buffers(self, features: int, count: int) -> tuple[RowBuffers, Items]:
        items = Items(
            keys=np.empty(count, np.uint32),
            values=np.empty(count, np.float32),
            spaces=np.empty(count, np.int32),
            origins=np.empty((count if self.naming else 0, 5), np.int32),
        )
        buffers = RowBuffers(
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
        return buffers, items

    def _met(self, features: int, count: int) -> Integers:
        """Return this thread's table for the slots of one example, which has at most `count` items."""
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
