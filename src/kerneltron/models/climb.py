"""The way of a support vector machine in primal form to its optimum, as long as a call lasts."""

from collections.abc import Callable, Iterable
from math import inf
from typing import Any, NamedTuple

import numpy as np

from kerneltron._bounds import check_places, check_rows, check_visits
from kerneltron._types import Floats, Integers, Rows, Trace, Visits
from kerneltron.engine.ascent import Sums
from kerneltron.engine.ascent_rows import (
    Coefficients,
    Progress,
    add_up,
    ascend_column,
    ascend_together,
    choose,
    count_mistakes,
    go_round,
    look_at,
    measure_squares,
)
from kerneltron.models.optimality import Optimality

# This share of the allowed gap may stay with coefficients that are not worth a move, all together.
IDLE = 0.1

# Visits of a column beside those of a pass, in examples: what orders and labels cost is then shared by more
# visits. a9a takes 0.85 times as long as without.
VISITS = 3
KEYS = 2**20  # orders that one column may use in a pass

# Columns visit apart when examples that are due have fewer coefficients that are not idle, on average, than
# this and a part of the columns. Newsgroups, 20 columns: together, a visit takes 13 ns per entry of its row,
# and apart 3.3 ns for each coefficient.
LEAST_TOGETHER = 2.0
PART_TOGETHER = 1 / 16


class Part(NamedTuple):
    """Some rows, where those of some examples are in them, and the numbers of these examples."""

    rows: Rows
    order: Integers
    examples: Integers


Parts = Callable[[Integers], Iterable[Part]]  # from numbers of examples to their rows, a part at a time


