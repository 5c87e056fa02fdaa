"""Dual coordinate ascent over examples whose kernel values with each other are all known.

Visits go in blocks. Inside a block, a coefficient that moves changes the scores of the block at once. All
other scores take the moves of a block together: a product of steps, most of which may be 0, with rows of
values.
"""

from typing import NamedTuple

import numpy as np

from kerneltron._types import Floats, Integers
from kerneltron.engine.compiled import compiled, internal
from kerneltron.engine.rules.svm import AscentRule, coefficient, loss_of, share_of_gap


class Coordinates(NamedTuple):
    """Some examples, as the ascent sees them: one column of each matrix per example."""

    scores: Floats  # (columns, examples)
    alpha: Floats  # (columns, examples): coefficients without the sign of the label
    labels: Integers  # (columns, examples): +1, -1, or 0 where it is not known
    importance: Floats
    q: Floats  # k(x, x), with the constant feature


class Sums(NamedTuple):
    """What objectives are made of, over all columns of some examples."""

    loss: float
    gain: float  # of alpha - softness alpha^2 / 2
    square: float  # of alpha z: ||w||^2, over all examples that have coefficients
    gap: float  # of the shares of the duality gap


class Own(NamedTuple):
    """The kernel values of a block with itself: values[places[i], places[j]]."""

    values: Floats
    places: Integers
    row: Floats  # room for those of one example


@internal
def take_row(own: Own, i: int) -> None:
    """Let `own.row` be the values of one example."""
    row = own.values[own.places[i]]
    for j in range(own.places.size):
        own.row[j] = row[own.places[j]]


@internal
def add_row(scores: Floats, row: Floats, g: float, constant: float) -> None:
    """Add g (k + constant) to the scores of a block."""
    for j in range(row.size):
        scores[j] += g * (row[j] + constant)


class Room(NamedTuple):
    """Room to spread the moves of a block in."""

    moved: Integers  # for the places of as many moves as there can be
    steps: Floats  # for four of them
    total: Floats  # for a strip of sums


@compiled
def ascend(
    rule: AscentRule,
    block: Coordinates,
    own: Own,
    constant: float,
    least: float,
    steps: Floats,
    mistakes: Integers,
) -> int:
    """Visit the examples of a block; return how many coefficients moved.

    Parameters
    ----------
    block
        Scores and coefficients are changed.
    own
        The kernel values of the block: rows are taken only where a coefficient moves.
    constant
        The square of the constant feature, which is not in these.
    least
        Coefficients whose share of the duality gap is not above this stay as they are.
    steps
        What is added to the coefficients, with the sign of the label, is added here.
    mistakes
        One entry, or one per column where columns are tasks of their own.
    """
    moves, columns = 0, block.scores.shape[0]
    for i in range(block.q.size):
        weight, q, is_taken = block.importance[i], block.q[i], False
        count_mistakes(block, i, mistakes)
        for c in range(columns):
            y, alpha = block.labels[c, i], block.alpha[c, i]
            z = y * block.scores[c, i]
            if y == 0 or q < 0.0 or share_of_gap(rule, alpha, z, weight) <= least:
                continue
            new = coefficient(rule, alpha, z, q, weight)
            if new != alpha:
                moves += 1
                g = y * (new - alpha)
                block.alpha[c, i] = new
                steps[c, i] += g
                if not is_taken:
                    take_row(own, i)
                    is_taken = True
                add_row(block.scores[c], own.row, g, constant)
    return moves


@internal
def count_mistakes(block: Coordinates, i: int, mistakes: Integers) -> None:
    """Add the mistakes that the scores of example i make: one for all columns, or one for each task."""
    columns = block.scores.shape[0]
    if mistakes.size == columns > 1 or columns == 1:
        for c in range(columns):
            y = block.labels[c, i]
            if y != 0 and y * block.scores[c, i] <= 0.0:
                mistakes[c] += 1
        return
    own = 0
    for c in range(columns):
        if block.labels[c, i] > 0:
            own = c
    for c in range(columns):
        if c != own and block.scores[c, i] >= block.scores[own, i]:
            mistakes[0] += 1
            return


@internal
def add_four(total: Floats, a: Floats, b: Floats, c: Floats, d: Floats, g: Floats) -> None:
    """Add g[0] a + g[1] b + g[2] c + g[3] d, so that the total is read and written once for four rows."""
    p, q, r, s = g[0], g[1], g[2], g[3]
    for j in range(total.size):
        total[j] += p * a[j] + q * b[j] + r * c[j] + s * d[j]


