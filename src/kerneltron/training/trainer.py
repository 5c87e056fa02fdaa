"""The one place where passes are driven: over arrays, over windows of a file, by a shard, and in a replay."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from math import nan
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from kerneltron._types import Integers, Trace, Visits
from kerneltron.learning.pass_report import PassReport
from kerneltron.learning.progressive import Tally
from kerneltron.models.optimality import UNKNOWN
from kerneltron.training.batches import Batch, Batches
from kerneltron.training.pass_plan import PassPlan
from kerneltron.training.stopping import BestPass

if TYPE_CHECKING:
    from kerneltron.learning.learner import Learner

WhenSavable = Callable[[Any], object]
Record = Callable[[Visits, Trace], object]


class Trainer:
    """Passes of a learner over batches; they can be interrupted, and taken up again where they were.

    It owns the order of passes, what is done between them (averages that restart, scales that stay, norms
    that are measured anew), calibration, early stopping and progressive validation. Where the examples come
    from is for the batches to say, what their truth means for the learner's target.

    Parameters
    ----------
    learner
        What learns.
    batches
        Where its examples come from.
    plan
        How to go over them.
    record
        Called with the visits of each call of the loop, and what happened in them.
    keeps
        What of that is wanted: names of parameters of `Learner.learn`.

    Attributes
    ----------
    number, batches_done, visits
        Completed passes, batches that were completed of the present pass, and visits of the present batch.
    every
        Visits after which the state can be saved; None: after a batch. Where examples are remembered, in dual
        form and for the vote, and where rows are mapped, it is always after a batch: what is learned then
        depends on how the visits are cut, and a training that goes on must lead to the same bytes.
    progress, first_pass
        Progressive validation over all visits, and over those of the first pass alone.
    reports
        What each pass did.
    best
        With early stopping, the scores of the passes, and the learner after the best one.
    after_pass
        Called with the report of each pass, if it is set; training ends where it returns True.
    advance
        Called with the number of rows that were just visited, and the mistakes, if it is set.
    """

    every: int | None = None

    def __init__(
        self,
        learner: "Learner",
        batches: Batches,
        plan: PassPlan,
        record: Record | None = None,
        keeps: tuple[str, ...] = (),
    ) -> None:
        self.learner, self.batches, self.plan = learner, batches, plan
        self.number = self.batches_done = self.visits = 0
        self.progress = self.first_pass = Tally()
        self.reports: list[PassReport] = []
        self.best = BestPass(plan.patience)
        self.after_pass: Callable[[PassReport], object] | None = None
        self.advance: Callable[[int, Any], object] | None = None
        self._record, self._watches = record, record is not None or batches.has_progress
        self._keeps = dict.fromkeys(keeps, True)
        if batches.has_progress:
            self._keeps["keep_scores"] = True

    # -- several passes ------------------------------------------------------------------------------

    def run(self, when_savable: WhenSavable | None = None) -> None:
        """Make all passes that are left; `when_savable` is called whenever the state could be saved."""
        with self.opened():
            self.make_passes(when_savable)

    def opened(self) -> AbstractContextManager[None]:
        """Hold what all passes need."""
        return self.batches.opened(self.learner, self.plan, self.number)

    def make_passes(self, when_savable: WhenSavable | None = None) -> None:
        """Make all passes that are left, and take the best of them, while what they need is held."""
        is_enough = False
        while not is_enough and self._goes_on():
            if self.number == 1 and not (self.batches_done or self.visits) and self.learner.has_model:
                self.learner.restart_average()
            self.make_pass(when_savable)
            is_enough = self._is_enough()
            if when_savable is not None:
                when_savable(self)
        if self.batches.holds_out:
            self.best.bring_back(self.learner, self.batches.keeps_mistakes)

    def _goes_on(self) -> bool:
        if self.number >= self.plan.passes or (self.batches.holds_out and self.best.is_enough):
            return False
        return self.number == 0 or self.batches.are_kept()

    def _is_enough(self) -> bool:
        """Compare the pass with those before, report it, and return whether it was the last one."""
        if self.batches.holds_out:
            score = self.batches.validate(self.learner, self.progress)
            self.reports[-1] = self.reports[-1]._replace(validation_score=score)
            self.best.look(score, self.learner.copy)
        report = self.reports[-1]
        if self.after_pass is not None and self.after_pass(report) is True:
            return True
        return self.plan.tolerance > 0 and report.gap <= self.plan.tolerance

    # -- one pass ------------------------------------------------------------------------------------

    def make_pass(self, when_savable: WhenSavable | None = None) -> None:
        """Make the next pass, or what is left of it."""
        if not (self.batches_done or self.visits):
            self._begin_pass()
        self.learner.compares_every = 0 if self.number else self.batches.compares_every
        began, visited, mistakes = perf_counter(), 0, 0
        batches = self.batches.of_pass(self.learner, self.number, self.batches_done, self.visits > 0)
        for batch in batches:
            seen, missed = self._visit(batch, when_savable)
            visited, mistakes = visited + seen, mistakes + missed
            self.batches_done, self.visits = self.batches_done + 1, 0
            if when_savable is not None:
                when_savable(self)
        self._end_pass(visited, mistakes, began)

    def go_on(self) -> Any:
        """Visit the batches once, as a part of the pass that has begun; return the mistakes.

        This is a call on a stream.
        """
        mistakes: Any = 0
        for batch in self.batches.of_pass(self.learner, 0, 0, False):
            mistakes = mistakes + self._visit(batch, None)[1]
        return mistakes

    def _begin_pass(self) -> None:
        learner = self.learner
        if learner.has_model and (self.number or not learner.model.is_busy):
            learner.model.measure()
        learner.begin_pass()

    def _end_pass(self, visited: int, mistakes: Any, began: float) -> None:
        learner, found = self.learner, UNKNOWN
        if not learner.is_streaming:
            found = learner.model.optimality(is_last=self.number + 1 >= self.plan.passes)
        seconds = perf_counter() - began
        self.reports.append(PassReport(self.number + 1, visited, mistakes, seconds, nan, *found))
        if learner.optima is not None and not learner.is_streaming:
            learner.optima = np.vstack([learner.optima, found])
        if self.number == 0:
            self.first_pass = self.progress
        self.number, self.batches_done = self.number + 1, 0

    # -- one batch -----------------------------------------------------------------------------------

    def _visit(self, batch: Batch, when_savable: WhenSavable | None) -> tuple[int, Any]:
        """Visit the rows of a batch that were not visited; return how many these are, and the mistakes."""
        learner, batches = self.learner, self.batches
        visited, mistakes = 0, 0
        look = batches.later_look if self.number else batches.first_look
        if not batch.size:
            return visited, mistakes
        with batch.visiting(learner):
            model = learner.model
            if self.number or self.plan.looks_first:
                model.freeze_scales()
            chunks = batch.order(self.plan, self.number, model)
            for rows in chunks if self.every is None and not self.visits else self._pieces(chunks):
                visits, missed = batch.examples.visits(rows), 0
                if visits.order.size:
                    missed, trace = learner.learn(visits, look=look, **self._keeps)
                    if self._watches:
                        self._watch(batch, visits, trace)
                visited, mistakes = visited + visits.order.size, mistakes + missed
                if self.advance is not None:
                    self.advance(rows.size, missed)
                if when_savable is not None and self._is_savable_within(batch):
                    when_savable(self)
        return visited, mistakes

    def _watch(self, batch: Batch, visits: Visits, trace: Trace) -> None:
        """Count what a prediction would have been before each visit, and hand on what happened."""
        if self.batches.has_progress:
            learner, weights = self.learner, batch.weights(visits.order)
            logarithmic = learner.scores_are_log_odds
            self.progress += learner.target.tally(trace.scores, visits.codes, weights, logarithmic)
        if self._record is not None:
            self._record(visits, trace)

    def _pieces(self, chunks: Iterator[Integers]) -> Iterator[Integers]:
        """Yield rows to be visited, without those of before an interruption."""
        behind, end = self.visits, 0
        for chunk in chunks:
            for piece in self._cut(chunk, end):
                end += piece.size
                if end > behind:
                    self.visits = end
                    yield piece[max(0, behind - (end - piece.size)) :]

    def _cut(self, chunk: Integers, first: int) -> list[Integers]:
        """Return visits, of which `first` lie before, in pieces that end where the state is to be saved."""
        if self.every is None or self.learner.model.depends_on_cuts:
            return [chunk]
        cuts = range(self.every - first % self.every, chunk.size, self.every)
        return np.split(chunk, cuts)

    def _is_savable_within(self, batch: Batch) -> bool:
        """Return whether the state can be saved now, before the batch is completed."""
        if self.every is None or self.visits >= batch.size:
            return False
        return not self.learner.model.depends_on_cuts
