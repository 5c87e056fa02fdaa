"""Vowpal Wabbit's text format: `label weight 'tag|namespace:scale name:value name ...`, one line each."""

from typing import NamedTuple

import numpy as np

from kerneltron._types import Bytes
from kerneltron.engine.compiled import inlined, internal
from kerneltron.engine.dispatch import implements
from kerneltron.engine.text.faults import BAD_WEIGHT, BASE_SCORE, NO_BAR, NO_NAME, TOO_LARGE, TOO_LONG
from kerneltron.engine.text.hashing import (
    Prefix,
    append,
    extend,
    finish,
    hash_bytes,
    hash_short,
    nothing,
)
from kerneltron.engine.text.items import (
    NO_SPACE,
    SMALL,
    WORD,
    FeatureBuffers,
    Items,
    Mark,
    Recipe,
    RowBuffers,
    Slots,
    add_groups,
    is_direct,
    note,
    put,
    space_of,
    usual_mark,
    write,
)
from kerneltron.engine.text.lines import SPACE, is_blank, is_end, skip_blanks
from kerneltron.engine.text.memory import (
    BLOCK,
    below,
    equal,
    first_bytes,
    first_marked,
    load64,
    lowest_bit,
    marked_block,
)
from kerneltron.engine.text.numbers import fault_of, read_number
from kerneltron.engine.text.records import ReadResult, read_record

BAR, COLON, QUOTE, CARET = ord("|"), ord(":"), ord("'"), ord("^")


class Vowpal(NamedTuple):
    """The format, as `read_record` takes it."""

    has_long_records: bool = False


class Space(NamedTuple):
    """A namespace: where its name begins and ends, which of those in crosses it is, what its words share.

    Words begin at `place`; -1 if its scale is not a number.
    """

    begin: int
    end: int
    number: int
    prefix: Prefix
    scale: float
    place: int


@inlined
def word_marks(word: np.uint64) -> np.uint64:
    """Mark the first of eight bytes that may end a word: blanks and control characters, a colon, a bar."""
    return below(word, 33) | equal(word, COLON) | equal(word, BAR)


@inlined
def word_end(text: Bytes, start: int) -> int:
    """Return where the word that begins at `start` ends: at a blank, a bar, a colon or the line's end."""
    p = start
    while True:
        p += first_marked(word_marks(load64(text, p)))
        byte = text[p]
        if is_blank(byte) or is_end(byte) or byte in (COLON, BAR):
            return p
        if byte < 33:  # another control character belongs to the word
            p += 1


@internal
def read_head(text: Bytes, start: int, buffers: RowBuffers, row: int) -> ReadResult:
    """Read what stands before the first bar: label, weight and tag."""
    bar = start
    while text[bar] != BAR and not is_end(text[bar]):
        bar += 1
    if text[bar] != BAR:
        return ReadResult(start, 0, NO_BAR)
    buffers.labels[row, 0] = buffers.labels[row, 1] = bar
    buffers.tags[row, 0] = buffers.tags[row, 1] = bar
    buffers.importance[row] = 1.0
    words = 0
    p = skip_blanks(text, start)
    while p < bar:
        end = p
        while end < bar and not is_blank(text[end]):
            end += 1
        if text[p] == QUOTE or end == bar:  # a word that touches the bar is a tag, with or without its quote
            buffers.tags[row, 0], buffers.tags[row, 1] = p + (text[p] == QUOTE), end
        elif words == 0:
            buffers.labels[row, 0], buffers.labels[row, 1] = p, end
            words = 1
        elif words == 1:
            weight, stop = read_number(text, p)
            if stop != end or not (0.0 <= np.float32(weight) < np.inf):
                return ReadResult(p, 0, TOO_LARGE if np.float32(weight) == np.inf else BAD_WEIGHT)
            buffers.importance[row] = weight
            words = 2
        else:
            return ReadResult(p, 0, BASE_SCORE)
        p = skip_blanks(text, end)
    return ReadResult(bar, 0, 0)


@inlined
def read_value(text: Bytes, start: int, scale: float) -> tuple[float, int]:
    """Return scale times the number at `start`, and where it ends: -1 if no finite one stands there alone."""
    number, end = read_number(text, start)
    value = np.float64(np.float32(scale * number))
    alone = is_blank(text[end]) or is_end(text[end]) or text[end] == BAR
    return value, (end if alone and np.isfinite(value) else -1)


