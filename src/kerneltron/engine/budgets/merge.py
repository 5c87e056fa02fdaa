"""Merge: two examples become one between them, as in BSGD (Wang, Crammer and Vucetic, 2012).

For the Gaussian kernel, z = h a + (1 - h) b has k(a, z) = k^((1-h)^2) and k(b, z) = k^(h^2) with k = k(a, b).
The coefficient alpha_a k(a, z) + alpha_b k(b, z) loses least. What any x has in common with z follows from
what it has in common with a and b: |z - x|^2 = h |a - x|^2 + (1 - h) |b - x|^2 - h (1 - h) |a - b|^2.
"""

from math import exp, inf, sqrt
from typing import NamedTuple

import numpy as np

from kerneltron._types import Floats
from kerneltron.engine.budgets.held import FIRST, MIXED, Held, leave, lightest, release
from kerneltron.engine.budgets.walk import always_enters, revise
from kerneltron.engine.compiled import INLINED, inlined, internal
from kerneltron.engine.dispatch import implements
from kerneltron.engine.dual import Block, DualState

GRID = 8  # weights that are tried before bisection
FEW = 20  # steps that tell the losses of candidates apart, to 1e-13 of the heavier one
STEPS = 40  # steps that find a weight, to 1e-13
NEGLIGIBLE = 1e-6  # weights up to this are taken as 0: the heavier example stays who it is
CANDIDATES = 6  # for partners, chosen by the table, whose losses are then compared exactly


@always_enters
class Merge(NamedTuple):
    """Merge the lightest example with the one that loses least by that; `losses` is a table.

    It has what the best merge loses, as a part of the lighter one's squared length, by the share of that one
    in the sum of both lengths (0 to 1/2), by the cosine between the coefficients of both (-1 to 1), and by
    -log k(a, b) (0 to `farthest`): each axis in equal steps.
    """

    losses: Floats
    farthest: float
    found: Floats  # (2, CANDIDATES): losses and places, room to work in


class Two(NamedTuple):
    """What the loss of a merge depends on: squared lengths over all columns, and log k(a, b)."""

    a: float
    b: float
    common: float
    exponent: float


@inlined
def two(state: DualState, held: Held, a: int, b: int) -> Two:
    """Return what the loss of merging two places depends on."""
    weights, columns = state.weights, state.weights.scale.size
    mine, other, common = 0.0, 0.0, 0.0
    for c in range(columns):
        x = weights.scale[c] * weights.v[a * columns + c]
        y = weights.scale[c] * weights.v[b * columns + c]
        mine, other, common = mine + x * x, other + y * y, common + x * y
    return Two(mine, other, common, min(0.0, held.gram[a, b]))


@inlined
def kept(pair: Two, h: float) -> float:
    """Return the squared length of what stays, over all columns, of h a + (1 - h) b."""
    mine, other = exp((1.0 - h) * (1.0 - h) * pair.exponent), exp(h * h * pair.exponent)
    return pair.a * mine * mine + 2.0 * pair.common * mine * other + pair.b * other * other


@inlined
def lost(pair: Two, h: float) -> float:
    """Return the squared length of what h a + (1 - h) b cannot keep of both."""
    return pair.a + pair.b + 2.0 * pair.common * exp(pair.exponent) - kept(pair, h)


@inlined
def looked_up(way: Merge, share: float, cosine: float, distance: float) -> float:
    """Return the entry of the table between its grid points."""
    table = way.losses
    x, y = 2.0 * share * (table.shape[0] - 1), 0.5 * (1.0 + cosine) * (table.shape[1] - 1)
    z = min(1.0, distance / way.farthest) * (table.shape[2] - 1)
    i, j = min(int(x), table.shape[0] - 2), min(int(y), table.shape[1] - 2)
    at = min(int(z), table.shape[2] - 2)
    x, y, z = x - i, y - j, z - at
    total = 0.0
    for p in range(2):
        for q in range(2):
            part = (x if p else 1.0 - x) * (y if q else 1.0 - y)
            total += part * ((1.0 - z) * table[i + p, j + q, at] + z * table[i + p, j + q, at + 1])
    return total


@inlined
def rises(pair: Two, h: float) -> bool:
    """Return whether `kept` grows with h: of m = exp((1-h)^2 e) and o = exp(h^2 e), m'/2 = (h-1) e m."""
    mine, other = exp((1.0 - h) * (1.0 - h) * pair.exponent), exp(h * h * pair.exponent)
    left = (h - 1.0) * mine * (pair.a * mine + pair.common * other)
    right = h * other * (pair.b * other + pair.common * mine)
    return bool((left + right) * pair.exponent > 0.0)


@inlined
def searched(pair: Two, steps: int) -> float:
    """Return the weight of a, no heavier than b, in the best merge: from 0, which drops a, to 1/2.

    With several columns there may be more than one maximum: bisection begins around the best of a grid.
    """
    at, most = 0, kept(pair, 0.0)
    for i in range(1, GRID + 1):
        value = kept(pair, 0.5 * i / GRID)
        if value > most:
            at, most = i, value
    low, high = 0.5 * max(0, at - 1) / GRID, 0.5 * min(GRID, at + 1) / GRID
    for _ in range(steps):
        middle = (low + high) / 2.0
        if rises(pair, middle):
            low = middle
        else:
            high = middle
    h = (low + high) / 2.0
    return h if h > NEGLIGIBLE and kept(pair, h) > kept(pair, 0.0) else 0.0