@internal
def add_one(total: Floats, row: Floats, g: Floats) -> None:
    """Add g[0] times a row."""
    p = g[0]
    for j in range(total.size):
        total[j] += p * row[j]


@internal
def clear(total: Floats) -> None:
    """Let all sums be 0."""
    for j in range(total.size):
        total[j] = 0.0


@internal
def add_up(scores: Floats, total: Floats, more: float) -> None:
    """Add what a strip of scores is to take."""
    for j in range(total.size):
        scores[j] += total[j] + more


@compiled
def spread(
    values: Floats, rows: Integers, steps: Floats, constant: float, scores: Floats, first: int, room: Room
) -> None:
    """Add the moves of a block to scores[c, first + j]: sum_k steps[c, k] (values[rows[k], j] + constant).

    Sums over a block are in the precision of the values, sums over blocks in that of the scores. As many
    scores at a time as `room.total` can hold take all moves: their part of the rows stays in the cache.
    """
    columns, width = scores.shape[0], values.shape[1]
    for low in range(0, width, room.total.size):
        high = min(low + room.total.size, width)
        total = room.total[: high - low]
        for c in range(columns):
            moved, sum_of_steps = 0, 0.0
            for k in range(rows.size):
                if steps[c, k] != 0.0:
                    room.moved[moved] = k
                    sum_of_steps += steps[c, k]
                    moved += 1
            if moved == 0:
                continue
            clear(total)
            fours = moved // 4 * 4
            for m in range(0, fours, 4):
                for t in range(4):
                    room.steps[t] = steps[c, room.moved[m + t]]
                a, b = rows[room.moved[m]], rows[room.moved[m + 1]]
                d, e = rows[room.moved[m + 2]], rows[room.moved[m + 3]]
                add_four(
                    total,
                    values[a, low:high],
                    values[b, low:high],
                    values[d, low:high],
                    values[e, low:high],
                    room.steps,
                )
            for m in range(fours, moved):
                k = room.moved[m]
                room.steps[0] = steps[c, k]
                add_one(total, values[rows[k], low:high], room.steps)
            add_up(scores[c, first + low : first + high], total, constant * sum_of_steps)


@compiled
def measure_gap(
    rule: AscentRule, some: Coordinates, shares: Floats, nearest: Floats
) -> tuple[float, float, float, float]:
    """Return what the objectives are made of: the parts of `Sums`.

    The largest share of the gap of each example goes to `shares`, its smallest margin to `nearest`: 0 for one
    that has a coefficient.
    """
    loss = gain = square = gap = 0.0
    for i in range(some.q.size):
        shares[i], nearest[i] = 0.0, np.inf
        weight = some.importance[i]
        for c in range(some.scores.shape[0]):
            y, alpha = some.labels[c, i], some.alpha[c, i]
            if y == 0 or weight <= 0.0:
                continue
            z = y * some.scores[c, i]
            share = share_of_gap(rule, alpha, z, weight)
            loss += loss_of(rule, z, weight)
            gain += alpha - 0.5 * rule.softness / weight * alpha * alpha
            square += alpha * z
            gap += share
            shares[i] = max(shares[i], share)
            nearest[i] = min(nearest[i], z if alpha == 0.0 else 0.0)
    return loss, gain, square, gap


@compiled
def take_columns(values: Floats, rows: Integers, columns: Integers, out: Floats) -> None:
    """Let out be some columns of some rows."""
    for i in range(rows.size):
        row, to = values[rows[i]], out[i]
        for j in range(columns.size):
            to[j] = row[columns[j]]


@internal
def copy_row(row: Floats, out: Floats) -> None:
    """Copy as many values as there is room for."""
    for j in range(out.size):
        out[j] = row[j]


@compiled
def take_rows(values: Floats, places: Integers, first: int, out: Floats) -> None:
    """Let out be the values of some examples with those from `first` on, as many as it has columns."""
    for i in range(places.size):
        copy_row(values[places[i], first:], out[i])


@compiled
def compact(room: Floats, size: int, places: Integers) -> None:
    """Let the square of `size` rows at the beginning of the room become that of rows at increasing places."""
    fewer = places.size
    for i in range(fewer):
        for j in range(fewer):
            room[i * fewer + j] = room[places[i] * size + places[j]]


@compiled
def widen(room: Floats, size: int, more: int) -> None:
    """Let the rows of the square of `size` at the beginning of the room be `more` numbers apart."""
    for i in range(size - 1, 0, -1):
        for j in range(size - 1, -1, -1):
            room[i * more + j] = room[i * size + j]
