"""Packs as pieces of about one size, kept for as long as the packs stay as they are.

A learner that is handed one example at a time compares it with all that it remembers. To cut and join the
same packs for each of them would take longer than the comparison.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from kerneltron.kernels.pack import Pack

Span: TypeAlias = (
    "tuple[Pack, int, int]"  # a pack, and which of its examples: from the first to before the last
)


class Pieces:
    """The examples of packs, at most a given number at a time; what the packs still have is not made anew.

    It is not part of the state: a copy may share it, and a pickle has an empty one.
    """

    def __init__(self) -> None:
        self._made: dict[tuple[Any, ...], tuple[list[Span], Pack]] = {}
        self._last: tuple[int, list[Pack], list[Pack]] = (0, [], [])  # what was asked for, and the answer

    def __reduce__(self) -> tuple[Any, ...]:
        return Pieces, ()

    def of(self, packs: "Sequence[Pack]", most: int) -> "list[Pack]":
        """Return the examples of all packs in order, at most `most` at a time; small packs are joined."""
        most_before, packs_before, pieces = self._last
        if most == most_before and packs == packs_before:
            return pieces
        before, made = self._made, {}
        for spans in _grouped(packs, most):
            key = tuple((id(pack), first, end) for pack, first, end in spans)
            made[key] = before.get(key) or (spans, _joined(spans))  # the spans keep their packs alive
        pieces = [piece for _, piece in made.values()]
        self._made, self._last = made, (most, list(packs), pieces)
        return pieces


def _grouped(packs: "Sequence[Pack]", most: int) -> Iterator[list[Span]]:
    """Yield the parts of the packs that make one piece each."""
    spans: list[Span] = []
    size = 0
    for pack in packs:
        for first in range(0, len(pack), most):
            end = min(first + most, len(pack))
            if spans and size + end - first > most:
                yield spans
                spans, size = [], 0
            spans.append((pack, first, end))
            size += end - first
    if spans:
        yield spans


def _joined(spans: list[Span]) -> "Pack":
    packs = [pack if end - first == len(pack) else pack[first:end] for pack, first, end in spans]
    return type(packs[0]).join(packs)
