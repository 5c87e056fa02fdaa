"""What the stream asks of a format."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import IO, Any, ClassVar

from kerneltron._types import Bytes, Integers
from kerneltron.engine.text.items import Items, Reached, Recipe, RowBuffers


class Format(ABC):
    """One way to write examples. It is made once for a stream and told of each file that begins.

    Formats with columns know after the first file which columns there are and what role each plays; further
    files must have the same ones.
    """

    name: ClassVar[str]  # as users give it
    endings: ClassVar[tuple[str, ...]]  # of file names, without .gz or .zst
    has_header: bool = False  # whether the first record of a file is not an example, and cannot be left out
    has_costs: ClassVar[bool] = False  # whether costs of actions may stand where labels do
    in_lines: ClassVar[bool] = True  # whether its bytes are lines, so that a file can be cut between them
    quoted_lines: ClassVar[bool] = False  # whether quotes may hide the end of a line
    tells_text: ClassVar[bool] = False  # whether it says which features are words of running text
    _sought: Mapping[str, re.Pattern[bytes]] = {}

    @classmethod
    @abstractmethod
    def recognises(cls, head: bytes) -> bool:
        """Tell from the first bytes of a file whether it may be of this format."""

    def records(self, raw: IO[bytes], source: str, groups: tuple[int, int] | None = None) -> Any:
        """Return the bytes of a file as text that `cut` and `parse` take, if they are not that themselves.

        Of a table in groups of rows, only those that `groups` names, where it does.
        """
        return raw

    def suffices(self, head: bytes) -> bool:
        """Return whether the first records of a file, which are whole, are enough for `begin`."""
        return bool(head.strip())

    def begin(self, head: bytes, source: str) -> int:
        """Take note of the first bytes of a file; return how many of them are a header, not examples.

        `head` is the whole records of the file's first chunk, or as many as `suffices` asks for if that has
        fewer, as long as the file and the limit for a record go. Errors name the `source`.
        """
        return 0

    def front(self) -> bytes:
        """Return bytes that `parse` finds before each chunk, at the beginning of its text."""
        return b""

    def cut(self, text: Bytes, start: int, stop: int) -> int:
        """Return where the last whole record of text[start:stop] ends, `start` if there is none."""
        return last_line_end(text, start, stop)

    @abstractmethod
    def parse(
        self, text: Bytes, start: int, stop: int, recipe: Recipe, items: Items, buffers: RowBuffers
    ) -> Reached:
        """Parse whole records from `start` on, as far as there is room: compiled, without the GIL.

        `text` begins with `front()`, may be written to between `start` and `stop`, has a newline at `stop`
        and SLACK bytes behind it.
        """

    def label(self, text: str) -> str:
        """Return the label that a text stands for: formats whose labels are numbers write each in one way."""
        return text

    def namespaces(self) -> set[str] | None:
        """Return the namespaces that features can have, after a file has begun; None if that is not known."""
        return None

    def excluded(self) -> set[str]:
        """Return names that cannot be namespaces, as they play another role."""
        return set()

    def words_among(self, text: Bytes, origins: Integers) -> int:
        """Return how many items of an example may be words of running text; see `Items` for `origins`."""
        return 0

    def look_for(self, names: Iterable[str]) -> None:
        """Look for namespaces in what `look` is shown, if only the examples can tell which there are."""
        patterns = {name: self.pattern(name) for name in names}
        self._sought = {name: pattern for name, pattern in patterns.items() if pattern is not None}
        self._met: set[str] = set()

    def look(self, text: Bytes, start: int, stop: int) -> None:
        """Look at text that is yet to be parsed; several threads may do so at a time."""
        for name, pattern in self._sought.items():
            if name not in self._met and pattern.search(text.data, start, stop):
                self._met.add(name)

    def unmet(self) -> list[str]:
        """Return the namespaces that were looked for and did not come."""
        return sorted(name for name in self._sought if name not in self._met)

    def pattern(self, name: str) -> re.Pattern[bytes] | None:
        """Return what a namespace looks like in the text; None if `namespaces` knows them all."""
        return None

    def to_json(self) -> dict[str, Any]:
        """Return what must be known to read such files in the same way again: kept with the model."""
        return {"name": self.name}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> "Format":
        """Return the format that `to_json` describes."""
        return cls()


def last_line_end(text: Bytes, start: int, stop: int) -> int:
    """Return the place behind the last line end in text[start:stop], `start` if there is none.

    A carriage return at the very end may be half of a line end, so it is not taken for one.
    """
    window = 1 << 12
    high = stop
    while high > start:
        low = max(start, high - window)
        part = text[low:high].tobytes()
        last = max(part.rfind(b"\n"), part.rfind(b"\r", 0, stop - 1 - low))
        if last >= 0:
            return low + last + 1
        high, window = low, window * 16
    return start


def first_line(head: bytes, comment: bytes = b"") -> bytes:
    """Return the first line that is neither blank nor, if there are such, a comment."""
    for line in head.splitlines():
        if line.strip() and not (comment and line.lstrip().startswith(comment)):
            return line
    return b""
