"""What a pattern says of one label, and what becomes of labels and words before they are compared."""

import re
from collections.abc import Callable, Iterable, Mapping
from numbers import Real
from typing import Any, NamedTuple, TypeAlias

ANY = "*"
GAP = "..."
PIECE = re.compile(r'"((?:[^"]|"")*)"|([*|])|([^"*|]+)')  # quoted, a sign, or letters that mean themselves

Mapped: TypeAlias = Callable[[Any], Any] | Mapping[Any, Any] | None


class Label(NamedTuple):
    """Alternatives, each a tuple of texts with anything between them: ("VB", "") stands for VB*."""

    alternatives: tuple[tuple[str, ...], ...]

    @property
    def takes_all(self) -> bool:
        """Whether every label will do."""
        return any(len(pieces) > 1 and not any(pieces) for pieces in self.alternatives)


def read_label(text: str) -> tuple[Label, int]:
    """Return what a text such as NN|VB* says of a label, and the first place where it goes wrong, or -1.

    Examples
    --------
    >>> read_label('NN|VB*|"*"')
    (Label(alternatives=(('NN',), ('VB', ''), ('*',))), -1)
    """
    alternatives, begins = [[""]], [0]
    for match in PIECE.finditer(text):
        quoted, sign, letters = match.groups()
        if sign == "|":
            alternatives.append([""])
            begins.append(match.end())
        elif sign == ANY:
            alternatives[-1].append("")
        else:
            alternatives[-1][-1] += letters if quoted is None else quoted.replace('""', '"')
    ends = [begin - 1 for begin in begins[1:]] + [len(text)]
    empty = [begin for begin, end in zip(begins, ends, strict=True) if begin == end]
    return Label(tuple(map(tuple, alternatives))), min(empty, default=-1)


class Index:
    """Many labels of patterns, to find those that a text fits; the ones without a star are looked up."""

    def __init__(self, labels: Iterable[Label], lowercase: bool = False) -> None:
        self._exact: dict[str, set[int]] = {}
        self._others: dict[tuple[str, ...], set[int]] = {}
        for number, label in enumerate(labels):
            for given in label.alternatives:
                pieces = tuple(piece.lower() for piece in given) if lowercase else given
                if len(pieces) == 1:
                    self._exact.setdefault(pieces[0], set()).add(number)
                else:
                    self._others.setdefault(pieces, set()).add(number)

    def fitting(self, text: str) -> set[int]:
        """Return the numbers of the labels that a text fits.

        Examples
        --------
        >>> Index([read_label("VB*")[0], read_label("NN|VBD")[0], read_label("*")[0]]).fitting("VBD")
        {0, 1, 2}
        """
        stars = (numbers for pieces, numbers in self._others.items() if _fits(pieces, text))
        return self._exact.get(text, set()).union(*stars)


def _fits(pieces: tuple[str, ...], text: str) -> bool:
    """Return whether the pieces stand in the text in this order, the first and the last at its ends."""
    first, *between, last = pieces
    place, end = len(first), len(text) - len(last)
    if place > end or not (text.startswith(first) and text.endswith(last)):
        return False
    for piece in between:  # the leftmost place leaves most room for the rest
        place = text.find(piece, place, end)
        if place < 0:
            return False
        place += len(piece)
    return True


class Abstraction(NamedTuple):
    """What words and labels become before they are compared."""

    lemma: Mapped
    abstract: Mapped
    lowercase: bool

    def check(self) -> None:
        """Raise unless the functions are some."""
        for name in ("lemma", "abstract"):
            value = getattr(self, name)
            if not (value is None or callable(value) or isinstance(value, Mapping)):
                raise TypeError(f"{name}={value!r} must be a function, a dict, or None.")

    def word(self, word: Any) -> str:
        """Return what a word is compared as."""
        text = written(word)
        text = _mapped("lemma", self.lemma, text.lower() if self.lowercase else text)
        return text.lower() if self.lowercase else text

    def label(self, label: Any) -> str:
        """Return what a label is compared as."""
        return _mapped("abstract", self.abstract, label)


def _mapped(name: str, function: Mapped, value: Any) -> str:
    if function is None:
        return written(value)
    result = function.get(value, value) if isinstance(function, Mapping) else function(value)
    if not isinstance(result, str | bytes | Real):
        raise TypeError(f"{name} makes {result!r} of {value!r}: it must return a text.")
    return written(result)


def written(label: Any) -> str:
    """Return a label as text: whole numbers without a point."""
    if isinstance(label, bytes):
        return label.decode("latin-1")
    if isinstance(label, Real) and not isinstance(label, bool) and float(label).is_integer():
        return str(int(float(label)))
    return str(label)
