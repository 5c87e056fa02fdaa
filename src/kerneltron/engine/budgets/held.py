"""What a learner with a budget holds: examples in places, and what is known of them in a block of visits.

Vectors are w_c = scale_c sum_s v[s, c] phi(x_s) over places s. The first `features` places are not examples
but the features of a sketch; the examples stand behind them. At most one place among these is free.
"""

from math import log
from typing import NamedTuple

import numpy as np

from kerneltron._types import Floats, Integers, Trace
from kerneltron.engine.compiled import inlined, internal, reordered
from kerneltron.engine.dual import Block, DualState, VisitDecision

# Entries of `Held.numbers`.
MOVES = 0  # visits that have moved a vector so far
MIXED = 1  # rows of `mixing` that are in use
EXTENT = 2  # places that were ever taken: one of them may be free, with coefficients of 0
FIRST = 3  # the visit whose values stand in the first row
DROPPED = 4  # examples that were dropped so far


class Compared(NamedTuple):
    """Rows of numbers that compiled code compares itself, by a Gaussian kernel; empty where it does not.

    Exponents are after * min(0, before * <x, z> - |x|^2 - |z|^2), with squares that are scaled: see
    `engine.distances`.
    """

    rows: Floats  # (visits, width)
    squares: Floats  # of each visit
    features: Floats  # (visits, features): of the sketch
    held: Floats  # (places, width)
    held_squares: Floats  # of each place
    before: float
    after: float
    half: float  # what |x|^2 is multiplied by in the squares
    own: float  # delta^2: what an example has in common with itself beside that


class Held(NamedTuple):
    """What is known of the places while a block is walked; one entry per place unless it says otherwise."""

    features: int  # of the sketch, in the first places
    budget: int  # places that may be taken between two visits
    before: int  # places that were taken when the block began
    values: Floats  # (visits, places): what each visit has in common with each place, without the constant
    exponents: Floats  # (visits, places): logarithms of the values, for examples that are merged; else empty
    compared: Compared  # what values are computed from; else they are there for all visits of the block
    gram: Floats  # (places, places): the same for each two places; empty where nobody asks for it
    squares: Floats  # k(x, x), with the constant feature and delta^2
    ages: Integers  # the move that last added to it: the least is the oldest
    holders: Integers  # who stands there: its place when the block began, before + k for visit k, -1 - mix
    order: Integers  # places by rank: the first `counts[0]` are taken, the next one is free
    ranks: Integers  # the rank of each place
    mixing: Floats  # (mixes, before + visits): what each mixed example is made of
    sketched: Floats  # (places, features): what each place is in the features of the sketch
    projections: Floats  # (visits, places): what each visit is, projected onto the places
    residuals: Floats  # the squared length of what a place added to the span of those before it
    spent: Floats  # (columns,): what forgetting has cost so far
    numbers: Integers  # see MOVES, MIXED, EXTENT, FIRST and DROPPED


@reordered
def product(values: Floats, v: Floats, constant: float) -> float:
    """Return the sum of (values[s] + constant) v[s], in double precision.

    Four times as quick as with sums in the order of places. Loops begin at 0, of slices: an index that the
    compiler cannot know to be positive may count from the end, which makes no vectors.
    """
    total = 0.0
    for s in range(values.size):
        total += (values[s] + constant) * v[s]
    return total


@inlined
def add_products(values: Floats, v: Floats, constant: float, columns: int, z: Floats) -> None:
    """Add to z[c] the sum over places of (values[s] + constant) v[s, c], in double precision.

    Four places at a time: twice as quick as one by one, as their sums do not wait for each other.
    """
    if columns == 1:
        z[0] += product(values, v, constant)
        return
    whole = values.size // 4 * 4
    for s in range(0, whole, 4):
        a, b = values[s] + constant, values[s + 1] + constant
        c, d = values[s + 2] + constant, values[s + 3] + constant
        for j in range(columns):
            at = s * columns + j
            left = a * v[at] + b * v[at + columns]
            z[j] += left + (c * v[at + 2 * columns] + d * v[at + 3 * columns])
    for s in range(whole, values.size):
        for j in range(columns):
            z[j] += (values[s] + constant) * v[s * columns + j]


