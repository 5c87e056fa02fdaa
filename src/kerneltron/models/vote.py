"""The vote: every vector that w has been has a say, for as long as it survived."""

from typing import Any, Self

import numpy as np
import scipy.sparse as sp

from kerneltron._types import Floats, Integers, Log, Rows, Trace, Visits, Weights
from kerneltron._validate import is_sparse
from kerneltron.engine.vote import walk
from kerneltron.models.hypotheses import Last, Step
from kerneltron.models.rows import take
from kerneltron.models.weights import Source, current

PRODUCTS = 2**23  # inner products with remembered rows that are held at a time: 64 MB


class Vote(Last):
    """A log of all moves and the rows that caused them; memory grows with the mistakes.

    The score of class c is sum_i n_i sign(<w_i, x>) / T, n_i the number of examples that w_i survived.
    """

    def __init__(self, weights: Weights, bias: float) -> None:
        self.start = current(weights)
        self.bias = bias
        self.entries: list[Log] = []
        self.remembered: list[Any] = []
        self.count = 0  # remembered rows
        self.slots = np.empty(0, np.int64)  # of the rows of this call, -1 where not remembered
        self.rows: Rows | None = None

    def begin(self, rows: Rows) -> None:
        """Take the rows that the next visits belong to."""
        self.rows = rows
        self.slots = np.empty(0, np.int64)

    def follow(self, step: Step, weights: Weights, visits: Visits, trace: Trace) -> int:
        """Learn with a trace of the moves, and log those that moved anything."""
        shape = (visits.order.size, weights.scale.size)
        ticks = weights.clock + 1
        full = Trace(trace.scores, np.ones(shape), np.zeros(shape))
        mistakes = step(visits, full)
        visit, column = np.nonzero((full.step != 0.0) | (full.shrink != 1.0))
        slots = self._remember(visits.order, np.unique(visit))[visit]
        moved = full.shrink[visit, column], full.step[visit, column]
        self.entries.append(Log(slots, column, *moved, ticks[column] + visit))
        return mistakes

    def _remember(self, order: Integers, visit: Integers) -> Integers:
        """Keep the rows of some visits, once each, and return the slots of all visits."""
        assert self.rows is not None
        size = int(order.max(initial=-1)) + 1
        if size > self.slots.size:
            self.slots = np.append(self.slots, np.full(size - self.slots.size, -1))
        new = np.unique(order[visit][self.slots[order[visit]] < 0])
        if new.size:
            self.slots[new] = self.count + np.arange(new.size)
            self.count += new.size
            self.remembered.append(take(self.rows, new, len(self.start) - 1))
        return self.slots[order]

    def finish(self) -> None:
        """Let go of the rows of this call; what is remembered of them is a copy."""
        self.rows = None
        self.slots = np.empty(0, np.int64)

    def copy(self) -> Self:
        """Return a copy; rows and log entries are never changed, so both may hold them."""
        other = super().copy()
        other.entries, other.remembered = self.entries.copy(), self.remembered.copy()
        other.slots = self.slots.copy()
        return other

    def scores(self, X: Any, weights: Weights) -> Floats:
        """Return the votes for every row of X, between -1 and 1."""
        log, support = self._log(), self._support()
        votes = np.empty((X.shape[0], weights.scale.size))
        room = np.empty(weights.scale.size, np.int64)
        rows = max(1, PRODUCTS // (self.count + 1))
        for start in range(0, X.shape[0], rows):
            part = X[start : start + rows]
            now = np.ascontiguousarray(part @ self.start[:-1] + self.bias * self.start[-1], np.float64)
            walk(log, self._products(part, support), weights.clock, now, room, votes[start : start + rows])
        return votes

    def _products(self, part: Any, support: Any) -> Floats:
        if support is None:
            return np.empty((part.shape[0], 0))
        products = part @ support.T
        dense = products.toarray() if is_sparse(products) else np.asarray(products)
        return np.ascontiguousarray(dense, np.float64) + self.bias**2

    def _log(self) -> Log:
        if len(self.entries) != 1:
            none = np.empty(0, np.int64)
            empty = Log(none, none, np.empty(0), np.empty(0), none)
            self.entries = [Log(*map(np.concatenate, zip(empty, *self.entries, strict=True)))]
        return self.entries[0]

    def _support(self) -> Any:
        if len(self.remembered) > 1:
            mixed = any(map(is_sparse, self.remembered))
            self.remembered = [
                sp.vstack(self.remembered, "csr") if mixed else np.concatenate(self.remembered)
            ]
        return self.remembered[0] if self.remembered else None

    def regroup(self, sources: list[Source], fresh: Weights) -> None:
        """Rearrange the log: an entry of a column that is split becomes two."""
        log, parts = self._log(), []
        for new, (old, sign) in enumerate(sources):
            mine = np.flatnonzero(log.columns == old)
            entry = Log._make(array[mine] for array in log)
            parts.append(entry._replace(columns=np.full(mine.size, new), step=sign * entry.step))
        joined = Log(*map(np.concatenate, zip(*parts, strict=True)))
        # Within a column, entries stay in the order in which they happened, which is all that the walk needs.
        self.entries = [joined]
        zero = np.zeros(len(self.start), self.start.dtype)
        kept = [
            zero if old < 0 else self.start[:, old] * self.start.dtype.type(sign) for old, sign in sources
        ]
        self.start = np.stack(kept, axis=1)
