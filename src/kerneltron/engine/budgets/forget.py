"""Forget: the self-tuned Forgetron (Dekel, Shalev-Shwartz and Singer, 2008, section 5)."""

from math import sqrt
from typing import NamedTuple

from kerneltron.engine.budgets.held import MOVES, Held, drop
from kerneltron.engine.budgets.walk import always_enters, revise
from kerneltron.engine.compiled import INLINED, inlined
from kerneltron.engine.dispatch import implements
from kerneltron.engine.dual import Block, DualState

SHARE = 15.0 / 32.0  # of the number of moves: what forgetting may cost in all, so that a mistake bound holds


@always_enters
class Forget(NamedTuple):
    """Shrink the vectors as little as the bound allows, then drop the oldest example."""

    nothing: int = 0  # numba takes no tuples without a field


@inlined
def largest_shrink(sigma: float, mu: float, left: float) -> float:
    """Return the largest phi in (0, 1] with Psi(phi sigma, phi mu) <= left.

    Psi(lambda, mu) = lambda^2 + 2 lambda - 2 lambda mu, so with a = sigma^2 - 2 sigma mu the left side is
    a phi^2 + 2 sigma phi: it is `left` first at left / (sigma + sqrt(sigma^2 + a left)).
    """
    a = sigma * sigma - 2.0 * sigma * mu
    if a + 2.0 * sigma <= left:
        return 1.0
    return left / (sigma + sqrt(max(0.0, sigma * sigma + a * left)))


@inlined
def score_of_place(state: DualState, block: Block, held: Held, place: int, c: int) -> float:
    """Return <w_c, phi(x)> for the example at a place."""
    weights, columns, total = state.weights, state.weights.scale.size, state.constant[0, c]
    for s in range(state.counts[0]):
        total += (held.gram[place, s] + block.constant) * weights.v[s * columns + c]
    return float(weights.scale[c] * total)


@inlined
def shrink_all(state: DualState, c: int, phi: float) -> None:
    """Multiply the vector of a column by phi, and leave the sum A v - u of all that it has been as it is."""
    weights, columns = state.weights, state.weights.scale.size
    past = (1.0 - phi) * weights.mass[c]
    if weights.u.size > 0:
        state.constant[1, c] -= past * state.constant[0, c]
        for s in range(state.counts[0]):
            weights.u[s * columns + c] -= past * weights.v[s * columns + c]
    state.constant[0, c] *= phi
    for s in range(state.counts[0]):
        weights.v[s * columns + c] *= phi


@implements(revise, Forget, **INLINED)
def shrink_and_forget(way: Forget, state: DualState, block: Block, held: Held, k: int) -> None:
    """Let every column shrink on its own, by what the oldest example means to it.

    In several columns the moves of all count: a column need not have moved to lose its oldest example.
    """
    weights, columns = state.weights, state.weights.scale.size
    oldest = 0
    for s in range(state.counts[0]):
        if held.ages[s] < held.ages[oldest]:
            oldest = s
    for c in range(columns):
        alpha = weights.scale[c] * weights.v[oldest * columns + c]
        if alpha == 0.0:
            continue
        sigma, mu = abs(alpha), score_of_place(state, block, held, oldest, c)
        if alpha < 0.0:
            mu = -mu
        left = SHARE * held.numbers[MOVES] - held.spent[c]
        phi = largest_shrink(sigma, mu, left)
        held.spent[c] += phi * sigma * (phi * sigma + 2.0 - 2.0 * phi * mu)
        if phi < 1.0:
            shrink_all(state, c, phi)
    drop(state, block, held, k, oldest)
