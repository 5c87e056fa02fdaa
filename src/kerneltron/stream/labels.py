"""The labels of a stream, numbered as they come."""

from collections.abc import Iterable
from math import isfinite

import numpy as np

from kerneltron._types import Integers


class Labels:
    """Text of each label by number. Numbers are written in one way only: 1, 1.0 and +1 are the same label."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        self.names: list[str] = list(known)
        self._numbers = {name: number for number, name in enumerate(self.names)}
        self._seen: dict[bytes, int] = {}

    def numbers(self, codes: Integers, names: list[bytes]) -> Integers:
        """Return the number of names[code] for each code, -1 for -1; new names get the next number."""
        table = np.array([*map(self._number, names), -1], np.int32)
        return table[codes]

    def _number(self, text: bytes) -> int:
        if text not in self._seen:
            name = canonical(text.decode("utf-8", "replace"))
            self._seen[text] = self._numbers.setdefault(name, len(self.names))
            if self._seen[text] == len(self.names):
                self.names.append(name)
        return self._seen[text]


def canonical(label: str) -> str:
    """Return one way to write a label.

    Examples
    --------
    >>> canonical("1.0"), canonical("+1"), canonical("0.5"), canonical("spam")
    ('1', '1', '0.5', 'spam')
    """
    try:
        number = float(label)
    except ValueError:
        return label
    if not isfinite(number) or "_" in label:
        return label
    return str(int(number)) if number == int(number) and abs(number) < 1e15 else repr(number)
