"""Lines of text, ended by a line feed, a carriage return or both, whichever a file uses."""

from kerneltron._types import Bytes
from kerneltron.engine.compiled import inlined
from kerneltron.engine.text.memory import below, first_marked, load64

TAB, NEWLINE, RETURN, SPACE = 9, 10, 13, 32


@inlined
def is_blank(byte: int) -> bool:
    """Return whether a byte parts words."""
    return byte in (SPACE, TAB)


@inlined
def is_end(byte: int) -> bool:
    """Return whether a byte ends a line."""
    return byte in (NEWLINE, RETURN)


@inlined
def line_end(text: Bytes, start: int) -> int:
    """Return where the line that holds `start` ends; the text itself ends with a newline."""
    p = start
    while True:
        marks = below(load64(text, p), RETURN + 1)
        p += first_marked(marks)
        if marks != 0:
            if is_end(text[p]):
                return p
            p += 1


@inlined
def next_line(text: Bytes, end: int) -> int:
    """Return where the next line begins, if one ends at `end`."""
    return end + (2 if text[end] == RETURN and text[end + 1] == NEWLINE else 1)


@inlined
def skip_blanks(text: Bytes, start: int) -> int:
    """Return the first place from `start` on that is not blank."""
    p = start
    while is_blank(text[p]):
        p += 1
    return p


@inlined
def lines_between(text: Bytes, start: int, stop: int) -> int:
    """Return how many lines end in text[start:stop]: those that a record's quotes hold."""
    count = 0
    for p in range(start, stop):
        count += text[p] == NEWLINE or (text[p] == RETURN and text[p + 1] != NEWLINE)
    return count
