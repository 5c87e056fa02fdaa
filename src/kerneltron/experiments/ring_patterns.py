"""Patterns of molecules that know of rings, as words: what a kernel over strings can compare.

Refinement by Weisfeiler and Lehman does not see how long rings are: here a node is known by its label and by
the rings around it. The n-th occurrence of a pattern is a word of its own, so that an inner product of two
lists of words is the sum of min(count, count') over all patterns: a kernel of optimal assignment (Kriege,
Giscard and Wilson, 2016).
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

ROUNDS = 3
LARGEST = 8  # longer rings are not told from none

Neighbours = list[set[int]]


def ring_patterns(graphs: Sequence[Any]) -> list[list[str]]:
    """Return the words of each graph: a round, a pattern of that round, and which occurrence of it this is.

    Examples
    --------
    >>> ring_patterns([([(0, 1), (1, 2), (2, 0)], [6, 6, 8])])[0][:2] == ring_patterns([([], [6, 6])])[0][:2]
    False
    """
    return [words(edges, labels) for edges, labels in graphs]


def words(edges: Any, labels: Any) -> list[str]:
    """Return the words of one graph."""
    around: Neighbours = [set() for _ in labels]
    for a, b in edges:
        if a != b:
            around[a].add(int(b))
            around[b].add(int(a))
    rings = ring_sizes(around)
    # Python's hash of whole numbers, and of tuples of them, is the same in every process.
    known = [hash((int(label), *sorted(sizes))) for label, sizes in zip(labels, rings, strict=True)]
    found: list[str] = []
    for number in range(ROUNDS + 1):
        if number:
            known = [hash((known[v], *sorted(known[u] for u in near))) for v, near in enumerate(around)]
        count: Counter[int] = Counter()
        for pattern in known:
            count[pattern] += 1
            found.append(f"{number} {pattern} {count[pattern]}")
    return found


def ring_sizes(around: Neighbours) -> list[set[int]]:
    """Return for each node the lengths of the shortest rings through the edges that it has."""
    found: list[set[int]] = [set() for _ in around]
    for a, near in enumerate(around):
        for b in near:
            size = way_round(around, a, b) if a < b else 0
            if size:
                found[a].add(size)
                found[b].add(size)
    return found


def way_round(around: Neighbours, a: int, b: int) -> int:
    """Return the length of the shortest ring through the edge of a and b, 0 if there is no short one."""
    seen, front = {a}, around[a] - {b}
    for size in range(3, LARGEST + 1):
        seen |= front
        front = {u for v in front for u in around[v]} - seen
        if b in front:
            return size
    return 0
