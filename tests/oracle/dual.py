"""The dual algorithm one example at a time: a coefficient per example and column, and all of the Gram matrix.

A plan takes the scores of all columns, the class, q, the squared norms, the time and the weight, and returns
the shrinks and the steps of all columns.
"""

from math import exp

import numpy as np

from tests.oracle.kernels import dot
from tests.oracle.loops import mistaken, sides


def gram(k, X, Z):
    return np.array([[k(x, z) for z in Z] for x in X])


def polynomial(degree, c=1.0):
    return lambda x, z: (c + dot(x, z)) ** degree


def gaussian(sigma):
    return lambda x, z: exp(-sum((a - b) ** 2 for a, b in zip(x, z, strict=True)) / (2 * sigma**2))


def apart(rule):
    """Let every column decide for itself, by a rule of `tests.oracle.rules`."""

    def plan(scores, code, q, norms, t, weight):
        labels = sides(code, len(scores))
        moves = [rule(y * z, q, N, t, weight) for y, z, N in zip(labels, scores, norms, strict=True)]
        return [shrink for shrink, _ in moves], [y * step for y, (_, step) in zip(labels, moves, strict=True)]

    return plan


def mira(C):
    def plan(scores, code, q, norms, t, weight):
        columns = len(scores)
        if q == 0:  # nothing that is added changes a score
            return [1] * columns, [0] * columns
        if columns == 1:
            y = sides(code, 1)[0]
            return [1], [y * min(C * weight / 2, max(0, 1 - 2 * y * scores[0]) / (2 * q))]
        losses = [1 + z - scores[code] for z in scores]
        theta = level([loss for c, loss in enumerate(losses) if c != code], q * C * weight / 2)
        steps = [-max(0, loss - theta) / q for loss in losses]
        steps[code] = 0
        steps[code] = -sum(steps)
        return [1] * columns, steps

    return plan


def level(losses, limit):
    """Find theta with sum_r max(0, losses[r] - theta) = min(theta, limit), by bisection."""
    low, high = 0.0, max(0.0, *losses)
    for _ in range(200):
        theta = (low + high) / 2
        if sum(max(0, loss - theta) for loss in losses) > min(theta, limit):
            low = theta
        else:
            high = theta
    return high


def learn(plan, K, codes, columns, visits, bias=1.0, delta=0.0, with_norms=True):
    """Yield for each visit whether it was a mistake, and the coefficients after it.

    Without norms, which few rules look at and which take most of the time, they are None.
    """
    K = K + bias**2 + delta**2 * np.eye(len(K))
    alpha = np.zeros((len(K), columns))
    for t, i in enumerate(visits, start=1):
        # One product a class: a matrix product may round equal columns differently, and break ties.
        scores = [float(np.dot(K[i], alpha[:, c].copy())) for c in range(columns)]
        norms = [alpha[:, c] @ K @ alpha[:, c] if with_norms else None for c in range(columns)]
        shrinks, steps = plan(scores, codes[i], K[i, i], norms, t, 1.0)
        alpha = alpha * np.array(shrinks, float)
        alpha[i] += steps
        yield mistaken(scores, codes[i]), alpha


def scores(K, alpha, bias=1.0):
    """Return what the coefficients say of new examples; K are their similarities to those learned from."""
    return (K + bias**2) @ alpha


def vote(K, history, bias=1.0):
    return np.mean([np.sign(scores(K, alpha, bias)) for alpha in history], axis=0)
