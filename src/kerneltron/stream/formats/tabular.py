"""What formats with columns have in common."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np

from kerneltron._types import Anything, Bytes, Integers
from kerneltron.engine.text import fields
from kerneltron.engine.text.changes import Original, put_back
from kerneltron.engine.text.items import Items, Reached, Recipe, RowBuffers
from kerneltron.engine.text.memory import SLACK
from kerneltron.engine.text.records import parse
from kerneltron.stream.errors import InputError
from kerneltron.stream.formats.columns import FEATURES, Columns
from kerneltron.stream.formats.format import Format

SAMPLE = 200  # records that tell the roles of columns
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
OTHER_MARKS = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")  # of UTF-16 and UTF-32
BEGINNING = 200  # bytes in which every second one of UTF-16 is 0, where it is mostly ASCII
CODES = {
    "label": fields.LABEL,
    "text": fields.TEXT,
    "number": fields.NUMBER,
    "category": fields.CATEGORY,
    "user": fields.CATEGORY,
    "tag": fields.TAG,
    "weight": fields.WEIGHT,
    "ignore": fields.IGNORED,
}


def check_encoding(head: bytes, source: str) -> None:
    """Raise where a file is in UTF-16 or UTF-32, which would be read as noise."""
    beginning = head[:BEGINNING]
    if head.startswith(OTHER_MARKS) or 3 * beginning.count(0) > len(beginning):
        raise InputError(
            f"{source}: this is not UTF-8, but looks like UTF-16 or UTF-32. Convert it, for example with "
            "iconv -f UTF-16 -t UTF-8."
        )


class Tabular(Format):
    """Records of named columns. The name of a column is the namespace of its features.

    A word w of a text has the key `name^w`, a category or user v the key `name^v`, and a number the key
    `name` with its value. What is empty is missing, and so is the number 0: no feature.

    Parameters
    ----------
    columns
        What is known of the columns already.
    """

    tells_text: ClassVar[bool] = True

    def __init__(self, columns: Columns | None = None) -> None:
        self.columns = columns or Columns()
        self.names: tuple[str, ...] = ()
        self.codes: Integers = np.zeros(0, np.int64)
        self.places: Integers = np.zeros((0, 2), np.int64)
        self._roles: tuple[str, ...] = ()
        self._front = b""
        # By place in `front`: whether the name of a column of text begins there.
        self._begins_text: Anything = np.zeros(0, np.bool_)
        if self.columns.complete:
            self.settle(list(self.columns.roles), list(self.columns.roles.values()))

    @property
    def roles(self) -> dict[str, str]:
        """Role by column, empty before the first file has begun."""
        return dict(zip(self.names, self._roles, strict=True))

    def excluded(self) -> set[str]:
        """Return the columns that give no features."""
        return {name for name, role in self.roles.items() if role not in FEATURES}

    def words_among(self, text: Bytes, origins: Integers) -> int:
        """Return how many items are from columns of text, whose names stand in `front`."""
        has_column = origins[:, 1] < origins[:, 2]  # a number is a feature of its own name, without another
        return int(self._begins_text[origins[has_column, 1]].sum())

    def settle(self, names: Sequence[str], roles: Sequence[str]) -> None:
        """Take these columns, in this order, for those of all files to come."""
        self.names, self._roles = tuple(names), tuple(roles)
        self.codes = np.array([CODES[role] for role in roles], np.int64)
        written = [name.encode("utf-8", "surrogateescape") for name in names]
        ends = np.cumsum([0, *map(len, written)])
        self._front = b"".join(written)
        self.places = np.ascontiguousarray(np.stack([ends[:-1], ends[1:]], axis=1), np.int64)
        self._begins_text = np.zeros(ends[-1] + 1, np.bool_)  # the last name may be empty
        self._begins_text[self.places[self.codes == fields.TEXT, 0]] = True

    def front(self) -> bytes:
        """Return the names of all columns: there they stand for whoever wants names of features."""
        return self._front

    def compiled_format(self, original: Original, stop: int) -> Any:
        """Return the format as compiled code takes it, for one call."""
        raise NotImplementedError

    def parse(
        self, text: Bytes, start: int, stop: int, recipe: Recipe, items: Items, buffers: RowBuffers
    ) -> Reached:
        """Parse records."""
        original = Original(np.empty(stop - start + SLACK, np.uint8), np.zeros(3, np.int64))
        format = self.compiled_format(original, stop)
        reached = Reached(*parse(format, text, start, stop, recipe, items, buffers))
        if reached.place == original.place[0]:  # the last record did not fit, and will be read again
            put_back(original, text)
        return reached

    def to_json(self) -> dict[str, Any]:
        """Return the columns in order, with their roles."""
        return {"name": self.name, "columns": [list(pair) for pair in self.roles.items()]}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Return the format with columns that `to_json` wrote; labels are not needed."""
        pairs = values.get("columns")
        if not isinstance(pairs, list) or not all(map(_is_pair, pairs)):
            raise ValueError("The columns are not a list of names and roles.")
        roles = dict(pairs)
        if len(roles) < len(pairs):
            raise ValueError("Two columns have the same name.")
        return cls(Columns(roles=roles, labelled=False, complete=True))


def _is_pair(pair: Any) -> bool:
    return isinstance(pair, list) and len(pair) == 2 and all(isinstance(word, str) for word in pair)
