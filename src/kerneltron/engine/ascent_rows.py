"""Dual coordinate ascent in primal form: vectors of weights follow the coefficients of all examples.

It is algorithm 3 of Hsieh, Chang, Lin, Keerthi and Sundararajan (2008). Columns do not depend on each other.
As long as most coefficients can move, an example is visited by all columns together, in one walk over its row
(`ascend_together`). Later, when few can, one column after the other visits its own (`ascend_column`): its
vector stays in the cache, and rows that a column is done with cost nothing.
"""

from typing import NamedTuple

import numpy as np

from kerneltron._types import Bytes, Dense, Floats, Integers, Rows, Sparse, Trace, Visits
from kerneltron.engine.columns import are_finite, is_mistake, note_move, note_scores, side
from kerneltron.engine.compiled import CONTRACTED, INLINED, REORDERED, compiled, inlined, reordered
from kerneltron.engine.dispatch import implements
from kerneltron.engine.hash_finalizer import mixed
from kerneltron.engine.prefetch import prefetch
from kerneltron.engine.rows import AHEAD, column, fetch, find, span, square
from kerneltron.engine.rules.svm import AscentRule, coefficient, loss_of, share_of_gap

# Up to this many columns take a row one after the other; more, feature by feature in vector registers.
FEW_MOVES = 3

# Coefficients go further than to their optimum, by this factor, as most would be led to later. Below 2 the
# dual objective never falls (Mangasarian and Musicant, Successive overrelaxation for support vector machines,
# 1999). With C = 1 and a gap of 1e-3, a9a, newsgroups and digits take 0.82 to 0.97 times as many passes as
# with a factor of 1 (hinge), or 0.72 to 1 (squared hinge).
FURTHER = 1.3
FURTHER_WHERE_SOFT = 1.6

# Visits between asking for a row and working on it, where a column has the rows for itself: with 2 to 4 it
# takes 0.95 times as long as with 8.
SOON = 3

# A linear congruential generator (Knuth), of which the upper half is used.
MULTIPLIER, INCREMENT, HALF = np.uint64(6364136223846793005), np.uint64(1442695040888963407), np.uint64(32)


class Coefficients(NamedTuple):
    """What is known of all examples of a call; entry i C + c belongs to example i and column c of C."""

    signed: Floats  # y alpha
    is_idle: Bytes  # 1 for a coefficient at a bound that is not to be visited until all are looked at again
    scores: Floats  # as they were at the last visit; empty for a single column
    left: Integers  # by example: how many coefficients are not idle
    q: Floats  # by example: ||x||^2, with the constant feature


class Progress(NamedTuple):
    """What a pass has done, by column; slopes are what the dual objective gains by a unit of a coefficient.

    The slope of a coefficient that is at a bound, and would leave it, does not count.
    """

    gap: Floats  # the sum of the shares of the duality gap, each as it was when its example was visited
    gain: Floats  # what the sum of alpha - softness alpha^2 / 2 has grown by
    square: Floats  # what ||w||^2 has grown by
    highest: Floats  # slope of a coefficient that was visited
    lowest: Floats
    upper: Floats  # a coefficient at its cap becomes idle when its slope is above this,
    lower: Floats  # one of 0 when it is below this
    least: Floats  # one entry: a coefficient whose share of the gap is not above this is left alone
    moves: Integers


class Tally(NamedTuple):
    """What a pass has done in one column, in registers: see `Progress`."""

    gap: float
    gain: float
    square: float
    highest: float
    lowest: float
    moves: int


class Moment(NamedTuple):
    """A coefficient that is visited: its place, its example, the label, the score and the weight."""

    place: int
    i: int
    y: float
    score: float
    weight: float


@inlined
def load(progress: Progress, c: int) -> Tally:
    """Read what was done in column c."""
    slopes = (progress.highest[c], progress.lowest[c])
    return Tally(
        progress.gap[c], progress.gain[c], progress.square[c], slopes[0], slopes[1], progress.moves[c]
    )


@inlined
def store(progress: Progress, c: int, tally: Tally) -> None:
    """Write what was done in column c."""
    progress.gap[c], progress.gain[c], progress.square[c] = tally.gap, tally.gain, tally.square
    progress.highest[c], progress.lowest[c], progress.moves[c] = tally.highest, tally.lowest, tally.moves


