"""The mean of the vectors after each example."""

from kerneltron._types import Floats, Weights
from kerneltron.models.hypothesis import Hypothesis
from kerneltron.models.late import Start
from kerneltron.models.weights import average


class Average(Hypothesis):
    """The mean of the vectors after each example."""

    name = "average"
    brief = "their mean after each example"
    keeps_sums = True

    def vectors(self, weights: Weights) -> Floats:
        """Return the means."""
        return average(weights)

    def added(self, begins: Start) -> float:
        """Return the mean of what would have been added."""
        return begins.average
