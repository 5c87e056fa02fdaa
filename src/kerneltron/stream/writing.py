"""Examples as lines of text, in formats that name each feature.

What a format cannot hold is refused: a name that was changed would be another feature.
"""

import json
import re
from abc import ABC, abstractmethod
from functools import lru_cache
from typing import Any, ClassVar, NoReturn

import numpy as np

from kerneltron.engine.text.alphabet import TO_LOWER
from kerneltron.engine.text.hashing import hash_texts
from kerneltron.stream.errors import InputError
from kerneltron.stream.labels import canonical
from kerneltron.stream.spelling import Spelled

LOOSE = -1  # the section of names that never had a namespace
BLANKS = re.compile(rb"[ \t\r\n]")
BLANKS_AND_BARS = re.compile(rb"[ \t\r\n|]")
Part = tuple[bytes, bytes, str, bool]  # namespace, name, value as it is written, whether a section begins


class ExampleWriter(ABC):
    """Writes examples one by one.

    Parameters
    ----------
    replacement
        What to write in place of each character that a name cannot have; None refuses such names.
    """

    name: ClassVar[str]
    strange: ClassVar[re.Pattern[bytes]] = BLANKS  # what parts of a line cannot hold

    def __init__(self, replacement: str | None = None) -> None:
        self.replacement = None if replacement is None else replacement.encode()
        if self.replacement is not None and self.strange.search(self.replacement):
            raise ValueError(f"the replacement {replacement!r} cannot stand in {self.name} either.")
        self._labels: dict[str, str] = {}

    @abstractmethod
    def line(self, example: Spelled) -> bytes:
        """Return an example as a line; raise an InputError if it cannot be one."""

    def check_apart(self, example: Spelled) -> None:
        """Raise if the label is a number that a label before was too, written in another way.

        Where labels are numbers both would be one class when they are read.
        """
        first = self._labels.setdefault(canonical(example.label), example.label)
        if first != example.label:
            refuse(
                example,
                f"{self.name} cannot tell the labels {first!r} and {example.label!r} apart, which are one "
                "number: rename one, or convert to jsonl",
            )

    def held(
        self, text: bytes, example: Spelled, what: str, strange: re.Pattern[bytes] | None = None
    ) -> bytes:
        """Return a text as the format can hold it."""
        pattern = strange or self.strange
        found = pattern.search(text)
        if found is None:
            return text
        if self.replacement is None:
            refuse(
                example,
                f"{self.name} cannot hold {found[0].decode()!r}, which the {what} {shown(text)} has: give "
                "`replacement='_'` to write another character there, or convert to jsonl",
            )
        replacement = self.replacement
        return pattern.sub(lambda _: replacement, text)


class VowpalWriter(ExampleWriter):
    """Vowpal Wabbit's text: names hold neither blanks nor ':' nor '|'. Without a label there is no weight."""

    name: ClassVar[str] = "vw"
    strange: ClassVar[re.Pattern[bytes]] = re.compile(rb"[ \t\r\n:|]")

    def line(self, example: Spelled) -> bytes:
        """Return `label weight 'tag|namespace name:value ...`."""
        words = []
        if example.label:
            self.check_apart(example)
            words.append(self.held(_label(example), example, "label", BLANKS_AND_BARS))
            if words[0].startswith(b"'"):
                refuse(example, "in vw a label cannot begin with a quote, which marks tags")
            if _weight(example) != "1":
                words.append(_weight(example).encode())
        tag = _tag(example)
        head = b" ".join([*words, b"'" + self.held(tag, example, "tag", BLANKS_AND_BARS) if tag else b""])
        sections = []
        for namespace, name, value, begins in parts(example):
            if begins:
                sections.append(b"|" + self.held(namespace, example, "namespace"))
            if not name:
                refuse(example, "vw cannot hold a feature whose name is empty: convert to jsonl")
            held = self.held(name, example, "name")
            sections.append(held if value == "1" else held + b":" + value.encode())
        return head + (b" ".join(sections) or b"|") + b"\n"


class SvmlightWriter(ExampleWriter):
    """Lines `label index:value ... # tag`: names are whole numbers, without namespaces and weights."""

    name: ClassVar[str] = "svmlight"
    strange: ClassVar[re.Pattern[bytes]] = re.compile(rb"[ \t\r\n:#]")

    def line(self, example: Spelled) -> bytes:
        """Return the line."""
        if not example.label:
            refuse(example, "svmlight needs a label")
        if _weight(example) != "1":
            refuse(example, "svmlight has no weights of examples: convert to vw or jsonl")
        self.check_apart(example)
        words = [self.held(_label(example), example, "label")]
        for namespace, name, value, _ in parts(example):
            if namespace or not name.isdigit():
                whole = b"^".join(filter(None, (namespace, name)))
                refuse(example, f"svmlight has whole numbers for names, not {shown(whole)}: convert to vw")
            words.append(name + b":" + value.encode())
        tag = _tag(example)
        return b" ".join([*words, *([b"# " + b" ".join(tag.split())] if tag else [])]) + b"\n"


