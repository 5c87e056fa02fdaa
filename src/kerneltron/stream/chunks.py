"""A source in pieces that hold whole records."""

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from kerneltron._types import Bytes
from kerneltron.engine.text.memory import SLACK
from kerneltron.stream.errors import InputError
from kerneltron.stream.formats.format import Format
from kerneltron.stream.source import Source

CHUNK = 1 << 20  # bytes: small enough to parse in cache, large enough that a call costs nothing
MEGABYTE = 1 << 20
RECORD_LIMIT = 64  # MB of one record with its line end; places in a text are numbers of 32 bits
LARGEST_RECORD_LIMIT = 1024
NEWLINE = 10
LINE_END = re.compile(rb"\n|\r(?!\Z)\n?")  # a return at the very end may be half of a line end


class Chunk(NamedTuple):
    """Whole records of one source: text[start:stop]; what ends the text has a newline and slack behind it.

    Or, if `exceeded` is not 0, what stands for one record that is longer than this many bytes.
    """

    text: Bytes
    start: int
    stop: int
    source: str
    first_line: int | None  # number of its first line, if no records of its source lie before
    consumed: int  # bytes of all sources, as they lie on disk, up to here
    exceeded: int = 0


def bytes_of(record_limit: int) -> int:
    """Return a limit in MB as a number of bytes; raise if a record cannot have this many."""
    if not 1 <= record_limit <= LARGEST_RECORD_LIMIT:
        raise ValueError(f"record_limit={record_limit!r} must be from 1 to {LARGEST_RECORD_LIMIT} (MB).")
    return record_limit * MEGABYTE


def chunks(
    source: Source, format: Format, size: int = CHUNK, limit: int = RECORD_LIMIT * MEGABYTE
) -> Iterator[Chunk]:
    """Yield the records of a source, about `size` bytes at a time; a longer record comes in one piece.

    One of more than `limit` bytes is not held: the rest of its first line is passed over, and what comes
    is a chunk that stands for it. The text never has more than `limit` + 1 bytes of records, so that only
    its first record can be too long.
    """
    size = min(size, limit)
    front, rest, more = b"", b"", size
    line: int | None = 1
    has_begun = ended = False
    while True:
        text, begin, stop = _joined(front, rest, more, source)
        ended = ended or stop < begin + len(rest) + more
        cut = stop if ended else format.cut(text, begin, stop)
        if stop - begin > limit and format.cut(text, begin, begin + limit) == begin:
            if format.has_header and not has_begun:
                raise InputError(f"{source.name}: the header has more than {limit:,} bytes.")
            yield Chunk(_blank(), 0, 1, source.name, line, source.consumed, limit)
            line = None if line is None else line + 1
            rest, ended = _behind_line(text[begin:stop].tobytes(), source, size, ended)
            more = 0 if ended else max(size - len(rest), 0)
            continue
        head = b"" if has_begun else text[:cut].tobytes()
        if not has_begun and (ended or stop > limit or format.suffices(head)):
            header = format.begin(head, source.name)
            line = (line or 1) + lines_in(text[:header].tobytes())
            front, rest, more, has_begun = format.front(), text[header:stop].tobytes(), 0, True
            continue
        if has_begun and cut > begin:
            yield Chunk(text, begin, cut, source.name, line, source.consumed)
            line = None
        if ended:
            return
        rest = text[cut if has_begun else 0 : stop].tobytes()
        more = min(max(size, len(rest)), limit + 1 - len(rest))


def lines_in(text: bytes) -> int:
    """Return how many lines end in a text, by whichever convention."""
    return text.count(b"\n") + text.count(b"\r") - text.count(b"\r\n")


def _joined(front: bytes, rest: bytes, more: int, source: Source) -> tuple[Bytes, int, int]:
    """Return a text of what is there and up to `more` bytes of the source, where that begins and ends."""
    begin = len(front)
    held = begin + len(rest)
    text = np.empty(held + more + 1 + SLACK, np.uint8)
    text[:begin] = np.frombuffer(front, np.uint8)
    text[begin:held] = np.frombuffer(rest, np.uint8)
    stop = held + source.fill(text[held : held + more].data)
    text[stop:] = NEWLINE
    return text, begin, stop


def _behind_line(text: bytes, source: Source, size: int, ended: bool) -> tuple[bytes, bool]:
    """Return what is there behind the first line of a text, which may go on, and whether the source ended."""
    while True:
        found = LINE_END.search(text)
        if found or ended:
            return text[found.end() if found else len(text) :], ended
        kept = text[-1:] if text.endswith(b"\r") else b""
        text = source.read(size)
        ended = len(text) < size
        text = kept + text


def _blank() -> Bytes:
    return np.full(1 + SLACK, NEWLINE, np.uint8)
