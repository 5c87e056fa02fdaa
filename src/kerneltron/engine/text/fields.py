"""Values of named columns become features (words, numbers, categories), or label, tag and weight of a row."""

from typing import NamedTuple

import numpy as np

from kerneltron._types import Bytes
from kerneltron.engine.compiled import inlined, internal
from kerneltron.engine.text.alphabet import LETTER, SIGN
from kerneltron.engine.text.faults import BAD_WEIGHT, TOO_LONG
from kerneltron.engine.text.hashing import (
    Prefix,
    append,
    extend,
    finish,
    hash_bytes,
    hash_short,
    nothing,
)
from kerneltron.engine.text.items import WORD, Items, Recipe, RowBuffers, add_groups, note, put, space_of
from kerneltron.engine.text.lines import is_blank
from kerneltron.engine.text.memory import first_bytes, load64
from kerneltron.engine.text.numbers import fault_of, read_number
from kerneltron.engine.text.records import ReadResult
from kerneltron.engine.text.words import character, lower, word_stop

IGNORED, LABEL, TEXT, NUMBER, CATEGORY, TAG, WEIGHT = range(7)  # roles that a column may play
CARET = ord("^")


class Name(NamedTuple):
    """The name of a column: where it stands in the text, what its values' keys begin with, its own key."""

    begin: int
    end: int
    prefix: Prefix
    key: np.uint32
    space: int


class Field(NamedTuple):
    """The value text[begin:end] of a column, and the role that the column plays."""

    name: Name
    role: int
    begin: int
    end: int


@inlined
def name_at(text: Bytes, begin: int, end: int, recipe: Recipe) -> Name:
    """Return the name that stands at text[begin:end]."""
    prefix = extend(nothing(), text, begin, end)
    key = finish(prefix)
    return Name(begin, end, append(prefix, CARET), key, space_of(recipe, key))


@inlined
def trimmed(text: Bytes, begin: int, end: int) -> tuple[int, int]:
    """Return where text[begin:end] begins and ends without the blanks around it."""
    while begin < end and is_blank(text[begin]):
        begin += 1
    while begin < end and is_blank(text[end - 1]):
        end -= 1
    return begin, end


@inlined
def start_row(buffers: RowBuffers, row: int, place: int) -> None:
    """Write what holds of a row before its fields are known: no label, no tag, a weight of 1."""
    buffers.labels[row, 0] = buffers.labels[row, 1] = place
    buffers.tags[row, 0] = buffers.tags[row, 1] = place
    buffers.importance[row] = 1.0


@inlined
def add_key(text: Bytes, begin: int, end: int, value: float, name: Name, items: Items, to: int) -> int:
    """Add the feature `name^text[begin:end]`; return the items' end, or -1 if there is no room."""
    if to >= items.keys.size:
        return -1
    put(items, to, hash_bytes(name.prefix, text, begin, end), value, name.space)
    note(items, to, WORD, name.begin, name.end, begin, end)
    return to + 1


@internal
def add_words(text: Bytes, begin: int, end: int, name: Name, recipe: Recipe, items: Items, first: int) -> int:
    """Add a feature for each word and each group of words; return the items' end, or -1.

    text[end] is not a letter. The text is brought to lower case in place, if that is wanted.
    """
    if recipe.lowercase:
        lower(text, begin, end)
    p, to, room_for = begin, first, items.keys.size
    while p < end:
        here = character(text, p, end)
        stop = p + here.size
        if here.kind == LETTER:
            stop = word_stop(text, stop, end)
        elif here.kind != SIGN:
            p = stop
            continue
        if to >= room_for:
            return -1
        size = stop - p
        if size < 8:
            key = hash_short(name.prefix, first_bytes(load64(text, p), size), size)
        else:
            key = hash_bytes(name.prefix, text, p, stop)
        put(items, to, key, 1.0, name.space)
        note(items, to, WORD, name.begin, name.end, p, stop)
        to += 1
        p = stop
    return add_groups(recipe, items, first, to, to)


@inlined
def add_number(name: Name, value: float, items: Items, to: int) -> int:
    """Add the feature `name` with a value; return the items' end, or -1 if there is no room."""
    if to >= items.keys.size:
        return -1
    put(items, to, name.key, value, name.space)
    note(items, to, WORD, name.begin, name.begin, name.begin, name.end)
    return to + int(items.values[to] != 0.0)


@inlined
def number_in(text: Bytes, begin: int, end: int) -> float:
    """Return the number that text[begin:end] is, nan if it is not one, in single precision."""
    value, stop = read_number(text, begin)
    return float(np.float32(value)) if stop == end else np.nan


@inlined
def read_field(
    text: Bytes, field: Field, recipe: Recipe, items: Items, first: int, buffers: RowBuffers, row: int
) -> ReadResult:
    """Read a value into items from `first` on, or into what else is known of the row.

    Blanks around a value do not count, and one without anything else is missing.
    """
    name, role = field.name, field.role
    if role == TEXT:
        last = add_words(text, field.begin, field.end, name, recipe, items, first)
        return ReadResult(field.begin, max(last, 0), TOO_LONG if last < 0 else 0)
    begin, end = trimmed(text, field.begin, field.end)
    if begin == end or role == IGNORED:
        return ReadResult(begin, first, 0)
    last = first
    if role == LABEL:
        buffers.labels[row, 0], buffers.labels[row, 1] = begin, end
    elif role == TAG:
        buffers.tags[row, 0], buffers.tags[row, 1] = begin, end
    elif role == CATEGORY:
        last = add_key(text, begin, end, 1.0, name, items, first)
    else:
        value = number_in(text, begin, end)
        if not np.isfinite(value):
            is_bad_weight = role == WEIGHT and np.isnan(value)
            return ReadResult(begin, first, BAD_WEIGHT if is_bad_weight else fault_of(value))
        if role == NUMBER:
            last = add_number(name, value, items, first)
        elif value < 0.0:
            return ReadResult(begin, first, BAD_WEIGHT)
        else:
            buffers.importance[row] = value
    return ReadResult(begin, max(last, 0), TOO_LONG if last < 0 else 0)
