"""The last vector of a naive loop, in any space and within any budget: coefficients and the Gram matrix.

Rows stand for examples. What merging and sketching approximate is the loop without a budget.
"""

import numpy as np


def learned(plan, K, codes, columns, passes, when_full=None, budget=None):
    """Return the coefficients after some passes in the order of the rows; K has the constant feature."""
    alpha, held, draw = np.zeros((len(K), columns)), [], np.random.default_rng(0)
    for t in range(passes * len(K)):
        i = t % len(K)
        scores = K[i] @ alpha
        norms = [alpha[:, c] @ K @ alpha[:, c] for c in range(columns)]
        shrinks, steps = plan(list(scores), codes[i], K[i, i], norms, t + 1, 1.0)
        alpha, steps = alpha * np.array(shrinks, float), np.array(steps, float)
        if not steps.any():
            continue
        is_full = budget is not None and i not in held and len(held) >= budget
        if is_full and when_full == "stop":
            continue
        if is_full and when_full == "project":
            alpha[held] += np.outer(np.linalg.lstsq(K[np.ix_(held, held)], K[held, i])[0], steps)
            continue
        alpha[i] += steps
        held = [*(j for j in held if j != i), i]  # the oldest first
        if is_full and when_full in DROPPED:
            gone = DROPPED[when_full](K, alpha, held, draw)
            if when_full == "bpa":
                alpha[i] += alpha[gone] * K[gone, i] / K[i, i]
            alpha[gone] = 0
            held.remove(gone)
    return alpha


def _weights(K, alpha, held):
    return np.square(alpha[held]).sum(axis=1) * K[held, held]


def _made_up_for(K, alpha, held, draw):
    others, new = held[:-1], held[-1]
    kept = np.square(alpha[others]).sum(axis=1) * K[others, new] ** 2 / K[new, new]
    return others[int(np.argmin(_weights(K, alpha, others) - kept))]


DROPPED = {
    "bpa": _made_up_for,
    "forget": lambda K, alpha, held, draw: held[0],
    "random": lambda K, alpha, held, draw: held[draw.integers(len(held) - 1)],
    "smallest": lambda K, alpha, held, draw: held[int(np.argmin(_weights(K, alpha, held).round(9)))],
}
