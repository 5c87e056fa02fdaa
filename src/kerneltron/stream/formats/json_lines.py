"""JSON lines: one object per line."""

import json
import re
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, ClassVar

import numpy as np

from kerneltron._types import Bytes, Integers
from kerneltron.engine.text import json_lines
from kerneltron.engine.text.changes import Original
from kerneltron.engine.text.hashing import hash_texts
from kerneltron.stream.errors import InputError
from kerneltron.stream.formats.columns import CATEGORY, LABEL, NUMBER, TEXT, Columns, guess_words, no_label
from kerneltron.stream.formats.format import first_line
from kerneltron.stream.formats.tabular import BYTE_ORDER_MARK, SAMPLE, Tabular, check_encoding


class JsonLines(Tabular):
    """Lines that each hold one JSON object, whose keys are columns.

    A string, number, true or false is a value of its column, null is missing. Each string or number of a list
    is a word of a text, or a category where that is the role of the column. Of an object under key K, a
    number under key a is the feature `K^a`, and another value x the category `K^a=x`.

    A key that first comes after the records that tell roles is taken by its value: a string with blanks
    inside is text, another one a category. A key that comes twice counts twice; as label, tag or weight the
    last one counts.

    Parameters
    ----------
    columns
        What is known of the columns.
    """

    name: ClassVar[str] = "jsonl"
    endings: ClassVar[tuple[str, ...]] = (".jsonl", ".ndjson", ".json")

    def __init__(self, columns: Columns | None = None) -> None:
        super().__init__(columns)
        self._has_begun = False

    @classmethod
    def recognises(cls, head: bytes) -> bool:
        """Return whether the first line is an object, or the beginning of one."""
        line = first_line(head.removeprefix(BYTE_ORDER_MARK)).strip()
        is_cut_off = head.lstrip().removeprefix(BYTE_ORDER_MARK).lstrip() == line
        return _object(line) is not None or (is_cut_off and line.startswith(b'{"'))

    def suffices(self, head: bytes) -> bool:
        """Return whether there is an object."""
        return any(map(_object, head.removeprefix(BYTE_ORDER_MARK).splitlines()))

    def look_for(self, names: Iterable[str]) -> None:
        """Look for namespaces, and for columns whose roles were said."""
        said = () if self.columns.complete else self.columns.roles
        super().look_for({*names, *said})

    def pattern(self, name: str) -> re.Pattern[bytes]:
        """Return a key, with or without escapes, and the colon behind it."""
        return re.compile(rb'"' + b"".join(map(_letter, name)) + rb'"\s*:')

    def begin(self, head: bytes, source: str) -> int:
        """Find out the roles of keys from the first objects."""
        check_encoding(head, source)
        start = len(BYTE_ORDER_MARK) if head.startswith(BYTE_ORDER_MARK) else 0
        if head[start:].lstrip().startswith(b"["):
            raise InputError(f"{source}: a JSON list. Write one object per line, as jq -c '.[]' does.")
        if not self._has_begun:
            values = _values(head[start:])
            label = [name for name, role in self.columns.roles.items() if role == LABEL]
            if self.columns.labelled and label and values and label[0] not in values:
                raise InputError(no_label(list(values), source))
            found = () if self.columns.complete else values
            names = [name for name in {**self.columns.roles, **dict.fromkeys(found)} if _is_unicode(name)]
            guesses = [guess_role(values.get(name, [])) for name in names]
            self.settle(names, self.columns.assign(names, guesses, source))
            written = {
                name: [str(each) for each in values.get(name, []) if _is_plain(each)] for name in names
            }
            self.columns.warn_of_strays(self.roles, written, source)
            self._has_begun = True
        return start

    def words_among(self, text: Bytes, origins: Integers) -> int:
        """Return how many items are from columns of text; their names stand in each record."""
        named = origins[origins[:, 1] < origins[:, 2], 1:3]
        places, counts = np.unique(named, axis=0, return_counts=True)
        roles = self.roles
        names = [text[a:b].tobytes().decode("utf-8", "surrogateescape") for a, b in places.tolist()]
        are_text = [roles.get(name) == TEXT for name in names]
        return int(counts[are_text].sum())

    def settle(self, names: Sequence[str], roles: Sequence[str]) -> None:
        """Take these keys for columns, in a hash table."""
        super().settle(names, roles)
        self._keys = hash_texts([name.encode() for name in self.names])
        size = 4 << len(self.names).bit_length()
        self._table = np.full(size, -1, np.int64)
        for column, key in enumerate(self._keys.tolist()):
            place = key & (size - 1)
            while self._table[place] >= 0:
                place = (place + 1) & (size - 1)
            self._table[place] = column

    def compiled_format(self, original: Original, stop: int) -> json_lines.JsonLines:
        """Return the format as compiled code takes it, for one call."""
        return json_lines.JsonLines(self.codes, self.places, self._keys, self._table, original, False)


def _values(head: bytes) -> dict[str, list[Any]]:
    """Return the values of each key in the first objects."""
    objects = map(_object, head.splitlines())
    values: dict[str, list[Any]] = {}
    for found in islice(filter(None, objects), SAMPLE):
        for name, value in found.items():
            values.setdefault(name, []).append(value)
    return values


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(line.decode("utf-8", "surrogateescape"))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _letter(letter: str) -> bytes:
    """Return what a letter of a key looks like in JSON: as it is, or as an escape."""
    units = letter.encode("utf-16-be", "surrogatepass")
    escape = "".join(rf"\\u(?i:{units[at : at + 2].hex()})" for at in range(0, len(units), 2))
    plain = re.escape(json.dumps(letter, ensure_ascii=False)[1:-1])
    return f"(?:{plain}|{escape})".encode("utf-8", "surrogateescape")


def _is_unicode(name: str) -> bool:
    """Return whether a key is Unicode; others are taken by their values."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_plain(value: Any) -> bool:
    """Return whether a value is a number or text, and neither a truth value nor a structure."""
    return isinstance(value, int | float | str) and not isinstance(value, bool)


def guess_role(values: list[Any]) -> str:
    """Return the role that values, as JSON has them, suggest for their column.

    Examples
    --------
    >>> guess_role([1, None, 2.5]), guess_role(["red", "blue"]), guess_role(["red", "light blue"])
    ('number', 'category', 'text')
    """
    present = [value for value in values if value is not None]
    if present and all(isinstance(value, int | float) and not isinstance(value, bool) for value in present):
        return NUMBER
    if any(isinstance(value, list) for value in present):
        return TEXT
    return guess_words(value for value in present if isinstance(value, str)) if present else CATEGORY
