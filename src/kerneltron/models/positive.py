"""Weights that cannot be negative, and are multiplied: Winnow's.

The constant weight is minus the threshold, which is given and not learned. In the balanced form a second
half, `Weights.negative`, is subtracted from the first.
"""

from typing import Any

import numpy as np

from kerneltron._types import Weights
from kerneltron.models.late import Start


def begun(rule: Any, weights: Weights) -> Weights:
    """Return weights of 1, and in both halves where there are two."""
    columns = weights.scale.size
    weights.v[:-columns], weights.v[-columns:] = 1.0, -rule.threshold
    if not rule.balanced:
        return weights
    size = weights.v.size
    return weights._replace(negative=weights.v * (np.arange(size) < size - columns))


def opposite(one: Weights, columns: int, fresh: Weights) -> Weights:
    """Return what speaks against a column.

    In the balanced form both halves change places. Otherwise, where there are several columns, this class is
    what the others are not, with a score of 0. A single column for both starts anew, with `fresh` weights.
    """
    if one.negative.size:
        v, negative = one.negative.copy(), one.v.copy()
        v[-1], negative[-1] = -one.v[-1], 0.0
        return one._replace(v=v, negative=negative, u=-one.u)
    if columns == 1:
        return fresh
    v = np.full(one.v.size, np.finfo(one.v.dtype).tiny, one.v.dtype)
    v[-1] = 0.0
    return one._replace(v=v, u=one.mass * v if one.u.size else one.u)


def start_of_late(rule: Any, mean: float) -> Start:
    """Return how a late class begins, if the constant weights of the others have this mean."""
    lower = min(0.0, -rule.threshold - mean)
    return Start(lower, lower)
