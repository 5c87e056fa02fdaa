"""Winnow: weights that are multiplied, not added to (Littlestone, 1988).

Irrelevant attributes cost it the logarithm of their number, where an additive learner pays in proportion.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np

from kerneltron._types import Floats, Rows, Trace, Visits, Weights
from kerneltron.engine.columns import are_finite, is_mistake, note_scores, side
from kerneltron.engine.compiled import compiled, inlined
from kerneltron.engine.declared import declares, never_shrinks
from kerneltron.engine.loops import is_loop_of
from kerneltron.engine.rows import column, look_ahead, score, span


@declares(least_shrink=never_shrinks, is_multiplicative=True)
class WinnowRule(NamedTuple):
    """Multiply by promotion^x on a missed positive, by demotion^x on a false one.

    All weights start at 1. The threshold is minus the weight of the constant feature, which never changes.
    """

    promotion: float
    demotion: float
    threshold: float
    balanced: bool


class Factors(NamedTuple):
    """What one update multiplies by: powers, not exp of logarithms, so that doubling is exact."""

    own: float
    opposite: float
    importance: float


@inlined
def multiply(rows: Rows, i: int, weights: Weights, c: int, factors: Factors) -> None:
    """Multiply the weights of class c by factors.own^x_i, and their negative half by factors.opposite^x_i.

    No weight becomes 0, which nothing could raise again, nor so large that a score overflows.
    """
    columns = np.uintp(weights.scale.size)
    smallest, largest = np.finfo(weights.v.dtype).tiny, sqrt(np.finfo(weights.v.dtype).max)
    first, last = span(rows, i)
    for p in range(first, last):
        x = factors.importance * rows.values[p]
        position = column(rows, first, p) * columns + np.uintp(c)
        old = np.float64(weights.v[position])
        weights.v[position] = min(largest, max(smallest, old * factors.own**x))
        difference = np.float64(weights.v[position]) - old
        if weights.negative.size > 0:
            old = np.float64(weights.negative[position])
            weights.negative[position] = min(largest, max(smallest, old * factors.opposite**x))
            difference -= np.float64(weights.negative[position]) - old
        if weights.u.size > 0:
            weights.u[position] += weights.mass[c] * difference


@inlined
def subtract_negative(rows: Rows, i: int, weights: Weights, z: Floats) -> None:
    """Take the scores of the negative half from z."""
    columns = np.uintp(weights.scale.size)
    first, last = span(rows, i)
    for p in range(first, last):
        base = column(rows, first, p) * columns
        for c in range(z.size):
            z[c] -= weights.negative[base + np.uintp(c)] * np.float64(rows.values[p])


@is_loop_of(WinnowRule)
@compiled
def learn_multiplicatively(
    rule: WinnowRule, weights: Weights, rows: Rows, visits: Visits, trace: Trace, z: Floats
) -> int:
    """Visit rows[visits.order] once; return the number of mistakes, or -1 as `additive.learn` does.

    A positive half in v and, in the balanced form, a negative one predict by <v - negative, x> - threshold.
    """
    columns = weights.scale.size
    mistakes = 0
    for k in range(visits.order.size):
        look_ahead(rows, visits.order, k, weights)
        i, code, importance = visits.order[k], visits.codes[k], visits.importance[k]
        q = score(rows, i, weights.v, z)
        if rule.balanced:
            subtract_negative(rows, i, weights, z)
        if not are_finite(z, 0, z.size, q):
            return -1
        mistakes += is_mistake(z, code)
        note_scores(trace, k, z)
        for c in range(columns):
            y = side(code, c, columns)
            weights.clock[c] += 1
            if y * z[c] <= 0.0:
                up, down = rule.promotion, rule.demotion
                factors = Factors(up, down, importance) if y > 0.0 else Factors(down, up, importance)
                multiply(rows, i, weights, c, factors)
                weights.updates[c] += 1
            weights.mass[c] += 1.0
    return mistakes
