"""The walk through one block of examples in dual form: vectors are sums of remembered examples.

A block knows its scores before it is walked. A visit that moves a vector changes the scores of the whole
block, by one row of the block's own Gram matrix; only such rows are ever asked for.
"""

from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from kerneltron._types import Floats, Integers, Trace, Weights
from kerneltron.engine.coded_rules import MIRA, CodedRule
from kerneltron.engine.columns import (
    HUGE,
    TINY,
    UNKNOWN,
    are_finite,
    fold,
    is_mistake,
    norm_after,
    note_move,
    note_score,
)
from kerneltron.engine.compiled import INLINED, compiled, inlined, internal
from kerneltron.engine.dispatch import implements, where
from kerneltron.engine.joint import MiraRule, joint_steps
from kerneltron.engine.update import Situation, decide

LOST = 0.1  # relative error of ||w||^2 from which on coefficients are said to have lost their digits


class DualState(NamedTuple):
    """What a dual learner knows, and what it keeps of examples that it will meet again.

    The features of `weights` are the remembered examples. All scores and steps are divided by the scale of
    their column.
    """

    weights: Weights
    cached: Floats  # (columns, examples): scores, as far as they were known when last met
    log_slots: Integers  # which remembered example each move added, in order; empty where no log is kept
    log_steps: Floats  # (moves, columns): what each move added to the coefficients of its example
    counts: Integers  # remembered examples, moves
    constant: Floats  # (2, columns): what late classes began with beside examples, as it stands in v and in u


class Block(NamedTuple):
    """Examples that are visited one after the other, and all that the walk needs of them."""

    scores: Floats  # (columns, visits)
    labels: Integers  # (visits, columns): +1, -1, or 0 where it is not known
    codes: Integers  # the class of each visit; empty where columns are tasks of their own
    importance: Floats
    q: Floats  # k(x, x), with the constant feature
    constant: float  # the square of the constant feature, which is not in `own`
    own: Floats  # (rows, visits): those rows of the block's Gram matrix that are known
    known: Integers  # where in `own` the row of each visit is, -1 for those that are not
    slots: Integers  # where each example is remembered, -1 where it is not
    first: int  # the first of the columns that are walked
    end: int  # the column after the last of them
    sums: Floats  # (columns, visits): the scores of `Weights.u`; empty unless those of the mean are wanted


class VisitDecision(NamedTuple):
    """What a visit finds and what is decided: one entry per column."""

    z: Floats  # the score
    shrink: Floats
    step: Floats  # with the sign of the label


def plan(rule: Any, weights: Weights, block: Block, k: int, decision: VisitDecision) -> None:
    """Fill in what `rule` does with the columns at visit k: `shrink`, and `step` with its sign."""
    raise NotImplementedError


@implements(plan, MiraRule, **INLINED)
def plan_jointly(rule: MiraRule, weights: Weights, block: Block, k: int, decision: VisitDecision) -> None:
    """Let the joint step decide."""
    for c in range(block.first, block.end):
        decision.shrink[c] = 1.0
        decision.step[c] = decision.z[c] if block.q[k] > 0.0 else 0.0
    if block.q[k] > 0.0:
        joint_steps(decision.step, block.codes[k], block.q[k], rule.C * block.importance[k])


@inlined
def decide_apart(rule: Any, weights: Weights, block: Block, k: int, decision: VisitDecision) -> None:
    """Let every column decide for itself."""
    for c in range(block.first, block.end):
        y = block.labels[k, c]
        decision.shrink[c], decision.step[c] = 1.0, 0.0
        if y != 0:
            z, clock, updates = y * decision.z[c], weights.clock[c] + 1, weights.updates[c]
            slot, alpha = block.slots[k], 0.0
            if slot >= 0:
                alpha = y * weights.scale[c] * weights.v[slot * weights.scale.size + c]
            norm, importance = weights.norm[c], block.importance[k]
            shrink, step = decide(rule, Situation(z, block.q[k], norm, clock, importance, updates, alpha))
            decision.shrink[c], decision.step[c] = shrink, y * step


