"""Values of a JSON object: strings without their escapes, lists of words, objects of named features."""

from typing import NamedTuple

import numpy as np

from kerneltron._types import Bytes
from kerneltron.engine.compiled import inlined, internal
from kerneltron.engine.text.changes import Original, blank_out, save
from kerneltron.engine.text.faults import BAD_JSON, TOO_DEEP, TOO_LONG
from kerneltron.engine.text.fields import Name, add_key, number_in, trimmed
from kerneltron.engine.text.items import Items, Recipe, add_groups
from kerneltron.engine.text.json_grammar import (
    CLOSE_LIST,
    CLOSE_OBJECT,
    COLON,
    OPEN_LIST,
    OPEN_OBJECT,
    QUOTE,
    literal_end,
    next_place,
    number_end,
    string_end,
    unescape,
)
from kerneltron.engine.text.lines import skip_blanks
from kerneltron.engine.text.numbers import MINUS, fault_of, is_digit
from kerneltron.engine.text.records import ReadResult
from kerneltron.engine.text.words import lower

EQUALS = ord("=")
STRING, NUMERAL, TRUTH, NULL, NESTED = range(5)  # kinds of values


class Value(NamedTuple):
    """A value at text[begin:end], a string without its quotes; what follows it begins at `after`.

    If the text breaks the grammar at p, `after` is -1 - p.
    """

    kind: int
    begin: int
    end: int
    after: int


@internal
def read_string(original: Original, text: Bytes, start: int) -> Value:
    """Return the string that opens at `start`, after its escapes were removed in place."""
    end, escaped = string_end(text, start)
    if end < 0:
        return Value(STRING, start, start, end)
    last = end
    if escaped:
        save(original, text)
        last = unescape(text, start + 1, end)
    return Value(STRING, start + 1, last, end + 1)


@internal
def read_scalar(original: Original, text: Bytes, start: int) -> Value:
    """Return the value at `start`; a list or an object is only named as such."""
    byte = text[start]
    if byte == QUOTE:
        return read_string(original, text, start)
    if byte in (OPEN_LIST, OPEN_OBJECT):
        return Value(NESTED, start, start, -1 - start)
    if byte == MINUS or is_digit(byte):
        end = number_end(text, start)
        return Value(NUMERAL, start, end, end)
    end = literal_end(text, start)
    return Value(NULL if byte == ord("n") else TRUTH, start, end, end)


@internal
def read_key(original: Original, text: Bytes, start: int) -> Value:
    """Return the key that opens at `start`; behind it and its colon begins its value."""
    if text[start] != QUOTE:
        return Value(STRING, start, start, -1 - start)
    key = read_string(original, text, start)
    if key.after < 0:
        return key
    p = skip_blanks(text, key.after)
    return Value(STRING, key.begin, key.end, skip_blanks(text, p + 1) if text[p] == COLON else -1 - p)


@inlined
def breach(value: Value, items: int) -> ReadResult:
    """Return the fault of a value that breaks the grammar, or stands deeper than features are made of."""
    return ReadResult(-1 - value.after, items, TOO_DEEP if value.kind == NESTED else BAD_JSON)


@internal
def read_list(
    original: Original,
    text: Bytes,
    start: int,
    name: Name,
    recipe: Recipe,
    items: Items,
    first: int,
    runs: bool,
) -> ReadResult:
    """Read the list that opens at `start`: its values are the words of a text that `runs`, or categories."""
    p, to = skip_blanks(text, start + 1), first
    while text[p] != CLOSE_LIST:
        value = read_scalar(original, text, p)
        if value.after < 0:
            return breach(value, to)
        begin, end = trimmed(text, value.begin, value.end)
        if begin < end and value.kind != NULL:
            if runs and recipe.lowercase:
                lower(text, begin, end)
            to = add_key(text, begin, end, 1.0, name, items, to)
            if to < 0:
                return ReadResult(p, 0, TOO_LONG)
        p = next_place(text, value.after, CLOSE_LIST)
        if p < 0:
            return ReadResult(-1 - p, to, BAD_JSON)
    if runs:
        to = add_groups(recipe, items, first, to, to)
    return ReadResult(p + 1, max(to, 0), TOO_LONG if to < 0 else 0)


@inlined
def join(original: Original, text: Bytes, key: Value, begin: int, end: int) -> int:
    """Write `key=value` where the key stands, for text[begin:end] is its value; return the end."""
    save(original, text)
    to = key.end
    text[to] = EQUALS
    for p in range(begin, end):
        to += 1
        text[to] = text[p]
    blank_out(text, to + 1, end)
    return to + 1


@internal
def read_object(
    original: Original, text: Bytes, start: int, name: Name, items: Items, first: int
) -> ReadResult:
    """Read the object that opens at `start`: features `name^key` of numbers, and `name^key=value`."""
    p, to = skip_blanks(text, start + 1), first
    while text[p] != CLOSE_OBJECT:
        key = read_key(original, text, p)
        value = read_scalar(original, text, key.after) if key.after >= 0 else key
        if value.after < 0:
            return breach(value, to)
        begin, end = trimmed(text, value.begin, value.end)
        if value.kind == NUMERAL:
            number = number_in(text, begin, end)
            if not np.isfinite(number):
                return ReadResult(begin, to, fault_of(number))
            if number != 0.0:
                to = add_key(text, key.begin, key.end, number, name, items, to)
        elif begin < end and value.kind != NULL:
            to = add_key(text, key.begin, join(original, text, key, begin, end), 1.0, name, items, to)
        if to < 0:
            return ReadResult(p, 0, TOO_LONG)
        p = next_place(text, value.after, CLOSE_OBJECT)
        if p < 0:
            return ReadResult(-1 - p, to, BAD_JSON)
    return ReadResult(p + 1, to, 0)
