"""How many mistakes a finite concept class can cost, computed by looking at everything that can happen.

An adversary shows points and calls predictions wrong, as long as some concept agrees with all labels so far;
those that do are the version space. With M the worst-case number of mistakes,

    VC dimension  <=  M of the best learner  <=  M of halving  <=  log2 |C|.

Littlestone, Learning quickly when irrelevant attributes abound (1988): the best learner's M is the depth of
the deepest complete tree of points whose every path is labelled by some concept.
"""

from collections.abc import Iterator
from functools import cache

from kerneltron.theory.concept_classes import ConceptClass


def vc_dimension(concepts: ConceptClass) -> int:
    """Return the size of the largest set of points that is labelled in all 2^size ways.

    Parameters
    ----------
    concepts
        The concept class; the search is exhaustive, so a small one.

    Examples
    --------
    >>> from kerneltron.theory.concept_classes import monotone_conjunctions
    >>> vc_dimension(monotone_conjunctions(3))
    3
    """
    return _largest_shattered(concepts, [concepts.everything], 0)


def _largest_shattered(concepts: ConceptClass, spaces: list[int], first: int) -> int:
    """Return how many of the points from `first` on can be added to a set with these version spaces."""
    if any(space & (space - 1) == 0 for space in spaces):  # a single concept labels no point in both ways
        return 0
    best = 0
    for point in range(first, concepts.points):
        sides = [side for space in spaces for side in split(concepts, space, point)]
        if all(sides):
            best = max(best, 1 + _largest_shattered(concepts, sides, point + 1))
    return best


def optimal_mistakes(concepts: ConceptClass) -> int:
    """Return the mistakes that the best learner cannot avoid: the class's Littlestone dimension.

    Parameters
    ----------
    concepts
        The concept class; the search is exhaustive, so a small one.

    Examples
    --------
    >>> from kerneltron.theory.concept_classes import monotone_conjunctions
    >>> optimal_mistakes(monotone_conjunctions(3))
    3
    """
    return Littlestone(concepts).dimension(concepts.everything)


class Littlestone:
    """The Littlestone dimensions of the version spaces of a class, remembered once they are known.

    That of the empty space is -1, that of a single concept 0. It is at least k + 1, for k >= 0, if and only
    if some point splits the space into two whose dimensions are at least k.
    """

    def __init__(self, concepts: ConceptClass) -> None:
        self._concepts = concepts
        self._reaches = cache(self._has_tree)

    def dimension(self, space: int) -> int:
        """Return the dimension of a version space."""
        depth = -1
        while self._reaches(space, depth + 1):
            depth += 1
        return depth

    def _has_tree(self, space: int, depth: int) -> bool:
        if space.bit_count() < 1 << depth:  # each of the 2^depth paths needs a concept of its own
            return False
        return depth == 0 or any(
            all(self._reaches(side, depth - 1) for side in sorted(sides, key=int.bit_count))
            for _, sides in splits(self._concepts, space)
        )


def halving_mistakes(concepts: ConceptClass) -> int:
    """Return the worst-case mistakes of halving, which predicts what most of the version space says.

    A tie is predicted positive. Every mistake leaves at most half of the concepts.

    Parameters
    ----------
    concepts
        The concept class; the search is exhaustive, so a small one.

    Examples
    --------
    >>> from kerneltron.theory.concept_classes import monotone_conjunctions
    >>> halving_mistakes(monotone_conjunctions(3))
    3
    """

    @cache
    def worst(space: int) -> int:
        best, most = 0, space.bit_count().bit_length() - 1
        for _, (positive, negative) in splits(concepts, space):
            is_right_positive = positive.bit_count() >= negative.bit_count()
            right, wrong = (positive, negative) if is_right_positive else (negative, positive)
            best = max(best, 1 + worst(wrong))
            if best == most:
                break
            if right.bit_count().bit_length() - 1 > best:
                best = max(best, worst(right))
        return best

    return worst(concepts.everything)


def splits(concepts: ConceptClass, space: int) -> Iterator[tuple[int, tuple[int, int]]]:
    """Yield each point that a version space disagrees about, with its sides."""
    for point in range(concepts.points):
        sides = split(concepts, space, point)
        if all(sides):
            yield point, sides


def split(concepts: ConceptClass, space: int, point: int) -> tuple[int, int]:
    """Return those that call a point positive, and the others."""
    positive = space & concepts.positives[point]
    return positive, space ^ positive