@implements(plan, CodedRule, **INLINED)
def plan_by_code(rule: CodedRule, weights: Weights, block: Block, k: int, decision: VisitDecision) -> None:
    """Do either, as the rule with this code does."""
    if rule.code == MIRA:
        plan(MiraRule(rule.numbers[0]), weights, block, k, decision)
    else:
        decide_apart(rule, weights, block, k, decision)


@where(plan, lambda rule_type: rule_type not in (MiraRule, CodedRule), **INLINED)
def plan_apart(rule: Any, weights: Weights, block: Block, k: int, decision: VisitDecision) -> None:
    """Let every column of a rule from outside decide for itself."""
    decide_apart(rule, weights, block, k, decision)


@inlined
def consider(rule: Any, weights: Weights, block: Block, k: int, decision: VisitDecision) -> bool:
    """Plan visit k, and tell whether it would add the example to a vector."""
    for c in range(block.first, block.end):
        decision.z[c] = weights.scale[c] * block.scores[c, k]
    plan(rule, weights, block, k, decision)
    for c in range(block.first, block.end):
        if decision.step[c] != 0.0:
            return True
    return False


@compiled
def survey(
    rule: Any, state: DualState, block: Block, first: int, decision: VisitDecision, wanted: Integers
) -> None:
    """Mark the visits from `first` on that, as things are, need a row of `own` which is not known yet."""
    for k in range(wanted.size):
        wanted[k] = 0
        if k >= first and block.known[k] < 0 and consider(rule, state.weights, block, k, decision):
            wanted[k] = 1


@internal
def fold_all(state: DualState, block: Block, c: int, scale: float, mass: float) -> None:
    """Bring the scale of column c to 1: everything that was divided by it is multiplied."""
    fold(state.weights, c, scale, mass)
    state.constant[1, c] -= mass * state.constant[0, c]
    state.constant[0, c] *= scale
    for i in range(state.cached.shape[1]):
        state.cached[c, i] *= scale
    for e in range(state.counts[1]):
        state.log_steps[e, c] *= scale
    for k in range(block.sums.shape[1]):
        block.sums[c, k] -= mass * block.scores[c, k]
    for k in range(block.scores.shape[1]):
        block.scores[c, k] *= scale


@inlined
def drift_after(
    weights: Weights, c: int, block: Block, q: float, decision: VisitDecision, norm: float
) -> float:
    """Return a bound on the relative error of ||w_c||^2, which is `norm` once an example of this q is added.

    The norm is that of a sum of remembered examples, and so has no more digits than their coefficients leave:
    to compute it anew would not give them back. Once they are LOST, that stays known.
    """
    shrink, step = decision.shrink[c], abs(decision.step[c])
    longest = shrink * sqrt(weights.norm[c]) + step * sqrt(q)
    error = shrink * shrink * weights.drift[c] * weights.norm[c] if shrink > 0.0 else 0.0
    error += np.finfo(block.own.dtype).eps * longest * longest
    drift = error / norm if norm > 0.0 else UNKNOWN
    return max(drift, weights.drift[c]) if weights.drift[c] > LOST else drift


@inlined
def settle(state: DualState, block: Block, k: int, decision: VisitDecision, q: float) -> None:
    """Carry out the plan of visit k but for what is added to the vectors: that is left in `decision.step`.

    `q` is the squared length of what will be added.
    """
    weights = state.weights
    for c in range(block.first, block.end):
        if block.labels[k, c] == 0:
            continue
        shrink, step = decision.shrink[c], decision.step[c]
        norm = norm_after(weights.norm[c], shrink, step, decision.z[c], q)
        if weights.drift.size > 0 and step != 0.0:
            weights.drift[c] = drift_after(weights, c, block, q, decision, norm)
        weights.norm[c] = norm
        weights.scale[c] *= shrink
        if weights.scale[c] < TINY or weights.scale[c] > HUGE:
            fold_all(state, block, c, weights.scale[c], weights.mass[c])
            weights.scale[c], weights.mass[c] = 1.0, 0.0
        weights.clock[c] += 1
        weights.updates[c] += step != 0.0
        decision.step[c] = step / weights.scale[c]


@inlined
def remember(state: DualState, block: Block, k: int, decision: VisitDecision) -> int:
    """Return the place of the example of visit k among the remembered ones; log the move, if asked for."""
    if block.slots[k] < 0:
        block.slots[k] = state.counts[0]
        state.counts[0] += 1
    if state.log_slots.size > 0:
        move = state.counts[1]
        state.log_slots[move] = block.slots[k]
        for c in range(block.first, block.end):
            state.log_steps[move, c] = decision.step[c]
        state.counts[1] += 1
    return int(block.slots[k])


