"""Support vector machines by their textbook formulas, one column at a time, with all of the Gram matrix.

K holds the constant feature, if there is one; y is +1 or -1, and C one number per example.
"""

import numpy as np
from scipy.optimize import minimize


def scores(K, y, alpha):
    return K @ (alpha * y)


def square(K, y, alpha):
    """||w||^2."""
    return (alpha * y) @ K @ (alpha * y)


def objective(K, y, alpha, C, loss):
    """||w||^2 / 2 + sum_i C_i xi_i, or C_i xi_i^2."""
    xi = np.maximum(0, 1 - y * scores(K, y, alpha))
    return square(K, y, alpha) / 2 + C @ (xi if loss == "hinge" else xi**2)


def dual_objective(K, y, alpha, C, loss):
    """sum_i alpha_i - ||w||^2 / 2, and for the squared hinge - sum_i alpha_i^2 / (4 C_i)."""
    own = 0 if loss == "hinge" else (alpha**2 / (4 * C)).sum()
    return alpha.sum() - square(K, y, alpha) / 2 - own


def gap(K, y, alpha, C, loss):
    """The absolute duality gap."""
    return objective(K, y, alpha, C, loss) - dual_objective(K, y, alpha, C, loss)


def gradient(K, y, alpha, C, loss):
    """Of the dual objective."""
    return 1 - y * scores(K, y, alpha) - (0 if loss == "hinge" else alpha / (2 * C))


def violation(K, y, alpha, C, loss):
    """How far the gradient is from the KKT conditions: 0 inside, at most 0 for alpha = 0, at least 0 at C."""
    g = gradient(K, y, alpha, C, loss)
    can_fall, can_grow = alpha > 0, (alpha < C) | (loss != "hinge")
    return np.maximum(np.where(can_grow, g, 0), np.where(can_fall, -g, 0)).max()


def optimum(K, y, C, loss):
    """Return the coefficients that a general solver finds."""
    found = minimize(
        lambda alpha: -dual_objective(K, y, alpha, C, loss),
        np.zeros(len(y)),
        jac=lambda alpha: -gradient(K, y, alpha, C, loss),
        bounds=[(0, c if loss == "hinge" else None) for c in C],
        method="L-BFGS-B",
        options={"ftol": 1e-13, "gtol": 1e-7, "maxiter": 20_000, "maxfun": 100_000, "maxcor": 30},
    )
    return found.x


def visit(K, y, C, loss, alpha=None):
    """Return the coefficients after each example was visited once, in order."""
    alpha = np.zeros(len(y)) if alpha is None else alpha.copy()
    for i in range(len(y)):
        z, q = y[i] * scores(K, y, alpha)[i], K[i, i]
        if q == 0:
            continue
        if loss == "hinge":
            alpha[i] = min(max(alpha[i] + (1 - z) / q, 0), C[i])
        else:
            alpha[i] = max(0, alpha[i] + (1 - z - alpha[i] / (2 * C[i])) / (q + 1 / (2 * C[i])))
    return alpha
