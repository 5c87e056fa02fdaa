"""What happens to the vector of a linear learner, visit by visit."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from kerneltron._types import Anything, Floats, Integers


class Visit(NamedTuple):
    """One visit: which example, and the vector before and after."""

    example: int
    before: Floats
    after: Floats
    is_mistake: bool


def visit_all(estimator: Any, X: Floats, y: Anything, order: Integers) -> Iterator[Visit]:
    """Let a clone of a learner visit rows one by one, and yield what happens.

    Parameters
    ----------
    estimator
        One of our classifiers, linear and without a constant feature.
    X, y
        The examples, of two labels.
    order
        The numbers of the rows, from 0, as they are visited.
    """
    from sklearn.base import clone

    classes = np.unique(y)
    learner = clone(estimator).set_params(hypothesis="last")
    before = np.zeros(X.shape[1])
    for number, example in enumerate(order.tolist()):
        row = slice(example, example + 1)
        learner.partial_fit(X[row], y[row], classes=None if number else classes)
        after = np.array(learner.coef_[0], float)
        sign = 1 if y[example] == classes[1] else -1
        yield Visit(example, before, after, bool(sign * (before @ X[example]) <= 0))
        before = after
