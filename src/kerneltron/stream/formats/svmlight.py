"""The svmlight format."""

import re
from typing import ClassVar

from kerneltron._types import Bytes
from kerneltron.engine.text import svmlight
from kerneltron.engine.text.items import Items, Reached, Recipe, RowBuffers
from kerneltron.engine.text.records import parse
from kerneltron.stream.formats.format import Format, first_line
from kerneltron.stream.labels import canonical

LINE = re.compile(rb"\s*[^\s:|,{]+(\s+qid:\d+)?(\s+\d+:[-+.0-9eE]+)*\s*(#.*)?$")


class Svmlight(Format):
    """Lines `label index:value index:value ... # comment`; an index is hashed as the name that it is.

    Features have no order: there are no groups of neighbouring ones.
    """

    name: ClassVar[str] = "svmlight"
    endings: ClassVar[tuple[str, ...]] = (".svm", ".svmlight", ".libsvm")

    @classmethod
    def recognises(cls, head: bytes) -> bool:
        """Return whether the first line has only a label and numbered features."""
        line = first_line(head, comment=b"#")
        return b":" in line and LINE.match(line) is not None

    def label(self, text: str) -> str:
        """Return a number in one way of writing; text may be a label too."""
        return canonical(text)

    def pattern(self, name: str) -> re.Pattern[bytes]:
        """Return what matches nothing: features have no namespaces."""
        return re.compile(b"(?!)")

    def parse(
        self, text: Bytes, start: int, stop: int, recipe: Recipe, items: Items, buffers: RowBuffers
    ) -> Reached:
        """Parse lines."""
        return Reached(*parse(svmlight.Svmlight(), text, start, stop, recipe, items, buffers))
