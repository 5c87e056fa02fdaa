"""Rows in memory that are scaled in front of a model, which cannot do so as it goes."""

from typing import Any

import numpy as np

from kerneltron._types import Anything, Floats, Integers
from kerneltron._validate import rows_of
from kerneltron.learning.learner import Learner
from kerneltron.learning.scaler_choice import scaler_in_front
from kerneltron.training.arrays import Stretch
from kerneltron.training.pass_plan import ONCE
from kerneltron.training.trainer import Trainer


def scale_all(learner: Learner, X: Any, there: Integers | None) -> Any:
    """Return all rows of a training as the model is to learn from them.

    They are scaled by those that are `there` to learn from: rows that are held out are not counted.
    """
    learner.scaler = scaler_in_front(learner.method, _width(learner))
    if learner.scaler is None:
        return X
    learner.scaler.count_all(X if there is None else rows_of(X, there))
    return learner.scaled(X, limits=True)


def take_own_scaler(learner: Learner, is_first: bool) -> None:
    """Give a learner of a stream its scaler, at first, or an independent copy of it.

    Where learning fails, that learner is lost, and not the one whose scaler it had.
    """
    if is_first:
        learner.scaler = scaler_in_front(learner.method, _width(learner))
    elif learner.scaler is not None:
        learner.scaler = learner.scaler.copy()


def scale_next(learner: Learner, X: Any, weight: Floats | None) -> Any:
    """Count further rows, but for those of weight 0; return them as the model is to learn from them."""
    if learner.scaler is None:
        return X
    learner.scaler.count(X, None if weight is None else np.sign(weight))
    return learner.scaled(X, limits=True)


def as_first_rows(learner: Learner, X: Any, weight: Floats | None) -> Any:
    """Return rows as `scale_next` would, for a learner that looks at the first ones before it begins."""
    other = learner.shell()
    take_own_scaler(other, is_first=False)
    return scale_next(other, X, weight)


def learn_one_by_one(learner: Learner, X: Any, y: Anything, weight: Floats | None) -> Floats:
    """Learn from rows; return what would have been predicted of each just before it was counted, too."""
    scores = np.full((len(y), learner.model.columns), np.nan)
    if len(y) > 1:  # where a later row fails, the earlier ones are not to be found in what others hold
        own = learner.copy()
        learner.model, learner.mistakes = own.model, own.mistakes
    for row in np.arange(len(y)) if weight is None else np.flatnonzero(weight):
        place = np.array([row])
        one, counts = rows_of(X, place), None if weight is None else weight[place]
        scores[row] = learner.scores(one)[0]
        stretch = Stretch(scale_next(learner, one, counts), learner.examples(y[place], counts))
        trainer = Trainer(learner, stretch, ONCE)
        with trainer.opened():
            trainer.go_on()
    return scores


def _width(learner: Learner) -> int:
    """Return how many columns rows have; raise if they are to be scaled and are not numbers."""
    if learner.inputs is None and learner.method.scale is True:
        raise ValueError("scale=True is for rows of numbers, and X holds other examples: use `scale=False`.")
    return learner.inputs or 0
