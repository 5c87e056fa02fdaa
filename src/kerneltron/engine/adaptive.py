"""AdaGrad: gradient rules whose steps adapt to each coordinate (Duchi, Hazan and Singer, 2011)."""

from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from kerneltron._types import Dense, Floats, Rows, Sparse, Trace, Visits, Weights
from kerneltron.engine.averages import note
from kerneltron.engine.columns import are_finite, is_mistake, shrink_by, side
from kerneltron.engine.compiled import INLINED, compiled, inlined, internal
from kerneltron.engine.declared import PerWeight, declared, declares
from kerneltron.engine.dispatch import implements
from kerneltron.engine.loops import is_loop_of
from kerneltron.engine.rows import change, column, look_ahead, score, span
from kerneltron.engine.update import Situation, decide

LARGE = 1e38  # single precision ends at 3e38
TILE = 64  # weights of dense rows that are moved together


@declares(
    keeps=lambda rule: PerWeight("squares"),
    least_shrink=lambda rule, t: 1.0 / (1.0 + rule.l2 * rule.learning_rate / sqrt(t)),
    has_log_odds=lambda rule: declared(rule.gradient).has_log_odds(rule.gradient),
)
class Adaptive(NamedTuple):
    """Steps of `learning_rate` / sqrt(sum of a coordinate's squared gradients) along a gradient rule.

    The sums are what it keeps for each weight. `gradient` is that rule with a rate of 1 and no L2. The L2 is
    decoupled: w shrinks by 1 / (1 + l2 learning_rate / sqrt(t)), the same for every coordinate.

    With `forgetting`, each gradient lets the sums of its coordinates fade by that much times the slope of the
    loss, which is at most 1: the steps then stop shrinking, and weights follow a rule that changes. Where
    examples are told apart well, slopes are small, and little is forgotten.
    """

    gradient: Any
    learning_rate: float
    l2: float
    forgetting: float = 0.0


class Room(NamedTuple):
    """Numbers of weights that are moved together."""

    gradients: Floats
    rates: Floats
    masses: Floats  # of double precision
    stays: Floats  # how much of the squares


@inlined
def change_adaptively(
    weights: Weights, position: np.uintp, gradient: float, rate: float, mass: float, stays: float
) -> None:
    """Add `gradient` to the squares of its coordinate and move by rate * gradient / sqrt(squares).

    Of the squares before, the part `stays` is left, unless the gradient is 0. They are of double precision:
    in single precision their sum stops growing at 2^23 times what is added, after some 33 million updates.
    """
    real = weights.v.dtype.type
    g = real(gradient)
    total = (stays if g != 0.0 else 1.0) * weights.kept[position] + np.float64(g) * np.float64(g)
    weights.kept[position] = total
    root = np.sqrt(real(total)) if total < LARGE else real(np.sqrt(total))
    change(weights, position, np.float64(real(rate) * g / (root + real(1e-12))), mass)


@inlined
def change_four_adaptively(
    weights: Weights,
    at: tuple[np.uintp, np.uintp, np.uintp, np.uintp],
    gradients: tuple[float, float, float, float],
    rate: float,
    mass: float,
    stays: float,
) -> None:
    """Move four coordinates, all different, as `change_adaptively` does.

    All is read before anything is written, so that the four roots and quotients are computed at once: 9 ns
    per feature of a text, against 18 one by one.
    """
    v, u, squares = weights.v, weights.u, weights.kept
    real = v.dtype.type
    a, b, c, d = at
    g0, g1, g2, g3 = real(gradients[0]), real(gradients[1]), real(gradients[2]), real(gradients[3])
    f0, f1 = stays if g0 != 0.0 else 1.0, stays if g1 != 0.0 else 1.0
    f2, f3 = stays if g2 != 0.0 else 1.0, stays if g3 != 0.0 else 1.0
    s0 = f0 * squares[a] + np.float64(g0) * np.float64(g0)
    s1 = f1 * squares[b] + np.float64(g1) * np.float64(g1)
    s2 = f2 * squares[c] + np.float64(g2) * np.float64(g2)
    s3 = f3 * squares[d] + np.float64(g3) * np.float64(g3)
    tiny, speed = real(1e-12), real(rate)
    if s0 + s1 + s2 + s3 < LARGE:  # roots of single precision are quicker, where they can be
        r0, r1, r2, r3 = np.sqrt(real(s0)), np.sqrt(real(s1)), np.sqrt(real(s2)), np.sqrt(real(s3))
    else:
        r0, r1, r2, r3 = real(np.sqrt(s0)), real(np.sqrt(s1)), real(np.sqrt(s2)), real(np.sqrt(s3))
    by0, by1 = speed * g0 / (r0 + tiny), speed * g1 / (r1 + tiny)
    by2, by3 = speed * g2 / (r2 + tiny), speed * g3 / (r3 + tiny)
    old0, old1, old2, old3 = v[a], v[b], v[c], v[d]
    new0, new1, new2, new3 = old0 + by0, old1 + by1, old2 + by2, old3 + by3
    squares[a], squares[b], squares[c], squares[d] = s0, s1, s2, s3
    v[a], v[b], v[c], v[d] = new0, new1, new2, new3
    if u.size > 0:
        u0 = u[a] + mass * (np.float64(new0) - np.float64(old0))
        u1 = u[b] + mass * (np.float64(new1) - np.float64(old1))
        u2 = u[c] + mass * (np.float64(new2) - np.float64(old2))
        u3 = u[d] + mass * (np.float64(new3) - np.float64(old3))
        u[a], u[b], u[c], u[d] = u0, u1, u2, u3


