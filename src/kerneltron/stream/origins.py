"""Where examples are, said precisely: whole sources, parts of files, and text in memory."""

import io
from typing import IO, Any, NamedTuple


class Span(NamedTuple):
    """A part of a file: bytes from `start` to `stop`, which are whole records, or groups of its rows."""

    name: str
    start: int
    stop: int
    of_groups: bool = False  # `start` and `stop` number the row groups of a Parquet file

    def __str__(self) -> str:
        what = "row groups" if self.of_groups else "bytes"
        return f"{self.name}, {what} {self.start:,} to {self.stop:,}"


class Text(NamedTuple):
    """Records in memory, and what errors call them."""

    name: str
    data: bytes

    def __str__(self) -> str:
        return self.name


Origin = str | Span | Text  # a string names a source as users do: a file, an address, or "-"


def file_of(origin: Origin) -> str:
    """Return the name of the file that something is from, or what stands for it."""
    return origin if isinstance(origin, str) else origin.name


class Bounded(io.RawIOBase):
    """The bytes of a file from `start` to `stop`, as if there were no others."""

    def __init__(self, raw: IO[bytes], start: int, stop: int) -> None:
        super().__init__()
        self._raw, self._start, self._left = raw, start, stop - start
        raw.seek(start)

    def readable(self) -> bool:
        """Tell that this can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill `buffer` as far as the part goes; return how many bytes, 0 at its end."""
        with memoryview(buffer) as view:
            count: int = self._raw.readinto(view[: self._left])  # type: ignore[attr-defined]
        self._left -= count
        return count

    def tell(self) -> int:
        """Return how many bytes of the part lie behind."""
        return self._raw.tell() - self._start
