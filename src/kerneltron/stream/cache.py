"""Examples on disk, ready to be learned from again: blocks of sparse rows in a file without a name."""

import tempfile
from collections.abc import Iterator
from contextlib import suppress
from itertools import cycle
from pathlib import Path
from typing import IO, NamedTuple
from weakref import finalize

import numpy as np

from kerneltron._types import Anything, Integers
from kerneltron.stream.background import ahead
from kerneltron.stream.errors import InputError
from kerneltron.stream.window import NO_DIGESTS, Window, WindowBuffer, part_of, taken

BLOCK = 512  # examples


class Block(NamedTuple):
    """Where a block lies and how its arrays are written."""

    offset: int
    rows: int
    features: int
    values: str  # their type: small whole numbers, the usual counts of words, take a byte each


class Cache:
    """Windows are put in one by one, and come back in any order of their blocks, as often as wanted.

    The file has no name: it takes room only as long as the process runs, however that ends.
    """

    def __init__(self, folder: str | Path | None = None) -> None:
        try:
            self._file = tempfile.TemporaryFile(dir=folder, buffering=1 << 20)  # noqa: SIM115
        except OSError as error:
            raise InputError(f"No cache can be written in {folder}: {error.strerror}.") from error
        finalize(self, _closed, self._file)
        self.blocks: list[Block] = []
        self._offset = self._consumed = 0

    @property
    def size(self) -> int:
        """Bytes on disk."""
        return self._offset

    def add(self, window: Window, chosen: Integers | None = None) -> None:
        """Put the examples of a window in, or those of the `chosen` places."""
        if chosen is not None:
            window = taken(window, chosen)
        for first in range(0, window.size, BLOCK):
            self._write(part_of(window, first, min(first + BLOCK, window.size)))
        self._consumed = window.consumed

    def windows(self, order: Integers | None = None, in_background: bool = True) -> Iterator[Window]:
        """Yield all examples, the blocks in this order, gathered as windows are."""
        self._file.flush()
        found = self._windows(np.arange(len(self.blocks)) if order is None else order)
        return ahead(found, 0) if in_background else found

    def _windows(self, order: Integers) -> Iterator[Window]:
        buffers = cycle([WindowBuffer(), WindowBuffer()])
        buffer = next(buffers)
        for number in order.tolist():
            block = self.blocks[number]
            if not buffer.has_place(block.rows, block.features):
                yield buffer.window(self._consumed)
                buffer = next(buffers)
                buffer.begin()
            buffer.add(self._read(block))
        if buffer.rows:
            yield buffer.window(self._consumed)

    def _write(self, part: Window) -> None:
        with np.errstate(invalid="ignore"):  # of what one byte does not hold: then all stay as they are
            small = part.values.astype(np.int8)
        values = small if np.array_equal(small, part.values) else part.values
        lengths = np.diff(part.starts).astype(np.int32)
        size = 0
        try:
            for array in (part.indices, values, lengths, part.labels, part.importance):
                size += self._file.write(np.ascontiguousarray(array).data)
        except OSError as error:
            raise InputError(
                f"The cache of examples cannot be written ({error.strerror}): give `folder` a folder with "
                "more room, or make one pass."
            ) from error
        self.blocks.append(Block(self._offset, part.size, part.values.size, values.dtype.str))
        self._offset += size

    def _read(self, block: Block) -> Window:
        rows, features = block.rows, block.features
        self._file.seek(block.offset)

        def read(kind: str, count: int) -> Anything:
            return np.frombuffer(self._file.read(count * np.dtype(kind).itemsize), kind)

        indices, values = read("<i4", features), read(block.values, features)
        starts = np.concatenate([[0], np.cumsum(read("<i4", rows))]).astype(np.int32)
        labels, importance = read("<i4", rows), read("<f4", rows)
        return Window(values.astype(np.float32), indices, starts, labels, importance, NO_DIGESTS, [], 0)


def _closed(file: IO[bytes]) -> None:
    """Close the file; what a full disk has no room for is not missed."""
    with suppress(OSError):
        file.close()
