"""How fast a training goes, how well it does, and how far it has come."""

from collections.abc import Callable
from time import monotonic
from typing import NamedTuple

from kerneltron.learning.progressive import Tally
from kerneltron.training.streaming import StreamTraining


class Moment(NamedTuple):
    """A training at a moment. Loss is the logarithmic one, or the rate of errors where there is none."""

    examples: int
    rate: float  # examples per second
    loss: float
    recent_loss: float  # of the examples since the moment before
    share: float | None  # of all work that is done, if it can be told


class Pace:
    """Looks at a training from time to time.

    Parameters
    ----------
    total
        Bytes of all sources, if known.
    clock
        Gives the time in seconds.
    """

    def __init__(self, total: int | None, clock: Callable[[], float] = monotonic) -> None:
        self.total, self.clock = total, clock
        self._began: tuple[float, int] | None = None
        self._before = Tally()
        self._pass = 0  # examples in a pass, known after the first

    def look(self, training: StreamTraining) -> Moment:
        """Return how things are."""
        now, progress = self.clock(), training.progress
        if self._began is None:  # work that was done before an interruption says nothing about the rate
            self._began = now, progress.examples
        if training.number and not training.batches_done:
            self._pass = progress.examples // training.number
        recent, self._before = progress - self._before, progress
        elapsed = now - self._began[0]
        logarithmic = training.learner.scores_are_log_odds
        return Moment(
            progress.examples,
            (progress.examples - self._began[1]) / elapsed if elapsed else 0.0,
            progress.mean_loss if logarithmic else progress.error_rate,
            recent.mean_loss if logarithmic else recent.error_rate,
            self._share(training),
        )

    def _share(self, training: StreamTraining) -> float | None:
        passes = training.plan.passes
        if self._pass:
            return min(1.0, training.progress.examples / (self._pass * passes))
        return training.consumed / self.total / passes if self.total and not training.number else None
