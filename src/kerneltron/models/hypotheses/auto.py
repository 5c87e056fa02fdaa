"""The mean of the vectors; on a stream, the vector as it is now where that predicts better of late."""

from collections.abc import Sequence
from math import nan, sqrt
from typing import Any

import numpy as np

from kerneltron._types import Anything, Floats, Integers, Trace, Visits, Weights
from kerneltron.models.hypotheses.average import Average
from kerneltron.models.hypothesis import Learning
from kerneltron.models.weights import average, current, settle

HALVED = 256  # examples after which all that was seen before counts half
# Standard deviations that the vector of now must be ahead by. With 2 in place of 1, kinds of questions by
# their words, in one pass, have 17.6 % wrong and not 16.6, prices 6.0 and not 5.8; where rules stay, errors
# are the same to 0.1 %.
AHEAD = 1.0
EACH = 4096  # examples of a stream that are all compared, also where later only some are
COUNTS, SUMS = ("seen", "compared", "missed"), ("lead", "noise")  # what it keeps


class Auto(Average):
    """The mean of the vectors after each example, without the beginning, as long as their rule stays.

    Where there are several passes, the vectors of the first one count as if all of them had been the one that
    it ended with: the mean is not held back by what was wrong when nothing was known.

    Where examples come for the first time, as in `partial_fit` or one pass over a file, the mean is better
    than the last vector as long as they keep to one rule, and enough of them came; where the rule changes, it
    is stale. Both predict examples before they are learned from, and the last vector predicts from then on
    wherever it has been wrong less often of late: with d_t = 1 where only the mean was wrong and -1 where
    only the last vector was,

        sum_t a_t d_t  >  sqrt(sum_t a_t^2 d_t^2)

    where a_t is 1 for the latest up to 256 examples, 1/2 for the 256 before them, and so on. In dual form,
    and where weights are multiplied, there is no such choice: it is the mean.

    Attributes
    ----------
    seen
        Number of examples that came for the first time.
    compared
        How many of them both predicted.
    missed
        How many were wrong by what was to predict: those that were compared stand for the others.
    lead, noise
        The two sums: how many more examples the mean got wrong, and the variance of that.
    """

    name = "auto"
    brief = (
        "their mean, the first of several passes counting as what it ended with, or on a stream the vector "
        "as it is now where that has been wrong less often of late"
    )
    keeps_up = True
    is_traced = True

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.seen = self.compared = self.missed = 0
        self.lead = self.noise = 0.0

    @property
    def is_last(self) -> bool:
        """Whether the vector as it is now predicts."""
        return self.lead > AHEAD * sqrt(self.noise)

    @property
    def progressive_error(self) -> float:
        """Share of the examples that what was to predict got wrong, as far as it was asked."""
        return self.missed / self.seen if self.seen else nan

    def follow(self, model: Learning, visits: Visits, trace: Trace) -> Any:
        """Let the model learn; where it can, compare what both say, and let the trace say what predicts."""
        every, count = self.compares_every, visits.order.size
        if not (every and model.shows_averages and visits.codes.ndim == 1):
            return super().follow(model, visits, trace)
        scores = trace.scores if trace.scores.size else np.empty((count, model.weights.scale.size))
        both = trace._replace(scores=scores, average=np.full_like(scores, np.nan))
        if count == 1 and not trace.scores.size and not trace.asked.size:
            return self._follow_one(model, visits, both)
        ticks = np.arange(self.seen, self.seen + count)
        chosen = np.flatnonzero((ticks < EACH) | (ticks % every == 0))
        both.average[chosen, 0] = 0.0
        missed = model.step(visits, both)
        are_last = self._compare(both, visits.codes, chosen, np.where(ticks[chosen] < EACH, 1, every))
        self.seen += count
        if trace.scores.size and every == 1 and not trace.step.size:  # moves are those of the last vector
            trace.scores[:] = np.where(are_last[:, None], scores, both.average)
        if trace.asked.size:  # every example is then compared
            trace.predictions[:] = np.where(are_last[:, None], trace.predictions, trace.predictions_by_mean)
        return missed

    def _follow_one(self, model: Learning, visits: Visits, both: Trace) -> Any:
        """Let the model learn from one example, and compare what both say: without arrays, for speed."""
        is_chosen = self.seen < EACH or self.seen % self.compares_every == 0
        stands_for = 1 if self.seen < EACH else self.compares_every
        if is_chosen:
            both.average[0, 0] = 0.0
        missed = model.step(visits, both)
        if is_chosen:
            code = int(visits.codes[0])
            self._compare_one(_is_wrong(both.average[0], code), _is_wrong(both.scores[0], code), stands_for)
        self.seen += 1
        return missed

    def _compare_one(self, mean_is_wrong: bool, last_is_wrong: bool, stands_for: int) -> None:
        """Compare what both say of one example, as `_compare` does of several."""
        self.missed += stands_for * (last_is_wrong if self.is_last else mean_is_wrong)
        difference = float(mean_is_wrong) - float(last_is_wrong)
        self.lead, self.noise = self.lead + difference, self.noise + difference * difference
        self.compared += 1
        if self.compared % HALVED == 0:
            self.lead, self.noise = self.lead / 2, self.noise / 4

    def restart_average(self, weights: Sequence[Weights]) -> None:
        """Let the first pass have been what it ended with; from now on the mean predicts."""
        self.lead = self.noise = 0.0
        for each in weights:
            settle(each)

    def begin_mix(self) -> None:
        """Let the mean predict: how one of the parts did says nothing of the mix."""
        self.lead = self.noise = 0.0

    def _compare(self, both: Trace, codes: Integers, chosen: Integers, stand_for: Integers) -> Anything:
        """Compare some of the examples, and tell which of these the last vector was to predict.

        Each of them stands for a number of examples.
        Sums are of whole numbers and halves of them, and so the same however the examples come in calls.
        """
        mean_is_wrong = _are_wrong(both.average[chosen], codes[chosen])
        last_is_wrong = _are_wrong(both.scores[chosen], codes[chosen])
        differences = mean_is_wrong.astype(np.float64) - last_is_wrong
        are_last = np.empty(differences.size, bool)
        first = 0
        while first < differences.size:
            part = slice(first, first + HALVED - self.compared % HALVED)
            some = differences[part]
            lead, noise = self.lead + np.cumsum(some), self.noise + np.cumsum(some * some)
            are_last[part] = (lead - some) > AHEAD * np.sqrt(noise - some * some)
            self.lead, self.noise = float(lead[-1]), float(noise[-1])
            self.compared += some.size
            if self.compared % HALVED == 0:
                self.lead, self.noise = self.lead / 2, self.noise / 4
            first += some.size
        self.missed += int(stand_for @ np.where(are_last, last_is_wrong, mean_is_wrong))
        return are_last

    def vectors(self, weights: Weights) -> Floats:
        """Return the mean, or the vectors as they are now."""
        return current(weights) if self.is_last else average(weights)

    def state(self, resumable: bool) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return what was seen, if anything was; to predict, the vectors are enough."""
        if not resumable or not self.seen:
            return {}, {}
        return {name: getattr(self, name) for name in (*COUNTS, *SUMS)}, {}

    def restore(self, contents: Any, shape: tuple[int, int], remembered: int | None) -> None:
        """Take it back."""
        if "seen" not in contents.header:
            return
        self.seen = contents.whole("seen")
        self.compared = contents.whole("compared", 0, self.seen)
        self.missed = contents.whole("missed")
        self.lead, self.noise = (contents.number(name) for name in SUMS)
        if not 0 <= self.noise <= 2 * HALVED or abs(self.lead) > 2 * HALVED:
            contents.refuse("the mean cannot be ahead of the last vector, or behind it, by this much")


def _are_wrong(scores: Floats, codes: Integers) -> Anything:
    """Tell for each row whether its scores predict another class."""
    if scores.shape[1] == 1:
        return np.asarray((scores[:, 0] > 0) != (codes == 1))
    return np.asarray(scores.argmax(axis=1) != codes)


def _is_wrong(scores: Floats, code: int) -> bool:
    """Return whether the scores of one row predict another class."""
    if scores.size == 1:
        return bool((scores[0] > 0) != (code == 1))
    return int(scores.argmax()) != code
