"""What a model says of the examples of a stream."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from kerneltron._types import Floats, Integers
from kerneltron.learning.learner import Learner
from kerneltron.learning.stream_model import StreamModel
from kerneltron.stream.window import Window
from kerneltron.training import windows as stream_windows


class Answers(NamedTuple):
    """One entry, or one row, per example of a window."""

    window: Window
    codes: Integers  # places of the predicted labels among the classes
    raw: Floats  # scores as the learner has them, one column for two classes
    learner: Learner

    def scores(self) -> Floats:
        """Return one score per class; of two classes, the first has the negative score of the second."""
        return np.hstack([-self.raw, self.raw]) if len(self.learner.known) == 2 else self.raw

    def probabilities(self) -> Floats:
        """Return one probability per class."""
        return self.learner.probabilities(self.raw)


def answers(learner: Learner, windows: Iterator[Window]) -> Iterator[Answers]:
    """Yield what a learner says of each window; it lasts until the next one is asked for."""
    for window in windows:
        raw = stream_windows.scores(learner, window)
        yield Answers(window, learner.target.predicted(raw), raw, learner)


def check_probabilities(model: StreamModel) -> None:
    """Raise if a model has no probabilities."""
    if not model.learner.has_probabilities:
        raise ValueError(
            f"this {model.learner.name} comes from a file of an older version, which kept no calibration: it "
            "has no probabilities, only scores. Use `scores`, or train it anew."
        )
