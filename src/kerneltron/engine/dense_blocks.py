"""Dense rows in blocks of matrix products, with the decisions of the loop that goes row by row.

The scores of a block are one product with the weights. Inside of the block a move changes the scores of the
visits after it by a row of the block's own Gram matrix, and only such rows are computed: `survey` and `walk`
of the dual form do that. For them, the vector before the block is what late classes began with there: one
part, times `DualState.constant`. In the end the moves of the block enter the weights by one product.
"""

from typing import Any, NamedTuple

import numpy as np

from kerneltron._types import Dense, Floats, Integers, Trace, Visits, Weights
from kerneltron.engine.columns import side
from kerneltron.engine.compiled import compiled, inlined
from kerneltron.engine.dual import Block, DualState, VisitDecision, survey, walk
from kerneltron.engine.products import rows_times_columns, rows_times_rows, sums_of_rows
from kerneltron.engine.rows import square

# Beyond these, single precision may lose sums that double precision, in which the loop adds, would not.
LEAST_SQUARE, MOST_SQUARE = 1e-30, 1e30  # of a row: ||x||^2
LEAST_SCORE, MOST_SCORE = 1e-30, 1e30
LEAST_STEP, MOST_STEP = 1e-20, 1e20


class Workspace(NamedTuple):
    """Room for one block of at most `known.size` visits. Matrices are flat, and have the precision of v."""

    rows: Floats  # the rows of the block, the constant feature last
    picked: Floats  # those whose rows of the Gram matrix are asked for, then those that moved
    own: Floats  # rows of the Gram matrix
    products: Floats  # of rows and vectors
    steps: Floats  # of each move
    late: Floats  # each step, times its time before the end of the block
    moves: Floats  # what all steps add to v
    past: Floats  # what all late steps add to u
    scores: Floats  # what the walk reads, of double precision
    labels: Integers
    q: Floats
    known: Integers
    slots: Integers
    wanted: Integers
    unit: Floats  # (2, columns): what the steps and the late steps are divided by
    tile: Floats  # (5, entries): the numbers of each column, again and again


@inlined
def read(rows: Dense, visits: Visits, first: int, size: int, columns: int, room: Workspace) -> bool:
    """Copy the rows of a block, and square them; tell whether products of their precision can be trusted."""
    width = rows.width + 1
    is_single, trusted = room.rows.itemsize == 4, True
    for k in range(size):
        i, code = visits.order[first + k], visits.codes[first + k]
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
            score = np.float64(room.products[k * columns + c])
            if is_single and not LEAST_SCORE < abs(score) < MOST_SCORE:
                score = 0.0
                for j in range(width):
                    score += np.float64(weights.v[j * columns + c]) * np.float64(room.rows[k * width + j])
            scores[c, k] = score


@inlined
def ask(block: Block, size: int, filled: int, width: int, room: Workspace) -> int:
    """Compute the wanted rows of the Gram matrix; `filled` are there. Return how many there are then."""
    count = 0
    for k in range(size):
        if room.wanted[k]:
            block.known[k] = filled + count
            copy_row(room.rows, k, room.picked, count, width, width)
            count += 1
    if count > 0:
        rows_times_rows(room.picked, count, room.rows, size, width, room.own[filled * size :])
    return filled + count


@inlined
def gather_steps(state: DualState, slots: Integers, size: int, width: int, room: Workspace) -> int:
    """Bring the rows that moved together, in the order of their slots, with their steps; return how many.

    A late step counts the time that it was not there: the vector in the end is there from the end on.
    """
    weights, columns = state.weights, state.weights.scale.size
    count = state.counts[0]
    for k in range(size):
        if slots[k] >= 0:
            copy_row(room.rows, k, room.picked, slots[k], width, width)
    for c in range(columns):
        largest = latest = 0.0
        for e in range(c, count * columns, columns):
            largest = max(largest, abs(weights.v[e]))
            if weights.u.size > 0:
                weights.u[e] -= weights.mass[c] * weights.v[e]
                latest = max(latest, abs(weights.u[e]))
        room.unit[0, c] = 1.0 if largest == 0.0 or LEAST_STEP < largest < MOST_STEP else largest
        room.unit[1, c] = 1.0 if latest == 0.0 or LEAST_STEP < latest < MOST_STEP else latest
        for e in range(c, count * columns, columns):
            room.steps[e] = weights.v[e] / room.unit[0, c]
            if weights.u.size > 0:
                room.late[e] = weights.u[e] / room.unit[1, c]
    return count


