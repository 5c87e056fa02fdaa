"""The mean of the vectors after each example."""

from typing import Any

from kerneltron._types import Floats, Trace, Visits, Weights
from kerneltron.models.hypothesis import Hypothesis, Learning
from kerneltron.models.late import Start
from kerneltron.models.weights import average


class Average(Hypothesis):
    """The mean of the vectors after each example: (w_1 + ... + w_T) / T, w_t the vector after example t.

    The vectors that the examples were predicted by, w_0 to w_{T-1}, have a mean that differs from it by
    (w_T - w_0) / T: that is what `va += (T - t) y x` at each mistake t, and `va / T`, add up to.
    """

    name = "average"
    brief = "their mean after each example"
    keeps_sums = True
    is_traced = True

    def follow(self, model: Learning, visits: Visits, trace: Trace) -> Any:
        """Let the model learn, and the trace say what the mean does."""
        mistakes = model.step(visits, trace)
        trace.predictions[:] = trace.predictions_by_mean
        return mistakes

    def vectors(self, weights: Weights) -> Floats:
        """Return the means."""
        return average(weights)

    def added(self, begins: Start) -> float:
        """Return the mean of what would have been added."""
        return begins.average
