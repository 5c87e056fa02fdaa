"""MIRA: all classes move together, as little as possible, until the right one wins by a margin.

Crammer and Singer, Ultraconservative online algorithms for multiclass problems (2003).
"""

from typing import NamedTuple

from kerneltron._types import Floats, Rows, Trace, Visits, Weights
from kerneltron.engine.averages import note
from kerneltron.engine.columns import are_finite, is_mistake, note_move, side
from kerneltron.engine.compiled import compiled
from kerneltron.engine.declared import declares, never_shrinks
from kerneltron.engine.loops import is_loop_of
from kerneltron.engine.rows import add, look_ahead, score


@declares(is_joint=True, least_shrink=never_shrinks)
class MiraRule(NamedTuple):
    """Minimise sum_r ||w_r - w_r_old||^2 + C max(0, 1 - z_y + z_r over all r other than y)."""

    C: float


@compiled
def level(losses: Floats, code: int, limit: float) -> float:
    """Return theta with sum_r max(0, losses[r] - theta) = min(theta, limit), r other than `code`.

    Michelot's projection: a level from too many classes is too low, so those below it can leave.
    """
    theta, active, before = 0.0, -1, -2
    while active != before:
        before, active, total = active, 0, 0.0
        for r in range(losses.size):
            if r != code and losses[r] > theta:
                active += 1
                total += losses[r]
        if active > 0:
            # Never down again, which rounding could do: so the active classes only become fewer.
            theta = max(theta, total / (active + 1), (total - limit) / active)
    return theta


@compiled
def joint_steps(z: Floats, code: int, q: float, C: float) -> None:
    """Turn the scores z of an example of class `code` into the steps of all classes, in place.

    The right class moves by at most C / 2, the others against it by -max(0, loss_r - theta) / q. Two
    classes share one column, w_1 = -w_0, and 2 w_1 follows PA-I exactly.
    """
    if z.size == 1:
        y = side(code, 0, 1)
        z[0] = y * min(0.5 * C, max(0.0, 1.0 - 2.0 * y * z[0]) / (2.0 * q))
        return
    own, right = z[code], 0.0
    for r in range(z.size):
        z[r] += 1.0 - own
    theta = level(z, code, 0.5 * q * C)
    for r in range(z.size):
        z[r] = 0.0 if r == code else -max(0.0, z[r] - theta) / q
        right -= z[r]
    z[code] = right


@is_loop_of(MiraRule)
@compiled
def learn_jointly(
    rule: MiraRule, weights: Weights, rows: Rows, visits: Visits, trace: Trace, z: Floats
) -> int:
    """Visit rows[visits.order] once; return the number of mistakes, or -1 as `additive.learn` does."""
    mistakes = 0
    for k in range(visits.order.size):
        look_ahead(rows, visits.order, k, weights)
        i, code = visits.order[k], visits.codes[k]
        q = score(rows, i, weights.v, z)
        if not are_finite(z, 0, z.size, q):
            return -1
        mistakes += is_mistake(z, code)
        note(trace, k, rows, i, weights, z)
        if q > 0.0:
            joint_steps(z, code, q, rule.C * visits.importance[k])
        else:
            z[:] = 0.0
        for c in range(z.size):
            note_move(trace, k, c, 1.0, z[c])
            weights.clock[c] += 1
            if z[c] != 0.0:
                add(rows, i, weights, c, z[c], weights.mass[c])
                weights.updates[c] += 1
            weights.mass[c] += 1.0
    return mistakes
