"""What every loop does with the columns of its weights: one column per class, one for two classes."""

import numpy as np

from kerneltron._types import Floats, Trace, Weights
from kerneltron.engine.compiled import compiled, inlined

TINY = 1e-9  # a scale below this is folded into the weights
HUGE = 1e9  # and so is a scale above this: ROMMA's grows, while v becomes too small for single precision
UNKNOWN = 1e300  # as `Weights.drift`: the norm is to be computed before it is read


@inlined
def side(code: int, c: int, columns: int) -> float:
    """Return +1 if an example with class `code` belongs to column c, else -1; two classes share a column."""
    return 1.0 if code == (1 if columns == 1 else c) else -1.0


@inlined
def is_mistake(scores: Floats, code: int) -> bool:
    """Return whether the scores predict another class than `code`; a tie is a mistake."""
    if scores.size == 1:
        return bool(side(code, 0, 1) * scores[0] <= 0.0)
    for c in range(scores.size):
        if c != code and scores[c] >= scores[code]:
            return True
    return False


@inlined
def norm_after(norm: float, shrink: float, step: float, z: float, q: float) -> float:
    """Return ||shrink w + step x||^2 from ||w||^2, z = <w, x> and q = ||x||^2; never below 0."""
    return max(0.0, shrink * (shrink * norm + 2.0 * step * z) + step * step * q)


@inlined
def are_finite(scores: Floats, first: int, end: int, q: float) -> bool:
    """Return whether q and the scores of the columns from `first` to before `end` are finite."""
    total = q
    for c in range(first, end):
        total += abs(scores[c])
    return bool(total - total == 0.0)


@inlined
def note_score(trace: Trace, k: int, c: int, score: float) -> None:
    """Write the score of column c at visit k into the trace, if it asks for it."""
    if trace.scores.shape[0] > 0:
        trace.scores[k, c] = score


@inlined
def note_scores(trace: Trace, k: int, scores: Floats) -> None:
    """Write the scores of visit k into the trace, if it asks for them."""
    for c in range(scores.size):
        note_score(trace, k, c, scores[c])


@inlined
def note_move(trace: Trace, k: int, c: int, shrink: float, step: float) -> None:
    """Write what visit k did to column c into the trace, if it asks for that."""
    if trace.step.shape[0] > 0:
        trace.shrink[k, c] = shrink
        trace.step[k, c] = step


@compiled
def fold(weights: Weights, c: int, scale: float, mass: float) -> None:
    """Bring the scale of column c to 1 and its mass to 0, without changing w_c or the sum of its past."""
    v, u = weights.v, weights.u
    for position in range(c, v.size, weights.scale.size):
        if u.size > 0:
            u[position] -= mass * v[position]
        v[position] = scale * v[position]


@compiled
def measured(weights: Weights, c: int, scale: float) -> float:
    """Return ||w_c||^2 from the weights themselves, in double precision."""
    total = 0.0
    for position in range(c, weights.v.size, weights.scale.size):
        total += np.float64(weights.v[position]) * np.float64(weights.v[position])
    return scale * scale * total


@inlined
def shrink_by(weights: Weights, c: int, shrink: float) -> None:
    """Multiply w_c by `shrink` at no cost per weight."""
    weights.scale[c] *= shrink
    if weights.scale[c] < TINY:
        fold(weights, c, weights.scale[c], weights.mass[c])
        weights.scale[c] = 1.0
        weights.mass[c] = 0.0
