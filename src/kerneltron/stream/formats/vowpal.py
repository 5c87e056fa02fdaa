"""Vowpal Wabbit's text format."""

import re
from typing import ClassVar

from kerneltron._types import Bytes, Integers
from kerneltron.engine.text import vowpal
from kerneltron.engine.text.items import Items, Reached, Recipe, RowBuffers
from kerneltron.engine.text.records import parse
from kerneltron.stream.formats.format import Format, first_line
from kerneltron.stream.labels import canonical

LETTER = re.compile(rb"[A-Za-z\x80-\xff]")


class Vowpal(Format):
    """Lines `label weight 'tag|namespace:scale name:value name ...`; all but the bar may be missing.

    A name in a namespace has the key `namespace^name`, else its key is itself.
    """

    name: ClassVar[str] = "vw"
    endings: ClassVar[tuple[str, ...]] = (".vw", ".dat")
    has_costs: ClassVar[bool] = True

    @classmethod
    def recognises(cls, head: bytes) -> bool:
        """Return whether the first line has a bar, behind at most a label, a weight and a tag."""
        before, bar, _ = first_line(head).partition(b"|")
        return bool(bar) and len(before.split()) <= 3 and b"," not in before

    def label(self, text: str) -> str:
        """Return a number in one way of writing; text may be a label too."""
        return canonical(text)

    def pattern(self, name: str) -> re.Pattern[bytes]:
        """Return a bar with the namespace behind it."""
        return re.compile(rb"\|" + re.escape(name.encode("utf-8", "surrogateescape")) + rb"(?=[\s:|]|$)")

    def words_among(self, text: Bytes, origins: Integers) -> int:
        """Return how many names have a letter, and no value behind them."""
        plain = origins[text[origins[:, 4]] != vowpal.COLON]
        return sum(LETTER.search(text[a:b].tobytes()) is not None for a, b in plain[:, 3:].tolist())

    def parse(
        self, text: Bytes, start: int, stop: int, recipe: Recipe, items: Items, buffers: RowBuffers
    ) -> Reached:
        """Parse lines."""
        return Reached(*parse(vowpal.Vowpal(), text, start, stop, recipe, items, buffers))
