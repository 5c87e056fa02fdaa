"""Records that are made while they are read, as a stream of bytes."""

import io
from collections.abc import Iterator
from typing import Any, NamedTuple


class Piece(NamedTuple):
    """Some records as text, and which part of their source lies behind when they are read."""

    text: bytes
    done: float


class RecordText(io.RawIOBase):
    """Pieces of text one after the other; `tell` says how far that is in a source of `size` bytes."""

    def __init__(self, pieces: Iterator[Piece], size: int) -> None:
        super().__init__()
        self._pieces, self._size = pieces, size
        self._rest, self._done = memoryview(b""), 0.0

    def readable(self) -> bool:
        """Tell that one can read from it."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill `buffer` with the next bytes, or a part of it; 0 at the end."""
        while not self._rest:
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            self._rest, self._done = memoryview(piece.text), piece.done
        taken = self._rest[: len(buffer)]
        buffer[: len(taken)] = taken
        self._rest = self._rest[len(taken) :]
        return len(taken)

    def tell(self) -> int:
        """Return about how many bytes of the source lie behind."""
        return int(self._done * self._size)
