"""The labels of a stream, numbered as they come."""

import re
from collections.abc import Callable, Iterable
from math import isfinite

import numpy as np

from kerneltron._types import Integers

UNKNOWN = -2  # instead of the number of a label that may not come
MISSING = -3  # instead of the number of a text that stands for no label

# What NumPy, C and pandas write for a missing value. NA, None and null are names of classes at times.
MISSING_TEXT = re.compile(r"[-+]?nan|(?-i:NaT|<NA>)", re.IGNORECASE)


class Labels:
    """The text of each label by number.

    Parameters
    ----------
    known
        Labels that have a number already.
    closed
        All that may come; None where any may.
    classes
        Names of classes. If they are given, any other text that stands for a missing value is MISSING; if
        not, such a text is a label as others are.

    Attributes
    ----------
    places
        Where each label came first, if it came through a reader.
    """

    def __init__(
        self,
        known: Iterable[str] = (),
        closed: Iterable[str] | None = None,
        classes: Iterable[str] | None = None,
    ) -> None:
        self.names: list[str] = list(known)
        self.places: dict[str, str] = {}
        self._allowed = None if closed is None else set(closed)
        self._classes = None if classes is None else set(classes)
        self._numbers = {name: number for number, name in enumerate(self.names)}
        self._seen: dict[bytes, int] = {}

    def numbers(self, codes: Integers, names: list[bytes], label: Callable[[str], str]) -> Integers:
        """Return the number of label(names[code]) for each code, -1 for -1; new ones get the next number.

        Where labels are closed, others are UNKNOWN; what stands for no label is MISSING.
        """
        return np.array([*(self._number(name, label) for name in names), -1], np.int32)[codes]

    def _number(self, text: bytes, label: Callable[[str], str]) -> int:
        if text not in self._seen:
            name = label(text.decode("utf-8", "backslashreplace"))
            if self._allowed is not None and name not in self._allowed:
                return UNKNOWN
            if self._classes is not None and name not in self._classes and stands_for_missing(name):
                return MISSING
            self._seen[text] = self._numbers.setdefault(name, len(self.names))
            if self._seen[text] == len(self.names):
                self.names.append(name)
        return self._seen[text]


def stands_for_missing(text: str) -> bool:
    """Return whether a text is what programs write for a missing value.

    Examples
    --------
    >>> list(filter(stands_for_missing, ["nan", "NaN", "<NA>", "NaT", "NA", "None", "nan bread"]))
    ['nan', 'NaN', '<NA>', 'NaT']
    """
    return MISSING_TEXT.fullmatch(text) is not None


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
