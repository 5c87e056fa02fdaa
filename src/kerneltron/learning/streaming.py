"""Passes over a stream: a learner visits its examples, window by window."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from kerneltron._types import Integers
from kerneltron.learning import windows
from kerneltron.learning.learner import Learner
from kerneltron.learning.order import order
from kerneltron.learning.progressive import Tally, tally
from kerneltron.learning.stopping import BestPass
from kerneltron.learning.stream_examples import Course, StreamExamples
from kerneltron.stream.labels import Labels
from kerneltron.stream.names import NameIndex
from kerneltron.stream.reader import Reader, Skipped
from kerneltron.stream.window import NO_LABEL, Window

COMPARED = 8  # of this many examples of the first pass, one shows whether the mean predicts better


class StreamTraining:
    """Training of a learner on a stream; it can be taken up again where it was.

    Attributes
    ----------
    every
        Examples after which its state can be saved; None: after a window. Where examples are remembered, in
        dual form and for the vote, and where rows are mapped, it is always after a window: what is learned
        then depends on how the visits are cut, and a training that goes on must lead to the same bytes.
    number, windows, visits
        Passes that lie behind, windows of the present one, and examples of the present one that were visited.
    progress
        Of all examples so far: progressive validation.
    first_pass
        The same of the first pass alone, in which no example was seen before; empty until it has ended.
    unlabelled
        Examples without a label, which were left out.
    late
        Labels that came after others, and where: the first example of each only introduces it.
    introduced
        Rows of the present window that only introduced a class. A training that is resumed in this window
        knows the classes already, and leaves the same rows out.
    best
        With early stopping, the accuracy on what is held out by pass, and the learner after the best one.
    """

    def __init__(
        self,
        learner: Learner,
        reader: Reader,
        course: Course,
        folder: str | Path | None = None,
        index: Callable[[], NameIndex | None] = lambda: None,
    ) -> None:
        self.learner, self.reader, self.course, self.folder = learner, reader, course, folder
        self.every: int | None = None
        self.number = self.windows = self.visits = 0
        self.progress, self.first_pass = Tally(), Tally()
        self.unlabelled = 0
        self.late: dict[str, str] = {}
        self.introduced: list[int] = []
        self.best = BestPass(course.patience)
        self.examples = StreamExamples(reader, course, folder)
        self._index = index

    @property
    def names(self) -> NameIndex | None:
        """The names of features, where they are kept."""
        return self._index()

    @property
    def unmet(self) -> list[str]:
        """Namespaces that were looked for in vain."""
        return self.reader.format.unmet()

    @property
    def skipped(self) -> Skipped:
        """Bad lines that were left out."""
        return self.reader.skipped

    @property
    def consumed(self) -> int:
        """Bytes of input, in the first pass."""
        return self.examples.consumed

    def run(self, when_savable: Callable[["StreamTraining"], object] = lambda training: None) -> None:
        """Make all passes that are left. `when_savable` is called whenever the state could be saved."""
        while self._goes_on():
            if self.number == 1 and not (self.windows or self.visits) and self.learner.has_model:
                self.learner.model.forget_beginning()
            self.make_pass(when_savable)
            if self.course.held_out:
                self._look_at_held_out()
            when_savable(self)
        self.examples.read()  # names and labels are those of all examples, also where no pass was left
        if self.best.best is not None:
            self.learner = self.best.best

    def _goes_on(self) -> bool:
        is_left = self.number < self.course.passes and not self.best.is_enough
        return is_left and (self.number == 0 or self.examples.are_kept())

    def make_pass(self, when_savable: Callable[["StreamTraining"], object] = lambda training: None) -> None:
        """Make the next pass, or what is left of it."""
        for index, window in enumerate(self.examples.windows(self.number)):
            if index < self.windows:
                continue
            if index == 0 and not self.visits:
                windows.begin_pass(self.learner)
            self._learn(window, index, when_savable)
            self.windows, self.visits = index + 1, 0
            when_savable(self)
        if self.number == 0:
            self.first_pass = self.progress
        self.number, self.windows = self.number + 1, 0

    def _learn(self, window: Window, index: int, when_savable: Any) -> None:
        """Learn from those examples of a window that were not visited."""
        chosen = np.flatnonzero(window.labels != NO_LABEL)
        if self.number == 0 and not self.visits:
            self.unlabelled += window.size - chosen.size
            if self.learner.scale is not None and not self.course.looks_first:
                self.learner.scale.add(window)
        if not chosen.size:
            return
        codes, introduced = self._met(window)
        if not self.visits:
            self.introduced = introduced
        chosen = np.setdiff1d(chosen, self.introduced, assume_unique=True)
        logarithmic, classes = self.learner.scores_are_log_odds, len(self.learner.known)
        self.learner.compares_every = COMPARED if self.number == 0 else 0
        visits, is_first = self._visits(chosen, index), self.number == 0
        are_known = not is_first or self.course.looks_first
        for visited, scores in windows.learn(self.learner, window, codes, visits, are_known, is_first):
            weight = window.importance[visited].astype(np.float64)
            self.progress += tally(scores, codes[visited], weight, classes, logarithmic)
            if self._is_savable_within() and self.visits < chosen.size:
                when_savable(self)

    def _met(self, window: Window) -> tuple[Integers, list[int]]:
        """Return the class of each row, and the first row of each class that came late.

        The learner gets to know the labels that are new.
        """
        labels = self.reader.labels
        present = np.flatnonzero(np.bincount(window.labels + 1)) - 1
        names = (labels.names[number] for number in present.tolist() if number != NO_LABEL)
        late = windows.meet(self.learner, names, window=window)
        for name in late:
            self.late[name] = labels.places.get(name, "")
        firsts = [int(np.argmax(window.labels == labels.names.index(name))) for name in late]
        return codes_of(labels, self.learner.known)[window.labels], firsts

    def _visits(self, chosen: Integers, index: int) -> Iterator[Integers]:
        seed = None
        if self.course.seed is not None:
            key = [self.course.seed, self.number, index]
            seed = int(np.random.SeedSequence(key).generate_state(1)[0])
        behind, end = self.visits, 0
        for chunk in order(chosen.size, 0, seed, self.learner.model.blocks):
            for piece in self._cut(chunk, end):
                end += piece.size
                if end > behind:
                    self.visits = end
                    yield chosen[piece[max(0, behind - (end - piece.size)) :]]

    def _cut(self, chunk: Integers, first: int) -> list[Integers]:
        """Return visits, of which `first` lie before, in pieces that end where the state is to be saved."""
        if not self.every or not self._is_savable_within():
            return [chunk]
        cuts = range(self.every - first % self.every, chunk.size, self.every)
        return np.split(chunk, cuts)

    def _is_savable_within(self) -> bool:
        """Tell whether the state can be saved between any two visits."""
        model = self.learner.model
        return self.every is not None and not model.depends_on_cuts

    def validate(self) -> Tally:
        """Return how the learner does on what is held out."""
        total = Tally()
        assert self.examples.held_out is not None
        for window in self.examples.held_out.windows():
            codes, _ = self._met(window)
            weight = window.importance.astype(np.float64)
            scores = windows.scores(self.learner, window)
            total += tally(scores, codes, weight, len(self.learner.known), False)
        return total

    def _look_at_held_out(self) -> None:
        total = self.validate()
        check_held_out(total, self.progress, self.course)
        self.best.look(1.0 - total.error_rate, self.learner.copy)


def check_held_out(held_out: Tally, learned: Tally, course: Course) -> None:
    """Raise if there is nothing to stop by, or nothing to learn from."""
    if not held_out.weight or not learned.weight:
        part = "held out" if not held_out.weight else "left to learn from"
        raise ValueError(
            f"early stopping: no example is {part}, as there are too few. Give more, or another "
            f"validation_fraction than {course.held_out:g}, or leave early stopping out."
        )


def codes_of(labels: Labels, classes: list[str]) -> Integers:
    """Return for each number of a label its place among the classes, -1 where there is none; for -1, -1."""
    places = {name: code for code, name in enumerate(classes)}
    return np.array([*(places.get(name, -1) for name in labels.names), -1], np.int64)
