"""The windows of a stream as batches: labels become truths that a learner meets as they come."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from kerneltron._types import Floats, Integers
from kerneltron.learning.calibrating import Look
from kerneltron.learning.examples import Coded
from kerneltron.learning.learner import Learner
from kerneltron.learning.progressive import Tally
from kerneltron.stream.reader import Reader
from kerneltron.stream.window import NO_LABEL, Window
from kerneltron.training import windows
from kerneltron.training.batches import Batch, Batches
from kerneltron.training.order import order
from kerneltron.training.stream_examples import StreamExamples

if TYPE_CHECKING:
    from kerneltron.models.model import Model
    from kerneltron.training.pass_plan import PassPlan

COMPARED = 8  # of this many examples of the first pass, one shows whether the mean predicts better


@dataclass
class Findings:
    """What a training finds in the examples of a stream beside their truths.

    Parameters
    ----------
    unlabelled
        Examples without a label, which were left out.
    late
        Labels that were first seen after training began, and where: the first example of each only introduces
        it.
    introduced
        Rows of the present window that only introduced a class. A training that is resumed in this window
        knows the classes already, and leaves the same rows out.
    """

    unlabelled: int = 0
    late: dict[str, str] = field(default_factory=dict)
    introduced: list[int] = field(default_factory=list)


class WindowBatch(Batch):
    """A window of a stream.

    Parameters
    ----------
    window
        Its examples.
    index
        Which window of the pass it is, from 0.
    codes
        The code of each example's truth.
    chosen
        Which of them to visit.
    examples
        What is to be learned about them.
    """

    examples: Coded

    def __init__(
        self, window: Window, index: int, codes: Integers, chosen: Integers, examples: Coded
    ) -> None:
        self.window, self.index, self.codes = window, index, codes
        self.chosen, self.examples, self.size = chosen, examples, int(chosen.size)

    @contextmanager
    def visiting(self, learner: Learner) -> Iterator[None]:
        """Let a learner begin with the window; note how certain its predictions are before it lets go of it.

        If this fails, nobody needs the learner any more.
        """
        with learner.visiting(windows.rows_of(learner, self.window), undo=False):
            yield
            learner.settle(self.codes, np.flatnonzero((self.codes >= 0) & (self.examples.importance > 0)))

    def order(self, plan: "PassPlan", number: int, model: "Model") -> Iterator[Integers]:
        """Yield the examples in an order that depends on the seed, the pass and the window."""
        seed = None
        if plan.seed is not None:
            key = [plan.seed, number, self.index]
            seed = int(np.random.SeedSequence(key).generate_state(1)[0])
        for chunk in order(self.chosen.size, 0, seed, model.blocks):
            yield self.chosen[chunk]

    def weights(self, rows: Integers) -> Floats:
        """Return what examples count in progressive errors: their own weights."""
        return self.window.importance[rows].astype(np.float64)


class StreamBatches(Batches):
    """The examples of a stream, window by window.

    Parameters
    ----------
    reader
        Of the examples.
    plan
        How to go over them.
    folder
        Where the cache of later passes is put.

    Attributes
    ----------
    examples
        What passes visit, and what they leave out.
    findings
        What was found in them beside their truths.
    """

    has_progress = True
    compares_every = COMPARED
    later_look = Look(are_new=False)

    def __init__(self, reader: Reader, plan: "PassPlan", folder: str | Path | None = None) -> None:
        self.reader, self.plan = reader, plan
        self.examples = StreamExamples(reader, plan, folder)
        self.findings, self.holds_out = Findings(), plan.held_out > 0

    @contextmanager
    def opened(self, learner: Learner, plan: "PassPlan", first: int) -> Iterator[None]:
        """Let a learner count mistakes as those of a stream, and read to the end.

        Names and labels are those of all examples, also where no pass was left.
        """
        learner.is_streaming = True
        if learner.mistakes is None:
            learner.mistakes = np.zeros(0, np.int64)
        yield
        self.examples.read()

    def of_pass(self, learner: Learner, number: int, behind: int, is_within: bool) -> Iterator[Batch]:
        """Yield the windows of a pass whose examples were not all visited."""
        for index, window in enumerate(self.examples.windows(number)):
            if index >= behind:
                yield self._batch(learner, window, index, number, is_within and index == behind)

    def _batch(
        self, learner: Learner, window: Window, index: int, number: int, is_within: bool
    ) -> WindowBatch:
        chosen = np.flatnonzero(window.labels != NO_LABEL)
        if number == 0 and not is_within:
            self.findings.unlabelled += window.size - chosen.size
            if learner.scaler is not None and not self.plan.looks_first:
                windows.count(learner.scaler, window)
        if not chosen.size:
            nothing = np.full(window.size, -1)
            return WindowBatch(window, index, nothing, chosen, Coded(nothing, np.zeros(window.size)))
        codes, introduced = self._met(learner, window)
        if not is_within:
            self.findings.introduced = introduced
        chosen = np.setdiff1d(chosen, self.findings.introduced, assume_unique=True)
        examples = Coded(codes, windows.importance_of(learner, window, codes))
        return WindowBatch(window, index, codes, chosen, examples)

    def _met(self, learner: Learner, window: Window) -> tuple[Integers, list[int]]:
        """Return the code of each row's truth, and the rows that introduced a class.

        The learner meets the labels that are new.
        """
        labels = self.reader.labels
        present = np.flatnonzero(np.bincount(window.labels + 1)) - 1
        names = (labels.names[number] for number in present.tolist() if number != NO_LABEL)
        late = windows.meet(learner, names, window=window)
        for name in late:
            self.findings.late[name] = labels.places.get(name, "")
        firsts = [int(np.argmax(window.labels == labels.names.index(name))) for name in late]
        return learner.target.codes_by_number(labels)[window.labels], firsts

    def are_kept(self) -> bool:
        """Return whether there was room for all examples in the cache."""
        return self.examples.are_kept()

    def validate(self, learner: Learner, learned: Tally) -> float:
        """Return the share of the held-out examples that is right, by weight."""
        total = self.tally_held_out(learner)
        check_held_out(total, learned, self.plan)
        return 1.0 - total.error_rate

    def tally_held_out(self, learner: Learner) -> Tally:
        """Return how a learner does on what is held out."""
        total = Tally()
        assert self.examples.held_out is not None
        for window in self.examples.held_out.windows():
            codes, _ = self._met(learner, window)
            weight = window.importance.astype(np.float64)
            total += learner.target.tally(windows.scores(learner, window), codes, weight, logarithmic=False)
        return total


def check_held_out(held_out: Tally, learned: Tally, plan: "PassPlan") -> None:
    """Raise if there is nothing to stop by, or nothing to learn from."""
    if not held_out.weight or not learned.weight:
        part = "held out" if not held_out.weight else "left to learn from"
        raise ValueError(
            f"early stopping: no example is {part}, as there are too few. Give more, or another "
            f"validation_fraction than {plan.held_out:g}, or leave early stopping out."
        )
