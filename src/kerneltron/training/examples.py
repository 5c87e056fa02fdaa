"""Labelled rows as a pass takes them."""

from typing import NamedTuple

import numpy as np

from kerneltron._types import Anything, Floats, Integers, Rows, Visits


class Examples(NamedTuple):
    """Rows, the label of each, the sorted classes, a weight per class and perhaps one per row.

    Labels are looked up as they are visited: nothing as long as the data is stored.
    """

    rows: Rows
    y: Anything
    classes: Anything
    class_weight: Floats
    sample_weight: Floats | None

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
