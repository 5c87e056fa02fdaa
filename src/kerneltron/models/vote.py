"""The vote: every vector that w has been has a say, for as long as it survived."""

from typing import Any, Self

import numpy as np

from kerneltron._types import Floats, Integers, Log, Trace, Visits, Weights
from kerneltron.engine.vote import walk
from kerneltron.models.bounds import check_log
from kerneltron.models.hypotheses import Last, Learning
from kerneltron.models.weights import Source

PRODUCTS = 2**23  # inner products with remembered rows that are held at a time: 64 MB


class Vote(Last):
    """A log of all moves; it grows with the mistakes.

    The score of class c is sum_i n_i sign(<w_i, x>) / T, n_i the number of examples that w_i survived.
    """

    def __init__(self) -> None:
        self.entries: list[Log] = []

    def follow(self, model: Learning, visits: Visits, trace: Trace) -> Any:
        """Learn with a trace of the moves, and log those that moved anything."""
        columns = model.weights.scale.size
        shape = (visits.order.size, columns)
        before = model.weights.clock.copy()
        full = Trace(trace.scores, np.ones(shape), np.zeros(shape))
        mistakes = model.step(visits, full)
        moved, column = np.nonzero((full.step != 0.0) | (full.shrink != 1.0))
        slots = model.remember(visits.order, np.unique(moved))[moved]
        ticks = before[column] + _ticks(visits, columns)[moved, column]
        self.entries.append(Log(slots, column, full.shrink[moved, column], full.step[moved, column], ticks))
        return mistakes

    def votes(self, products: Floats, now: Floats, clock: Integers) -> Floats:
        """Return the votes for some rows, between -1 and 1.

        `products` are their inner products with the remembered rows, `now` their scores by the vectors that
        learning began with.
        """
        votes = np.empty(now.shape)
        room = np.empty(clock.size, np.int64)
        log = self.log()
        check_log(log, products, now, clock.size)
        walk(
            log,
            np.ascontiguousarray(products, np.float64),
            clock,
            np.array(now, np.float64),
            room,
            votes,
        )
        return votes

    def log(self) -> Log:
        """Return all moves so far."""
        if len(self.entries) != 1:
            none = np.empty(0, np.int64)
            empty = Log(none, none, np.empty(0), np.empty(0), none)
            self.entries = [Log(*map(np.concatenate, zip(empty, *self.entries, strict=True)))]
        return self.entries[0]

    def copy(self) -> Self:
        """Return a copy; log entries are never changed, so both may hold them."""
        other = super().copy()
        other.entries = self.entries.copy()
        return other

    def regroup(self, sources: list[Source], fresh: Weights) -> None:
        """Rearrange the log: an entry of a column that is split becomes two."""
        log, parts = self.log(), []
        for new, (old, sign) in enumerate(sources):
            mine = np.flatnonzero(log.columns == old)
            entry = Log._make(array[mine] for array in log)
            parts.append(entry._replace(columns=np.full(mine.size, new), step=sign * entry.step))
        # Within a column, entries stay in the order in which they happened, which is all that the walk needs.
        self.entries = [Log(*map(np.concatenate, zip(*parts, strict=True)))]


def _ticks(visits: Visits, columns: int) -> Integers:
    """Return how many ticks each visit is later than the clock before them, for each column."""
    if visits.codes.ndim == 1:
        return np.repeat(np.arange(1, visits.order.size + 1)[:, None], columns, axis=1)
    return np.asarray(np.cumsum(visits.codes != 0, axis=0))