@inlined
def score(state: DualState, block: Block, held: Held, k: int, z: Floats) -> None:
    """Let z be the scores of visit k, from the coefficients as they are now."""
    score_by(state.weights.v, state.constant[0], block, held, k, z)
    for c in range(z.size):
        z[c] *= state.weights.scale[c]


@inlined
def score_by(v: Floats, constants: Floats, block: Block, held: Held, k: int, z: Floats) -> None:
    """Let z be the scores of visit k by numbers of each place and of the constant feature."""
    columns = z.size
    for c in range(columns):
        z[c] = constants[c]
    row, end = held.values[k - held.numbers[FIRST]], held.numbers[EXTENT]
    if held.features > 0:
        add_products(row[: held.features], v, 0.0, columns, z)
    add_products(row[held.features : end], v[held.features * columns :], block.constant, columns, z)


@internal
def note_predictions(trace: Trace, state: DualState, block: Block, held: Held, k: int, z: Floats) -> None:
    """Write what w and the mean say of visit k into the trace; z are the scores of w.

    Once examples were dropped, the mean is w with the mean of all its constants.
    """
    weights, columns = state.weights, state.weights.scale.size
    for c in range(columns):
        trace.predictions[k, c] = z[c]
    if trace.predictions_by_mean.shape[0] == 0:
        return
    mean = trace.predictions_by_mean[k]
    if held.numbers[DROPPED] > 0:
        for c in range(columns):
            v, u = state.constant[0, c], state.constant[1, c]
            for s in range(held.features, held.numbers[EXTENT]):
                v += block.constant * weights.v[s * columns + c]
                u += block.constant * weights.u[s * columns + c]
            mean[c] = z[c] - weights.scale[c] * v + (weights.mass[c] * v - u) / max(1, weights.clock[c])
        return
    score_by(weights.u, state.constant[1], block, held, k, mean)
    for c in range(columns):
        mean[c] = (weights.mass[c] * z[c] / weights.scale[c] - mean[c]) / max(1, weights.clock[c])


@inlined
def weight(state: DualState, held: Held, place: int) -> float:
    """Return the squared length of what a place adds to the vectors, summed over all of them."""
    weights, columns, total = state.weights, state.weights.scale.size, 0.0
    if columns == 1:  # half the time of the loop
        w = weights.scale[0] * weights.v[place]
        return float(w * w * held.squares[place])
    for c in range(columns):
        w = weights.scale[c] * weights.v[place * columns + c]
        total += w * w
    return float(total * held.squares[place])


@internal
def lightest(state: DualState, held: Held) -> int:
    """Return the place that adds least to the vectors; of several, up to rounding, the oldest.

    As all that choose who goes, it is called when no place is free.
    """
    first, end = held.features, state.counts[0]
    least = np.inf
    for s in range(first, end):
        least = min(least, weight(state, held, s))
    limit, found, age = least * (1.0 + 1e-9), first, np.int64(2**62)
    for s in range(first, end):
        if weight(state, held, s) <= limit and held.ages[s] < age:
            found, age = s, held.ages[s]
    return int(found)


@inlined
def floored(value: float) -> float:
    """Return the logarithm of a kernel value; of one that became 0, that of the smallest number."""
    return log(max(np.float64(value), 1e-300))


@inlined
def compare(gram: Floats, place: int, values: Floats, first: int, end: int, own: float) -> None:
    """Enter what a place has in common with all others, and with itself."""
    for s in range(first, end):
        gram[place, s] = gram[s, place] = values[s]
    gram[place, place] = own


