"""Dense rows in blocks of matrix products, with the decisions of the loop that goes row by row.

The scores of a block are one product with the weights. Inside of the block a move changes the scores of the
visits after it by a row of the block's own Gram matrix, and only such rows are computed: the `walk` of the
dual form does that, and stops where it needs one. To it, the vector before the block is what late classes
begin with there: a part that is not an example, of which `DualState.constant` says what became of it. In the
end the moves of the block enter the weights.
"""

from math import inf
from typing import Any, NamedTuple

import numpy as np

from kerneltron._types import Dense, Floats, Integers, Trace, Visits, Weights
from kerneltron.engine.as_matrix import as_matrix
from kerneltron.engine.columns import side
from kerneltron.engine.compiled import compiled, inlined, internal
from kerneltron.engine.dual import Block, DualState, VisitDecision, walk
from kerneltron.engine.products import rows_times_columns, rows_times_vector
from kerneltron.engine.rows import AHEAD, fetch, square

# Beyond these, single precision may lose sums that double precision, in which the loop adds, would not.
LEAST_SQUARE, MOST_SQUARE = 1e-30, 1e30  # of a row: ||x||^2
LEAST_SCORE, MOST_SCORE = 1e-30, 1e30
LEAST_STEP, MOST_STEP = 1e-20, 1e20

UNMOVED = 0.0  # the unit of a column that a block leaves as it is
TILE = 32  # features whose weights, of all columns, are changed together: they fit the first-level cache


class Workspace(NamedTuple):
    """Room for one block of at most `known.size` visits. Matrices are flat, and have the precision of v."""

    rows: Floats  # the rows of the block, the constant feature last
    own: Floats  # rows of the Gram matrix
    products: Floats  # of rows and vectors
    steps: Floats  # of one column
    late: Floats  # each step, times its time before the end of the block
    moves: Floats  # what all steps add to v, one column after the other
    past: Floats  # what all late steps add to u
    scores: Floats  # what the walk reads, of double precision
    labels: Integers
    q: Floats
    known: Integers
    slots: Integers
    exact: Floats  # (2, visits): the steps and the late steps of one column, of double precision
    places: Integers  # their rows in the block
    unit: Floats  # what these were divided by
    units: Floats  # (2, columns): the same for each column


@inlined
def read(rows: Dense, visits: Visits, first: int, size: int, columns: int, room: Workspace) -> bool:
    """Copy the rows of a block, and square them; tell whether products of their precision can be trusted."""
    width = rows.width + 1
    is_single, trusted = room.rows.itemsize == 4, True
    for k in range(size):
        i, code = visits.order[first + k], visits.codes[first + k]
        fetch(rows, visits.order[min(first + k + AHEAD, visits.order.size - 1)])
        copy_row(rows.values, i, room.rows, k, rows.width, width)
        room.rows[(k + 1) * width - 1] = rows.bias
        room.q[k] = square(rows, i) + rows.bias * rows.bias
        if is_single and room.q[k] != 0.0 and not LEAST_SQUARE <= room.q[k] <= MOST_SQUARE:
            trusted = False
        room.known[k] = room.slots[k] = -1
        for c in range(columns):
            room.labels[k * columns + c] = int(side(code, c, columns))
    return trusted


@compiled
def copy(source: Floats, target: Floats) -> None:
    """Copy some numbers: what numba makes of an assignment would allocate."""
    for j in range(source.size):
        target[j] = source[j]


@inlined
def copy_row(source: Floats, k: int, target: Floats, at: int, width: int, room: int) -> None:
    """Copy row k of a flat matrix of some width to row `at` of another, whose rows have `room` numbers."""
    copy(source[k * width : (k + 1) * width], target[at * room : at * room + width])


@inlined
def score_block(weights: Weights, size: int, room: Workspace, scores: Floats) -> None:
    """Fill in the scores of a block, as far as they can be trusted by a product, else by sums in double."""
    columns = weights.scale.size
    width = weights.v.size // columns
    rows_times_columns(room.rows, size, weights.v, columns, room.products)
    is_single = room.rows.itemsize == 4
    for k in range(size):
        for c in range(columns):
            scores[c, k] = room.products[k * columns + c]
            if is_single and not LEAST_SCORE < abs(scores[c, k]) < MOST_SCORE:
                total = 0.0
                for j in range(width):
                    total += np.float64(weights.v[j * columns + c]) * np.float64(room.rows[k * width + j])
                scores[c, k] = total


