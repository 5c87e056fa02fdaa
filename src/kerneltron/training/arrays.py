"""Rows in memory: all of them for several passes, or a stretch of a stream that a call visits once."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from math import ceil
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kerneltron._types import Anything, Integers
from kerneltron.learning.calibrating import Look, spread_out
from kerneltron.learning.examples import Examples
from kerneltron.training.batches import Batch, Batches
from kerneltron.training.order import beginning, order

if TYPE_CHECKING:
    from kerneltron.learning.learner import Learner
    from kerneltron.learning.progressive import Tally
    from kerneltron.models.model import Model
    from kerneltron.training.pass_plan import PassPlan

LATER = Look(compares=False)
NOTHING = nullcontext()


class HeldOut(NamedTuple):
    """Rows that early stopping compares passes by, with their truths."""

    X: Any
    truths: Anything


class Arrays(Batches, Batch):
    """All rows of a training, which the model keeps ready over all passes: one batch.

    Parameters
    ----------
    X
        The rows, or other examples, as a model reads them.
    examples
        What is to be learned about them.
    chosen
        The rows to learn from, if not all.
    held_out
        Rows that passes are compared by.
    rows
        What a model has made of X already.
    concludes
        Whether the learner is calibrated, and notes what was kept of kernel values. Both are for users, and
        not for learners that are compared or replayed.
    """

    keeps_mistakes = True
    first_look: Look | None = LATER

    def __init__(
        self,
        X: Any,
        examples: Examples,
        chosen: Integers | None = None,
        held_out: HeldOut | None = None,
        rows: Any = None,
        concludes: bool = True,
    ) -> None:
        self.X, self.examples, self.chosen, self.held_out, self.rows = X, examples, chosen, held_out, rows
        self.concludes, self.holds_out = concludes, held_out is not None
        self.size = examples.size if chosen is None else chosen.size

    def only(self, chosen: Integers) -> "Arrays":
        """Return some of the rows alone."""
        return Arrays(self.X, self.examples, chosen, rows=self.rows, concludes=False)

    @contextmanager
    def opened(self, learner: "Learner", plan: "PassPlan", first: int) -> Iterator[None]:
        """Let a learner begin with the rows, once for all passes, and calibrate it in the end.

        Visits show how certain predictions are where their order means something: in the first pass. Where an
        optimum is looked for, in none.
        """
        learner.is_streaming = False
        model = learner.model
        if plan.tolerance or not self.concludes:
            self.first_look = None
        if self.rows is None:
            self.rows = model.read(self.X)
        with learner.visiting(self.rows, undo=False):
            model.expect(plan.passes - first)
            if plan.tolerance:
                model.look_at(self.examples.visits(self._chosen()))
            yield
            if self.concludes:
                learner.settle_by(self.examples.visits(spread_out(self._chosen())))
        if learner.model is not model:
            learner.model.finish()  # the best pass, a copy from the middle of the visits
        if self.concludes:
            if plan.tolerance:
                from kerneltron.training.held_out_calibration import calibrate

                calibrate(learner, self, plan)
            learner.note_reuse()

    def of_pass(self, learner: "Learner", number: int, behind: int, is_within: bool) -> Iterator[Batch]:
        """Yield all rows."""
        return iter((self,))

    def validate(self, learner: "Learner", learned: "Tally") -> float:
        """Return how well a learner does on the rows that are held out."""
        assert self.held_out is not None
        return learner.target.score(learner.scores(self.held_out.X), self.held_out.truths)

    def visiting(self, learner: "Learner") -> AbstractContextManager[None]:
        """Hold nothing more: the rows are there over all passes."""
        return NOTHING

    def order(self, plan: "PassPlan", number: int, model: "Model") -> Iterator[Integers]:
        """Yield the rows of a pass in the order of their visits.

        Later passes permute the blocks of the first or, where the model asks for it, all rows anew.
        """
        chosen = model.due(self.chosen)
        n = self.size if chosen is None else chosen.size
        count = ceil(min(1.0, plan.passes - number) * n)
        seed = plan.seed
        if seed is not None and model.reshuffles:
            seed, number = int(np.random.SeedSequence([seed, number]).generate_state(1)[0]), 0
        chunks = order(n, number, seed, model.blocks)
        if count < n:
            chunks = beginning(chunks, count)
        return chunks if chosen is None else (chosen[chunk] for chunk in chunks)

    def _chosen(self) -> Integers:
        return np.arange(self.size) if self.chosen is None else self.chosen


class Stretch(Batches, Batch):
    """Rows that a call on a stream visits once, in the given order; a failure leaves nothing behind.

    Parameters
    ----------
    X, examples
        As for `Arrays`.
    """

    def __init__(self, X: Any, examples: Examples) -> None:
        self.X, self.examples, self.size = X, examples, examples.size

    def opened(self, learner: "Learner", plan: "PassPlan", first: int) -> AbstractContextManager[None]:
        """Let a learner begin with the rows, and bring it back to what it was where anything fails."""
        return learner.visiting(learner.model.read(self.X))

    def of_pass(self, learner: "Learner", number: int, behind: int, is_within: bool) -> Iterator[Batch]:
        """Yield all rows."""
        return iter((self,))

    def visiting(self, learner: "Learner") -> AbstractContextManager[None]:
        """Hold nothing more."""
        return NOTHING

    def order(self, plan: "PassPlan", number: int, model: "Model") -> Iterator[Integers]:
        """Yield the rows as they came."""
        return order(self.size, 0, None, model.blocks)