@internal
def enter(state: DualState, block: Block, held: Held, k: int) -> int:
    """Let the example of visit k have a place, with coefficients of 0, and return it."""
    weights, columns, place = state.weights, state.weights.scale.size, held.order[state.counts[0]]
    state.counts[0] += 1
    held.numbers[EXTENT] = max(held.numbers[EXTENT], state.counts[0])
    block.slots[k] = place
    for c in range(columns):
        weights.v[place * columns + c] = 0.0
        if weights.u.size > 0:
            weights.u[place * columns + c] = 0.0
    held.squares[place] = block.q[k]
    held.holders[place] = held.before + k
    if held.compared.rows.size > 0:
        held.compared.held_squares[place] = held.compared.squares[k]
        for j in range(held.compared.held.shape[1]):
            held.compared.held[place, j] = held.compared.rows[k, j]
    at, extent = k - held.numbers[FIRST], held.numbers[EXTENT]
    for f in range(held.features):
        held.sketched[place, f] = held.values[at, f]
    own = block.own[block.known[k]]
    for j in range(at + 1, held.values.shape[0]):
        held.values[j, place] = own[j]
    if held.exponents.shape[0] > 0:
        for j in range(at + 1, held.values.shape[0]):
            held.exponents[j, place] = floored(own[j])
        compare(held.gram, place, held.exponents[at], held.features, extent, 0.0)
    elif held.gram.shape[0] > 0:
        compare(held.gram, place, held.values[at], held.features, extent, block.q[k] - block.constant)
    return int(place)


@inlined
def leave(slots: Integers, place: int) -> None:
    """Let later visits know that their example has no place any more."""
    for j in range(slots.size):
        slots[j] = -1 if slots[j] == place else slots[j]


@internal
def release(state: DualState, block: Block, held: Held, k: int, place: int) -> None:
    """Forget who stands at a place: it is free, and whoever has the last rank gets the rank of its own.

    Nothing is moved while a block is walked: a column of `values` would be a cache line for each visit.
    """
    weights, columns, last = state.weights, state.weights.scale.size, state.counts[0] - 1
    state.counts[0] = last
    leave(block.slots[k:], place)
    for c in range(columns):
        weights.v[place * columns + c] = 0.0
        if weights.u.size > 0:
            weights.u[place * columns + c] = 0.0
    rank, youngest = held.ranks[place], held.order[last]
    held.order[rank], held.ranks[youngest] = youngest, rank
    held.order[last], held.ranks[place] = place, last


@internal
def drop(state: DualState, block: Block, held: Held, k: int, place: int) -> None:
    """Forget who stands at a place, and the vectors what it adds to them; see `release`.

    How much it has added to the constant feature so far stays in the sums of that: A v - u, over all examples
    that ever had a place.
    """
    weights, columns = state.weights, state.weights.scale.size
    held.numbers[DROPPED] += 1
    if weights.u.size > 0:
        for c in range(columns):
            at = place * columns + c
            state.constant[1, c] += block.constant * (weights.u[at] - weights.mass[c] * weights.v[at])
    release(state, block, held, k, place)


@inlined
def add(state: DualState, held: Held, place: int, decision: VisitDecision) -> None:
    """Add the example at a place to the vectors, `decision.step` times; it is the youngest now."""
    weights, columns = state.weights, state.weights.scale.size
    held.ages[place] = held.numbers[MOVES]
    for c in range(columns):
        weights.v[place * columns + c] += decision.step[c]
        if weights.u.size > 0:
            weights.u[place * columns + c] += weights.mass[c] * decision.step[c]


@internal
def measure(state: DualState, block: Block, held: Held) -> None:
    """Compute ||w_c||^2 anew from the Gram matrix, for rules that read it: what was held has changed."""
    weights, columns, end = state.weights, state.weights.scale.size, held.numbers[EXTENT]
    for c in range(columns):
        total, mass = 0.0, 0.0
        for s in range(end):
            inner = 0.0
            for r in range(end):
                inner += held.gram[s, r] * weights.v[r * columns + c]
            total += weights.v[s * columns + c] * inner
            mass += weights.v[s * columns + c]
        if block.constant > 0.0:
            beta = block.constant * mass + state.constant[0, c]
            total += beta * beta / block.constant
        weights.norm[c] = max(0.0, total) * weights.scale[c] * weights.scale[c]
        weights.drift[c] = 0.0
