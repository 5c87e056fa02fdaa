"""What is known of the rows that a pass visits: their labels and weights."""

from typing import NamedTuple, Protocol

import numpy as np

from kerneltron._types import Anything, Floats, Integers, Visits


class Examples(Protocol):
    """Rows with something to learn about them."""

    @property
    def size(self) -> int:
        """Number of rows."""

    def visits(self, chosen: Integers) -> Visits:
        """Return the visits to some rows, in that order, without those of weight 0."""


class Classified(NamedTuple):
    """The label of each row, the sorted classes, a weight per class and perhaps one per row.

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
        codes = np.searchsorted(self.classes, self.y[chosen])
        importance = self.class_weight[codes]
        if self.sample_weight is not None:
            importance *= self.sample_weight[chosen]
        if importance.all():
            return Visits(chosen, codes, importance)
        there = importance > 0
        return Visits(chosen[there], codes[there], importance[there])
