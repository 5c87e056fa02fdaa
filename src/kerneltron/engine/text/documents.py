"""Documents that lie in memory become sparse rows: running text, or lists of names with values."""

from typing import Any, NamedTuple

import numpy as np

from kerneltron._types import Bytes, Floats, Integers
from kerneltron.engine.compiled import compiled, inlined
from kerneltron.engine.dispatch import implements
from kerneltron.engine.text.faults import OVERFLOW, TOO_LONG
from kerneltron.engine.text.fields import CARET, Name, add_words, start_row
from kerneltron.engine.text.hashing import hash_bytes, nothing
from kerneltron.engine.text.items import (
    MOST_FEATURES,
    NO_ROOM,
    NO_SPACE,
    OVERFLOWS,
    Items,
    Recipe,
    RowBuffers,
    add_crosses,
    add_groups,
    begin_row,
    put,
    space_of,
    write_row,
)


class RunningTexts(NamedTuple):
    """Document i is text[bounds[i]:bounds[i + 1] - 1]: a byte that is not a letter stands behind each."""

    bounds: Integers


class NameLists(NamedTuple):
    """Document i has the names firsts[i] .. firsts[i + 1] - 1, name k is text[bounds[k]:bounds[k + 1]]."""

    firsts: Integers
    bounds: Integers
    values: Floats


def read_document(layout: Any, text: Bytes, number: int, recipe: Recipe, items: Items) -> int:
    """Read a document into items; return their end, or -1 if there is no room."""
    raise NotImplementedError


@implements(read_document, RunningTexts)
def read_text(layout: RunningTexts, text: Bytes, number: int, recipe: Recipe, items: Items) -> int:
    """Read words, whose keys are themselves."""
    name = Name(0, 0, nothing(), np.uint32(0), NO_SPACE)
    return add_words(text, layout.bounds[number], layout.bounds[number + 1] - 1, name, recipe, items, 0)


@inlined
def space_in(text: Bytes, begin: int, end: int, recipe: Recipe) -> int:
    """Return which of the namespaces that crosses name stands before the first caret of a name."""
    for p in range(begin, end):
        if text[p] == CARET:
            return space_of(recipe, hash_bytes(nothing(), text, begin, p))
    return NO_SPACE


@implements(read_document, NameLists)
def read_list(layout: NameLists, text: Bytes, number: int, recipe: Recipe, items: Items) -> int:
    """Read names with their values; 0 is not a feature."""
    to = 0
    for k in range(layout.firsts[number], layout.firsts[number + 1]):
        begin, end = layout.bounds[k], layout.bounds[k + 1]
        if to >= items.keys.size:
            return -1
        space = space_in(text, begin, end, recipe) if recipe.spaces.size > 0 else NO_SPACE
        put(items, to, hash_bytes(nothing(), text, begin, end), layout.values[k], space)
        to += layout.values[k] != 0.0
    return add_groups(recipe, items, 0, to, to)


@compiled
def parse_documents(
    layout: Any, text: Bytes, start: int, stop: int, recipe: Recipe, items: Items, buffers: RowBuffers
) -> tuple[int, int, int, int, int, int]:
    """Read the documents start .. stop - 1 until the buffers are full; return the parts of `Reached`.

    Where not even one fits, the number of faults is -1. One whose values overflow is a fault, and the last
    that is looked at.
    """
    rows, to = 0, 0
    while start + rows < stop and rows < buffers.importance.size:
        start_row(buffers, rows, 0)
        begin_row(buffers, rows, to)
        last = read_document(layout, text, start + rows, recipe, items)
        if last >= 0 and recipe.crosses.shape[0] > 0:
            last = add_crosses(recipe, items, 0, last)
        end = write_row(recipe, items, 0, last, buffers, rows) if last >= 0 else NO_ROOM
        fault = OVERFLOW if end == OVERFLOWS else TOO_LONG if end == NO_ROOM else 0
        if fault == TOO_LONG:
            if rows > 0:
                break
            if min(items.keys.size, buffers.indices.size) < MOST_FEATURES:
                return start, 0, 0, 0, 0, -1
        if fault != 0:
            buffers.faults[0, 0], buffers.faults[0, 1], buffers.faults[0, 2] = rows, 1, fault
            buffers.starts[rows] = to
            return start + rows, 0, rows, to, 0, 1
        rows, to = rows + 1, end
    buffers.starts[rows] = to
    return start + rows, 0, rows, to, 0, 0
