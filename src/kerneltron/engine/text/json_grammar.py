"""JSON (RFC 8259), strictly: where strings, numbers and whole values end, and what escapes stand for.

Functions return -1 - p where the text breaks the grammar at p. A newline breaks it wherever it stands:
nothing reads on beyond its line.
"""

import numpy as np

from kerneltron._types import Bytes
from kerneltron.engine.compiled import inlined, internal
from kerneltron.engine.text.changes import blank_out
from kerneltron.engine.text.lines import skip_blanks
from kerneltron.engine.text.memory import below, equal, first_marked, load64
from kerneltron.engine.text.numbers import MINUS, PLUS, POINT, is_digit

QUOTE, BACKSLASH, COMMA, COLON = ord('"'), ord("\\"), ord(","), ord(":")
OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT = ord("["), ord("]"), ord("{"), ord("}")
DEEPEST = 64  # lists and objects inside each other: one bit each
REPLACEMENT = 0xFFFD  # for half of a pair of surrogates


def _escapes() -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    """Return by byte what it stands for behind a backslash; 0 where that is nothing."""
    meanings = np.zeros(256, np.uint8)
    for letter, meaning in zip('"\\/bfnrt', '"\\/\b\f\n\r\t', strict=True):
        meanings[ord(letter)] = ord(meaning)
    return meanings


ESCAPES = _escapes()


@inlined
def hex_digit(byte: int) -> int:
    """Return the value of a hexadecimal digit, -1 if it is not one."""
    if is_digit(byte):
        return int(byte) - 48
    letter = int(byte) | 32
    return letter - 87 if 97 <= letter <= 102 else -1


@inlined
def four_digits(text: Bytes, p: int) -> int:
    """Return the value of four hexadecimal digits, -1 if they are not such."""
    code = 0
    for k in range(4):
        digit = hex_digit(text[p + k])
        if digit < 0:
            return -1
        code = code * 16 + digit
    return code


@internal
def string_end(text: Bytes, start: int) -> tuple[int, bool]:
    """Return where the string that opens at `start` is closed, and whether it has escapes."""
    p, escaped = start + 1, False
    while True:
        word = load64(text, p)
        marks = equal(word, QUOTE) | equal(word, BACKSLASH) | below(word, 32)
        p += first_marked(marks)
        if marks == 0:
            continue
        byte = text[p]
        if byte == QUOTE:
            return p, escaped
        if byte != BACKSLASH:
            return -1 - p, False
        escaped = True
        if text[p + 1] == ord("u") and four_digits(text, p + 2) >= 0:
            p += 6
        elif ESCAPES[text[p + 1]] != 0:
            p += 2
        else:
            return -1 - p, False


@inlined
def put_character(text: Bytes, at: int, code: int) -> int:
    """Write a character in UTF-8; return the place behind it."""
    if code < 0x80:
        text[at] = code
        return at + 1
    if code < 0x800:
        text[at] = 0xC0 | code >> 6
    else:
        if code < 0x10000:
            text[at] = 0xE0 | code >> 12
        else:
            text[at] = 0xF0 | code >> 18
            text[at + 1] = 0x80 | (code >> 12 & 0x3F)
            at += 1
        text[at + 1] = 0x80 | (code >> 6 & 0x3F)
        at += 1
    text[at + 1] = 0x80 | (code & 0x3F)
    return at + 2


@internal
def unescape(text: Bytes, begin: int, end: int) -> int:
    """Put what escapes stand for in their place in text[begin:end]; return the new end. Blanks fill the rest.

    Half of a pair of surrogates becomes U+FFFD. No escape stands for more bytes than it has.
    """
    p = to = begin
    while p < end:
        byte = text[p]
        if byte != BACKSLASH:
            text[to] = byte
            p, to = p + 1, to + 1
        elif text[p + 1] != ord("u"):
            text[to] = ESCAPES[text[p + 1]]
            p, to = p + 2, to + 1
        else:
            code = four_digits(text, p + 2)
            p += 6
            if 0xD800 <= code < 0xDC00 and p + 6 <= end and text[p] == BACKSLASH and text[p + 1] == ord("u"):
                low = four_digits(text, p + 2)
                if 0xDC00 <= low < 0xE000:
                    code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)
                    p += 6
            to = put_character(text, to, REPLACEMENT if 0xD800 <= code < 0xE000 else code)
    blank_out(text, to, end)
    return to


