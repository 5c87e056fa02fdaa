"""BPA-S: Passive-Aggressive on a budget, which corrects the new example for the one that it drops."""

from typing import NamedTuple

import numpy as np

from kerneltron.engine.budgets.held import FIRST, Held, drop
from kerneltron.engine.budgets.walk import always_enters, revise
from kerneltron.engine.compiled import INLINED
from kerneltron.engine.dispatch import implements
from kerneltron.engine.dual import Block, DualState


@always_enters
class BPA(NamedTuple):
    """Project the dropped example onto the new one; drop the one for which the least is lost."""

    nothing: int = 0  # numba takes no tuples without a field


@implements(revise, BPA, **INLINED)
def drop_and_correct(way: BPA, state: DualState, block: Block, held: Held, k: int) -> None:
    """Find r with the least alpha_r^2 (k_rr - k_rt^2 / k_tt), and let alpha_t grow by alpha_r k_rt / k_tt.

    Of all w_t - alpha_r phi(x_r) + beta phi(x_t) the closest to w_t that suffers the same loss has
    beta = alpha_r k_rt / k_tt + tau y_t, with the tau that PA has without a budget.
    """
    weights, columns = state.weights, state.weights.scale.size
    new, q, values = held.order[state.counts[0] - 1], block.q[k], held.values[k - held.numbers[FIRST]]
    found, least = held.order[held.features], np.inf
    for rank in range(held.features, state.counts[0] - 1):
        r = held.order[rank]
        common, total = values[r] + block.constant, 0.0
        for c in range(columns):
            w = weights.scale[c] * weights.v[r * columns + c]
            total += w * w
        lost = total * max(0.0, held.squares[r] - common * common / q)
        if lost < least:
            found, least = r, lost
    part = (values[found] + block.constant) / q
    for c in range(columns):
        made_up = part * weights.v[found * columns + c]
        weights.v[new * columns + c] += made_up
        if weights.u.size > 0:
            weights.u[new * columns + c] += weights.mass[c] * made_up
    drop(state, block, held, k, found)
