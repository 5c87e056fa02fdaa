"""Mistake bounds of the perceptron: what a vector u and the lengths of the examples promise of any run.

R is the largest norm of an example, the constant feature counted. The theorems start from w = 0, and hold
for every order of the examples, for all passes together and in every dimension: only R and the margin enter.

Novikoff, On convergence proofs on perceptrons (1962). Freund and Schapire, Large margin classification using
the perceptron algorithm (1999), theorems 1 and 2.
"""

import numpy as np

from kerneltron._types import Floats
from kerneltron.learning.delta import best_delta

__all__ = ["best_delta", "delta_bound", "deviation", "inseparable_bound", "separable_bound", "vector_bound"]


def separable_bound(radius: float, margin: float) -> float:
    """Return (R / gamma)^2: the most mistakes where y <u, x> >= gamma for a unit vector u and all examples.

    Every mistake adds at least gamma to <w, u>, and at most R^2 to ||w||^2: after k of them
    k gamma <= <w, u> <= ||w|| <= sqrt(k) R.

    Parameters
    ----------
    radius
        R, the largest length of an example.
    margin
        gamma, the margin of the unit vector u.

    Examples
    --------
    >>> separable_bound(radius=2.0, margin=0.5)
    16.0
    """
    return (radius / margin) ** 2 if margin > 0 else np.inf


def vector_bound(vector_norm: float, radius: float) -> float:
    """Return ||w*||^2 R^2: the same where y <w*, x> >= 1 for all examples; gamma is 1 / ||w*||.

    Parameters
    ----------
    vector_norm
        ||w*||.
    radius
        R, the largest length of an example.

    Examples
    --------
    >>> vector_bound(vector_norm=2.0, radius=2.0) == separable_bound(radius=2.0, margin=1 / 2.0)
    True
    """
    return vector_norm * radius * vector_norm * radius


def deviation(margins: Floats, margin: float, visits: float = 1.0) -> float:
    """Return D = sqrt(sum of max(0, gamma - y <u, x>)^2), summed over the visits.

    Parameters
    ----------
    margins
        y <u, x> of each example, for a unit vector u.
    margin
        The margin gamma that they are to have.
    visits
        How often each example was visited: P passes multiply D^2 by P.

    Examples
    --------
    >>> deviation(np.array([2.0, 1.0, -3.0]), margin=1.0)
    4.0
    """
    short = np.maximum(0.0, margin - np.asarray(margins, np.float64))
    return float(np.sqrt(visits * np.square(short).sum()))


def delta_bound(radius: float, margin: float, D: float, delta: float) -> float:
    """Return (R^2 + Delta^2) Z^2 / gamma^2 with Z = sqrt(1 + D^2 / Delta^2): the Delta trick, for any Delta.

    Each example gets a feature of its own, of value Delta. It is then of length at most sqrt(R^2 + Delta^2),
    and (u, d_1 y_1 / Delta, d_2 y_2 / Delta, ...) / Z separates all of them with margin gamma / Z. A single
    pass makes the same mistakes with these features as without.

    Parameters
    ----------
    radius
        R, the largest length of an example.
    margin
        gamma, the margin of the unit vector u.
    D
        What examples lack of the margin in all: see `deviation`.
    delta
        Delta.

    Examples
    --------
    >>> delta_bound(radius=2.0, margin=1.0, D=2.0, delta=2.0)
    16.0
    """
    if delta == 0:
        return separable_bound(radius, margin) if D == 0 else np.inf
    return (radius**2 + delta**2) * (1 + (D / delta) ** 2) / margin**2 if margin > 0 else np.inf


def inseparable_bound(radius: float, margin: float, D: float) -> float:
    """Return ((R + D) / gamma)^2: the Delta trick with the best Delta, sqrt(R D).

    Parameters
    ----------
    radius
        R, the largest length of an example.
    margin
        gamma, the margin of the unit vector u.
    D
        What examples lack of the margin in all: see `deviation`.

    Examples
    --------
    >>> inseparable_bound(radius=2.0, margin=1.0, D=2.0)
    16.0
    """
    return ((radius + D) / margin) ** 2 if margin > 0 else np.inf
