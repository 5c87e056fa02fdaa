"""The words of running text in Python, parted as compiled code parts those of a stream."""

import re
from typing import Any

import numpy as np

from kerneltron.engine.text.alphabet import (
    APOSTROPHES,
    KIND_OF_CODE,
    LETTER,
    PICTURES,
    SIGN,
    TO_LOWER,
)


def _class_of(kind: Any, beyond: str) -> str:
    """Return the characters of a kind as a regular expression; the table ends at 0xFFFF, `beyond` goes on."""
    codes = np.flatnonzero(np.equal(KIND_OF_CODE, kind))
    runs = np.split(codes, np.flatnonzero(np.diff(codes) > 1) + 1)
    return "[" + "".join(f"\\u{run[0]:04x}-\\u{run[-1]:04x}" for run in runs) + beyond + "]"


_FIRST, _LAST = PICTURES[1]
_LETTERS = _class_of(LETTER, f"\\U00010000-\\U{_FIRST - 1:08x}\\U{_LAST + 1:08x}-\\U0010ffff")
_SIGNS = _class_of(SIGN, f"\\U{_FIRST:08x}-\\U{_LAST:08x}")
_WORD = re.compile(f"{_SIGNS}|{_LETTERS}+(?:[{APOSTROPHES}]{_LETTERS}+)*")


def words(text: str, lowercase: bool = True) -> list[str]:
    """Return the words of a text: the same as `Hasher` finds.

    Examples
    --------
    >>> words("Don't WIN £100!")
    ["don't", 'win', '£', '100', '!']
    """
    if lowercase:
        text = text.lower() if text.isascii() else text.translate(TO_LOWER)
    return _WORD.findall(text)
