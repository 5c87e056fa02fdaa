"""Early stopping: the best pass so far, and whether further ones are worth it."""

from collections.abc import Callable

import numpy as np

from kerneltron.learning.learner import Learner


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
        self.best: Learner | None = None
        self.number = 0

    def look(self, score: float, copy: Callable[[], Learner]) -> None:
        """Take note of the score of another pass, and of a copy if there was no better one before."""
        self.scores.append(score)
        if self.best is None or score > self.scores[self.number - 1]:
            self.best, self.number = copy(), len(self.scores)

    @property
    def is_enough(self) -> bool:
        """Return whether further passes are not worth it."""
        return self.best is not None and len(self.scores) - self.number >= self.patience

    def bring_back(self, learner: Learner, keeps_mistakes: bool) -> None:
        """Give a learner the model of the best pass, if passes were compared, and the scores of all.

        Parameters
        ----------
        learner
            What made these passes.
        keeps_mistakes
            Whether the mistakes of the passes since the best one still count.
        """
        best = self.best
        if best is None:
            return
        if not keeps_mistakes:
            learner.mistakes = best.mistakes
        learner.model, learner.calibration, learner.scaler = best.model, best.calibration, best.scaler
        learner.validation_scores, learner.best_pass = np.array(self.scores), self.number
