"""AdaGrad: gradient rules whose steps adapt to each coordinate (Duchi, Hazan and Singer, 2011)."""

from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from kerneltron._types import Floats, Rows, Trace, Visits, Weights
from kerneltron.engine.columns import is_mistake, note_scores, shrink_by, side
from kerneltron.engine.compiled import compiled, inlined
from kerneltron.engine.rows import change, column, look_ahead, score, span
from kerneltron.engine.update import Situation, update


class Adaptive(NamedTuple):
    """Steps of `learning_rate` / sqrt(sum of a coordinate's squared gradients) along a gradient rule.

    `gradient` is that rule with a rate of 1 and no L2. The L2 is decoupled: w shrinks by
    1 / (1 + l2 learning_rate / sqrt(t)), the same for every coordinate.
    """

    gradient: Any
    learning_rate: float
    l2: float


@inlined
def change_adaptively(
    weights: Weights, position: np.uintp, gradient: float, rate: float, mass: float
) -> None:
    """Add `gradient` to the squares of its coordinate and move by rate * gradient / sqrt(squares)."""
    real = weights.squares.dtype.type
    weights.squares[position] += gradient * gradient
    root = np.sqrt(weights.squares[position])
    change(weights, position, np.float64(real(rate * gradient) / (root + real(1e-12))), mass)


@inlined
def add_adaptively(rows: Rows, i: int, weights: Weights, c: int, slope: float, rate: float) -> None:
    """Move v_c along slope x_i; `rate` is the learning rate in terms of v."""
    columns, mass = np.uintp(weights.scale.size), weights.mass[c]
    first, last = span(rows, i)
    for p in range(first, last):
        position = column(rows, first, p) * columns + np.uintp(c)
        change_adaptively(weights, position, slope * rows.values[p], rate, mass)
    constant = np.uintp(weights.v.size) - columns + np.uintp(c)
    change_adaptively(weights, constant, slope * rows.bias, rate, mass)


@compiled
def learn_adaptively(
    rule: Adaptive, weights: Weights, rows: Rows, visits: Visits, trace: Trace, z: Floats
) -> int:
    """Visit rows[visits.order] once with per-coordinate steps and return the number of mistakes."""
    scale, columns = weights.scale, weights.scale.size
    mistakes = 0
    for k in range(visits.order.size):
        look_ahead(rows, visits.order, k, weights)
        i, code = visits.order[k], visits.codes[k]
        q = score(rows, i, weights.v, z)
        for c in range(columns):
            z[c] *= scale[c]
        mistakes += is_mistake(z, code)
        note_scores(trace, k, z)
        for c in range(columns):
            y = side(code, c, columns)
            weights.clock[c] += 1
            if q > 0.0:
                at = Situation(y * z[c], q, 0.0, weights.clock[c], visits.importance[k])
                slope = update(rule.gradient, at)[1]
                shrink_by(weights, c, 1.0 / (1.0 + rule.l2 * rule.learning_rate / sqrt(weights.clock[c])))
                if slope != 0.0:
                    add_adaptively(rows, i, weights, c, y * slope, rule.learning_rate / scale[c])
                    weights.updates[c] += 1
            weights.mass[c] += scale[c]
    return mistakes