class Climb:
    """The coefficients of all examples, and vectors in double precision that follow them.

    Parameters
    ----------
    examples, features, columns
        How many there are; the last feature is the constant one.
    parts
        Where the rows of examples come from.
    start
        Coefficients to begin with, with the signs of the labels: one row per example, one column per class.
        None for 0.
    """

    def __init__(
        self, examples: int, features: int, columns: int, parts: Parts, start: Floats | None = None
    ) -> None:
        self.columns, self.parts = columns, parts
        self.is_first = True  # no pass has ended
        self.is_sure = (
            start is None
        )  # all coefficients belong to examples that are there, and are within bounds
        self._codes = np.zeros(examples, np.int64)
        self._importance = np.zeros(examples)  # 0 for examples that were not met
        self._known = Coefficients(
            signed=np.zeros(examples * columns) if start is None else start.reshape(-1).copy(),
            is_idle=np.zeros(examples * columns, np.uint8),
            scores=np.zeros(examples * columns if columns > 1 else 0, np.float32),
            left=np.full(examples, columns),
            q=np.zeros(examples),
        )
        self._key = 0
        self._allowed = inf  # duality gap
        self._met = 0  # examples
        self._due: Integers | None = None  # worked out once a pass
        self._gain = self._square = 0.0  # of all coefficients: see `Progress`
        self._v = np.zeros((features, columns))
        self._apart: Floats | None = None  # one row per column, when columns visit apart
        self._visits_apart = columns == 1
        self.progress = self._new_progress(np.full(columns, inf), np.full(columns, -inf), 0.0)
        if start is not None:
            self._follow()

    def _new_progress(self, upper: Floats, lower: Floats, least: float) -> Progress:
        gap, gain, square, highest, lowest = (np.zeros(self.columns) for _ in range(5))
        bounds = (upper, lower, np.array([least]))
        return Progress(gap, gain, square, highest, lowest, *bounds, np.zeros(self.columns, np.int64))

    # -- vectors and coefficients --------------------------------------------------------------------

    @property
    def vectors(self) -> Floats:
        """The vectors as they are now, in columns."""
        return self._v if self._apart is None else self._apart.T

    @property
    def coefficients(self) -> Floats:
        """The numbers y alpha, one row per example and one column per class."""
        return self._known.signed.reshape(-1, self.columns)

    def _together(self) -> Floats:
        if self._apart is not None:
            self._v[:], self._apart = self._apart.T, None
        return self._v

    def _each_apart(self) -> Floats:
        if self._apart is None:
            self._apart = np.ascontiguousarray(self._v.T)
        return self._apart

    def _follow(self) -> None:
        """Compute the vectors anew from the coefficients: nothing that was rounded on the way is left."""
        self._apart = None
        self._v[:] = 0.0
        for part in self.parts(np.flatnonzero(self.coefficients.any(axis=1))):
            self._check(part)
            add_up(self._v, *part, self._known.signed, np.empty(self.columns))
        self._square = float(np.square(self._v).sum())

    # -- visits --------------------------------------------------------------------------------------

    def visit(self, rule: Any, visits: Visits, trace: Trace) -> int:
        """Visit some examples; return the mistakes, or -1 for an overflow."""
        check_visits(visits, trace, self._importance.size, self.columns)
        if self.is_first:
            self._codes[visits.order], self._importance[visits.order] = visits.codes, visits.importance
            self._met += visits.order.size
        mistakes = done = 0
        for part in self.parts(visits.order):
            self._check(part)
            if self.is_first:
                measure_squares(*part, self._known.q)
            some = slice(done, done + part.examples.size)
            here, traced = (
                Visits._make(array[some] for array in visits),
                Trace._make(array[some] for array in trace),
            )
            if self._visits_apart and not any(array.size for array in traced):
                missed = self._visit_apart(rule, part, here)
            else:
                missed = self._visit_together(rule, part, here, traced)
            if missed < 0:
                return -1
            mistakes, done = mistakes + missed, some.stop
        return mistakes

    def _visit_together(self, rule: Any, part: Part, visits: Visits, trace: Trace) -> int:
        v, room = self._together(), np.empty(self.columns)
        arguments = (part.rows, part.order, visits, self._known, self.progress, trace, room)
        return ascend_together(rule, v, *arguments)

    def _visit_apart(self, rule: Any, part: Part, visits: Visits) -> int:
        mistakes = 0
        for c, chosen in enumerate(self._chosen(visits)):
            w, which = self._each_apart()[c], np.array([c, self.columns])
            arguments = (part.rows, part.order, visits, chosen, self._known, self.progress, which)
            missed = ascend_column(rule, w, *arguments)
            if missed < 0:
                return -1
            mistakes += missed
        return mistakes if self.columns == 1 else count_mistakes(self._known, visits, self.columns)

    def _chosen(self, visits: Visits) -> list[Integers]:
        """Return for each column which of the visits it has to make: of a single one, all that are due."""
        count, columns = visits.order.size, self.columns
        if columns == 1:
            return [np.arange(count)]
        chosen, ends = np.empty(count * columns, np.int64), np.empty(columns, np.int64)
        choose(self._known, visits, chosen, ends)
        return np.split(chosen[: ends[-1]], ends[:-1])

    def visit_again(self, rule: Any, rows: Rows) -> bool:
        """Visit the examples that are due several times more; tell whether no score overflows.

        It is for columns that visit apart, once all examples were met, and for rows that are all there.
        """
        if not self._visits_apart or self.is_first:
            return True
        due, vectors = self.due(), self._each_apart()
        self._check(Part(rows, due, due))
        is_idle = self._known.is_idle.reshape(-1, self.columns)[due]
        limits = np.array([self._allowed / self.columns, VISITS * self._met])
        for c in range(self.columns):
            self._key += KEYS
            which = np.array([c, self.columns, self._key])
            of_examples = (self._codes, self._importance, self._known, self.progress, which, limits)
            if go_round(rule, vectors[c], rows, due[is_idle[:, c] == 0], *of_examples) < 0:
                return False
        return True

    def _check(self, part: Part) -> None:
        """Raise unless the rows of a part are there, and there are weights for them."""
        check_places(part.order, check_rows(part.rows, len(self._v) - 1))

    # -- how far it is -------------------------------------------------------------------------------

    def due(self) -> Integers:
        """Return the examples that have a coefficient that is not idle."""
        if self._due is None:
            self._due = np.flatnonzero((self._known.left > 0) & (self._importance > 0))
        return self._due

    def estimate(self) -> Optimality:
        """Return both objectives after a pass, the first one as far as scores at the time of visits tell."""
        self.is_first = False
        if self._due is not None:
            self._due = self._due[self._known.left[self._due] > 0]
        self._gain += float(self.progress.gain.sum())
        self._square += float(self.progress.square.sum())
        dual_objective = self._gain - self._square / 2
        return Optimality(dual_objective + float(self.progress.gap.sum()), dual_objective)

    def measure(self, rule: Any) -> Optimality:
        """Return both objectives, from coefficients and rows alone; whatever can move is due again."""
        there = np.flatnonzero(self._importance)
        if not self.is_sure:  # what began with coefficients may have left examples out
            self.coefficients[self._importance == 0] = 0.0
            self.is_sure = True
        self._follow()
        self._due = None
        self.progress.highest[:], self.progress.lowest[:] = 0.0, 0.0
        total = Sums(0.0, 0.0, 0.0, 0.0)
        for part in self.parts(there):
            self._check(part)
            visits = Visits(part.examples, self._codes[part.examples], self._importance[part.examples])
            arguments = (visits, self._known, self.progress, np.empty(self.columns))
            found = look_at(rule, self._v, part.rows, part.order, *arguments)
            total = Sums._make(map(sum, zip(total, found, strict=True)))
        self._gain = total.gain
        return Optimality(self._square / 2 + total.loss, total.gain - self._square / 2)

    def go_on(self, allowed: float) -> None:
        """Begin another pass, towards this duality gap: idle is what is beyond all slopes of the last one."""
        slopes, due = self.progress, self.due()
        self._allowed = allowed
        upper = np.where(slopes.highest > 0, slopes.highest, inf)
        lower = np.where(slopes.lowest < 0, slopes.lowest, -inf)
        self.progress = self._new_progress(upper, lower, IDLE * allowed / max(self._met * self.columns, 1))
        if self.columns > 1:
            enough = (LEAST_TOGETHER + PART_TOGETHER * self.columns) * due.size
            self._visits_apart = int(self._known.left[due].sum()) < enough
