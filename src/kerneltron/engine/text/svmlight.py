"""The svmlight format: `label qid:1 index:value ... # comment`, one line per example."""

from typing import NamedTuple

import numpy as np

from kerneltron._types import Bytes
from kerneltron.engine.dispatch import implements
from kerneltron.engine.text.faults import BAD_INDEX, BAD_LABEL, COMMENT, TOO_LONG
from kerneltron.engine.text.hashing import hash_bytes, nothing
from kerneltron.engine.text.items import NO_SPACE, WORD, Items, Recipe, RowBuffers, note, put
from kerneltron.engine.text.lines import is_blank, is_end, skip_blanks
from kerneltron.engine.text.numbers import fault_of, is_digit, read_number
from kerneltron.engine.text.records import ReadResult, read_record

COLON, HASH, QUERY = ord(":"), ord("#"), ord("q")


class Svmlight(NamedTuple):
    """The format, as `read_record` takes it."""

    has_long_records: bool = False


@implements(read_record, Svmlight)
def read_svmlight(
    format: Svmlight,
    text: Bytes,
    start: int,
    recipe: Recipe,
    items: Items,
    first: int,
    buffers: RowBuffers,
    row: int,
) -> ReadResult:
    """Read one line."""
    p = skip_blanks(text, start)
    if text[p] == HASH:
        return ReadResult(p, first, COMMENT)
    label = p
    while not (is_blank(text[p]) or is_end(text[p]) or text[p] in (HASH, COLON)):
        p += 1
    if text[p] == COLON or p == label:
        return ReadResult(label, first, BAD_LABEL)
    buffers.labels[row, 0], buffers.labels[row, 1] = label, p
    buffers.tags[row, 0] = buffers.tags[row, 1] = label
    buffers.importance[row] = 1.0
    to = first
    while True:
        p = skip_blanks(text, p)
        if is_end(text[p]) or text[p] == HASH:
            return ReadResult(p, to, 0)
        name = p
        is_query = text[p] == QUERY and text[p + 1] == ord("i") and text[p + 2] == ord("d")
        if is_query:
            p += 3
        while is_digit(text[p]):
            p += 1
        if p == name or text[p] != COLON:
            return ReadResult(name, to, BAD_INDEX)
        number, end = read_number(text, p + 1)
        value = np.float32(number)
        if not np.isfinite(value) or not (is_blank(text[end]) or is_end(text[end]) or text[end] == HASH):
            return ReadResult(p + 1, to, fault_of(float(value)))
        if value != 0.0 and not is_query:
            if to >= items.keys.size:
                return ReadResult(p, to, TOO_LONG)
            put(items, to, hash_bytes(nothing(), text, name, p), float(value), NO_SPACE)
            note(items, to, WORD, name, name, name, p)
            to += 1
        p = end