@inlined
def settle(
    rule: AscentRule, known: Coefficients, progress: Progress, c: int, tally: Tally, at: Moment
) -> tuple[Tally, float]:
    """Bring a coefficient to its optimum, or further; return what its example is to be added to w with."""
    alpha, z, cap = at.y * known.signed[at.place], at.y * at.score, rule.cap * at.weight
    softness = rule.softness / at.weight
    slope = 1.0 - z - softness * alpha
    if alpha == 0.0 and slope <= 0.0:
        if slope < progress.lower[c]:
            rest(known, at.place, at.i)
        return tally, 0.0
    if alpha == cap and slope >= 0.0:
        if slope > progress.upper[c]:
            rest(known, at.place, at.i)
        return tally, 0.0
    q, share = known.q[at.i], share_of_gap(rule, alpha, z, at.weight)
    gap, gain, square = tally.gap + share, tally.gain, tally.square
    further = FURTHER if rule.softness == 0.0 else FURTHER_WHERE_SOFT
    new = coefficient(rule, alpha, z, q / further, at.weight)
    if new == alpha or (share <= progress.least[0] and 0.0 < new < cap and 0.0 <= alpha <= cap):
        return Tally(gap, gain, square, tally.highest, tally.lowest, tally.moves), 0.0
    known.signed[at.place] = at.y * new
    g = at.y * (new - alpha)
    gain += (new - alpha) * (1.0 - 0.5 * softness * (new + alpha))
    square += g * (2.0 * at.score + g * q)
    highest, lowest = max(tally.highest, slope), min(tally.lowest, slope)
    return Tally(gap, gain, square, highest, lowest, tally.moves + 1), g


@inlined
def rest(known: Coefficients, place: int, i: int) -> None:
    """Let a coefficient be idle."""
    known.is_idle[place] = 1
    known.left[i] -= 1


def inner(rows: Rows, i: int, w: Floats) -> float:
    """Return <w, x_i> without the constant feature."""
    raise NotImplementedError


def add_multiple(rows: Rows, i: int, w: Floats, g: float) -> None:
    """Add g x_i to w, without the constant feature."""
    raise NotImplementedError


@implements(inner, Dense, **REORDERED)
def inner_dense(rows: Dense, i: int, w: Floats) -> float:
    """Return the product, summed in any order."""
    x = rows.values[i * rows.width : (i + 1) * rows.width]
    total = 0.0
    for j in range(x.size):
        total += w[j] * np.float64(x[j])
    return total


# Four sums do not wait for each other: a pass over rows of 14 entries takes 0.8 times as long as with one.
@implements(inner, Sparse, **INLINED, **CONTRACTED)
def inner_sparse(rows: Sparse, i: int, w: Floats) -> float:
    """Return the product, summed in four parts."""
    first, last = rows.starts[i], rows.starts[i + 1]
    a = b = c = d = 0.0
    fours = last - (last - first) % 4
    for p in range(first, fours, 4):
        a += w[np.uintp(rows.indices[p])] * np.float64(rows.values[p])
        b += w[np.uintp(rows.indices[p + 1])] * np.float64(rows.values[p + 1])
        c += w[np.uintp(rows.indices[p + 2])] * np.float64(rows.values[p + 2])
        d += w[np.uintp(rows.indices[p + 3])] * np.float64(rows.values[p + 3])
    for p in range(fours, last):
        a += w[np.uintp(rows.indices[p])] * np.float64(rows.values[p])
    return (a + b) + (c + d)


@implements(add_multiple, Dense)
def add_multiple_dense(rows: Dense, i: int, w: Floats, g: float) -> None:
    """Add a whole row."""
    x = rows.values[i * rows.width : (i + 1) * rows.width]
    for j in range(x.size):
        w[j] += g * np.float64(x[j])


@implements(add_multiple, Sparse, **INLINED, **CONTRACTED)
def add_multiple_sparse(rows: Sparse, i: int, w: Floats, g: float) -> None:
    """Add the entries that are there."""
    for p in range(rows.starts[i], rows.starts[i + 1]):
        w[np.uintp(rows.indices[p])] += g * np.float64(rows.values[p])


