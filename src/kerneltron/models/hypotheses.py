"""Which of the vectors that w has been predicts: the last, their average, or one drawn by survival time."""

from collections.abc import Callable
from copy import copy
from typing import Self, TypeVar

import numpy as np

from kerneltron._types import Floats, Rows, Trace, Visits, Weights
from kerneltron.engine.order import last_drawn
from kerneltron.models.weights import Source, average, current

Tuple = TypeVar("Tuple", Visits, Trace)
Step = Callable[[Visits, Trace], int]


class Last:
    """The vector as it is now."""

    def begin(self, rows: Rows) -> None:
        """Get ready for the rows of one call; `follow` is then handed visits to these."""

    def follow(self, step: Step, weights: Weights, visits: Visits, trace: Trace) -> int:
        """Let `step` learn from the visits, watch what it does, and return its mistakes."""
        return step(visits, trace)

    def finish(self) -> None:
        """Let go of the rows of this call."""

    def vectors(self, weights: Weights) -> Floats:
        """Return what predicts: a column a class, the last row for the constant feature."""
        return current(weights)

    def copy(self) -> Self:
        """Return a copy that goes its own way."""
        return copy(self)

    def regroup(self, sources: list[Source], fresh: Weights) -> None:
        """Rearrange what was kept by column, as `models.weights.regroup` does."""


class Average(Last):
    """The mean of the vectors after each example."""

    def vectors(self, weights: Weights) -> Floats:
        """Return the means."""
        return average(weights)


class Random(Last):
    """One of the vectors after each example, each as likely as any other."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.seen = 0
        self.drawn: Floats | None = None

    def follow(self, step: Step, weights: Weights, visits: Visits, trace: Trace) -> int:
        """Stop after the tick that is drawn, if it is among these, and copy the vectors there."""
        count = visits.order.size
        split = last_drawn(self.seed, self.seen, count) + 1
        self.seen += count
        mistakes = 0
        if split > 0:
            mistakes = step(_part(visits, slice(split)), _part(trace, slice(split)))
            self.drawn = current(weights)
        if split < count:
            mistakes += step(_part(visits, slice(split, None)), _part(trace, slice(split, None)))
        return mistakes

    def vectors(self, weights: Weights) -> Floats:
        """Return the drawn ones."""
        return current(weights) if self.drawn is None else self.drawn

    def regroup(self, sources: list[Source], fresh: Weights) -> None:
        """Rearrange the drawn vectors; a new class is drawn as it begins."""
        if self.drawn is not None:
            new = current(fresh)[:, 0]
            columns = [
                self.drawn[:, c] * self.drawn.dtype.type(sign) if c >= 0 else new for c, sign in sources
            ]
            self.drawn = np.stack(columns, axis=1)


def _part(arrays: Tuple, where: slice) -> Tuple:
    return type(arrays)._make(array[where] for array in arrays)