@inlined
def ask(k: int, size: int, width: int, room: Workspace) -> None:
    """Compute row k of the Gram matrix, as far as later visits need it.

    With all of a block of 64 rows of 1,000 numbers, one row takes 4 microseconds and 16 take 69; a product
    takes 57 and 78, but 120 for 32 rows, which one by one take 250. Here half of each is enough.
    """
    room.known[k] = k
    if k + 1 < size:
        later, row = room.rows[(k + 1) * width :], room.rows[k * width :]
        rows_times_vector(later, size - k - 1, row, width, room.own[k * size + k + 1 :])


@inlined
def unit_of(largest: float) -> float:
    """Return what steps, of which this is the largest, are divided by to fit single precision: mostly 1."""
    if largest == 0.0 or LEAST_STEP < largest < MOST_STEP:
        return 1.0
    unit = 1.0  # a power of 2: nothing is rounded
    while unit <= largest and unit < inf:
        unit *= 2.0
    while 0.5 * unit > largest:
        unit *= 0.5
    return unit


@inlined
def prepare_steps(state: DualState, slots: Integers, c: int, room: Workspace) -> int:
    """Bring the steps of column c together, with the places of their rows; return how many there are.

    A late step counts the time that it was not there: the vector in the end is there from the end on.
    """
    weights, columns = state.weights, state.weights.scale.size
    count, largest, latest = 0, 0.0, 0.0
    for k in range(slots.size):
        position = slots[k] * columns + c
        if slots[k] >= 0 and weights.v[position] != 0.0:
            room.places[count] = k
            room.exact[0, count] = weights.v[position]
            largest = max(largest, abs(weights.v[position]))
            if weights.u.size > 0:
                room.exact[1, count] = weights.u[position] - weights.mass[c] * weights.v[position]
                latest = max(latest, abs(room.exact[1, count]))
            count += 1
    room.unit[0], room.unit[1] = unit_of(largest), unit_of(latest)
    for e in range(count):
        room.steps[e] = room.exact[0, e] / room.unit[0]
        room.late[e] = room.exact[1, e] / room.unit[1] if weights.u.size > 0 else 0.0
    for e in range(count, (count + 3) // 4 * 4):  # so that there are always four
        room.places[e] = room.steps[e] = room.late[e] = 0
    return count


@internal
def add_four(x: Floats, y: Floats, z: Floats, w: Floats, steps: Floats, total: Floats) -> None:
    """Add four rows, each times its step: for ten columns a product takes 1.1 to 1.8 times as long."""
    a, b, c, d = steps[0], steps[1], steps[2], steps[3]
    for j in range(total.size):
        total[j] += a * x[j] + b * y[j] + c * z[j] + d * w[j]


@inlined
def add_steps(count: int, width: int, room: Workspace, steps: Floats, total: Floats) -> None:
    """Let `total` be the sum of the rows that moved a column, each times its step."""
    for j in range(width):
        total[j] = 0.0
    for e in range(0, count, 4):
        a, b, c, d = room.places[e], room.places[e + 1], room.places[e + 2], room.places[e + 3]
        x, y = room.rows[a * width : (a + 1) * width], room.rows[b * width : (b + 1) * width]
        z, w = room.rows[c * width : (c + 1) * width], room.rows[d * width : (d + 1) * width]
        add_four(x, y, z, w, steps[e : e + 4], total)


@inlined
def enter(weights: Weights, state: DualState, slots: Integers, room: Workspace) -> None:
    """Add the moves of a block to the weights, and to the sums of their past."""
    columns = weights.scale.size
    width = weights.v.size // columns
    for c in range(columns):
        count = prepare_steps(state, slots, c, room)
        if count == 0 and state.constant[0, c] == 1.0:
            room.units[0, c] = UNMOVED
            continue
        add_steps(count, width, room, room.steps, room.moves[c * width : (c + 1) * width])
        if weights.u.size > 0:
            add_steps(count, width, room, room.late, room.past[c * width : (c + 1) * width])
        room.units[0, c], room.units[1, c] = room.unit[0], room.unit[1]
    for first in range(0, width, TILE):
        for c in range(columns):
            if room.units[0, c] != UNMOVED:
                enter_some(weights, state, c, first, min(first + TILE, width), room)


@inlined
def enter_some(weights: Weights, state: DualState, c: int, first: int, end: int, room: Workspace) -> None:
    """Add to the weights of some features for column c.

    v becomes factor v + moves, where `factor` is what folds have made of 1. With M the mass in the end, u
    takes M times what really changed in v, and for each step its mass less M: so the average is that of
    vectors which, at the end of each block, are exactly those that v was.
    """
    v, u, columns, real = weights.v, weights.u, np.uintp(weights.scale.size), weights.v.dtype.type
    factor, lost, mass = state.constant[0, c], state.constant[1, c], weights.mass[c]
    unit, late, width = room.units[0, c], room.units[1, c], v.size // weights.scale.size
    for j in range(first, end):
        position = np.uintp(j) * columns + np.uintp(c)
        place = np.uintp(c * width + j)
        old = np.float64(v[position])
        new = real(factor * old + unit * np.float64(room.moves[place]))
        v[position] = new
        if u.size > 0:
            changed = mass * (np.float64(new) - factor * old)
            u[position] += changed + lost * old + late * np.float64(room.past[place])


@inlined
def clear(state: DualState) -> None:
    """Let the block begin: nothing has moved, and the vector before it is there once."""
    state.counts[0] = 0
    state.weights.v[:] = 0.0
    state.weights.u[:] = 0.0
    state.constant[0] = 1.0
    state.constant[1] = 0.0


@inlined
def has_changed(state: DualState) -> bool:
    """Return whether something moved, or a scale was folded."""
    if state.counts[0] > 0:
        return True
    for c in range(state.weights.scale.size):
        if state.constant[0, c] != 1.0:
            return True
    return False


@compiled
def learn_in_blocks(
    rule: Any,
    weights: Weights,
    rows: Dense,
    visits: Visits,
    trace: Trace,
    state: DualState,
    room: Workspace,
    decision: VisitDecision,
    mistakes: Integers,
) -> int:
    """Visit rows[visits.order] once, block by block, and return how many visits were made.

    `state` has the numbers of the columns in common with `weights`, and room for the steps of one block. It
    stops before a block whose rows are beyond what products in single precision can hold. Where a score is
    beyond the range of numbers, -1 is returned.
    """
    columns, length = weights.scale.size, room.known.size
    width = weights.v.size // columns
    most_move = False  # where they did in the block before, the walk need not stop for each of them
    for first in range(0, visits.order.size, length):
        size = min(length, visits.order.size - first)
        if not read(rows, visits, first, size, columns, room):
            return first
        clear(state)
        block = Block(
            as_matrix(room.scores[: columns * size], columns, size),
            as_matrix(room.labels[: columns * size], size, columns),
            visits.codes[first : first + size],
            visits.importance[first : first + size],
            room.q[:size],
            0.0,
            as_matrix(room.own[: size * size], size, size),
            room.known[:size],
            room.slots[:size],
            0,
            columns,
            as_matrix(room.scores[:0], columns, 0),
        )
        part = Trace(
            trace.scores[first : first + size],
            trace.shrink[first : first + size],
            trace.step[first : first + size],
            trace.average[:0],
            trace.asked[:0],
            trace.predictions[:0],
            trace.predictions_by_mean[:0],
        )
        score_block(weights, size, room, block.scores)
        if most_move:
            for k in range(size):
                ask(k, size, width, room)
        visit = walk(rule, state, block, 0, part, decision, mistakes)
        while 0 <= visit < size:
            ask(visit, size, width, room)
            visit = walk(rule, state, block, visit, part, decision, mistakes)
        if visit < 0:
            return -1
        most_move = 4 * state.counts[0] > 3 * size
        if has_changed(state):
            enter(weights, state, block.slots, room)
    return int(visits.order.size)