@internal
def write_short_words(
    text: Bytes,
    start: int,
    prefix: Prefix,
    scale: float,
    slots: Slots,
    into: FeatureBuffers,
    mark: Mark,
    to: int,
    limit: int,
) -> tuple[int, int]:
    """Write words of less than eight bytes with a blank behind them, and no value, straight into a row.

    Returns where the first word is that is not like that, and the end of the row, `limit` at most. These are
    nearly all words of a text, and here the time goes: on its own, the loop stays in registers.
    """
    p, base = start, start
    marks = marked_block(text, base, 33, COLON, BAR)
    while to < limit:
        if marks == 0:
            base += BLOCK
            if base - p > BLOCK:
                break
            marks = marked_block(text, base, 33, COLON, BAR)
            continue
        end = base + int(lowest_bit(marks))
        marks &= marks - np.uint64(1)
        size = end - p
        if size >= 8 or text[np.uintp(end)] != SPACE:
            break
        if size > 0:
            key = hash_short(prefix, first_bytes(load64(text, p), size), size)
            to = write(slots, into, key, scale, mark, to)
        p = end + 1
    return p, to


@inlined
def read_name(text: Bytes, bar: int, recipe: Recipe) -> Space:
    """Read the name and the scale of the namespace behind a bar."""
    begin = bar + 1
    end = word_end(text, begin)
    prefix, number = nothing(), NO_SPACE
    if end > begin:
        prefix = extend(prefix, text, begin, end)
        if recipe.spaces.size > 0:
            number = space_of(recipe, finish(prefix))
        prefix = append(prefix, CARET)
    scale, place = 1.0, end
    if text[end] == COLON:
        scale, place = read_value(text, end + 1, 1.0)
    return Space(begin, end, number, prefix, scale, place)


@inlined
def read_words(text: Bytes, start: int, space: Space, recipe: Recipe, items: Items, first: int) -> ReadResult:
    """Read the words of a namespace from `start` on into items from `first` on."""
    p, to, one, room_for = start, first, int(space.scale != 0.0), items.keys.size
    while True:
        word = load64(text, p)
        size = first_marked(word_marks(word))
        stop = p + size
        if 0 < size < 8 and text[stop] == SPACE and to < room_for:  # the usual case
            put(items, to, hash_short(space.prefix, first_bytes(word, size), size), space.scale, space.number)
            note(items, to, WORD, space.begin, space.end, p, stop)
            to += one
            p = stop + 1
            continue
        p = skip_blanks(text, p)
        stop = word_end(text, p)
        if stop == p:
            return ReadResult(p, to, NO_NAME if text[p] == COLON else 0)
        if to >= room_for:
            return ReadResult(p, to, TOO_LONG)
        put(items, to, hash_bytes(space.prefix, text, p, stop), space.scale, space.number)
        note(items, to, WORD, space.begin, space.end, p, stop)
        p = stop
        if text[stop] == COLON:
            items.values[to], p = read_value(text, stop + 1, space.scale)
            if p < 0:
                return ReadResult(stop + 1, to, fault_of(items.values[to]))
        to += items.values[to] != 0.0


@inlined
def read_space(
    text: Bytes, bar: int, recipe: Recipe, items: Items, first: int, buffers: RowBuffers, row: int
) -> ReadResult:
    """Read one namespace, from its bar on, into items from `first` on, or into the row itself."""
    space = read_name(text, bar, recipe)
    p = space.place
    if p < 0:
        return ReadResult(space.end + 1, first, fault_of(space.scale))
    if space.scale != 0.0 and is_direct(recipe, items):
        slots, into = (
            Slots(recipe.mask, recipe.signed),
            FeatureBuffers(buffers.values, buffers.indices, buffers.met),
        )
        to, limit = buffers.starts[row + 1], min(buffers.indices.size, buffers.starts[row] + SMALL // 2)
        p = skip_blanks(text, p)
        mark = usual_mark(buffers)
        p, to = write_short_words(text, p, space.prefix, space.scale, slots, into, mark, to, limit)
        buffers.starts[row + 1] = to
    result = read_words(text, p, space, recipe, items, first)
    if result.fault == 0 and recipe.groups.shape[0] > 0:
        last = add_groups(recipe, items, first, result.items, result.items)
        return ReadResult(result.place, max(last, 0), TOO_LONG if last < 0 else 0)
    return result


@implements(read_record, Vowpal)
def read_vowpal(
    format: Vowpal,
    text: Bytes,
    start: int,
    recipe: Recipe,
    items: Items,
    first: int,
    buffers: RowBuffers,
    row: int,
) -> ReadResult:
    """Read one line."""
    result = read_head(text, start, buffers, row)
    p, to, fault = result.place, first, result.fault
    while fault == 0 and text[p] == BAR:
        result = read_space(text, p, recipe, items, to, buffers, row)
        p, to, fault = result.place, result.items, result.fault
    return ReadResult(p, to, fault)
