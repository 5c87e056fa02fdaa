"""One part of the examples, which one worker learns from at a time."""

import os
from typing import NamedTuple

from kerneltron.stream.errors import InputError
from kerneltron.stream.origins import Origin, file_of
from kerneltron.stream.sources import ends_of, size_of


class Mark(NamedTuple):
    """What tells a file that was changed from one that is as it was: its size and a checksum of its ends."""

    name: str
    size: int
    ends: int | None


class Shard(NamedTuple):
    """Examples that are read in order, from one origin or several; the number is its place in all sums.

    A shard of a Dask collection has no origins of its own: its partition is handed to whoever opens it.
    """

    number: int  # from 0
    name: str
    origins: tuple[Origin, ...] = ()
    marks: tuple[Mark, ...] = ()

    def __str__(self) -> str:
        return f"shard {self.number + 1} ({self.name})"

    def check(self) -> None:
        """Raise if a file is not what it was when the training began."""
        for mark in self.marks:
            if not os.path.exists(mark.name):
                raise InputError(
                    f"There is no file {mark.name!r} here: workers read their shards themselves, under the "
                    "names that the client has for them."
                )
            now = Mark(mark.name, os.path.getsize(mark.name), ends_of(mark.name))
            if now != mark:
                size = f"{mark.size:,} bytes when training began, and {now.size:,} now"
                raise InputError(
                    f"{mark.name}: changed since training began ({size}), so rounds would not see the same "
                    "examples. Start anew when it stays as it is."
                )


def marked(number: int, origins: tuple[Origin, ...]) -> Shard:
    """Return a shard of these origins, as their files are now."""
    names = list(dict.fromkeys(map(file_of, origins)))
    sizes = [(name, size_of(name)) for name in names]
    marks = tuple(Mark(name, size, ends_of(name)) for name, size in sizes if size is not None)
    first = str(origins[0])
    more = f" and {len(origins) - 1} more" if len(origins) > 1 else ""
    return Shard(number, first + more, origins, marks)
