"""The table of rules, as it stands in the papers: (shrink, step) from z, q, N, t and the weight."""

from math import exp, inf, log


def perceptron(learning_rate=1.0, margin=0.0):
    return lambda z, q, N, t, weight: (1, learning_rate * weight if z <= margin else 0)


def passive_aggressive(variant, C=1.0):
    def rule(z, q, N, t, weight):
        loss = max(0, 1 - z)
        if variant == "0":
            return 1, loss / q
        if variant == "I":
            return 1, min(C * weight, loss / q)
        return 1, loss / (q + 1 / (2 * C * weight))

    return rule


def romma(aggressive=False):
    def rule(z, q, N, t, weight):
        if z > 0 and not (aggressive and z < 1):
            return 1, 0
        if N == 0 or z >= q * N:
            return 0, 1 / q
        return (q * N - z) / (q * N - z**2), N * (1 - z) / (q * N - z**2)

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
