"""Winnow: how far w is from a vector u without negative entries, measured by relative entropy.

D(u, w) = sum_j u_j ln(u_j / w_j) - u_j + w_j. For features between 0 and m, a missed positive example,
<w, x> <= theta, lowers it by at least ln(promotion) <u, x> - (promotion^m - 1) theta / m, since a^x - 1 is at
most x (a^m - 1) / m there. A false positive, <w, x> >= theta, lowers it by at least
(1 - demotion^m) theta / m + ln(demotion) <u, x>. Call that g(x); D is never negative. So for every g > 0,

    mistakes <= (D(u, 1) + sum of max(0, g - g(x))) / g.

Where k of n attributes decide, a u with k entries of some n shows that mistakes grow as k ln n.
"""

from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize

from kerneltron._types import Floats, Integers
from kerneltron.engine.multiplicative import WinnowRule
from kerneltron.kernels.threads import one_blas_thread
from kerneltron.theory.theorems.theorem import Found, Statement, Theorem

STEPS = tuple(2.0**power for power in range(-3, 3))  # of what a false positive gains without u
SMOOTH = 0.1  # of g: losses are rounded off within it, for the search only
LEAST = 1e-9  # of an entry
LOOKS = 200  # at the objective, in a search: any u proves a bound, and better ones prove little more


class Gains(NamedTuple):
    """g(x) = slope(x) <u, x> + level(x), one number each per example."""

    slopes: Floats
    levels: Floats


def theorem(rule: WinnowRule, columns: int) -> Theorem | None:
    """Return the bound; None in the balanced form, where one half can grow without end with the other."""
    if rule.balanced or rule.threshold <= 0:
        return None
    says = Statement(
        "mistakes <= (D(u, 1) + sum of max(0, g - g(x))) / g, D the relative entropy",
        "Littlestone, Learning quickly when irrelevant attributes abound (1988); Kivinen and Warmuth (1997)",
        by_entropy=True,
    )
    return Theorem(says, search=lambda X, labels, visits: search(rule, X, labels, visits))


def gains(rule: WinnowRule, labels: Integers, largest: float) -> Gains:
    """Return how much closer to u a mistake at each example brings w, at least."""
    with np.errstate(over="ignore"):
        up = float(-(np.float64(rule.promotion) ** largest - 1.0) * rule.threshold / largest)
    down = (1.0 - rule.demotion**largest) * rule.threshold / largest
    is_positive = labels > 0
    steps = float(np.log(rule.promotion)), float(np.log(rule.demotion))
    return Gains(np.where(is_positive, *steps), np.where(is_positive, up, down))


def search(rule: WinnowRule, X: Any, labels: Integers, visits: float) -> Found:
    """Return the least bound that is found, its u, and g as the margin."""
    u, largest = np.ones(X.shape[1]), float(X.max()) if X.shape[0] else 0.0
    best = Found(np.inf, u, 0.0)
    if largest <= 0:
        return best
    about = gains(rule, labels, largest)
    if not np.isfinite(about.levels).all():  # one update may multiply by more than numbers hold
        return best
    unit = float(np.abs(about.levels).max())
    with one_blas_thread():  # small products: 40 times as quick as threads that wait for each other
        for step in STEPS:
            u = _closest(X, about, step * unit, visits, u)
            best = min(best, _found(X, about, step * unit, visits, u), key=lambda each: each.bound)
    return best


def entropy(u: Floats) -> float:
    """Return D(u, 1).

    Examples
    --------
    >>> entropy(np.ones(3)), entropy(np.zeros(3))
    (0.0, 3.0)
    """
    return float(np.sum(np.where(u > 0, u * np.log(np.maximum(u, 1e-300)), 0.0) - u + 1.0))


def _found(X: Any, about: Gains, g: float, visits: float, u: Floats) -> Found:
    lacking = visits * float(np.maximum(0.0, g - about.slopes * (X @ u) - about.levels).sum())
    return Found((entropy(u) + lacking) / g, u, g, lacking)


def _closest(X: Any, about: Gains, g: float, visits: float, start: Floats) -> Floats:
    """Return a u with nearly the least D(u, 1) + sum of max(0, g - g(x))."""
    width = SMOOTH * g

    def objective(u: Floats) -> tuple[float, Floats]:
        lacking = g - about.slopes * (X @ u) - about.levels
        inside = np.clip(lacking / width, 0.0, 1.0)
        losses = np.where(lacking > width, lacking - width / 2, width * inside**2 / 2)
        gradient = np.log(u) - visits * (X.T @ (about.slopes * inside))
        return entropy(u) + visits * float(losses.sum()), np.asarray(gradient)

    found = minimize(
        objective,
        start,
        jac=True,
        method="L-BFGS-B",
        bounds=[(LEAST, None)] * start.size,
        options={"maxfun": LOOKS},
    )
    return np.asarray(found.x)
