"""All patterns over rows of labelled nodes at once, a bit for each place that one of them can have reached.

Neighbours are read from left to right. A row of k sought nodes has the places 0 to k; place j is reached when
the first j are found, and is kept while "..." stands there. One shift moves all rows on, as in the Shift-And
method (Navarro and Raffinot 2002, Flexible Pattern Matching in Strings, chapter 4): a node costs
O(bits / 64), whatever gaps there are.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from kerneltron.features._patterns.labels import Abstraction, Index, Label

NODE, WORD, CHUNK = "node", "word", "chunk"


class Sought(NamedTuple):
    """A node that a pattern asks for: a label, the kind of node, and the row of its children.

    None in a row stands for any number of nodes. Where there is no row, nothing is said of the children.
    """

    label: Label
    kind: str  # NODE is any
    row: "Sequence[Sought | None] | None" = None


class Masks(NamedTuple):
    """What a node with one label can be: `found` anyhow, `if_reached` where its children reach these ends."""

    found: int
    if_reached: int


class Automaton:
    """Looks for sought nodes; those in `tops` are numbered, and have these bits."""

    def __init__(self, tops: Sequence[Sought], rows: Sequence[Sequence[Sought | None]], means: Abstraction):
        self._means = means
        self._bits: list[tuple[Sought, int, int]] = []  # with its own bit, and the end of its children's row
        self._owners: dict[int, int] = {}  # the bit of the node by the end of its row
        self._masks: dict[tuple[Any, str], Masks] = {}
        self.begins = self.loops = 0  # the places where rows begin, and those where "..." stands
        self._free = len(tops)
        todo = [(sought, 1 << number) for number, sought in enumerate(tops)]
        self.ends = [self._add_row(row, todo) for row in rows]
        while todo:
            sought, bit = todo.pop()
            end = 0 if sought.row is None else self._add_row(sought.row, todo)
            self._bits.append((sought, bit, end))
            self._owners[end] = bit
        labels = [sought.label for sought, _, _ in self._bits]
        self._of_words = Index(labels, means.lowercase)
        self._of_labels = Index(labels)

    def _add_row(self, row: Sequence[Sought | None], todo: list[tuple[Sought, int]]) -> int:
        """Give bits to the places of a row; return that of its end."""
        place = 1 << self._free
        self.begins |= place
        for sought in row:
            if sought is None:
                self.loops |= place
            else:
                place <<= 1
                todo.append((sought, place))
        self._free = place.bit_length()
        return place

    def read(self, nodes: Iterable[int], places: int) -> int:
        """Return the places that are reached from `places` by these neighbours, each what was found there."""
        loops = self.loops
        for found in nodes:
            places = (places << 1) & found | places & loops
        return places

    def found(self, label: Any, kind: str, reached: int) -> int:
        """Return which sought nodes a node is, with the places that its children have reached."""
        masks = self._masks.get((label, kind))
        if masks is None:
            masks = self._masks[label, kind] = self._look_up(label, kind)
        found, ends = masks.found, reached & masks.if_reached
        if ends:
            for end in bits_of(ends):
                found |= self._owners[end]
        return found

    def _look_up(self, label: Any, kind: str) -> Masks:
        if kind == WORD:
            numbers = self._of_words.fitting(self._means.word(label))
        else:
            numbers = self._of_labels.fitting(self._means.label(label))
        found = if_reached = 0
        for sought, bit, end in (self._bits[number] for number in numbers):
            if sought.kind in (NODE, kind):
                found |= 0 if end else bit
                if_reached |= end
        return Masks(found, if_reached)


def bits_of(mask: int) -> Iterator[int]:
    """Yield the bits that are set, from the lowest."""
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit
