"""Rows in memory that are scaled in front of a model, which cannot do so as it goes."""

from typing import Any

import numpy as np

from kerneltron._types import Floats, Integers
from kerneltron._validate import rows_of
from kerneltron.learning.learner import Learner
from kerneltron.learning.scaler_choice import scaler_in_front


def scale_all(learner: Learner, X: Any, there: Integers | None) -> Any:
    """Return all rows of a training as the model is to learn from them, scaled by those that are `there`."""
    learner.scaler = scaler_in_front(learner.method, _width(learner))
    if learner.scaler is None:
        return X
    learner.scaler.count_all(X if there is None else rows_of(X, there))
    return learner.scaled(X, limits=True)


def scale_next(learner: Learner, X: Any, weight: Floats | None, is_first: bool) -> Any:
    """Return further rows of a stream as the model is to learn from them, scaled by all rows so far.

    Rows of weight 0 do not exist. The scaler is an independent copy: where learning fails, its learner is
    lost, and not the one that this is a copy of.
    """
    if is_first:
        learner.scaler = scaler_in_front(learner.method, _width(learner))
    elif learner.scaler is not None:
        learner.scaler = learner.scaler.copy()
    if learner.scaler is None:
        return X
    learner.scaler.count(X, None if weight is None else np.sign(weight))
    return learner.scaled(X, limits=True)


def _width(learner: Learner) -> int:
    """Return how many columns rows have; raise if they are to be scaled and are not numbers."""
    if learner.inputs is None and learner.method.scale is True:
        raise ValueError("scale=True is for rows of numbers, and X holds other examples: use `scale=False`.")
    return learner.inputs or 0