@inlined
def add_adaptively(
    rows: Rows, i: int, weights: Weights, c: int, slope: float, rate: float, stays: float
) -> None:
    """Move v_c along slope x_i; `rate` is the learning rate in terms of v."""
    columns, mass, x = np.uintp(weights.scale.size), weights.mass[c], rows.values
    first, last = span(rows, i)
    p = first
    while p + 4 <= last:
        at = (
            column(rows, first, p) * columns + np.uintp(c),
            column(rows, first, p + 1) * columns + np.uintp(c),
            column(rows, first, p + 2) * columns + np.uintp(c),
            column(rows, first, p + 3) * columns + np.uintp(c),
        )
        gradients = (slope * x[p], slope * x[p + 1], slope * x[p + 2], slope * x[p + 3])
        change_four_adaptively(weights, at, gradients, rate, mass, stays)
        p += 4
    while p < last:
        position = column(rows, first, p) * columns + np.uintp(c)
        change_adaptively(weights, position, slope * x[p], rate, mass, stays)
        p += 1
    constant = np.uintp(weights.v.size) - columns + np.uintp(c)
    change_adaptively(weights, constant, slope * rows.bias, rate, mass, stays)


@inlined
def what_stays(rule: Adaptive, slope: float) -> float:
    """Return which part of the squares a gradient along this slope leaves."""
    return 1.0 - rule.forgetting * min(1.0, abs(slope))


def add_to_columns(rows: Rows, i: int, weights: Weights, slopes: Floats, rule: Adaptive, room: Room) -> None:
    """Move v_c along slopes[c] x_i for every column."""
    raise NotImplementedError


@implements(add_to_columns, Sparse, **INLINED)
def add_sparse_to_columns(
    rows: Sparse, i: int, weights: Weights, slopes: Floats, rule: Adaptive, room: Room
) -> None:
    """Move one column after the other."""
    for c in range(slopes.size):
        if slopes[c] != 0.0:
            speed, stays = rule.learning_rate / weights.scale[c], what_stays(rule, slopes[c])
            add_adaptively(rows, i, weights, c, slopes[c], speed, stays)


@implements(add_to_columns, Dense, **INLINED)
def add_dense_to_columns(
    rows: Dense, i: int, weights: Weights, slopes: Floats, rule: Adaptive, room: Room
) -> None:
    """Move all columns of some features at a time: their weights stand side by side, and so fill vectors."""
    columns, rate = slopes.size, rule.learning_rate
    x = rows.values[i * rows.width : (i + 1) * rows.width]
    tile = room.gradients.size // columns
    real = weights.v.dtype.type
    for c in range(columns):
        own, mass = real(rate / weights.scale[c]), weights.mass[c]
        for j in range(min(tile, rows.width)):
            e = np.uintp(j * columns + c)
            room.rates[e], room.masses[e] = own, mass
        if rule.forgetting > 0.0:
            stays = what_stays(rule, slopes[c])
            for j in range(min(tile, rows.width)):
                room.stays[np.uintp(j * columns + c)] = stays
    for first in range(0, rows.width, tile):
        part = x[first : first + tile]
        spread(part, slopes, room.gradients)
        begin, end = first * columns, (first + part.size) * columns
        u = weights.u[begin:end] if weights.u.size > 0 else weights.u
        change_side_by_side(weights.v[begin:end], u, weights.kept[begin:end], room)
    for c in range(columns):
        if slopes[c] != 0.0:
            constant = np.uintp(weights.v.size - columns + c)
            speed = rate / weights.scale[c]
            stays, gradient = what_stays(rule, slopes[c]), slopes[c] * rows.bias
            change_adaptively(weights, constant, gradient, speed, weights.mass[c], stays)


