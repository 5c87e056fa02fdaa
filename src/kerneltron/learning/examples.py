"""What is known of the rows that a pass visits: their labels and weights."""

from typing import Any, NamedTuple, Protocol

import numpy as np

from kerneltron._types import Anything, Floats, Integers, Visits
from kerneltron._validate import is_sparse


class Examples(Protocol):
    """Rows with something to learn about them."""

    @property
    def size(self) -> int:
        """Number of rows."""

    def visits(self, chosen: Integers) -> Visits:
        """Return the visits to some rows, in that order, without those of weight 0."""


class Tasks(NamedTuple):
    """One column of labels per task: +1, -1, or 0 where it is not known. Perhaps one weight per row."""

    Y: Any
    sample_weight: Floats | None

    @property
    def size(self) -> int:
        """Number of rows."""
        return int(self.Y.shape[0])

    def visits(self, chosen: Integers) -> Visits:
        """Return the visits to some rows, in that order, without those of weight 0 or without labels."""
        labels = self.Y[chosen].toarray() if is_sparse(self.Y) else self.Y[chosen]
        weight = np.ones(chosen.size) if self.sample_weight is None else self.sample_weight[chosen]
        there = (weight > 0) & labels.any(axis=1)
        return Visits(chosen[there], labels[there], weight[there])


class Classified(NamedTuple):
    """The label of each row, the sorted classes, one weight per class and perhaps one per row.

    Labels are looked up as they are visited: nothing as long as the data is stored.
    """

    y: Anything
    classes: Anything
    class_weight: Floats
    sample_weight: Floats | None

    @property
    def size(self) -> int:
        """Number of rows."""
        return int(self.y.shape[0])

    def visits(self, chosen: Integers) -> Visits:
        """Return the visits to some rows, in that order, without those of weight 0."""
        labels = self.y[chosen]
        if len(self.classes) == 2:  # comparing takes a fifth of the time of looking up
            codes = (labels == self.classes[1]).astype(np.int64)
        else:
            codes = np.searchsorted(self.classes, labels)
        importance = self.class_weight[codes]
        if self.sample_weight is not None:
            importance *= self.sample_weight[chosen]
        if importance.all():
            return Visits(chosen, codes, importance)
        there = importance > 0
        return Visits(chosen[there], codes[there], importance[there])


class Coded(NamedTuple):
    """The code of each row's truth, and what it counts."""

    codes: Integers
    importance: Floats

    @property
    def size(self) -> int:
        """Number of rows."""
        return int(self.codes.size)

    def visits(self, chosen: Integers) -> Visits:
        """Return the visits to some rows, in that order, without those of weight 0."""
        importance = self.importance[chosen]
        if not importance.all():
            chosen, importance = chosen[importance > 0], importance[importance > 0]
        return Visits(chosen, self.codes[chosen], importance)