@inlined
def fill_tile(state: DualState, room: Workspace) -> int:
    """Write the numbers of the columns beside each other for several features; return how many entries."""
    columns = state.weights.scale.size
    entries = room.tile.shape[1] // columns * columns
    for e in range(entries):
        c = e % columns
        room.tile[0, e], room.tile[1, e] = state.constant[0, c], state.constant[1, c]
        room.tile[2, e], room.tile[3, e] = room.unit[0, c], room.unit[1, c]
        room.tile[4, e] = state.weights.mass[c]
    return entries


@inlined
def enter(weights: Weights, state: DualState, slots: Integers, size: int, room: Workspace) -> None:
    """Add the moves of a block to the weights, and to the sums of their past.

    v becomes factor v + moves, where `factor` is what folds have made of 1. With M the mass in the end, u takes
    M times what really changed in v, and for each step its mass less M: so the average is that of vectors
    which, at the end of each block, are exactly those that v was.
    """
    columns = weights.scale.size
    width = weights.v.size // columns
    count = gather_steps(state, slots, size, width, room)
    if count > 0:
        sums_of_rows(room.picked, count, room.steps, columns, width, room.moves)
        if weights.u.size > 0:
            sums_of_rows(room.picked, count, room.late, columns, width, room.past)
    else:
        room.moves[:] = 0.0
        room.past[:] = 0.0
    entries = fill_tile(state, room)
    for first in range(0, weights.v.size, entries):
        end = min(first + entries, weights.v.size)
        v, moves = weights.v[first:end], room.moves[first:end]
        if weights.u.size > 0:
            move_with_past(v, weights.u[first:end], moves, room.past[first:end], room.tile)
        else:
            move(v, moves, room.tile)


@compiled
def move(v: Floats, moves: Floats, tile: Floats) -> None:
    """Add to some features."""
    factor, unit, real = tile[0], tile[2], v.dtype.type
    for e in range(v.size):
        v[e] = real(factor[e] * v[e] + unit[e] * moves[e])


@compiled
def move_with_past(v: Floats, u: Floats, moves: Floats, past: Floats, tile: Floats) -> None:
    """Add to some features, and to the sums of their past."""
    factor, lost, unit, late, mass = tile[0], tile[1], tile[2], tile[3], tile[4]
    real = v.dtype.type
    for e in range(v.size):
        old = np.float64(v[e])
        new = real(factor[e] * old + unit[e] * moves[e])
        u[e] += mass[e] * (np.float64(new) - factor[e] * old) + lost[e] * old + late[e] * past[e]
        v[e] = new


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
    """Tell whether something moved, or a scale was folded."""
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
    most_move = False  # if they did in the block before, all rows are asked for at once
    for first in range(0, visits.order.size, length):
        size = min(length, visits.order.size - first)
        if not read(rows, visits, first, size, columns, room):
            return first
        clear(state)
        block = Block(
            room.scores[: columns * size].reshape(columns, size),
            room.labels[: columns * size].reshape(size, columns),
            visits.codes[first : first + size],
            visits.importance[first : first + size],
            room.q[:size],
            0.0,
            room.own[: size * size].reshape(size, size),
            room.known[:size],
            room.slots[:size],
            0,
            columns,
        )
        part = Trace(
            trace.scores[first : first + size],
            trace.shrink[first : first + size],
            trace.step[first : first + size],
        )
        score_block(weights, size, room, block.scores)
        visit = filled = 0
        while visit < size:
            if most_move and filled == 0:
                room.wanted[:size] = 1
            else:
                survey(rule, state, block, visit, decision, room.wanted[:size])
            filled = ask(block, size, filled, width, room)
            visit = walk(rule, state, block, visit, part, decision, mistakes)
            if visit < 0:
                return -1
        most_move = 2 * state.counts[0] > size
        if has_changed(state):
            enter(weights, state, block.slots, size, room)
    return int(visits.order.size)
