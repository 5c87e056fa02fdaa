"""The loop of every additive rule: visit the examples in order, one vector per class."""

from typing import Any

from kerneltron._types import Floats, Rows, Trace, Visits, Weights
from kerneltron.engine.columns import is_mistake, note_move, note_scores, shrink_by, side
from kerneltron.engine.compiled import compiled
from kerneltron.engine.rows import add, look_ahead, score
from kerneltron.engine.update import Situation, update


@compiled
def learn(rule: Any, weights: Weights, rows: Rows, visits: Visits, trace: Trace, z: Floats) -> int:
    """Visit rows[visits.order] once, updating by `rule`, and return the number of mistakes.

    z is room for the scores of one example. The decisions of all classes are taken from these, so it
    does not matter that the classes move one after the other.
    """
    scale, norm, columns = weights.scale, weights.norm, weights.scale.size
    mistakes = 0
    for k in range(visits.order.size):
        look_ahead(rows, visits.order, k, weights)
        i, code = visits.order[k], visits.codes[k]
        q = score(rows, i, weights.v, z)
        for c in range(columns):
            z[c] *= scale[c]
        mistakes += is_mistake(z, code)
        note_scores(trace, k, z)
        for c in range(columns):
            y = side(code, c, columns)
            margin = y * z[c]
            weights.clock[c] += 1
            shrink, step = 1.0, 0.0
            if q > 0.0:
                at = Situation(margin, q, norm[c], weights.clock[c], visits.importance[k])
                shrink, step = update(rule, at)
            note_move(trace, k, c, shrink, y * step)
            norm[c] = max(0.0, shrink * (shrink * norm[c] + 2.0 * step * margin) + step * step * q)
            shrink_by(weights, c, shrink)
            if step != 0.0:
                add(rows, i, weights, c, y * step / scale[c], weights.mass[c])
                weights.updates[c] += 1
            weights.mass[c] += scale[c]
    return mistakes