@reordered
def add_four_to(z: Floats, a: Floats, b: Floats, c: Floats, d: Floats, by: tuple[float, ...]) -> None:
    """Add multiples of four vectors to z."""
    p, q, r, s = by
    for j in range(z.size):
        z[j] += (p * a[j] + q * b[j]) + (r * c[j] + s * d[j])


@reordered
def add_one_to(z: Floats, a: Floats, by: float) -> None:
    """Add a multiple of a vector to z."""
    for j in range(z.size):
        z[j] += by * a[j]


@inlined
def score_all(rows: Rows, i: int, v: Floats, z: Floats) -> None:
    """Fill z with the scores of row i in all columns.

    Vector registers take what four columns know of a feature. Four features at a time: z is read and written
    once for all of them. With 20 columns it takes 7 ns per entry of a row; sums in registers, one number at a
    time as in `rows.score_four`, take 16.
    """
    first, last = span(rows, i)
    for c in range(z.size):
        z[c] = rows.bias * v[v.shape[0] - 1, c]
    fours = last - (last - first) % 4
    for p in range(first, fours, 4):
        a, b = column(rows, first, p), column(rows, first, p + 1)
        d, e = column(rows, first, p + 2), column(rows, first, p + 3)
        x0, x1 = np.float64(rows.values[p]), np.float64(rows.values[p + 1])
        x2, x3 = np.float64(rows.values[p + 2]), np.float64(rows.values[p + 3])
        add_four_to(z, v[a], v[b], v[d], v[e], (x0, x1, x2, x3))
    for p in range(fours, last):
        add_one_to(z, v[column(rows, first, p)], np.float64(rows.values[p]))


@inlined
def add_all(rows: Rows, i: int, v: Floats, g: Floats) -> None:
    """Add g[c] x_i to v_c for every column."""
    moved, constant = 0, v.shape[0] - 1
    first, last = span(rows, i)
    for c in range(g.size):
        moved += g[c] != 0.0
    if moved > FEW_MOVES:
        for p in range(first, last):
            add_one_to(v[column(rows, first, p)], g, np.float64(rows.values[p]))
        add_one_to(v[constant], g, rows.bias)
        return
    for c in range(g.size):
        if g[c] != 0.0:
            for p in range(first, last):
                v[column(rows, first, p), np.uintp(c)] += g[c] * np.float64(rows.values[p])
            v[constant, c] += g[c] * rows.bias


@inlined
def look_ahead(rows: Rows, order: Integers, k: int) -> None:
    """At visit k, start to load the rows of later ones."""
    last = order.size - 1
    find(rows, order[min(k + 2 * AHEAD, last)])
    fetch(rows, order[min(k + AHEAD, last)])


@inlined
def look_ahead_at(rows: Rows, order: Integers, chosen: Integers, k: int) -> None:
    """At visit chosen[k], start to load the rows of later ones: 1.05 to 1.5 times as fast on a9a."""
    last = chosen.size - 1
    find(rows, order[chosen[min(k + 2 * AHEAD, last)]])
    fetch(rows, order[chosen[min(k + AHEAD, last)]])


@compiled
def ascend_column(
    rule: AscentRule,
    w: Floats,
    rows: Rows,
    order: Integers,
    visits: Visits,
    chosen: Integers,
    known: Coefficients,
    progress: Progress,
    which: Integers,
) -> int:
    """Let one column visit its examples; return the mistakes, as far as it can tell, or -1 for an overflow.

    Parameters
    ----------
    w
        Its vector; the last weight is that of the constant feature.
    order
        Where the rows of the visits are.
    visits
        The numbers of the examples, their classes and weights.
    chosen
        Which of the visits to make.
    which
        Its number, and how many there are.
    """
    mistakes, constant = 0, w.size - 1
    c, columns = which[0], which[1]
    tally = load(progress, c)
    for k in range(chosen.size):
        look_ahead_at(rows, order, chosen, k)
        visit = chosen[k]
        row, i = order[visit], visits.order[visit]
        y = side(visits.codes[visit], c, columns)
        scored = inner(rows, row, w) + w[constant] * rows.bias
        if scored - scored != 0.0:  # not finite
            return -1
        mistakes += y * scored <= 0.0
        place = i * columns + c
        if columns > 1:
            known.scores[place] = scored
        now = Moment(place, i, y, scored, visits.importance[visit])
        tally, g = settle(rule, known, progress, c, tally, now)
        if g != 0.0:
            add_multiple(rows, row, w, g)
            w[constant] += g * rows.bias
    store(progress, c, tally)
    return mistakes