@inlined
def digits_end(text: Bytes, start: int) -> int:
    """Return where one or more digits end."""
    p = start
    while is_digit(text[p]):
        p += 1
    return p if p > start else -1 - p


@internal
def number_end(text: Bytes, start: int) -> int:
    """Return where a number ends."""
    p = start + int(text[start] == MINUS)
    p = p + 1 if text[p] == ord("0") else digits_end(text, p)
    if p >= 0 and text[p] == POINT:
        p = digits_end(text, p + 1)
    if p >= 0 and text[p] in (ord("e"), ord("E")):
        p = digits_end(text, p + (2 if text[p + 1] in (MINUS, PLUS) else 1))
    return p


@internal
def literal_end(text: Bytes, start: int) -> int:
    """Return where one of the words true, false and null ends."""
    first = text[start]
    word = load64(text, start)
    if first == ord("f"):  # false
        return start + 5 if word & np.uint64(0xFFFFFFFFFF) == np.uint64(0x65736C6166) else -1 - start
    four = word & np.uint64(0xFFFFFFFF)
    return start + 4 if four in (np.uint64(0x65757274), np.uint64(0x6C6C756E)) else -1 - start


@inlined
def scalar_end(text: Bytes, start: int) -> int:
    """Return where a string, number or word ends: the place behind it."""
    if text[start] == QUOTE:
        end, _ = string_end(text, start)
        return end + 1 if end >= 0 else end
    if is_digit(text[start]) or text[start] == MINUS:
        return number_end(text, start)
    return literal_end(text, start)


@inlined
def key_end(text: Bytes, start: int) -> int:
    """Return where the value of a key begins whose quote opens at `start`."""
    if text[start] != QUOTE:
        return -1 - start
    end, _ = string_end(text, start)
    if end < 0:
        return end
    p = skip_blanks(text, end + 1)
    return skip_blanks(text, p + 1) if text[p] == COLON else -1 - p


@inlined
def next_place(text: Bytes, after: int, close: int) -> int:
    """Return where the next value or key of a list or object begins, or the bracket that closes it."""
    p = skip_blanks(text, after)
    if text[p] == COMMA:
        p = skip_blanks(text, p + 1)
        return p if text[p] != close else -1 - p
    return p if text[p] == close else -1 - p


@internal
def value_end(text: Bytes, start: int) -> tuple[int, bool]:
    """Return where any value ends, and whether it is nested too deeply to be read."""
    p, depth, objects = start, 0, np.uint64(0)  # the lowest bit tells what the innermost bracket opened
    while p >= 0:
        if text[p] in (OPEN_LIST, OPEN_OBJECT):
            if depth == DEEPEST:
                return -1 - p, True
            opens_object = text[p] == OPEN_OBJECT
            objects = objects << np.uint64(1) | np.uint64(opens_object)
            depth += 1
            p = skip_blanks(text, p + 1)
            if text[p] != (CLOSE_OBJECT if opens_object else CLOSE_LIST):
                p = key_end(text, p) if opens_object else p
                continue
        else:
            p = scalar_end(text, p)
            if p >= 0 and depth > 0:
                in_object = objects & np.uint64(1) != 0
                p = next_place(text, p, CLOSE_OBJECT if in_object else CLOSE_LIST)
        while p >= 0 and depth > 0:
            in_object = objects & np.uint64(1) != 0
            if text[p] != (CLOSE_OBJECT if in_object else CLOSE_LIST):
                p = key_end(text, p) if in_object else p
                break
            depth -= 1
            objects >>= np.uint64(1)
            p += 1
            if depth > 0:
                in_object = objects & np.uint64(1) != 0
                p = next_place(text, p, CLOSE_OBJECT if in_object else CLOSE_LIST)
        if depth == 0:
            break
    return p, False
