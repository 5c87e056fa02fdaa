"""What one pass over the examples did: for callbacks, and to stop by."""

from math import nan
from typing import Any, NamedTuple

from kerneltron.models.optimality import Optimality


class PassReport(NamedTuple):
    """What one pass did."""

    number: int  # from 1
    examples: int
    mistakes: Any  # a number; of several tasks, one each
    seconds: float
    validation_score: float  # nan without validation
    objective: float = nan  # of models that look for an optimum; an estimate, but for the last pass
    dual_objective: float = nan  # a lower bound on the optimum

    @property
    def gap(self) -> float:
        """How far from the optimum it can be, relative to the objective; nan where that is not known."""
        return Optimality(self.objective, self.dual_objective).gap
