"""Small concept classes over n bits, listed completely.

A concept is a set of points, those that it calls positive, and is written as a number: bit p of it belongs to
point p, whose bits are those of the number p.
"""

from collections.abc import Iterable
from functools import cached_property
from itertools import product

import numpy as np

from kerneltron._types import Integers

MOST_BITS = 5  # 2^32 concepts are as many as there may be over 2^5 points: more cannot be listed


class ConceptClass:
    """A finite set of different concepts over the points 0, ..., points - 1.

    Parameters
    ----------
    points
        How many points there are.
    concepts
        The concepts, as numbers; those that are alike count once.

    Attributes
    ----------
    concepts
        The different concepts, sorted.
    positives
        For each point the version space that calls it positive: bit c belongs to `concepts[c]`.

    Examples
    --------
    >>> singletons = ConceptClass(3, [0b001, 0b010, 0b100])
    >>> len(singletons), [bin(space) for space in singletons.positives]
    (3, ['0b1', '0b10', '0b100'])
    """

    def __init__(self, points: int, concepts: Iterable[int]) -> None:
        self.points = points
        self.concepts = sorted(set(concepts))
        if not self.concepts:
            raise ValueError("A concept class needs at least one concept.")
        if self.concepts[0] < 0 or self.concepts[-1] >= 1 << points:
            raise ValueError(f"Concepts over {points} points must be numbers from 0 to {(1 << points) - 1}.")

    def __len__(self) -> int:
        return len(self.concepts)

    @property
    def everything(self) -> int:
        """The version space of all concepts."""
        return (1 << len(self.concepts)) - 1

    @cached_property
    def positives(self) -> list[int]:
        """The version space that calls each point positive."""
        return [
            sum(1 << number for number, concept in enumerate(self.concepts) if concept >> point & 1)
            for point in range(self.points)
        ]

    def bits(self, n: int) -> Integers:
        """Return the points as rows of n bits, for learners.

        Examples
        --------
        >>> conjunctions(2).bits(2).tolist()
        [[0, 0], [1, 0], [0, 1], [1, 1]]
        """
        return np.arange(self.points)[:, None] >> np.arange(n) & 1


def monotone_conjunctions(n: int) -> ConceptClass:
    """Return the conjunctions of some of n bits: 2^n of them, the empty one included.

    Parameters
    ----------
    n
        Number of bits, from 1 to 5; there are 2^n points.

    Examples
    --------
    >>> len(monotone_conjunctions(3))
    8
    """
    bits = _bits(n)
    return _all(n, (_intersection(bits, chosen) for chosen in product((None, True), repeat=n)))


def conjunctions(n: int) -> ConceptClass:
    """Return the conjunctions of literals, bits and their negations: 3^n, and the one that nothing fulfils.

    Parameters
    ----------
    n
        Number of bits, from 1 to 5; there are 2^n points.

    Examples
    --------
    >>> len(conjunctions(3))
    28
    """
    bits = _bits(n)
    return _all(n, [0, *(_intersection(bits, chosen) for chosen in product((None, True, False), repeat=n))])


def decision_lists(n: int) -> ConceptClass:
    """Return the lists "if literal then label, else if literal then label, ..., else label".

    With n = 2 these are all functions but XOR and its negation.

    Parameters
    ----------
    n
        Number of bits, from 1 to 5; there are 2^n points.

    Examples
    --------
    >>> len(decision_lists(2))
    14
    """
    whole = _whole(n)
    labelled = [(literal, literal & label) for literal in _literals(n) for label in (0, whole)]
    known = new = {0, whole}
    while new:
        new = {first | (~literal & rest) for literal, first in labelled for rest in new} - known
        known = known | new
    return _all(n, known)


def decision_trees(n: int, size: int) -> ConceptClass:
    """Return the decision trees with at most `size` tests of a bit.

    Parameters
    ----------
    n
        Number of bits, from 1 to 5; there are 2^n points.
    size
        Most tests in a tree, at least 0; time grows exponentially with it. 2^n - 1 tests express everything.

    Examples
    --------
    >>> [len(decision_trees(2, size)) for size in range(4)]
    [2, 6, 14, 16]
    """
    whole, bits = _whole(n), _bits(n)
    by_size = [{0, whole}]
    for tests in range(1, size + 1):
        pairs = ((by_size[left], by_size[tests - 1 - left]) for left in range(tests))
        branches = [(yes, no) for left, right in pairs for yes in left for no in right]
        by_size.append({(bit & yes) | (~bit & no) for yes, no in branches for bit in bits})
    return _all(n, set().union(*by_size))


def _all(n: int, concepts: Iterable[int]) -> ConceptClass:
    return ConceptClass(1 << n, concepts)


def _whole(n: int) -> int:
    """Return the concept of all points."""
    if not 1 <= n <= MOST_BITS:
        raise ValueError(
            f"n={n} must be from 1 to {MOST_BITS}: classes over more bits are too large to list."
        )
    return (1 << (1 << n)) - 1


def _bits(n: int) -> list[int]:
    """Return the concept of each bit."""
    whole = _whole(n)
    return [sum(1 << point for point in range(whole.bit_length()) if point >> bit & 1) for bit in range(n)]


def _literals(n: int) -> list[int]:
    bits = _bits(n)
    return [*bits, *(_whole(n) & ~bit for bit in bits)]


def _intersection(bits: list[int], chosen: Iterable[bool | None]) -> int:
    """Return the conjunction of the bits that are chosen as they are, or negated; None leaves one out."""
    out = _whole(len(bits))
    for bit, choice in zip(bits, chosen, strict=True):
        if choice is not None:
            out &= bit if choice else ~bit
    return out
