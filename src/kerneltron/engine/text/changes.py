"""Records that are changed in place while they are read, and put back if they must be read again.

Quotes and escapes are removed where the text stands, for names point there. But a record for which there is
no room is read a second time, from its beginning, and an escape must not be removed twice.
"""

from typing import NamedTuple

from kerneltron._types import Bytes, Integers
from kerneltron.engine.compiled import compiled, inlined
from kerneltron.engine.text.lines import SPACE


class Original(NamedTuple):
    """The record that is being read, as it was: `bytes` has room for the longest.

    `place` holds where it begins, where its last line ends, and whether the bytes were saved.
    """

    bytes: Bytes
    place: Integers


@inlined
def begin_record(original: Original, begin: int, end: int) -> None:
    """Note that the record text[begin:end] is read now."""
    original.place[0], original.place[1], original.place[2] = begin, end, 0


@compiled
def save(original: Original, text: Bytes) -> None:
    """Keep the bytes of the record, before they are changed for the first time."""
    begin, end = original.place[0], original.place[1]
    if original.place[2] == 0:
        for p in range(begin, end):
            original.bytes[p - begin] = text[p]
        original.place[2] = 1


@compiled
def put_back(original: Original, text: Bytes) -> None:
    """Undo all changes to the record."""
    begin, end = original.place[0], original.place[1]
    if original.place[2] == 1:
        for p in range(begin, end):
            text[p] = original.bytes[p - begin]
        original.place[2] = 0


@inlined
def blank_out(text: Bytes, begin: int, end: int) -> None:
    """Write blanks where a shortened value has left something behind."""
    for p in range(begin, end):
        text[p] = SPACE
