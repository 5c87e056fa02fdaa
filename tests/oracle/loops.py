"""The loops: each returns the matrices W (features and constant by columns) after each example."""

from math import exp, sqrt

import numpy as np
from scipy.optimize import minimize


def with_constant(X, bias):
    return np.column_stack([np.asarray(X, float), np.full(len(X), float(bias))])


def sides(code, columns):
    if columns == 1:
        return [1 if code == 1 else -1]
    return [1 if code == c else -1 for c in range(columns)]


def mistaken(scores, code):
    if len(scores) == 1:
        return sides(code, 1)[0] * scores[0] <= 0
    return any(scores[c] >= scores[code] for c in range(len(scores)) if c != code)


def additive(rule, X, codes, columns, bias=1.0, importance=None, start=None):
    X = with_constant(X, bias)
    W = np.zeros((X.shape[1], columns)) if start is None else np.array(start, float)
    history, mistakes = [], 0
    for t, (x, code) in enumerate(zip(X, codes, strict=True), start=1):
        weight = 1.0 if importance is None else importance[t - 1]
        # One product a class: a matrix product may round equal columns differently, and break ties.
        mistakes += mistaken([np.dot(W[:, c].copy(), x) for c in range(columns)], code)
        new = W.copy()
        for c, y in enumerate(sides(code, columns)):
            w = W[:, c]
            shrink, step = rule(y * (w @ x), x @ x, w @ w, t, weight)
            new[:, c] = shrink * w + step * y * x
        W = new
        history.append(W)
    return history, mistakes


def adaptive(loss_slope, X, codes, columns, learning_rate, l2, bias=1.0, forgetting=0.0):
    """AdaGrad with decoupled L2: G += g^2, w <- w / (1 + l2 eta / sqrt(t)) + eta g / sqrt(G).

    With forgetting, the G of the features that an example has shrink before, by the slope of its loss.
    """
    X = with_constant(X, bias)
    W, G, history = np.zeros((X.shape[1], columns)), np.zeros((X.shape[1], columns)), []
    for t, (x, code) in enumerate(zip(X, codes, strict=True), start=1):
        new = W.copy()
        for c, y in enumerate(sides(code, columns)):
            slope = loss_slope(y * (W[:, c] @ x))
            gradient = slope * y * x
            G[gradient != 0, c] *= 1 - forgetting * slope
            G[:, c] += gradient**2
            moves = np.divide(gradient, np.sqrt(G[:, c]), out=np.zeros_like(x), where=gradient != 0)
            new[:, c] = W[:, c] / (1 + l2 * learning_rate / sqrt(t)) + learning_rate * moves
        W = new
        history.append(W)
    return history


def sigmoid_slope(z):
    return 1 / (1 + exp(z))


def hinge_slope(z):
    return 1.0 if z < 1 else 0.0


def joint_step(scores, code, q, C):
    """MIRA's quadratic programme, handed to a general solver: tau of each class and the slack."""
    k = len(scores)
    others = [r for r in range(k) if r != code]

    def constraint(r):
        return lambda p: scores[code] + p[code] * q - scores[r] - p[r] * q - 1 + p[k]

    result = minimize(
        lambda p: q * np.sum(p[:k] ** 2) + C * p[k],
        np.append(np.zeros(k), max(0, *(1 - scores[code] + scores[r] for r in others))),
        constraints=[{"type": "ineq", "fun": constraint(r)} for r in others],
        bounds=[(None, None)] * k + [(0, None)],
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 1000},
    )
    return result.x[:k]


def winnow(X, codes, columns, promotion, demotion, threshold, balanced):
    X = np.asarray(X, float)
    P, M = np.ones((X.shape[1], columns)), np.ones((X.shape[1], columns)) * balanced
    history, mistakes = [], 0
    for x, code in zip(X, codes, strict=True):
        scores = x @ (P - M) - threshold
        mistakes += mistaken(scores, code)
        for c, y in enumerate(sides(code, columns)):
            if y * scores[c] <= 0:
                P[:, c] *= (promotion if y > 0 else demotion) ** x
                M[:, c] *= (demotion if y > 0 else promotion) ** x
        history.append(np.vstack([P - M, np.full(columns, -float(threshold))]))
    return history, mistakes


def average(history):
    return np.mean(history, axis=0)


def vote(history, X, bias=1.0):
    return np.mean([np.sign(with_constant(X, bias) @ W) for W in history], axis=0)
