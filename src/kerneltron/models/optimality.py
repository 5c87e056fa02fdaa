"""How close a model is to the optimum of its problem: two objectives, one from above and one from below."""

from math import nan
from typing import NamedTuple


class Optimality(NamedTuple):
    """The optimum lies between both objectives.

    `objective` is ||w||^2 / 2 + the sum of the losses, `dual_objective` the largest lower bound that is
    known.
    """

    objective: float = nan
    dual_objective: float = nan

    @property
    def gap(self) -> float:
        """The relative duality gap; nan for models that do not look for an optimum."""
        if self.objective == self.dual_objective:
            return 0.0
        return (self.objective - self.dual_objective) / abs(self.objective) if self.objective else nan


UNKNOWN = Optimality()
