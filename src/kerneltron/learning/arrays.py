"""Rows in memory: all of them for several passes, or a stretch of a stream that a call visits once."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from math import ceil
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kerneltron._types import Anything, Integers
from kerneltron.learning.batches import Batch, Batches, nothing_held
from kerneltron.learning.calibrating import FRESH, Look, spread_out
from kerneltron.learning.examples import Examples
from kerneltron.learning.order import beginning, order

if TYPE_CHECKING:
    from kerneltron.learning.learner import Learner
    from kerneltron.learning.pass_plan import PassPlan
    from kerneltron.learning.progressive import Tally
    from kerneltron.models.model import Model

LATER = Look(compares=False)


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
        Whether, when all passes are made, a learner whose scores are never fresh is calibrated by held-out
        examples, and what was kept of kernel values is noted. Both are for users, not for experiments.
    """

    keeps_mistakes = True

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
        self.concludes = concludes

    @property
    def size(self) -> int:
        """How many rows there are to visit."""
        return self.examples.size if self.chosen is None else self.chosen.size

    def only(self, chosen: Integers) -> "Arrays":
        """Return some of the rows alone."""
        return Arrays(self.X, self.examples, chosen, rows=self.rows, concludes=False)

    @contextmanager
    def opened(self, learner: "Learner", plan: "PassPlan", first: int) -> Iterator[None]:
        """Let a learner begin with the rows, once for all passes."""
        learner.is_streaming = False
        model = learner.model
        if self.rows is None:
            self.rows = model.read(self.X)
        with learner.visiting(self.rows, undo=False):
            model.expect(plan.passes - first)
            if plan.tolerance:
                model.look_at(self.examples.visits(self._chosen()))
            yield
        if learner.model is not model:
            learner.model.finish()  # the best pass, a copy from the middle of the visits
        if self.concludes and plan.tolerance:
            from kerneltron.learning.held_out_calibration import calibrate

            calibrate(learner, self, plan)
        if self.concludes:
            learner.note_reuse()

    def of_pass(self, learner: "Learner", number: int, behind: int, is_within: bool) -> Iterator[Batch]:
        """Yield all rows."""
        yield self

    def look(self, plan: "PassPlan", number: int) -> Look | None:
        """Look at the scores of the first pass alone, where visits have an order that means something."""
        return LATER if number == 0 and not plan.tolerance else None

    @property
    def holds_out(self) -> bool:
        """Whether some rows are held out."""
        return self.held_out is not None

    def validate(self, learner: "Learner", learned: "Tally") -> float:
        """Return how well a learner does on the rows that are held out."""
        assert self.held_out is not None
        return learner.target.score(learner.scores(self.held_out.X), self.held_out.truths)

    def exhaust(self, learner: "Learner") -> None:
        """Note how certain deployed vectors are of some of the rows."""
        learner.settle_by(self.examples.visits(spread_out(self._chosen())))

    def visiting(self, learner: "Learner") -> AbstractContextManager[None]:
        """Hold nothing more: the rows are there over all passes."""
        return nothing_held()

    def order(self, plan: "PassPlan", number: int, model: "Model") -> Iterator[Integers]:
        """Yield the rows of a pass in the order of their visits.

        Later passes permute the blocks of the first or, where the model asks for it, all rows anew.
        """
        chosen = model.due(self.chosen)
        n = self.examples.size if chosen is None else chosen.size
        seed = plan.seed
        if seed is not None and model.reshuffles:
            seed, number_of_order = int(np.random.SeedSequence([seed, number]).generate_state(1)[0]), 0
        else:
            number_of_order = number
        count = ceil(min(1.0, plan.passes - number) * n)
        for chunk in beginning(order(n, number_of_order, seed, model.blocks), count):
            yield chunk if chosen is None else chosen[chunk]

    def _chosen(self) -> Integers:
        return np.arange(self.examples.size) if self.chosen is None else self.chosen


class Stretch(Batches, Batch):
    """Rows that a call on a stream visits once, in the given order; a failure leaves nothing behind.

    Parameters
    ----------
    X, examples
        As for `Arrays`.
    """

    def __init__(self, X: Any, examples: Examples) -> None:
        self.X, self.examples = X, examples

    @property
    def size(self) -> int:
        """How many rows there are to visit."""
        return self.examples.size

    def opened(self, learner: "Learner", plan: "PassPlan", first: int) -> AbstractContextManager[None]:
        """Let a learner begin with the rows, and bring it back to what it was where anything fails."""
        return learner.visiting(learner.model.read(self.X))

    def of_pass(self, learner: "Learner", number: int, behind: int, is_within: bool) -> Iterator[Batch]:
        """Yield all rows."""
        yield self

    def look(self, plan: "PassPlan", number: int) -> Look | None:
        """Look at all scores: no row was learned from before."""
        return FRESH

    def visiting(self, learner: "Learner") -> AbstractContextManager[None]:
        """Hold nothing more."""
        return nothing_held()

    def order(self, plan: "PassPlan", number: int, model: "Model") -> Iterator[Integers]:
        """Yield the rows as they came."""
        return order(self.examples.size, 0, None, model.blocks)
