"""What happened at each visit: for certificates, explanations and pictures."""

from typing import NamedTuple

import numpy as np

from kerneltron._types import Floats, Integers, Trace, Visits
from kerneltron.models.labels import labels_of


class Traced(NamedTuple):
    """Visits in their order, one row each: what each column was told, scored, and did about it.

    `shrink` and `step` are those of w <- shrink w + step x; the step has the sign of the label.
    """

    order: Integers  # which rows were visited
    labels: Integers  # +1, -1, or 0 where it is not known
    scores: Floats  # before the update
    shrink: Floats
    step: Floats

    @classmethod
    def of(cls, visits: Visits, trace: Trace) -> "Traced":
        """Return the trace of some visits."""
        labels = labels_of(visits.codes, trace.scores.shape[1])
        return cls(visits.order, labels, trace.scores, trace.shrink, trace.step)

    @property
    def is_mistake(self) -> Integers:
        """Tell where a column was wrong: the theorems count these, and not wrong classes."""
        return np.asarray((self.labels != 0) & (self.labels * self.scores <= 0))

    @property
    def mistakes(self) -> Integers:
        """Return the number of mistakes of each column."""
        return np.asarray(self.is_mistake.sum(axis=0))

    @property
    def margin_updates(self) -> Integers:
        """Return how often each column moved though it was right: the margin was too thin."""
        return np.asarray(((self.step != 0) & ~self.is_mistake).sum(axis=0))
