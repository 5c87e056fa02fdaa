"""JSON lines: one object per line, whose keys are columns."""

from typing import NamedTuple

import numpy as np

from kerneltron._types import Bytes, Integers
from kerneltron.engine.compiled import inlined
from kerneltron.engine.dispatch import implements
from kerneltron.engine.text.changes import Original, begin_record, put_back
from kerneltron.engine.text.faults import BAD_JSON, TOO_DEEP, WRONG_KIND
from kerneltron.engine.text.fields import (
    CATEGORY,
    IGNORED,
    NUMBER,
    TEXT,
    Field,
    Name,
    name_at,
    read_field,
    start_row,
    trimmed,
)
from kerneltron.engine.text.items import Items, Recipe, RowBuffers
from kerneltron.engine.text.json_grammar import CLOSE_OBJECT, OPEN_LIST, OPEN_OBJECT, next_place, value_end
from kerneltron.engine.text.json_values import (
    NESTED,
    NULL,
    NUMERAL,
    STRING,
    Value,
    breach,
    read_key,
    read_list,
    read_object,
    read_scalar,
)
from kerneltron.engine.text.labels import same
from kerneltron.engine.text.lines import is_blank, is_end, line_end, skip_blanks
from kerneltron.engine.text.records import ReadResult, read_record

NOT_KNOWN = -1  # the role of a key that had none when the reading began: its value tells


class JsonLines(NamedTuple):
    """The format, as `read_record` takes it; made for one call."""

    roles: Integers
    names: Integers  # where the name of each column begins and ends in the text
    keys: Integers  # the hash of each name
    places: Integers  # a hash table of columns, open addressing, a power of two long; -1 where it is empty
    original: Original
    has_long_records: bool


@inlined
def role_of(format: JsonLines, text: Bytes, name: Name) -> int:
    """Return the role of the column with this name, NOT_KNOWN if there is none."""
    mask = format.places.size - 1
    place = np.int64(name.key) & mask
    while format.places[place] >= 0:
        column = format.places[place]
        begin, size = format.names[column, 0], format.names[column, 1] - format.names[column, 0]
        is_candidate = format.keys[column] == name.key and size == name.end - name.begin
        if is_candidate and same(text, begin, name.begin, size):
            return int(format.roles[column])
        place = (place + 1) & mask
    return NOT_KNOWN


@inlined
def role_by_value(text: Bytes, value: Value) -> int:
    """Return the role of a value whose key has none: text if there are blanks inside, else by its kind."""
    if value.kind != STRING:
        return NUMBER if value.kind == NUMERAL else CATEGORY
    begin, end = trimmed(text, value.begin, value.end)
    for p in range(begin, end):
        if is_blank(text[p]) or is_end(text[p]):
            return TEXT
    return CATEGORY


@inlined
def read_value(
    format: JsonLines,
    text: Bytes,
    key: Value,
    recipe: Recipe,
    items: Items,
    first: int,
    buffers: RowBuffers,
    row: int,
) -> ReadResult:
    """Read the value of a key; the place that is reached is the one behind it."""
    start = key.after
    name = name_at(text, key.begin, key.end, recipe)
    role = role_of(format, text, name)
    if role == IGNORED:
        end, is_too_deep = value_end(text, start)
        fault = TOO_DEEP if is_too_deep else BAD_JSON
        return ReadResult(end, first, 0) if end >= 0 else ReadResult(-1 - end, first, fault)
    value = read_scalar(format.original, text, start)
    if value.kind == NESTED:
        if text[start] == OPEN_LIST and role in (TEXT, CATEGORY, NOT_KNOWN):
            return read_list(format.original, text, start, name, recipe, items, first, role != CATEGORY)
        if text[start] == OPEN_OBJECT and role in (TEXT, CATEGORY, NUMBER, NOT_KNOWN):
            return read_object(format.original, text, start, name, items, first)
        return ReadResult(start, first, WRONG_KIND)
    if value.after < 0:
        return breach(value, first)
    result = ReadResult(value.after, first, 0)
    if value.kind != NULL:
        role = role if role != NOT_KNOWN else role_by_value(text, value)
        result = read_field(
            text, Field(name, role, value.begin, value.end), recipe, items, first, buffers, row
        )
    return ReadResult(result.place if result.fault != 0 else value.after, result.items, result.fault)


@implements(read_record, JsonLines)
def read_json_lines(
    format: JsonLines,
    text: Bytes,
    start: int,
    recipe: Recipe,
    items: Items,
    first: int,
    buffers: RowBuffers,
    row: int,
) -> ReadResult:
    """Read one line, which is one object."""
    begin_record(format.original, start, line_end(text, start))
    start_row(buffers, row, start)
    p, to = skip_blanks(text, start), first
    fault = 0 if text[p] == OPEN_OBJECT else BAD_JSON
    if fault == 0:
        p = skip_blanks(text, p + 1)
    while fault == 0 and text[p] != CLOSE_OBJECT:
        key = read_key(format.original, text, p)
        result = breach(key, to)
        if key.after >= 0:
            result = read_value(format, text, key, recipe, items, to, buffers, row)
        p, to, fault = result.place, result.items, result.fault
        if fault == 0:
            p = next_place(text, p, CLOSE_OBJECT)
            p, fault = (p, 0) if p >= 0 else (-1 - p, BAD_JSON)
    if fault == 0:
        p = skip_blanks(text, p + 1)
        fault = 0 if is_end(text[p]) else BAD_JSON
    if fault != 0:
        put_back(format.original, text)  # an escape may stand for the end of a line, which is looked for next
    return ReadResult(p, to, fault)
