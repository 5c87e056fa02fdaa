"""Which of the vectors that w has been predicts: the last, their average, or one drawn by survival time."""

from copy import copy
from typing import Any, Protocol, Self, TypeVar

import numpy as np

from kerneltron._types import Floats, Integers, Trace, Visits, Weights
from kerneltron.engine.order import last_drawn
from kerneltron.models.late import Source, Start, rearranged
from kerneltron.models.weights import average, current

Tuple = TypeVar("Tuple", Visits, Trace)


class Learning(Protocol):
    """A model that moves its vectors, as a hypothesis sees it."""

    @property
    def weights(self) -> Weights:
        """What it knows now."""

    @property
    def constants(self) -> Weights | None:
        """What it knows of the constant feature, where that is not among the others."""

    def step(self, visits: Visits, trace: Trace) -> Any:
        """Visit some rows, and return the mistakes."""

    def remember(self, order: Integers, moved: Integers) -> Integers:
        """Return the places of the rows `order` among those remembered, which the visits `moved` are."""


class Last:
    """The vector as it is now."""

    def follow(self, model: Learning, visits: Visits, trace: Trace) -> Any:
        """Let the model learn from the visits, watch what it does, and return its mistakes."""
        return model.step(visits, trace)

    def vectors(self, weights: Weights) -> Floats:
        """Return what predicts: a column a class, a row a feature."""
        return current(weights)

    def offsets(self, constants: Weights) -> Floats:
        """Return what predicts beside the vectors, of `Learning.constants`: a column a class, in one row."""
        return self.vectors(constants)

    def copy(self) -> Self:
        """Return a copy that goes its own way."""
        return copy(self)

    def narrow(self, width: int) -> None:
        """Forget features but the first `width` and the constant one, as `models.weights.narrowed` does."""

    def added(self, begins: Start) -> float:
        """Return what the constant feature adds to the scores of a late class that begins like this."""
        return begins.now

    def regroup(self, sources: list[Source], ticks: int, begins: Start) -> None:
        """Rearrange what was kept by column, as `models.weights.regroup` does.

        `ticks` and `begins` are what a late class takes over, and how it begins: see `models.late`.
        """


class Average(Last):
    """The mean of the vectors after each example."""

    def vectors(self, weights: Weights) -> Floats:
        """Return the means."""
        return average(weights)

    def added(self, begins: Start) -> float:
        """Return the mean of what would have been added."""
        return begins.average


class Random(Last):
    """One of the vectors after each example, each as likely as any other."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.seen = 0
        self.drawn: Floats | None = None
        self.drawn_offsets: Floats | None = None  # where the constant feature is not among the others

    def follow(self, model: Learning, visits: Visits, trace: Trace) -> Any:
        """Stop after the tick that is drawn, if it is among these, and copy the vectors there."""
        count = visits.order.size
        split = last_drawn(self.seed, self.seen, count) + 1
        self.seen += count
        mistakes = 0
        if split > 0:
            mistakes = model.step(_part(visits, slice(split)), _part(trace, slice(split)))
            self.drawn = current(model.weights)
            self.drawn_offsets = None if model.constants is None else current(model.constants)
        if split < count:
            mistakes += model.step(_part(visits, slice(split, None)), _part(trace, slice(split, None)))
        return mistakes

    def vectors(self, weights: Weights) -> Floats:
        """Return the drawn ones."""
        return current(weights) if self.drawn is None else self.drawn

    def offsets(self, constants: Weights) -> Floats:
        """Return those that were drawn with the vectors."""
        return current(constants) if self.drawn_offsets is None else self.drawn_offsets

    def narrow(self, width: int) -> None:
        """Forget features of the drawn vectors."""
        if self.drawn is not None:
            self.drawn = np.concatenate([self.drawn[:width], self.drawn[-1:]])

    def regroup(self, sources: list[Source], ticks: int, begins: Start) -> None:
        """Rearrange the drawn vectors; a late class is the mean of those, too."""
        if self.drawn is None:
            return
        if self.drawn_offsets is None:
            self.drawn = rearranged(self.drawn, sources, begins.now)
        else:
            self.drawn = rearranged(self.drawn, sources)
            self.drawn_offsets = rearranged(self.drawn_offsets, sources, begins.now)


def _part(arrays: Tuple, where: slice) -> Tuple:
    return type(arrays)._make(array[where] for array in arrays)
