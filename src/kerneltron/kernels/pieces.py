"""Packs as pieces of about one size, kept for as long as the packs stay as they are.

A learner that is handed one example at a time compares it with all that it remembers. To cut and join the
same packs for each of them would take longer than the comparison.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from kerneltron.kernels.pack import Pack

Span: TypeAlias = (
    "tuple[Pack, int, int]"  # a pack, and which of its examples: from the first to before the last
)
Made: TypeAlias = "tuple[int, list[Pack], dict[tuple[Any, ...], tuple[list[Span], Pack]]]"


class Pieces:
    """The examples of packs, at most a given number at a time; what the packs still have is not made anew.

    It is not part of the state: a copy may share it, and a pickle has an empty one.

    Parameters
    ----------
    before
        Those of the packs before some were added.
    added
        The packs that were added.
    """

    def __init__(self, before: "Pieces | None" = None, added: "Sequence[Pack]" = ()) -> None:
        # For how many at a time, of which packs, and the pieces; replaced at once, as threads may share it.
        self._made: Made = (0, [], {}) if before is None else before._made
        # Packs that were added since these pieces were made.
        self._added: list[Pack] = [*added] if before is None else [*before._added, *added]

    def __reduce__(self) -> tuple[Any, ...]:
        return Pieces, ()

    def of(self, packs: "Sequence[Pack]", most: int) -> "list[Pack]":
        """Return the examples of all packs in order, at most `most` at a time; small packs are joined."""
        most_before, packs_before, pieces = before = self._made
        if most != most_before or packs != packs_before:
            groups = _grouped(packs, most)
            keys = [tuple((id(pack), first, end) for pack, first, end in spans) for spans in groups]
            found = {
                key: pieces.get(key) or (spans, _joined(spans))  # the spans keep their packs alive
                for key, spans in zip(keys[:-1], groups[:-1], strict=True)
            }
            if groups:
                last = pieces.get(keys[-1])
                grown = None if last or most != most_before else _extended(before, self._added, keys, groups)
                found[keys[-1]] = last or (groups[-1], grown or _joined(groups[-1]))
            pieces, self._made, self._added = found, (most, list(packs), found), []
        return [piece for _, piece in pieces.values()]


def _extended(before: Made, added: "list[Pack]", keys: list[Any], groups: list[list[Span]]) -> "Pack | None":
    """Return the last piece where it is the one before with the packs that were added; else None.

    A learner that is handed one example at a time would otherwise copy up to `most` of them for each.
    """
    known = list(before[2])
    if not added or len(known) != len(keys) or keys[:-1] != known[:-1]:
        return None
    last = before[2][known[-1]][1]
    size = sum(end - first for _, first, end in groups[-1])
    return last.extended(added) if size == len(last) + sum(map(len, added)) else None


def _grouped(packs: "Sequence[Pack]", most: int) -> list[list[Span]]:
    """Return the parts of the packs that make one piece each."""
    groups: list[list[Span]] = []
    size = most
    for pack in packs:
        count = len(pack)
        for first in range(0, count, most):
            end = min(first + most, count)
            if size + end - first > most:
                groups.append([])
                size = 0
            groups[-1].append((pack, first, end))
            size += end - first
    return groups


def _joined(spans: list[Span]) -> "Pack":
    packs = [pack if end - first == len(pack) else pack[first:end] for pack, first, end in spans]
    return type(packs[0]).join(packs)
