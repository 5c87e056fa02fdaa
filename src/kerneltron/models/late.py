"""Where a class begins that comes late: as the mean of the others, with their clock.

The mean of some numbers is never above the largest of them. So a class of which nothing is known wins
nowhere, whatever the rule, the hypothesis and the form: scores are linear in the vectors. Two classes have w
and -w, and a third begins at 0. The clock of the others goes on, and with it rates and averages: an example
of a late class is no larger an event than one of the others is by now.

Scores that are logarithms of odds say more than who wins. A class that comes after t examples without it has
odds somewhere between even ones and 1 : 1 + t. It begins at their geometric mean, as if its constant weight
had been -log(1 + t) / 2 all the time, which is unlearned like any other weight.
"""

from collections.abc import Sequence
from math import lgamma, log1p
from typing import Any, NamedTuple

import numpy as np

from kerneltron._types import Floats, Weights
from kerneltron.engine.declared import declared

ColumnOrigin = tuple[int, float]  # where a column comes from: an old column and a sign, or LATE
LATE: ColumnOrigin = (-1, 0.0)


class Start(NamedTuple):
    """What a late class has beside the mean of the others."""

    now: float = 0.0  # what the constant feature adds to its score
    average: float = 0.0  # what that added on average, over all examples so far
    kept: float = 0.0  # what the rule keeps for the constant feature, at most; 0 stands for no limit


def beginning(rule: Any, bias: float, ticks: int) -> Start:
    """Return how a class begins that did not come in this many examples.

    Examples
    --------
    >>> from kerneltron.engine.rules.logistic import LogisticRule
    >>> [round(number, 3) for number in beginning(LogisticRule(1.0, 0.0, 0.0), 1.0, 99)]
    [-2.303, -1.837, 4.605]
    >>> beginning(LogisticRule(1.0, 0.0, 0.0), 0.0, 99)  # there is no constant feature
    Start(now=0.0, average=0.0, kept=0.0)
    """
    if not (bias and ticks and declared(rule).has_log_odds(rule)):
        return Start()
    # log 2 + ... + log(1 + t) is the logarithm of a factorial. With odds of 1 : sqrt(1 + t), squared
    # gradients are about 1 / (1 + t), and their sum, which AdaGrad keeps, is about log(1 + t).
    return Start(-log1p(ticks) / 2, -lgamma(ticks + 2) / (2 * ticks), log1p(ticks))


def are_late(column_origins: Sequence[ColumnOrigin]) -> Any:
    """Return which columns are those of late classes."""
    return np.array([origin == LATE for origin in column_origins])


def rearranged(vectors: Floats, column_origins: Sequence[ColumnOrigin], added: float = 0.0) -> Floats:
    """Return the columns of a matrix, each an old one times its sign, or late.

    `added` is what is added to the last row of a late one.

    Examples
    --------
    >>> rearranged(np.array([[4.0], [2.0]]), [(0, -1.0), (0, 1.0), LATE], added=-3.0)
    array([[-4.,  4.,  0.],
           [-2.,  2., -3.]])
    """
    number = vectors.dtype.type
    known = {origin: vectors[:, origin[0]] * number(origin[1]) for origin in column_origins if origin != LATE}
    mean = _mean(list(known.values()))
    mean[-1:] += added
    return np.stack([known.get(origin, mean) for origin in column_origins], axis=1).astype(vectors.dtype)


def column(rule: Any, known: Sequence[Weights], begins: Start) -> Weights:
    """Return the weights of a late class; `known` are those of the others, one column each."""
    ticks = max(int(one.clock) for one in known)
    w = _mean([one.scale * one.v.astype(np.float64) for one in known])
    average = _mean([summed(one) / max(1, int(one.clock)) for one in known])
    negative, kept = (_mean([getattr(one, name) for one in known]) for name in ("negative", "kept"))
    if declared(rule).is_multiplicative:
        from kerneltron.models.positive import start_of_late

        begins = start_of_late(rule, w[-1])
    w[-1:] += begins.now
    average[-1:] += begins.average
    if kept.size and begins.kept:
        kept *= begins.kept / max(kept[-1], begins.kept)
    v, negative = w.astype(known[0].v.dtype), negative.astype(known[0].negative.dtype)
    numbers: Any = {"scale": 1.0, "mass": float(ticks), "clock": ticks, "updates": 0}
    return Weights(
        v=v,
        # From the weights as they were rounded: the average is then exact.
        u=ticks * (_difference(v, negative) - average) if known[0].u.size else known[0].u,
        negative=negative,
        kept=kept,
        norm=np.square(v, dtype=np.float64).sum(),
        drift=np.zeros_like(known[0].drift),
        **numbers,
    )


def summed(one: Weights) -> Floats:
    """Return the sum of all vectors that a column has been, or 0 where averages are not kept."""
    if not one.u.size:
        return np.zeros(one.v.size)
    return np.asarray(one.mass * _difference(one.v, one.negative) - one.u)


def _difference(v: Floats, negative: Floats) -> Floats:
    """Return what predicts, in double precision."""
    w = v.astype(np.float64)
    return w - negative if negative.size else w


def _mean(arrays: Sequence[Any]) -> Any:
    """Return the mean in double precision; of a number and its opposite it is exactly 0."""
    mean = np.zeros(arrays[0].size)
    for array in arrays:
        mean += array
    return mean / len(arrays)
