"""Records of any format: the loop that all parsers share, and what is written down of each record."""

from typing import Any, NamedTuple

from kerneltron._types import Bytes
from kerneltron.engine.compiled import compiled
from kerneltron.engine.text.faults import OVERFLOW, TOO_LONG
from kerneltron.engine.text.hashing import hash_bytes, nothing
from kerneltron.engine.text.items import (
    MOST_FEATURES,
    NO_ROOM,
    OVERFLOWS,
    Items,
    Recipe,
    RowBuffers,
    add_crosses,
    begin_row,
    write_row,
)
from kerneltron.engine.text.lines import is_end, line_end, lines_between, next_line, skip_blanks


class ReadResult(NamedTuple):
    """What came of reading a record, or a part of it: the place and items that were reached, and a fault."""

    place: int
    items: int
    fault: int


def read_record(
    format: Any,
    text: Bytes,
    start: int,
    recipe: Recipe,
    items: Items,
    first: int,
    buffers: RowBuffers,
    row: int,
) -> ReadResult:
    """Read the record that begins at `start` into items from `first` on, and what else it says into `row`.

    The files of the formats say how, by the type of `format`; if `format.has_long_records`, some have several
    lines, and buffers.records[row, 1] is to say where the last one ends.
    A record without a fault is read up to the end of its (last) line, a faulty one up to the fault; a
    comment is a record with the fault COMMENT.
    """
    raise NotImplementedError


@compiled
def parse(
    format: Any, text: Bytes, start: int, stop: int, recipe: Recipe, items: Items, buffers: RowBuffers
) -> tuple[int, int, int, int, int, int]:
    """Read the records of text[start:stop] until the buffers are full; return the parts of `Reached`.

    Where not even one record fits, the number of faults is -1, which asks for larger buffers, up to
    MOST_FEATURES.
    """
    p, lines, rows, to, used, faults = start, 0, 0, 0, 0, 0
    naming = items.origins.shape[0] > 0
    while p < stop and rows < buffers.importance.size and faults < buffers.faults.shape[0]:
        begin = p
        blank = skip_blanks(text, p)
        if is_end(text[blank]):
            p = next_line(text, blank)
            lines += 1
            continue
        first = used if naming else 0
        begin_row(buffers, rows, to)
        result = read_record(format, text, p, recipe, items, first, buffers, rows)
        fault, last, end = result.fault, result.items, 0
        if fault == 0 and recipe.crosses.shape[0] > 0:
            last = add_crosses(recipe, items, first, last)
            fault = TOO_LONG if last < 0 else 0
        if fault == 0:
            end = write_row(recipe, items, first, last, buffers, rows)
            fault = TOO_LONG if end == NO_ROOM else OVERFLOW if end == OVERFLOWS else 0
        if fault == TOO_LONG:
            if rows > 0 or faults > 0:
                break  # what is there so far makes room
            if min(items.keys.size, buffers.indices.size) < MOST_FEATURES:
                return begin, lines, 0, 0, 0, -1
        close = int(buffers.records[rows, 1]) if format.has_long_records else line_end(text, result.place)
        if fault == 0:
            to = end
            buffers.records[rows, 0], buffers.records[rows, 1], buffers.records[rows, 2] = begin, close, lines
            if recipe.digest:
                buffers.digests[rows] = hash_bytes(nothing(), text, begin, close)
            rows, used = rows + 1, last if naming else 0
        elif fault > 0:
            place = buffers.faults[faults]
            at = result.place if fault != OVERFLOW else begin  # the whole of the record is at fault
            place[0], place[1], place[2] = lines, at - begin + 1, fault
            faults += 1
        p = next_line(text, close)
        lines += 1 + (lines_between(text, begin, close) if format.has_long_records else 0)
    buffers.starts[rows] = to
    return p, lines, rows, to, used, faults