@inlined
def add(state: DualState, block: Block, k: int, decision: VisitDecision) -> None:
    """Add the example of visit k to the vectors, `decision.step` times, and to the scores of the block.

    The scores of visits before k matter only where scores are kept.
    """
    weights, columns = state.weights, decision.z.size
    start = np.uintp(0 if state.cached.shape[1] > 0 else k)
    slot, row = remember(state, block, k, decision), block.known[k]
    for c in range(block.first, block.end):
        g = decision.step[c]
        if g == 0.0:
            continue
        weights.v[slot * columns + c] += g
        if weights.u.size > 0:
            weights.u[slot * columns + c] += weights.mass[c] * g
        before = block.scores[c, k]
        for j in range(start, np.uintp(block.scores.shape[1])):
            block.scores[c, j] += g * (block.own[row, j] + block.constant)
        block.scores[c, k] = before + g * block.q[k]
        for j in range(start, np.uintp(block.sums.shape[1])):
            block.sums[c, j] += weights.mass[c] * g * (block.own[row, j] + block.constant)


@inlined
def count_mistakes(block: Block, k: int, z: Floats, mistakes: Integers) -> None:
    """Add the mistakes of visit k: one for all columns or, where columns are tasks, one for each."""
    if block.codes.size > 0:
        mistakes[0] += is_mistake(z, block.codes[k])
        return
    for c in range(block.first, block.end):
        y = block.labels[k, c]
        if y != 0 and y * z[c] <= 0.0:
            mistakes[c] += 1


@internal
def note_predictions(trace: Trace, k: int, weights: Weights, block: Block, z: Floats) -> None:
    """Write what w and the mean say of visit k into the trace; z are the scores of w."""
    for c in range(block.first, block.end):
        trace.predictions[k, c] = z[c]
        if trace.predictions_by_mean.shape[0] > 0:
            total = weights.mass[c] * block.scores[c, k] - block.sums[c, k]
            trace.predictions_by_mean[k, c] = total / max(1, weights.clock[c])


@compiled
def walk(
    rule: Any,
    state: DualState,
    block: Block,
    first: int,
    trace: Trace,
    decision: VisitDecision,
    mistakes: Integers,
) -> int:
    """Visit the examples from `first` on, in order, and return how far it went.

    It stops before a visit that needs a row of `block.own` which is not known yet. Where a score is beyond
    the range of numbers, -1 is returned.
    """
    visits = block.scores.shape[1]
    for k in range(first, visits):
        moves = consider(rule, state.weights, block, k, decision)
        if moves and block.known[k] < 0:
            return k
        if not are_finite(decision.z, block.first, block.end, block.q[k]):
            return -1
        count_mistakes(block, k, decision.z, mistakes)
        for c in range(block.first, block.end):
            note_score(trace, k, c, decision.z[c])
            note_move(trace, k, c, decision.shrink[c], decision.step[c])
        if trace.asked.shape[0] > 0:
            note_predictions(trace, k, state.weights, block, decision.z)
        settle(state, block, k, decision, block.q[k])
        if moves:
            add(state, block, k, decision)
        for c in range(block.first, block.end):
            if block.labels[k, c] != 0:
                state.weights.mass[c] += state.weights.scale[c]
    return int(visits)


@compiled
def gather(state: DualState, since: int, position: Integers, slots: Integers, steps: Floats) -> int:
    """Sum the moves from `since` on by remembered example; return how many examples there are.

    Their places go to `slots`, the sums to `steps`, one row each. `position` holds -1 for every remembered
    example, before and after.
    """
    found = 0
    for e in range(since, state.counts[1]):
        slot = state.log_slots[e]
        if position[slot] < 0:
            position[slot] = found
            slots[found] = slot
            for c in range(steps.shape[1]):
                steps[found, c] = 0.0
            found += 1
        for c in range(steps.shape[1]):
            steps[position[slot], c] += state.log_steps[e, c]
    for i in range(found):
        position[slots[i]] = -1
    return found