class JsonWriter(ExampleWriter):
    """JSON objects with label, tag and weight; a namespace is a list of words, or an object of values.

    A list keeps the order of words, which word groups need. It is written where all values are 1 and no word
    would change its case when it is read. Features without a namespace are numbers beside the label.
    """

    name: ClassVar[str] = "jsonl"
    strange: ClassVar[re.Pattern[bytes]] = re.compile(rb"(?!)")  # it holds everything

    # Keys that are read as something else than features; the second ones only if they have no namespace.
    TAKEN: ClassVar[tuple[str, ...]] = ("label", "tag", "id", "weight", "importance")
    TELLING: ClassVar[tuple[str, ...]] = ("text", "user", "user_id", "userid")

    def __init__(self, replacement: str | None = None) -> None:
        super().__init__(replacement)
        self._namespaces: set[str] = set()
        self._features: set[str] = set()  # those without a namespace

    def line(self, example: Spelled) -> bytes:
        """Return the line; the label is there even if it is null, so that no other key is taken for it."""
        found: dict[str, Any] = {"label": self._key(_label(example), example) or None}
        if example.window.tags[0]:
            found["tag"] = self._key(_tag(example), example)
        if _weight(example) != "1":
            found["weight"] = _number(_weight(example))
        spaces: dict[str, list[tuple[str, Any]]] = {}
        for namespace, name, value, _ in parts(example):
            text = self._key(name, example)
            if namespace:
                spaces.setdefault(self._key(namespace, example), []).append((text, _number(value)))
            else:
                self._check(text, example, (*self.TAKEN, *self.TELLING), self._namespaces)
                self._features.add(text)
                found[text] = found.get(text, 0) + _number(value)
        for space, words in spaces.items():
            self._check(space, example, self.TAKEN, self._features)
            self._namespaces.add(space)
            found[space] = _values(words)
        return json.dumps(found, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"

    def _key(self, text: bytes, example: Spelled) -> str:
        try:
            return text.decode()
        except UnicodeDecodeError:
            refuse(example, f"jsonl holds Unicode only, and {shown(text)} is not UTF-8: convert to vw")

    def _check(self, key: str, example: Spelled, taken: tuple[str, ...], others: set[str]) -> None:
        is_double = key in others
        if key.strip().lower() in taken or is_double:
            why = "is a namespace and a feature" if is_double else "would be read as something else"
            refuse(example, f"in jsonl the key {key!r} {why}: rename it, or convert to vw")


WRITERS: dict[str, type[ExampleWriter]] = {
    writer.name: writer for writer in (VowpalWriter, SvmlightWriter, JsonWriter)
}


def parts(example: Spelled) -> list[Part]:
    """Return the features of an example in their order.

    A section begins where a namespace is opened. Names that never had one, as numbers in columns, stand
    together in one section.
    """
    found: list[Part] = []
    before, namespace = -2, b""
    view = example.text.data
    keys, values = example.items.keys.tolist(), example.items.values.tolist()
    for key, (_, begin, end, start, stop), value in zip(
        keys, example.items.origins.tolist(), values, strict=True
    ):
        section = LOOSE if begin == end == start else begin
        begins = section != before
        if begins:
            before, namespace = section, bytes(view[begin:end])
        name = bytes(view[start:stop])
        if not namespace and section != LOOSE and _key(name) != key:
            name = b"^" + name  # of a column whose name is empty
        found.append((namespace, name, _written(value), begins))
    return found


def refuse(example: Spelled, reason: str) -> NoReturn:
    """Raise an InputError that names the line."""
    raise InputError(f"{example.source}, line {example.line}: {reason}.")


def shown(text: bytes) -> str:
    """Return a name as an error shows it."""
    return repr(text.decode("utf-8", "replace")[:60])


def _label(example: Spelled) -> bytes:
    return example.label.encode("utf-8", "surrogateescape")


def _tag(example: Spelled) -> bytes:
    return example.window.tags[0].encode("utf-8", "surrogateescape")


def _weight(example: Spelled) -> str:
    return _written(float(example.window.importance[0]))


@lru_cache(maxsize=1 << 16)
def _key(name: bytes) -> int:
    return int(hash_texts([name])[0])


@lru_cache(maxsize=1 << 12)  # most values are counts of words
def _written(value: float) -> str:
    """Return the shortest text that single precision reads as this number."""
    return str(np.float32(value)).removesuffix(".0")


def _number(written: str) -> float | int:
    value = float(written)
    return int(value) if value == int(value) and abs(value) < 2**53 else value


def _values(words: list[tuple[str, Any]]) -> Any:
    if all(value == 1 and word and word == word.translate(TO_LOWER).strip() for word, value in words):
        return [word for word, _ in words]
    total: dict[str, Any] = {}
    for word, value in words:
        total[word] = total.get(word, 0) + value
    return total