@inlined
def insert(found: Floats, count: int, lost: float, place: int) -> int:
    """Put a place among those found so far, the least loss first, if there is room; return how many."""
    at = count
    while at > 0 and lost < found[0, at - 1]:
        at -= 1
    if at >= found.shape[1]:
        return count
    count = min(count + 1, found.shape[1])
    for i in range(count - 1, at, -1):
        found[0, i], found[1, i] = found[0, i - 1], found[1, i - 1]
    found[0, at], found[1, at] = lost, place
    return count


@internal
def find_partner(way: Merge, state: DualState, held: Held, a: int) -> int:
    """Return the place that loses least if it is merged with a."""
    count = 0
    for rank in range(state.counts[0]):  # of equal ones the first by rank: places depend on where blocks end
        s = held.order[rank]
        if s == a:
            continue
        pair = two(state, held, a, s)
        mine, other = sqrt(pair.a), sqrt(pair.b)
        both = mine + other
        # Lengths beyond the range of numbers must not become places in the table.
        cosine = pair.common / (mine * other) if 0.0 < mine * other < 1e300 else 0.0
        share = mine / both if 0.0 < both < 1e300 else 0.0
        part = looked_up(way, min(0.5, share), min(1.0, max(-1.0, cosine)), -pair.exponent)
        count = insert(way.found, count, part * pair.a, s)
    found, least = int(way.found[1, 0]), inf
    for i in range(count):
        place = int(way.found[1, i])
        pair = two(state, held, a, place)
        loss = lost(pair, searched(pair, FEW))
        if loss < least:
            found, least = place, loss
    return found


@inlined
def mix(held: Held, a: int, b: int, h: float) -> None:
    """Note that who stands at b is now made of h of a and 1 - h of b."""
    if held.holders[b] >= 0:
        row = held.numbers[MIXED]
        held.numbers[MIXED] += 1
        for i in range(held.mixing.shape[1]):
            held.mixing[row, i] = 0.0
        held.mixing[row, held.holders[b]] = 1.0
        held.holders[b] = -1 - row
    row = -1 - held.holders[b]
    for i in range(held.mixing.shape[1]):
        held.mixing[row, i] *= 1.0 - h
    if held.holders[a] >= 0:
        held.mixing[row, held.holders[a]] += h
    else:
        for i in range(held.mixing.shape[1]):
            held.mixing[row, i] += h * held.mixing[-1 - held.holders[a], i]


@inlined
def mix_rows(held: Held, a: int, b: int, h: float) -> None:
    """Let the row of b be h of a and 1 - h of b, where compiled code has the rows."""
    compared, total = held.compared, 0.0
    for j in range(compared.held.shape[1]):
        compared.held[b, j] = h * compared.held[a, j] + (1.0 - h) * compared.held[b, j]
        total += np.float64(compared.held[b, j]) ** 2
    compared.held_squares[b] = compared.half * total
    held.holders[b] = -1


@internal
def merge_two(state: DualState, block: Block, held: Held, k: int, a: int, b: int) -> None:
    """Let z stand at b, the heavier one, in place of both."""
    weights, columns = state.weights, state.weights.scale.size
    pair = two(state, held, a, b)
    h, exponent = searched(pair, STEPS), pair.exponent
    mine, other = exp((1.0 - h) * (1.0 - h) * exponent), exp(h * h * exponent)
    for c in range(columns):
        x, y = a * columns + c, b * columns + c
        v = mine * weights.v[x] + other * weights.v[y]
        state.constant[0, c] += block.constant * (weights.v[x] + weights.v[y] - v)
        weights.v[y] = v
        if weights.u.size > 0:
            u = mine * weights.u[x] + other * weights.u[y]
            state.constant[1, c] += block.constant * (weights.u[x] + weights.u[y] - u)
            weights.u[y] = u
    held.ages[b] = max(held.ages[a], held.ages[b])
    if h > 0.0:
        shift = h * (1.0 - h) * exponent
        for s in range(state.counts[0]):
            near = min(0.0, h * held.gram[a, s] + (1.0 - h) * held.gram[b, s] - shift)
            held.gram[b, s] = held.gram[s, b] = near
        held.gram[b, b] = 0.0
        for j in range(k - held.numbers[FIRST] + 1, held.values.shape[0]):
            near = min(0.0, h * held.exponents[j, a] + (1.0 - h) * held.exponents[j, b] - shift)
            held.exponents[j, b] = near
            held.values[j, b] = exp(near)
        if held.compared.rows.size > 0:
            mix_rows(held, a, b, h)
        else:
            mix(held, a, b, h)
        leave(block.slots[k:], b)
    release(state, block, held, k, a)


@implements(revise, Merge, **INLINED)
def merge_lightest(way: Merge, state: DualState, block: Block, held: Held, k: int) -> None:
    """Merge the lightest example with its best partner.

    Several partners at once, as others do to save searches, are several times as many errors: on 10,000
    digits of MNIST with a budget of 500, PassiveAggressive errs on 8 % with one partner and on 37 % with
    three. What that saves was a tenth of the time there, and half of it on rows of 20 columns.
    """
    at = lightest(state, held)
    partner = find_partner(way, state, held, at)
    pair = two(state, held, at, partner)
    is_lighter = pair.a <= pair.b * (1.0 + 1e-9)  # up to rounding
    merge_two(state, block, held, k, at if is_lighter else partner, partner if is_lighter else at)
