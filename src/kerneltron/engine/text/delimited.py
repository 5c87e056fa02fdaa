"""Text in columns: fields parted by a delimiter, quoted (RFC 4180) or not, one record per row."""

from typing import NamedTuple

from kerneltron._types import Bytes, Integers
from kerneltron.engine.compiled import compiled, inlined, internal
from kerneltron.engine.dispatch import implements
from kerneltron.engine.text.changes import Original, begin_record, blank_out, save
from kerneltron.engine.text.faults import AFTER_QUOTE, FEW_FIELDS, MANY_FIELDS, OPEN_QUOTE
from kerneltron.engine.text.fields import IGNORED, Field, name_at, read_field, start_row
from kerneltron.engine.text.items import Items, Recipe, RowBuffers
from kerneltron.engine.text.lines import is_blank, is_end, line_end, next_line
from kerneltron.engine.text.memory import below, equal, first_marked, load64
from kerneltron.engine.text.records import ReadResult, read_record

QUOTE = ord('"')
NO_QUOTE = -1
LONGEST = 1 << 24  # bytes: a quote that is still open then was never meant to be one


class Dialect(NamedTuple):
    """How fields are written: `quote` is QUOTE, or NO_QUOTE where quotes are ordinary characters."""

    delimiter: int
    quote: int


class Delimited(NamedTuple):
    """The format, as `read_record` takes it; made for one call, whose text ends at `stop`."""

    dialect: Dialect
    roles: Integers
    names: Integers  # where the name of each column begins and ends in the text
    fields: (
        Integers  # room for where each field of a record begins and ends, and whether it has doubled quotes
    )
    original: Original
    stop: int
    has_long_records: bool


class Scanned(NamedTuple):
    """A record: where its last line ends, how many fields it has, and its first fault."""

    end: int
    fields: int
    place: int
    fault: int


@inlined
def closing_quote(text: Bytes, opening: int, stop: int) -> tuple[int, bool]:
    """Return where a quote is closed, and whether there are doubled ones inside; -1 if not before `stop`."""
    p, doubled = opening + 1, False
    while p < stop:
        marks = equal(load64(text, p), QUOTE)
        p += first_marked(marks)
        if marks == 0:
            continue
        if p >= stop or text[p + 1] != QUOTE:
            break
        doubled = True
        p += 2
    return (p if p < stop else -1), doubled


@inlined
def field_end(text: Bytes, start: int, delimiter: int) -> int:
    """Return the first delimiter or line end from `start` on."""
    p = start
    while True:
        word = load64(text, p)
        p += first_marked(equal(word, delimiter) | below(word, 14))
        byte = text[p]
        if byte == delimiter or is_end(byte):
            return p
        if byte < 14:  # another control character belongs to the field
            p += 1


@internal
def scan(dialect: Dialect, text: Bytes, start: int, stop: int, fields: Integers) -> Scanned:
    """Find the fields of the record that begins at `start`; the text ends at `stop`.

    There are to be as many as `fields` has rows. A record with an open quote ends with the quote's line.
    """
    p, count, place, fault = start, 0, start, 0
    while True:
        begin, doubled = p, False
        if text[p] == dialect.quote:
            end, doubled = closing_quote(text, p, min(stop, p + LONGEST))
            if end < 0:
                return Scanned(line_end(text, p), count, p, OPEN_QUOTE)
            begin, p = begin + 1, end + 1
            while is_blank(text[p]) and text[p] != dialect.delimiter:
                p += 1
            if text[p] != dialect.delimiter and not is_end(text[p]):
                if fault == 0:
                    place, fault = p, AFTER_QUOTE
                p = field_end(text, p, dialect.delimiter)
        else:
            end = p = field_end(text, p, dialect.delimiter)
        if count < fields.shape[0]:
            fields[count, 0], fields[count, 1], fields[count, 2] = begin, end, doubled
        elif fault == 0:
            place, fault = begin, MANY_FIELDS
        count += 1
        if is_end(text[p]):
            break
        p += 1
    if count < fields.shape[0] and fault == 0:
        place, fault = p, FEW_FIELDS
    return Scanned(p, count, place, fault)


@compiled
def scan_record(
    dialect: Dialect, text: Bytes, start: int, stop: int, fields: Integers
) -> tuple[int, int, int, int]:
    """Do as `scan`, for Python; return the parts of `Scanned`."""
    found = scan(dialect, text, start, stop, fields)
    return found.end, found.fields, found.place, found.fault


@inlined
def single_quotes(text: Bytes, begin: int, end: int) -> int:
    """Make one quote of two throughout text[begin:end]; return the new end. Blanks fill what is left."""
    p = to = begin
    while p < end:
        text[to] = text[p]
        p += 2 if text[p] == QUOTE else 1
        to += 1
    blank_out(text, to, end)
    return to


@implements(read_record, Delimited)
def read_delimited(
    format: Delimited,
    text: Bytes,
    start: int,
    recipe: Recipe,
    items: Items,
    first: int,
    buffers: RowBuffers,
    row: int,
) -> ReadResult:
    """Read one record, which may have several lines."""
    scanned = scan(format.dialect, text, start, format.stop, format.fields)
    begin_record(format.original, start, scanned.end)
    buffers.records[row, 1] = scanned.end
    if scanned.fault != 0:
        return ReadResult(scanned.place, first, scanned.fault)
    start_row(buffers, row, start)
    to = first
    for column in range(format.roles.size):
        role = format.roles[column]
        if role == IGNORED:
            continue
        begin, end = format.fields[column, 0], format.fields[column, 1]
        if format.fields[column, 2]:
            save(format.original, text)
            end = single_quotes(text, begin, end)
        name = name_at(text, format.names[column, 0], format.names[column, 1], recipe)
        result = read_field(text, Field(name, role, begin, end), recipe, items, to, buffers, row)
        if result.fault != 0:
            return result
        to = result.items
    return ReadResult(scanned.end, to, 0)


@compiled
def last_record_end(dialect: Dialect, text: Bytes, start: int, stop: int) -> int:
    """Return where the last whole record of text[start:stop] ends, `start` if there is none.

    A record begins at `start`. Line ends count outside of quotes; a carriage return at the very end may be
    half of one, so it is not taken for one.
    """
    last = p = start
    while True:
        outside, opening = p, p
        while True:  # to the next quote at a field's beginning
            marks = equal(load64(text, opening), QUOTE)
            opening += first_marked(marks)
            if opening >= stop or (marks != 0 and begins_field(dialect, text, start, opening)):
                break
            opening += marks != 0
        opening = min(opening, stop)
        q = opening - 1
        while q >= outside and not (is_end(text[q]) and (q < stop - 1 or text[q] == ord("\n"))):
            q -= 1
        last = q + 1 if q >= outside else last
        if opening == stop:
            return last
        end, _ = closing_quote(text, opening, min(stop - 1, opening + LONGEST))
        if end >= 0:
            p = end + 1
        else:
            close = line_end(text, opening)
            if opening + LONGEST >= stop or close >= stop - 1:
                return last
            p = last = next_line(text, close)


@inlined
def begins_field(dialect: Dialect, text: Bytes, start: int, p: int) -> bool:
    """Return whether a field begins at `p`."""
    return p == start or text[p - 1] == dialect.delimiter or is_end(text[p - 1])
