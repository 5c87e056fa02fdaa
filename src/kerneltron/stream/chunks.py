"""A source in pieces that hold whole records."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from kerneltron._types import Bytes
from kerneltron.engine.text.memory import SLACK
from kerneltron.stream.formats.format import Format
from kerneltron.stream.sources import Source

CHUNK = 1 << 20  # bytes: small enough to parse in cache, large enough that a call costs nothing
NEWLINE = 10


class Chunk(NamedTuple):
    """Whole records of one source: text[start:stop]; what ends the text has a newline and slack behind it."""

    text: Bytes
    start: int
    stop: int
    source: str
    first_line: int | None  # number of its first line, if it is the first chunk of its source
    consumed: int  # bytes of all sources, as they lie on disk, up to here


def chunks(source: Source, form: Format, size: int = CHUNK) -> Iterator[Chunk]:
    """Yield the records of a source, about `size` bytes at a time; a longer record comes in one piece."""
    rest = source.read(size)
    ended = len(rest) < size
    header = form.begin(rest, source.name)
    first_line: int | None = 1 + lines_in(rest[:header])
    rest, front, more = rest[header:], form.front(), 0
    while True:
        begin = len(front)
        held = begin + len(rest)
        text = np.empty(held + more + 1 + SLACK, np.uint8)
        text[:begin] = np.frombuffer(front, np.uint8)
        text[begin:held] = np.frombuffer(rest, np.uint8)
        stop = held + source.fill(text[held : held + more].data)
        ended = ended or (stop < held + more)
        text[stop:] = NEWLINE
        cut = stop if ended else form.cut(text, begin, stop)
        if cut > begin:
            yield Chunk(text, begin, cut, source.name, first_line, source.consumed)
            first_line = None
        if ended:
            return
        rest, more = text[cut:stop].tobytes(), max(size, stop - cut)


def lines_in(text: bytes) -> int:
    """Return how many lines end in a text, by whichever convention."""
    return text.count(b"\n") + text.count(b"\r") - text.count(b"\r\n")
