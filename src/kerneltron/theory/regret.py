"""Regret: what a learner lost along a stream, beyond the best fixed vector that hindsight would choose.

R_t = sum over s <= t of (loss(y_s f_s(x_s)) - loss(y_s <u, x_s>)), where f_s is what the learner knew
*before* example s, and u is one vector for the whole stream. If R_t / t goes to 0 the learner does as well as
u on average, though it never knew what would come. Under drift no fixed vector is good, and regret may fall
below 0.

Zinkevich, Online convex programming and generalized infinitesimal gradient ascent (2003). Hazan, Introduction
to online convex optimization, theorem 3.1.
"""

from typing import Any

import numpy as np

from kerneltron._types import Anything, Floats
from kerneltron.learning.parameters import check_number
from kerneltron.theory.hindsight import projected
from kerneltron.theory.losses import loss_of


def scores_before(learner: Any, X: Any, y: Anything) -> Floats:
    """Return the score of each example before it was learned from, by a learner that has learned nothing.

    Parameters
    ----------
    learner
        Anything with `partial_fit_predict`, such as our classifiers; it learns. Scores are those of what it
        predicts by: theorems about its vectors need `hypothesis="last"`.
    X, y
        The stream, in its order, with labels -1 and 1.

    Examples
    --------
    >>> from kerneltron import Perceptron
    >>> learner = Perceptron(fit_intercept=False, hypothesis="last")
    >>> scores_before(learner, np.array([[1.0], [2.0], [3.0]]), np.array([1, 1, -1]))
    array([0., 2., 3.])
    """
    return np.asarray(learner.partial_fit_predict(X, y), np.float64)


def regret(scores: Floats, best_scores: Floats, y: Anything, *, loss: str = "logistic") -> Floats:
    """Return the regret after each example.

    Parameters
    ----------
    scores
        Of the learner, before it learned from each example.
    best_scores
        Of the best fixed vector.
    y
        Labels -1 and 1.
    loss
        "logistic" or "hinge".

    Examples
    --------
    >>> regret(np.array([0.0, 0.5]), np.array([1.0, 1.0]), np.array([1, 1]), loss="hinge")
    array([1. , 1.5])
    """
    formula = loss_of(loss)
    return np.cumsum(formula(y * scores) - formula(y * best_scores))


def online_gradient(X: Floats, y: Anything, *, loss: str = "logistic", radius: float) -> Floats:
    """Return the scores, before each update, of online gradient descent with steps 2 B / (G sqrt(t)).

    The vector stays within the ball ||w|| <= B, and G is the largest length of an example, known before the
    first: no gradient is longer. This is the learner that `gradient_bound` speaks of.

    Parameters
    ----------
    X, y
        The stream, in its order: one row per example, and labels -1 and 1.
    loss
        "logistic" or "hinge".
    radius
        B, above 0: how long the vector may become.

    Examples
    --------
    >>> X, y = np.array([[1.0], [1.0], [1.0]]), np.array([1, 1, -1])
    >>> online_gradient(X, y, loss="hinge", radius=0.5)
    array([0. , 0.5, 0.5])
    """
    formula = loss_of(loss)
    check_number("radius", radius, above=0)
    longest = float(np.linalg.norm(X, axis=1).max()) or 1.0
    w: Floats = np.zeros(X.shape[1])
    scores = np.empty(len(X))
    for t, (x, label) in enumerate(zip(X, y, strict=True), 1):
        scores[t - 1] = w @ x
        step = 2 * radius / (longest * np.sqrt(t))
        w = projected(w + step * formula.pull(label * scores[t - 1]) * label * x, radius)
    return scores


def gradient_bound(examples: int, radius: float, longest: float) -> Floats:
    """Return 3 B G sqrt(t) for t = 1, ..., examples: the most that `online_gradient` regrets, on any stream.

    The regret is that against any fixed vector u with ||u|| <= B.

    Examples
    --------
    >>> gradient_bound(examples=4, radius=2.0, longest=1.0)[[0, 3]]
    array([ 6., 12.])
    """
    return 3 * radius * longest * np.sqrt(np.arange(1, examples + 1))


def growth_exponent(curve: Floats) -> float:
    """Return p of the power t^p that best fits the last nine tenths of a curve.

    NaN unless these are two values or more, all above 0.

    1 means that something is lost for good at every example; 1/2 is what `gradient_bound` allows.

    Parameters
    ----------
    curve
        Total regret, or another total, after examples 1, 2, ...

    Examples
    --------
    >>> round(growth_exponent(5 * np.sqrt(np.arange(1, 1001))), 3)
    0.5
    """
    t = np.arange(1, len(curve) + 1)
    late = t > len(curve) / 10
    if late.sum() < 2 or (curve[late] <= 0).any():
        return float("nan")
    weights = 1 / np.sqrt(t[late])  # so that equal stretches of log t count alike
    return float(np.polyfit(np.log(t[late]), np.log(curve[late]), 1, w=weights)[0])
