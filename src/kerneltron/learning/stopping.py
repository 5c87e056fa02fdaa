"""When passes are enough: `passes` is a cap, and a pass ends with a report that may say so earlier."""

from collections.abc import Callable
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


class BestPass:
    """Early stopping: the pass that does best on held-out examples, until `patience` in a row do no better.

    Attributes
    ----------
    scores
        On the held-out examples, one entry per pass.
    best
        A copy of what did best; None before the first pass has ended.
    number
        Its pass, from 1; 0 before the first has ended.
    """

    def __init__(self, patience: int) -> None:
        self.patience = patience
        self.scores: list[float] = []
        self.best: Any = None
        self.number = 0

    def look(self, score: float, copy: Callable[[], Any]) -> None:
        """Take note of the score of another pass, and of a copy if there was no better one before."""
        self.scores.append(score)
        if self.best is None or score > self.scores[self.number - 1]:
            self.best, self.number = copy(), len(self.scores)

    @property
    def is_enough(self) -> bool:
        """Tell whether further passes are not worth it."""
        return self.best is not None and len(self.scores) - self.number >= self.patience
