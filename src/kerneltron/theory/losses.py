"""Convex losses of the margin z = y <w, x>, with what proves that a vector is best: their duals."""

from abc import ABC, abstractmethod

import numpy as np
from scipy.special import entr, expit

from kerneltron._types import Floats


class Loss(ABC):
    """A convex loss that falls with the margin, with a slope from -1 to 0.

    For every number a from 0 to 1 and every margin, loss(z) >= dual(a) - a z.
    """

    name: str

    @abstractmethod
    def __call__(self, z: Floats) -> Floats:
        """Return the loss of each margin."""

    @abstractmethod
    def pull(self, z: Floats, smoothing: float = 0.0) -> Floats:
        """Return minus the slope, from 0 to 1: how much an example pulls at w.

        Where the loss has a corner, `smoothing` is the width of the piece that replaces it.
        """

    @abstractmethod
    def dual(self, a: Floats) -> Floats:
        """Return the least loss(z) + a z over all z."""

    @abstractmethod
    def curvature(self, smoothing: float) -> float:
        """Return the largest second derivative, once a corner is smoothed."""


class Logistic(Loss):
    """log(1 + exp(-z)).

    Examples
    --------
    >>> Logistic()(np.array([0.0, 50.0])).round(4)
    array([0.6931, 0.    ])
    """

    name = "logistic"

    def __call__(self, z: Floats) -> Floats:
        """Return the loss of each margin."""
        return np.asarray(np.logaddexp(0.0, -z))

    def pull(self, z: Floats, smoothing: float = 0.0) -> Floats:
        """Return 1 / (1 + exp(z))."""
        return np.asarray(expit(-z))

    def dual(self, a: Floats) -> Floats:
        """Return the entropy of a coin that shows heads with probability a."""
        return np.asarray(entr(a) + entr(1 - a))

    def curvature(self, smoothing: float) -> float:
        """Return 1/4."""
        return 0.25


class Hinge(Loss):
    """max(0, 1 - z).

    Examples
    --------
    >>> Hinge()(np.array([-1.0, 0.5, 3.0]))
    array([2. , 0.5, 0. ])
    """

    name = "hinge"

    def __call__(self, z: Floats) -> Floats:
        """Return the loss of each margin."""
        return np.asarray(np.maximum(0.0, 1.0 - z))

    def pull(self, z: Floats, smoothing: float = 0.0) -> Floats:
        """Return 1 below the margin 1, else 0, with a ramp between them where it is smoothed."""
        if smoothing == 0:
            return np.asarray(z < 1, np.float64)
        return np.asarray(np.clip((1.0 - z) / smoothing, 0.0, 1.0))

    def dual(self, a: Floats) -> Floats:
        """Return a: the least value is at the corner."""
        return a

    def curvature(self, smoothing: float) -> float:
        """Return one over the width of the ramp."""
        return 1 / smoothing


LOSSES: dict[str, Loss] = {loss.name: loss for loss in (Logistic(), Hinge())}


def loss_of(name: str) -> Loss:
    """Return the loss of a name.

    Examples
    --------
    >>> loss_of("hinge").dual(np.array([0.25]))
    array([0.25])
    """
    if name not in LOSSES:
        raise ValueError(f"loss={name!r} is not known. Give one of {', '.join(LOSSES)}.")
    return LOSSES[name]
