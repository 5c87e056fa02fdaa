"""Learners that keep every concept that has never been wrong: halving, and the best one there is.

They have the verbs of all learners, `decision_function` and `partial_fit`, so they can play `games.play`.
"""

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np

from kerneltron._types import Floats
from kerneltron.theory.concept_classes import ConceptClass
from kerneltron.theory.worst_cases import Littlestone, split


class VersionSpaceLearner(ABC):
    """Keeps the version space of a concept class over rows of bits, and asks both sides of each point.

    Parameters
    ----------
    concepts
        The class that the truth comes from.

    Attributes
    ----------
    space
        The version space: the concepts that agree with all labels so far.
    classes_
        The labels, -1 and 1.
    """

    def __init__(self, concepts: ConceptClass) -> None:
        self.concepts, self.space = concepts, concepts.everything
        self.classes_ = np.array([-1, 1])

    @abstractmethod
    def strength(self, side: int) -> int:
        """Return how much speaks for a side of the version space."""

    def decision_function(self, X: Any) -> Floats:
        """Return 1 where at least as much speaks for the positive side as for the other, else -1."""
        sides = (split(self.concepts, self.space, point) for point in _points(X))
        return np.array([1.0 if self.strength(yes) >= self.strength(no) else -1.0 for yes, no in sides])

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Give up the concepts that disagree; labels are -1 and 1."""
        space = self.space
        for point, label in zip(_points(X), y, strict=True):
            positive, negative = split(self.concepts, space, point)
            space = positive if label > 0 else negative
        if not space:
            raise ValueError("No concept of the class agrees with all labels.")
        self.space = space
        return self


class Halving(VersionSpaceLearner):
    """Predicts what most of the version space says: each mistake leaves at most half of it.

    Examples
    --------
    >>> from kerneltron.theory.concept_classes import conjunctions
    >>> Halving(conjunctions(2)).decision_function([[1, 1]])
    array([-1.])
    """

    def strength(self, side: int) -> int:
        """Return the number of concepts."""
        return side.bit_count()


class Optimal(VersionSpaceLearner):
    """Predicts the side from which more mistakes could still come: no learner has a better worst case.

    Littlestone's standard optimal algorithm.
    """

    def __init__(self, concepts: ConceptClass) -> None:
        super().__init__(concepts)
        self._littlestone = Littlestone(concepts)

    def strength(self, side: int) -> int:
        """Return its Littlestone dimension."""
        return self._littlestone.dimension(side)


def _points(X: Any) -> list[int]:
    """Return the numbers of points, given as rows of bits."""
    rows = np.asarray(X).astype(np.int64)
    return [int(point) for point in rows @ (1 << np.arange(rows.shape[1]))]