@compiled
def spread(x: Floats, slopes: Floats, gradients: Floats) -> None:
    """Fill in the gradients of some features, those of all columns side by side."""
    real, columns = gradients.dtype.type, slopes.size
    if columns == 1:
        slope = slopes[0]
        for j in range(x.size):
            gradients[j] = real(slope * x[j])
        return
    for j in range(x.size):
        for c in range(columns):
            gradients[np.uintp(j * columns + c)] = real(slopes[c] * x[j])


@internal
def change_side_by_side(v: Floats, u: Floats, squares: Floats, room: Room) -> None:
    """Move coordinates that stand side by side, as `change_adaptively` does."""
    gradients, rates, masses = room.gradients, room.rates, room.masses
    real = v.dtype.type
    tiny, is_large = real(1e-12), False
    for e in range(v.size):
        stays = room.stays[e] if gradients[e] != 0.0 else 1.0
        squares[e] = stays * squares[e] + np.float64(gradients[e]) * np.float64(gradients[e])
        is_large |= squares[e] >= LARGE
    if is_large:
        for e in range(v.size):
            gradients[e] = rates[e] * gradients[e] / (real(np.sqrt(squares[e])) + tiny)
    else:
        for e in range(v.size):
            gradients[e] = rates[e] * gradients[e] / (np.sqrt(real(squares[e])) + tiny)
    if u.size > 0:
        for e in range(v.size):
            new = v[e] + gradients[e]
            u[e] += masses[e] * (np.float64(new) - np.float64(v[e]))
            v[e] = new
    else:
        for e in range(v.size):
            v[e] += gradients[e]


@is_loop_of(Adaptive)
def learn_adaptively(
    rule: Adaptive, weights: Weights, rows: Rows, visits: Visits, trace: Trace, z: Floats
) -> int:
    """Visit rows[visits.order] once with per-coordinate steps.

    Return the number of mistakes, or -1 as `additive.learn` does.
    """
    entries = max(1, TILE // z.size) * z.size
    real = weights.v.dtype
    room = Room(np.empty(entries, real), np.empty(entries, real), np.empty(entries), np.ones(entries))
    return int(visit_adaptively(rule, weights, rows, visits, trace, z, room))


@compiled
def visit_adaptively(
    rule: Adaptive, weights: Weights, rows: Rows, visits: Visits, trace: Trace, z: Floats, room: Room
) -> int:
    """Do what `learn_adaptively` says, with room to work in."""
    scale, columns = weights.scale, weights.scale.size
    mistakes = 0
    for k in range(visits.order.size):
        look_ahead(rows, visits.order, k, weights)
        i, code = visits.order[k], visits.codes[k]
        q = score(rows, i, weights.v, z)
        for c in range(columns):
            z[c] *= scale[c]
        if not are_finite(z, 0, z.size, q):
            return -1
        mistakes += is_mistake(z, code)
        note(trace, k, rows, i, weights, z)
        for c in range(columns):
            y = side(code, c, columns)
            weights.clock[c] += 1
            seen, moved, weight = weights.clock[c], weights.updates[c], visits.importance[k]
            at = Situation(y * z[c], q, 0.0, seen, weight, moved, 0.0)
            z[c] = y * decide(rule.gradient, at)[1]
            shrink_by(weights, c, 1.0 / (1.0 + rule.l2 * rule.learning_rate / sqrt(weights.clock[c])))
            weights.updates[c] += z[c] != 0.0
        add_to_columns(rows, i, weights, z, rule, room)
        for c in range(columns):
            weights.mass[c] += scale[c]
    return mistakes
