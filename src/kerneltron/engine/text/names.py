"""The names behind hashes: a table of all keys seen, how often, and the bytes of each name once."""

from typing import NamedTuple

import numpy as np

from kerneltron._types import Bytes, Integers
from kerneltron.engine.compiled import compiled, inlined, internal
from kerneltron.engine.prefetch import prefetch
from kerneltron.engine.text.items import CROSS, GROUP, LEFT_OUT, Items

CARET, STAR, SPACE = ord("^"), ord("*"), ord(" ")
AHEAD = 16  # items: the table does not fit any cache


class Table(NamedTuple):
    """A hash table of keys, open addressing, a power of two long; `counts` is 0 where it is empty.

    The name of the key in place p is bytes[ends[names[p] - 1]:ends[names[p]]].
    """

    keys: Integers
    counts: Integers
    names: Integers
    ends: Integers
    bytes: Bytes


@inlined
def find(table: Table, key: np.uint32) -> int:
    """Return the place of a key, or the empty one where it belongs."""
    mask = table.keys.size - 1
    place = int(np.int64(key) & mask)
    while table.counts[place] > 0 and table.keys[place] != key:
        place = (place + 1) & mask
    return place


@inlined
def copy(text: Bytes, start: int, stop: int, to: Bytes, at: int) -> int:
    """Copy text[start:stop] to `at`; return its end there, or -1 if there is no room."""
    if at < 0 or at + stop - start > to.size:
        return -1
    for p in range(start, stop):
        to[at + p - start] = text[p]
    return at + stop - start


@inlined
def copy_byte(byte: int, to: Bytes, at: int) -> int:
    """Write one byte at `at`; return its end, or -1 if there is no room."""
    if at < 0 or at >= to.size:
        return -1
    to[at] = byte
    return at + 1


@internal
def write_word(text: Bytes, items: Items, groups: Integers, i: int, to: Bytes, at: int) -> int:
    """Write the name of a word or of a group of words; return its end, or -1 if there is no room."""
    origin = items.origins[i]
    word = origin[1] if origin[0] == GROUP else i
    first = items.origins[word]
    if first[2] > first[1]:
        at = copy_byte(CARET, to, copy(text, first[1], first[2], to, at))
    at = copy(text, first[3], first[4], to, at)
    if origin[0] == GROUP:
        for j in range(groups.shape[1]):
            if groups[origin[2], j] > 0:
                further = items.origins[word + groups[origin[2], j]]
                at = copy(text, further[3], further[4], to, copy_byte(SPACE, to, at))
    return at


@compiled
def write_name(text: Bytes, items: Items, groups: Integers, i: int, to: Bytes, at: int) -> int:
    """Write the name of an item; return its end, or -1 if there is no room."""
    origin = items.origins[i]
    if origin[0] != CROSS:
        return write_word(text, items, groups, i, to, at)
    at = write_word(text, items, groups, origin[1], to, at)
    return write_word(text, items, groups, origin[2], to, copy_byte(STAR, to, at))


@compiled
def count_names(
    text: Bytes, items: Items, groups: Integers, span: tuple[int, int], table: Table, known: int, most: int
) -> tuple[int, int]:
    """Count the keys of the items in `span` and write down names that are new.

    Returns up to which item it came, and how many names are known then: it stops where the table is half full
    or the bytes are out of room. Once `most` names are known, keys that are new go uncounted.
    """
    first, last = span
    mask = table.keys.size - 1
    for i in range(first, last):
        prefetch(table.counts, np.int64(items.keys[min(i + AHEAD, last - 1)]) & mask)
        prefetch(table.keys, np.int64(items.keys[min(i + AHEAD, last - 1)]) & mask)
        if items.spaces[i] == LEFT_OUT:
            continue
        key = np.uint32(items.keys[i])
        place = find(table, key)
        if table.counts[place] == 0:
            if known == most:
                continue
            if 2 * known >= table.keys.size:
                return i, known
            begin = table.ends[known - 1] if known > 0 else 0
            end = write_name(text, items, groups, i, table.bytes, begin)
            if end < 0:
                return i, known
            table.keys[place], table.names[place], table.ends[known] = key, known, end
            known += 1
        table.counts[place] += 1
    return last, known


@compiled
def refill(table: Table, larger: Table) -> None:
    """Put all keys of a table into a larger, empty one, which shares its names."""
    for place in range(table.keys.size):
        if table.counts[place] > 0:
            to = find(larger, np.uint32(table.keys[place]))
            larger.keys[to], larger.counts[to] = table.keys[place], table.counts[place]
            larger.names[to] = table.names[place]
