"""The best fixed vector in hindsight, by full gradients, with a proof of how good it is.

Among all u with ||u|| <= B it has the least total loss, to within a gap. Without B there need not be a best
one: where a vector separates the examples, longer ones have a smaller logistic loss. The proof is a lower
bound of everybody's loss: with any numbers a_i from 0 to 1,

    sum_i loss(y_i <u, x_i>)  >=  sum_i dual(a_i) - B ||sum_i a_i y_i x_i||.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from kerneltron._types import Floats
from kerneltron._validate import is_sparse
from kerneltron.learning.parameters import check_number
from kerneltron.theory.losses import Loss, loss_of

MOST_STEPS = 50_000
CHECKED = 20  # steps between two looks at the gap


class Best(NamedTuple):
    """A vector, its total loss, and what no vector in the ball is below."""

    vector: Floats
    total_loss: float
    lower_bound: float

    @property
    def gap(self) -> float:
        """How much better another vector could be, at most."""
        return self.total_loss - self.lower_bound


def best_in_hindsight(
    X: Any, y: Any, *, loss: str = "logistic", radius: float, tolerance: float = 1e-3
) -> Best:
    """Return the best vector u with ||u|| <= radius, by accelerated gradient descent.

    Each step takes O(n d) time, and the largest singular value of X, once, O(n d min(n, d)). The number of
    steps grows with radius / tolerance where the loss has a corner.

    Parameters
    ----------
    X, y
        Examples, one row each, and their labels -1 and 1.
    loss
        "logistic" or "hinge".
    radius
        How long the vector may be.
    tolerance
        The gap that is good enough, divided by the number of examples.

    Raises
    ------
    RuntimeError
        If the gap is still larger after many steps.

    Examples
    --------
    >>> X, y = np.array([[1.0], [1.0], [1.0]]), np.array([1, 1, -1])
    >>> best = best_in_hindsight(X, y, radius=10.0, tolerance=1e-9)
    >>> f"{best.vector[0]:.3f}", f"{np.log(2):.3f}"
    ('0.693', '0.693')
    """
    formula, Z = loss_of(loss), signed_rows(X, y)
    check_number("radius", radius, above=0)
    check_number("tolerance", tolerance, above=0)
    lower = -np.inf
    for step, w in enumerate(accelerated(Z, formula, radius, tolerance)):
        if step % CHECKED:
            continue
        z = Z @ w
        total = float(formula(z).sum())
        pull = formula.pull(z, tolerance)
        lower = max(lower, float(formula.dual(pull).sum() - radius * np.linalg.norm(pull @ Z)))
        if total - lower <= tolerance * len(Z):
            return Best(w, total, lower)
    raise RuntimeError(
        f"After {MOST_STEPS:,} steps the gap is still {total - lower:.3g}: give a smaller radius than "
        f"{radius:g} or a larger tolerance than {tolerance:g}."
    )


def accelerated(Z: Floats, loss: Loss, radius: float, smoothing: float) -> Iterator[Floats]:
    """Yield vectors on the way to the best one, for rows y x.

    Beck and Teboulle, A fast iterative shrinkage-thresholding algorithm (2009), started anew where momentum
    leads uphill, O'Donoghue and Candes, Adaptive restart for accelerated gradient schemes (2015).
    """
    rate = 1 / step_bound(Z, loss, smoothing)
    w: Floats = np.zeros(Z.shape[1])
    ahead = w
    momentum = 1.0
    for _ in range(MOST_STEPS):
        yield w
        new = projected(ahead + rate * (loss.pull(Z @ ahead, smoothing) @ Z), radius)
        if (ahead - new) @ (new - w) > 0:
            momentum = 1.0
        following = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        ahead = new + (momentum - 1) / following * (new - w)
        w, momentum = new, following


def full_gradient(
    X: Any, y: Any, *, loss: str = "logistic", radius: float, steps: int, smoothing: float = 1e-2
) -> Floats:
    """Return the mean loss before each step of plain gradient descent on all examples, and after the last.

    A step looks at as many examples as a whole pass of an online learner.

    Parameters
    ----------
    X, y
        Examples, one dense row each, and their labels -1 and 1.
    loss
        "logistic" or "hinge".
    radius
        How long the vector may be, above 0; each step ends in the nearest vector that is not longer.
    steps
        Number of steps, at least 0; there is one more loss than that.
    smoothing
        Width, in margins and above 0, of the curve that replaces the corner of the hinge loss in each step:
        the narrower, the shorter the steps. The logistic loss has no corner and ignores it.

    Examples
    --------
    >>> X, y = np.array([[1.0], [1.0], [1.0]]), np.array([1, 1, -1])
    >>> full_gradient(X, y, radius=10.0, steps=2).round(3)
    array([0.693, 0.637, 0.637])
    """
    formula, Z = loss_of(loss), signed_rows(X, y)
    check_number("radius", radius, above=0)
    check_number("smoothing", smoothing, above=0)
    rate = 1 / step_bound(Z, formula, smoothing)
    w: Floats = np.zeros(Z.shape[1])
    losses = [formula(Z @ w).mean()]
    for _ in range(steps):
        w = projected(w + rate * (formula.pull(Z @ w, smoothing) @ Z), radius)
        losses.append(formula(Z @ w).mean())
    return np.array(losses)


def signed_rows(X: Any, y: Any) -> Floats:
    """Return the rows y x, after a look at both.

    Examples
    --------
    >>> signed_rows([[1.0, 2.0], [3.0, 4.0]], [1, -1]).tolist()
    [[1.0, 2.0], [-3.0, -4.0]]
    """
    if is_sparse(X):
        raise ValueError("X is sparse, and full gradients are taken of dense rows: give X.toarray().")
    rows, labels = np.asarray(X, np.float64), np.asarray(y)
    if rows.ndim != 2 or labels.shape != rows.shape[:1] or not rows.size:
        raise ValueError(f"X has the shape {rows.shape}, y {labels.shape}: give one label for each row.")
    if not np.isin(labels, (-1, 1)).all():
        raise ValueError(f"y has the labels {np.unique(labels).tolist()}, but margins need -1 and 1.")
    return np.asarray(labels[:, None] * rows)


def step_bound(Z: Floats, loss: Loss, smoothing: float) -> float:
    """Return what the curvature of the total loss is at most: steps of one over it never overshoot."""
    return float(loss.curvature(smoothing) * np.linalg.norm(Z, 2) ** 2) or 1.0


def projected(w: Floats, radius: float) -> Floats:
    """Return the nearest vector that is at most so long.

    Examples
    --------
    >>> projected(np.array([3.0, 4.0]), radius=1.0)
    array([0.6, 0.8])
    """
    length = np.linalg.norm(w)
    return w if length <= radius else np.asarray(w * (radius / length))
