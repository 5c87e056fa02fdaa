"""AROW: a confidence for each weight, and larger steps where there is little (Crammer and others, 2009)."""

from typing import NamedTuple

import numpy as np

from kerneltron._types import Floats, Rows, Trace, Visits, Weights
from kerneltron.engine.averages import note
from kerneltron.engine.columns import are_finite, is_mistake, side
from kerneltron.engine.compiled import compiled, inlined
from kerneltron.engine.declared import PerWeight, declares, never_shrinks
from kerneltron.engine.loops import is_loop_of
from kerneltron.engine.rows import change, column, look_ahead, score, span


@declares(keeps=lambda rule: PerWeight("precision", first=1.0), least_shrink=never_shrinks)
class ArowRule(NamedTuple):
    """Adaptive regularisation of weights with a diagonal of variances S_j = 1 / p_j.

    The precisions p_j are what it keeps for each weight: they only grow, and are sums over examples.
    """

    r: float


@inlined
def variance(rows: Rows, i: int, weights: Weights, c: int) -> float:
    """Return x' S x of row i for column c, the constant feature included."""
    columns, total = np.uintp(weights.scale.size), 0.0
    first, last = span(rows, i)
    for p in range(first, last):
        x = np.float64(rows.values[p])
        total += x * x / weights.kept[column(rows, first, p) * columns + np.uintp(c)]
    constant = np.uintp(weights.v.size) - columns + np.uintp(c)
    return float(total + rows.bias * rows.bias / weights.kept[constant])


@inlined
def add_confidently(rows: Rows, i: int, weights: Weights, c: int, g: float, r: float) -> None:
    """Add g S x_i to w_c, then x_j^2 / r to the precision of each of its features."""
    columns, mass = np.uintp(weights.scale.size), weights.mass[c]
    first, last = span(rows, i)
    for p in range(first, last + 1):  # the last one is the constant feature
        feature = column(rows, first, p) if p < last else np.uintp(weights.v.size) // columns - np.uintp(1)
        x = np.float64(rows.values[p]) if p < last else rows.bias
        position = feature * columns + np.uintp(c)
        change(weights, position, g * x / weights.kept[position], mass)
        weights.kept[position] += x * x / r


@is_loop_of(ArowRule)
@compiled
def learn_confidently(
    rule: ArowRule, weights: Weights, rows: Rows, visits: Visits, trace: Trace, z: Floats
) -> int:
    """Visit rows[visits.order] once; return the number of mistakes, or -1 as `additive.learn` does.

    Where z < 1: beta = 1 / (x' S x + r), w <- w + (1 - z) beta y S x, p_j <- p_j + x_j^2 / r.
    """
    columns = weights.scale.size
    mistakes = 0
    for k in range(visits.order.size):
        look_ahead(rows, visits.order, k, weights)
        i, code, r = visits.order[k], visits.codes[k], rule.r / visits.importance[k]
        q = score(rows, i, weights.v, z)
        if not are_finite(z, 0, z.size, q):
            return -1
        mistakes += is_mistake(z, code)
        note(trace, k, rows, i, weights, z)
        for c in range(columns):
            y = side(code, c, columns)
            weights.clock[c] += 1
            margin = y * z[c]
            if margin < 1.0 and q > 0.0:
                beta = 1.0 / (variance(rows, i, weights, c) + r)
                add_confidently(rows, i, weights, c, y * (1.0 - margin) * beta, r)
                weights.updates[c] += 1
            weights.mass[c] += 1.0
    return mistakes
