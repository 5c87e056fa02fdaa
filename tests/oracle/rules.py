"""The table of rules, as it stands in the papers: (shrink, step) from z, q, N, t and the weight.

The gradient rules do not look at q: an example without features, q = 0, shrinks w as every other does. The
rules that demand a margin do, and such an example can have none: w stays the shortest that does what it can.
"""

from math import exp, inf, log

import numpy as np


def perceptron(learning_rate=1.0, margin=0.0):
    return lambda z, q, N, t, weight: (1, learning_rate * weight if z <= margin else 0)


def passive_aggressive(variant, C=1.0):
    def rule(z, q, N, t, weight):
        loss = max(0, 1 - z)
        if q == 0:
            return 1, 0
        if variant == "0":
            return 1, loss / q
        if variant == "I":
            return 1, min(C * weight, loss / q)
        return 1, loss / (q + 1 / (2 * C * weight))

    return rule


def romma(aggressive=False):
    """The shortest a w + b y x with y <., x> = 1 and <., w> = ||w||^2; the second only where it is needed.

    Where x is parallel to w the two contradict each other, and the newest example counts.
    """

    def rule(z, q, N, t, weight):
        if q == 0 or (z > 0 and not (aggressive and z < 1)):
            return 1, 0
        if N == 0 or z >= q * N or np.isclose(z**2, q * N, rtol=1e-12, atol=0):
            return 0, 1 / q
        return tuple(np.linalg.solve([[z, q], [N, z]], [1, N]))

    return rule


def step_size(schedule, learning_rate, l2, t):
    if schedule == "constant":
        return learning_rate
    return 1 / (l2 * t) if learning_rate == inf else learning_rate / (1 + learning_rate * l2 * t)


def logistic(schedule="inverse", learning_rate=1.0, l2=1e-4):
    def rule(z, q, N, t, weight):
        eta = step_size(schedule, learning_rate, l2, t)
        return 1 / (1 + eta * l2), eta * weight / (1 + exp(z))

    return rule


def pegasos(schedule="inverse", learning_rate=inf, l2=1e-4):
    def rule(z, q, N, t, weight):
        eta = step_size(schedule, learning_rate, l2, t)
        return 1 - eta * l2, eta * weight if z < 1 else 0

    return rule


def logistic_loss(z):
    return log(1 + exp(-z))


def hinge_loss(z):
    return max(0, 1 - z)
