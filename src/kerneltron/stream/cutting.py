"""Large files cut between records, so that each part can be read on its own."""

import os
import re
from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from itertools import pairwise
from math import inf
from typing import IO, Any

import numpy as np

from kerneltron.engine.text.memory import SLACK
from kerneltron.stream.chunks import RECORD_LIMIT, bytes_of, chunks
from kerneltron.stream.errors import InputError
from kerneltron.stream.formats.format import Format
from kerneltron.stream.origins import Origin, Span
from kerneltron.stream.source import GZIP, ZSTANDARD
from kerneltron.stream.sources import is_read_once, opened, size_of

LOOK = 1 << 20  # bytes that are looked at together
LINE_END = re.compile(rb"\n|\r(?!\n)")
LEAST_LOOK = 1 << 8


def settle(format: Format, source: Origin, record_limit: int = RECORD_LIMIT) -> None:
    """Let a format find out all that the beginning of a source tells.

    Whoever reads another source with this format takes its columns for those of this one.
    """
    with opened(source, format.records) as found:
        next(chunks(found, format, limit=bytes_of(record_limit)), None)


def first_record(format: Format, name: str) -> int:
    """Return where the records of a plain file begin, behind its header; the format is settled."""
    size = LOOK
    with open(name, "rb") as file:
        while True:
            file.seek(0)
            head = file.read(size)
            begin = format.begin(head, name)
            if begin < len(head) or len(head) < size:
                return begin
            size *= 2


def without_header(format: Format) -> Format:
    """Return a settled format for parts of files, whose headers lie before the first part."""
    if not format.has_header:
        return format
    headless: Any = copy(format)
    headless.columns = replace(headless.columns, names=headless.names)
    headless.has_header = False
    return headless  # type: ignore[no-any-return]


def can_be_cut(name: str, format: Format) -> bool:
    """Return whether a source is a plain file of lines, or a Parquet file."""
    if is_read_once(name) or size_of(name) is None:
        return False
    if not format.in_lines:
        return format.name == "parquet"
    with open(name, "rb") as file:
        return not file.read(len(ZSTANDARD)).startswith((GZIP, ZSTANDARD))


def cut(name: str, parts: int, format: Format, begin: int = 0) -> list[Span]:
    """Return parts of a file that are about as large as each other, in order; none is empty unless all is.

    Parameters
    ----------
    name
        A file for which `can_be_cut`.
    parts
        How many, at most: a file of few records, or of few row groups, has fewer.
    format
        Says where a record may end: in quotes, the end of a line is not that of a record. To tell, all
        bytes before the last cut are read.
    begin
        Where the first record begins.
    """
    if not format.in_lines:
        return _groups(name, parts)
    size = os.path.getsize(name)
    wanted = [begin + (size - begin) * part // parts for part in range(1, parts)]
    ends = _record_ends(name, wanted, format, begin) if format.quoted_lines else _line_ends(name, wanted)
    cuts = sorted({begin, *(end for end in ends if begin < end < size), size})
    return [Span(name, start, stop) for start, stop in pairwise(cuts)] or [Span(name, begin, size)]


def _groups(name: str, parts: int) -> list[Span]:
    """Return row groups of a Parquet file, with about as many rows in each part."""
    try:
        import pyarrow.parquet

        with pyarrow.parquet.ParquetFile(name) as table:
            rows = [table.metadata.row_group(group).num_rows for group in range(table.num_row_groups)]
    except ImportError as error:
        raise InputError(f"To read {name} install pyarrow: pip install 'kerneltron[parquet]'.") from error
    except (OSError, ValueError) as error:
        raise InputError(f"{name}: not a file in parquet format, or a damaged one ({error}).") from error
    ends = shared_out(rows, parts)
    return [Span(name, start, stop, of_groups=True) for start, stop in pairwise([0, *ends])]


def shared_out(sizes: Sequence[float], parts: int) -> list[int]:
    """Return where neighbours are parted, so that each part is about as large as the others and not empty.

    Examples
    --------
    >>> shared_out([1, 1, 1, 1, 4], 2), shared_out([5, 1], 3)
    ([4, 5], [1, 2])
    """
    parts = max(1, min(parts, len(sizes)))
    total, behind, ends = sum(sizes), 0.0, [0]
    for part in range(1, parts):
        wanted, best = total * part / parts, inf
        least, most = ends[-1] + 1, len(sizes) - (parts - part)
        place = ends[-1]
        while place < most:
            reached = behind + sizes[place]
            if place + 1 > least and abs(reached - wanted) >= best:
                break
            behind, best, place = reached, abs(reached - wanted), place + 1
        ends.append(place)
    return [*ends[1:], len(sizes)]


def _line_ends(name: str, wanted: Sequence[int]) -> list[int]:
    """Return where the first line ends that goes beyond each place."""
    with open(name, "rb") as file:
        return [_line_end(file, place) for place in wanted]


def _line_end(file: IO[bytes], place: int) -> int:
    """Return where the line ends that the byte before `place` belongs to."""
    file.seek(max(place - 1, 0))
    behind = file.tell()
    while text := file.read(LOOK):
        while text.endswith(b"\r") and (more := file.read(1)):  # it may be half of a line end
            text += more
        found = LINE_END.search(text)
        if found:
            return behind + found.end()
        behind += len(text)
    return behind


def _record_ends(name: str, wanted: Sequence[int], format: Format, begin: int) -> list[int]:
    """Return where a record ends at or soon behind each place, as the format finds it."""
    size = os.path.getsize(name)
    usual = max(LEAST_LOOK, min(LOOK, (size - begin) // (16 * (len(wanted) + 1))))
    ends, place, more = [], begin, usual
    with open(name, "rb") as file:
        for target in wanted:
            while place < min(target, size):
                file.seek(place)
                text = np.frombuffer(bytearray(file.read(more) + b"\n" * (1 + SLACK)), np.uint8)
                stop = text.size - 1 - SLACK
                whole = stop if place + stop >= size else format.cut(text, 0, stop)
                more = usual if whole else 2 * more  # a record that is longer
                place += whole
            ends.append(place)
    return ends
