"""The vote: every vector that w has been has a say, for as long as it survived."""

from typing import Any, Self

import numpy as np

from kerneltron._bounds import check_log
from kerneltron._types import Floats, Integers, Log, Trace, Visits
from kerneltron.engine.vote import walk
from kerneltron.models.hypothesis import Hypothesis, Learning
from kerneltron.models.late import LATE, ColumnOrigin, Start


class Vote(Hypothesis):
    """A log of all moves; it grows with the mistakes.

    The score of class c is sum_i n_i sign(<w_i, x>) / T, n_i the number of examples after which the vector
    was w_i. So a new vector starts with 1, for the example that it was made by, and the vector that learning
    began with has no say for the first example if that is a mistake. Before a late class came, all votes were
    against it.
    """

    name = "vote"
    brief = "each has a say as long as it survived; it remembers the rows of all updates, so memory grows"
    keeps_moves = True

    def __init__(self, seed: int) -> None:
        self.entries: list[Log] = []
        # Ticks before a class came, one number per column; empty for none.
        self.against = np.empty(0, np.int64)

    def follow(self, model: Learning, visits: Visits, trace: Trace) -> Any:
        """Learn with a trace of the moves, and log those that moved anything."""
        columns = model.weights.scale.size
        shape = (visits.order.size, columns)
        before = model.weights.clock.copy()
        full = trace if trace.step.size else trace._replace(shrink=np.ones(shape), step=np.zeros(shape))
        mistakes = model.step(visits, full)
        moved, column = np.nonzero((full.step != 0.0) | (full.shrink != 1.0))
        slots = model.remember(visits.order, np.unique(moved))[moved]
        ticks = before[column] + _ticks(visits, columns)[moved, column]
        self._append(Log(slots, column, full.shrink[moved, column], full.step[moved, column], ticks))
        return mistakes

    def _append(self, log: Log) -> None:
        """Add moves at the end; each is copied O(log n) times in all, as `kernels.pack.Memory` does."""
        self.entries.append(log)
        while len(self.entries) > 1 and self.entries[-2].ticks.size < 2 * self.entries[-1].ticks.size:
            self.entries[-2:] = [Log(*map(np.concatenate, zip(*self.entries[-2:], strict=True)))]
        if not log.ticks.size and len(self.entries) > 1:
            self.entries.pop()

    def scores(self, products: Floats, began: Floats, clock: Integers) -> Floats:
        """Return the votes for some rows, between -1 and 1."""
        votes = np.empty(began.shape)
        since = np.empty(clock.size, np.int64)
        log = self.log()
        check_log(log, products, began, clock.size)
        walk(
            log,
            np.ascontiguousarray(products, np.float64),
            clock,
            np.array(began, np.float64),
            since,
            votes,
        )
        if self.against.size:
            votes -= (1.0 + np.sign(began)) * self.against / np.maximum(clock, 1)
        return votes

    def has_say(self, count: int, columns: int) -> Floats:
        """Return 1 where a row has moved a column."""
        log = self.log()
        voting = np.zeros((count, columns))
        voting[log.slots, log.columns] = 1.0
        return voting

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

    def shrunk(self, columns: int) -> Floats:
        """Return what is left of the vectors that learning began with: one factor per column."""
        log = self.log()
        return np.array([np.prod(log.shrink[log.columns == c]) for c in range(columns)])

    def regroup(self, column_origins: list[ColumnOrigin], ticks: int, begins: Start) -> None:
        """Rearrange the log: an entry of a column that is split becomes two.

        A late class gets the mean of the others in its first tick.
        """
        log, parts = self.log(), []
        known = [origin for origin in dict.fromkeys(column_origins) if origin != LATE]
        for new, (old, sign) in enumerate(column_origins):
            if (old, sign) == LATE:
                now = [_left(_of_column(log, column, by / len(known)), ticks + 1) for column, by in known]
                entry = Log(*map(np.concatenate, zip(*now, strict=True)))
            else:
                entry = _of_column(log, old, sign)
            parts.append(entry._replace(columns=np.full(entry.slots.size, new)))
        # Within a column, entries stay in the order in which they happened, which is all that the walk needs.
        self.entries = [Log(*map(np.concatenate, zip(*parts, strict=True)))]
        before = self.against if self.against.size else np.zeros(max(old for old, _ in known) + 1, np.int64)
        self.against = np.array([ticks if origin == LATE else before[origin[0]] for origin in column_origins])

    def move_slots(self, places: Integers) -> None:
        """Let the moves follow their rows; all of these must still be there."""
        log = self.log()
        moved = places[log.slots]
        if (moved < 0).any():
            raise ValueError("an example that has a say in a vote cannot be forgotten.")
        self.entries = [log._replace(slots=moved)]

    def state(self, resumable: bool) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the log, which is needed to predict, too."""
        against = {"against": self.against} if self.against.any() else {}
        return {}, {**self.log()._asdict(), **against}

    def restore(self, contents: Any, shape: tuple[int, int], remembered: int | None) -> None:
        """Take the log back."""
        columns = shape[1]
        slots = contents.places("slots", (None,), remembered)
        log = Log(
            slots=slots,
            columns=contents.places("columns", slots.shape, columns),
            shrink=contents.array("shrink", np.float64, slots.shape),
            step=contents.array("step", np.float64, slots.shape),
            ticks=contents.array("ticks", np.int64, slots.shape),
        )
        self.entries = [log]
        if "against" in contents.tensors:
            self.against = contents.array("against", np.int64, (columns,))


def _of_column(log: Log, column: int, sign: float) -> Log:
    """Return the moves of a column, with steps times `sign`."""
    mine = np.flatnonzero(log.columns == column)
    entry = Log._make(array[mine] for array in log)
    return entry._replace(step=sign * entry.step)


def _left(moves: Log, tick: int) -> Log:
    """Return moves at one tick which lead to where all the moves of a column led."""
    later = np.cumprod(np.append(moves.shrink[1:], 1.0)[::-1])[::-1]
    ones = np.ones(moves.slots.size)
    return moves._replace(step=moves.step * later, shrink=ones, ticks=np.full(ones.size, tick))


def _ticks(visits: Visits, columns: int) -> Integers:
    """Return how many ticks each visit is later than the clock before them, for each column."""
    if visits.codes.ndim == 1:
        return np.repeat(np.arange(1, visits.order.size + 1)[:, None], columns, axis=1)
    return np.asarray(np.cumsum(visits.codes != 0, axis=0))
