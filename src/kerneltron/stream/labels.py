"""The labels of a stream, numbered as they come."""

from collections.abc import Callable, Iterable
from math import isfinite

import numpy as np

from kerneltron._types import Integers


class Labels:
    """The text of each label by number."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        self.names: list[str] = list(known)
        self._numbers = {name: number for number, name in enumerate(self.names)}
        self._seen: dict[bytes, int] = {}

    def numbers(self, codes: Integers, names: list[bytes], label: Callable[[str], str]) -> Integers:
        """Return the number of label(names[code]) for each code, -1 for -1; new ones get the next number."""
        return np.array([*(self._number(name, label) for name in names), -1], np.int32)[codes]

    def _number(self, text: bytes, label: Callable[[str], str]) -> int:
        if text not in self._seen:
            name = label(text.decode("utf-8", "backslashreplace"))
            self._seen[text] = self._numbers.setdefault(name, len(self.names))
            if self._seen[text] == len(self.names):
                self.names.append(name)
        return self._seen[text]


def canonical(label: str) -> str:
    """Return one way to write a label that may be a number.

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