@inlined
def look_ahead_in(rows: Rows, due: Integers, k: int, known: Coefficients, c: int) -> None:
    """At visit k of a round, start to load what later ones need."""
    last = due.size - 1
    find(rows, due[min(k + 2 * SOON, last)])
    i = due[min(k + SOON, last)]
    fetch(rows, i)
    prefetch(known.q, i)
    prefetch(known.signed, i * (known.signed.size // known.q.size) + c)


@inlined
def shuffle(numbers: Integers, end: int, key: int) -> None:
    """Permute the first numbers: a generator of few instructions is enough, and no division is needed."""
    state = mixed(np.uint64(key))
    for k in range(end - 1, 0, -1):
        state = state * MULTIPLIER + INCREMENT
        j = np.int64(((state >> HALF) * np.uint64(k + 1)) >> HALF)
        numbers[k], numbers[j] = numbers[j], numbers[k]


@compiled
def go_round(
    rule: AscentRule,
    w: Floats,
    rows: Rows,
    due: Integers,
    codes: Integers,
    importance: Floats,
    known: Coefficients,
    progress: Progress,
    which: Integers,
    limits: Floats,
) -> int:
    """Let one column visit its examples several times; return the number of visits, or -1 for an overflow.

    What becomes idle is not visited again. A round is one visit to each example that is left; slopes and
    shares of the gap are those of the last round in the end.

    Parameters
    ----------
    w
        Its vector; the last weight is that of the constant feature.
    due
        The numbers of its examples, which are also those of their rows; they change places.
    codes, importance
        Classes and weights of all examples.
    which
        Number of the column, how many there are, and a number that all orders follow from.
    limits
        It ends when the shares of the gap in a round sum to at most the first of them, or when another round
        would make it more visits than the second.
    """
    c, columns, key = which[0], which[1], which[2]
    end, visited, constant = due.size, 0, w.size - 1
    while end > 0 and visited + end <= limits[1]:
        visited, key = visited + end, key + 1
        shuffle(due, end, key)
        tally = Tally(0.0, progress.gain[c], progress.square[c], 0.0, 0.0, progress.moves[c])
        k = 0
        while k < end:
            look_ahead_in(rows, due, k, known, c)
            i = due[k]
            place, y = i * columns + c, side(codes[i], c, columns)
            scored = inner(rows, i, w) + w[constant] * rows.bias
            if scored - scored != 0.0:  # not finite
                return -1
            now = Moment(place, i, y, scored, importance[i])
            tally, g = settle(rule, known, progress, c, tally, now)
            k += 1
            if g != 0.0:
                add_multiple(rows, i, w, g)
                w[constant] += g * rows.bias
            elif known.is_idle[place] == 1:
                k, end = k - 1, end - 1
                due[k], due[end] = due[end], i
        store(progress, c, tally)
        progress.upper[c] = progress.highest[c] if progress.highest[c] > 0.0 else np.inf
        progress.lower[c] = progress.lowest[c] if progress.lowest[c] < 0.0 else -np.inf
        if progress.gap[c] <= limits[0]:
            break
    return visited


@compiled
def choose(known: Coefficients, visits: Visits, chosen: Integers, ends: Integers) -> None:
    """List, one column after the other, the visits whose coefficients are not idle.

    ends[c] becomes where the list of column c ends in `chosen`, which has room for all.
    """
    columns = ends.size
    for c in range(columns):
        ends[c] = 0
    for k in range(visits.order.size):
        for c in range(columns):
            ends[c] += known.is_idle[visits.order[k] * columns + c] == 0
    total = 0
    for c in range(columns):
        total, ends[c] = total + ends[c], total
    for k in range(visits.order.size):
        for c in range(columns):
            if known.is_idle[visits.order[k] * columns + c] == 0:
                chosen[ends[c]] = k
                ends[c] += 1


@compiled
def count_mistakes(known: Coefficients, visits: Visits, columns: int) -> int:
    """Return for how many visits the scores, as they were last known, speak for another class."""
    mistakes = 0
    for k in range(visits.order.size):
        first = visits.order[k] * columns
        mistakes += is_mistake(known.scores[first : first + columns], visits.codes[k])
    return mistakes


@compiled
def ascend_together(
    rule: AscentRule,
    v: Floats,
    rows: Rows,
    order: Integers,
    visits: Visits,
    known: Coefficients,
    progress: Progress,
    trace: Trace,
    z: Floats,
) -> int:
    """Let all columns visit each example; return the mistakes, or -1 for an overflow.

    Parameters as of `ascend_column`; z has one entry per column.
    """
    mistakes, columns = 0, z.size
    for k in range(order.size):
        look_ahead(rows, order, k)
        row, i, code = order[k], visits.order[k], visits.codes[k]
        score_all(rows, row, v, z)
        if not are_finite(z, 0, columns, known.q[i]):
            return -1
        mistakes += is_mistake(z, code)
        note_scores(trace, k, z)
        for c in range(columns):
            place = i * columns + c
            if columns > 1:
                known.scores[place] = z[c]
            if known.is_idle[place] == 0:
                now = Moment(place, i, side(code, c, columns), z[c], visits.importance[k])
                tally, z[c] = settle(rule, known, progress, c, load(progress, c), now)
                store(progress, c, tally)
            else:
                z[c] = 0.0
            note_move(trace, k, c, 1.0, z[c])
        add_all(rows, row, v, z)
    return mistakes


@compiled
def measure_squares(rows: Rows, order: Integers, examples: Integers, q: Floats) -> None:
    """Let q[examples[k]] be ||x||^2 of row order[k], with the constant feature."""
    for k in range(order.size):
        q[examples[k]] = square(rows, order[k]) + rows.bias * rows.bias


@compiled
def add_up(v: Floats, rows: Rows, order: Integers, examples: Integers, signed: Floats, z: Floats) -> None:
    """Add some rows to the vectors, each with the coefficients of its example; z has one entry per column."""
    columns = z.size
    for k in range(order.size):
        for c in range(columns):
            z[c] = signed[examples[k] * columns + c]
        add_all(rows, order[k], v, z)


@compiled
def look_at(
    rule: AscentRule,
    v: Floats,
    rows: Rows,
    order: Integers,
    visits: Visits,
    known: Coefficients,
    progress: Progress,
    z: Floats,
) -> tuple[float, float, float, float]:
    """Look at examples without moving anything; return the parts of `Sums`, nan for an overflow.

    Coefficients become idle, or cease to be, by the bounds of the slopes.
    """
    loss = gain = total = gap = 0.0
    columns = z.size
    for k in range(order.size):
        look_ahead(rows, order, k)
        i, weight = visits.order[k], visits.importance[k]
        score_all(rows, order[k], v, z)
        if not are_finite(z, 0, columns, known.q[i]):
            return np.nan, np.nan, np.nan, np.nan
        known.left[i] = columns
        for c in range(columns):
            place, y = i * columns + c, side(visits.codes[k], c, columns)
            alpha, margin = y * known.signed[place], y * z[c]
            if columns > 1:
                known.scores[place] = z[c]
            share = share_of_gap(rule, alpha, margin, weight)
            loss += loss_of(rule, margin, weight)
            gain += alpha - 0.5 * rule.softness / weight * alpha * alpha
            total += alpha * margin
            gap += share
            known.is_idle[place] = 0
            slope = 1.0 - margin - rule.softness / weight * alpha
            if alpha == 0.0 and slope <= 0.0:
                if slope < progress.lower[c]:
                    rest(known, place, i)
            elif alpha == rule.cap * weight and slope >= 0.0:
                if slope > progress.upper[c]:
                    rest(known, place, i)
            elif share > progress.least[0]:
                progress.highest[c] = max(progress.highest[c], slope)
                progress.lowest[c] = min(progress.lowest[c], slope)
    return loss, gain, total, gap
