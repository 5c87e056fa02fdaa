"""The words of running text.

A word is a run of letters, digits and underscores, of any script; an apostrophe between two of them belongs
to it. Signs that tell messages apart (! ? $ % £ €, arrows, emoji) are words of their own. What is not UTF-8
counts as letters, so that text in older encodings has words too.
"""

from typing import NamedTuple

import numpy as np

from kerneltron._types import Bytes
from kerneltron.engine.compiled import compiled, inlined, internal
from kerneltron.engine.text.alphabet import (
    JOINER,
    KIND_OF_BYTE,
    KIND_OF_CODE,
    LETTER,
    LOWERED,
    PICTURES,
    SIGN,
    WIDE,
)
from kerneltron.engine.text.memory import HIGH, ONES, first_marked, load64

FIRST_PICTURE, LAST_PICTURE = PICTURES[1]


class Character(NamedTuple):
    """What a character is to a word, and how many bytes it has."""

    kind: np.uint8
    size: int


@inlined
def continues(text: Bytes, p: int, end: int) -> bool:
    """Return whether text[p], if before `end`, is a further byte of a character."""
    return p < end and (text[p] & 0xC0) == 0x80


@internal
def wide_character(text: Bytes, p: int, end: int) -> Character:
    """Return the character of several bytes that begins at `p`; a byte that begins none is a letter."""
    first = np.int64(text[p])
    if 0xC2 <= first < 0xE0 and continues(text, p + 1, end):
        return Character(KIND_OF_CODE[(first & 0x1F) << 6 | (text[p + 1] & 0x3F)], 2)
    if 0xE0 <= first < 0xF0 and continues(text, p + 1, end) and continues(text, p + 2, end):
        code = (first & 0x0F) << 12 | (text[p + 1] & 0x3F) << 6 | (text[p + 2] & 0x3F)
        return Character(KIND_OF_CODE[code], 3) if code >= 0x800 else Character(LETTER, 1)
    size = 1
    while size < 4 and continues(text, p + size, end):
        size += 1
    if 0xF0 <= first < 0xF5 and size == 4:
        code = (first & 0x07) << 18 | (text[p + 1] & 0x3F) << 12 | (text[p + 2] & 0x3F) << 6
        return Character(SIGN if FIRST_PICTURE <= code <= LAST_PICTURE else LETTER, 4)
    return Character(LETTER, 1)


@inlined
def character(text: Bytes, p: int, end: int) -> Character:
    """Return the character at `p`."""
    kind = KIND_OF_BYTE[text[p]]
    return wide_character(text, p, end) if kind == WIDE else Character(kind, 1)


@inlined
def from_to(word: np.uint64, first: int, last: int) -> np.uint64:
    """Mark (by its high bit) each of eight bytes that is from `first` to `last` < 128."""
    low = word & ~HIGH
    from_first = low + ONES * np.uint64(128 - first)
    beyond_last = low + ONES * np.uint64(127 - last)
    return (from_first ^ beyond_last) & ~word & HIGH


@inlined
def plain_letters(word: np.uint64) -> np.uint64:
    """Mark each of eight bytes that is an ASCII letter, a digit or an underscore."""
    small = from_to(word | (ONES * np.uint64(32)), ord("a"), ord("z"))
    return small | from_to(word, ord("0"), ord("9")) | from_to(word, ord("_"), ord("_"))


@inlined
def word_stop(text: Bytes, start: int, end: int) -> int:
    """Return where the word that begins at `start` ends; text[end] itself is not a letter."""
    p = start
    while True:
        others = ~plain_letters(load64(text, p)) & HIGH  # eight bytes at a time: half the time of one by one
        p += first_marked(others)
        if others == 0:
            continue
        if p >= end or KIND_OF_BYTE[text[p]] not in (WIDE, JOINER):
            return p
        here = character(text, p, end)
        if here.kind == JOINER:
            after = p + here.size
            if after >= end or character(text, after, end).kind != LETTER:
                return p
        elif here.kind != LETTER:
            return p
        p += here.size


@compiled
def lower(text: Bytes, start: int, end: int) -> None:
    """Bring text[start:end] to lower case: letters of one byte, and of two where both cases have two."""
    part, bits = text[start:end], np.uint8(0)
    for k in range(part.size):  # without a branch, of bytes alone: so it is done by vectors
        byte = part[k]
        bits |= byte
        is_capital = np.uint8(byte - np.uint8(65)) < np.uint8(26)
        part[k] = byte + (np.uint8(32) if is_capital else np.uint8(0))
    if bits < 0x80:
        return
    for p in range(start, end - 1):
        first = np.int64(text[p])
        if 0xC3 <= first < 0xE0 and continues(text, p + 1, end):
            code = np.int64(LOWERED[(first & 0x1F) << 6 | (text[p + 1] & 0x3F)])
            text[p], text[p + 1] = 0xC0 | code >> 6, 0x80 | (code & 0x3F)
