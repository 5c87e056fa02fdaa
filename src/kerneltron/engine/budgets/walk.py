"""The walk through a block of visits by a learner with a budget of remembered examples.

The block is compared with all that is held at once, in one matrix product, and these values are kept: a
score is their sum, each times its coefficient as it is at that moment. To drop, shrink, project or merge is
then a change of coefficients, and of the values of one place. Decisions are those of the sequential
algorithm; no score is corrected, so none drifts.
"""

from typing import Any, TypeVar

from kerneltron._types import Integers, Trace
from kerneltron.engine.budgets.held import MOVES, Held, add, enter, measure, note_predictions, score
from kerneltron.engine.columns import are_finite, note_score
from kerneltron.engine.compiled import INLINED, compiled, inlined, internal
from kerneltron.engine.dispatch import where
from kerneltron.engine.dual import Block, DualState, VisitDecision, count_mistakes, plan, settle

WayType = TypeVar("WayType", bound=type)

# What becomes of an example that moves a vector and has no place yet.
PASSED_OVER = 0  # nothing is added
ENTERED = 1  # it gets a place
SPREAD = 2  # it is added to the places that are there, as `Held.projections` says


_ENTERING: set[type] = set()


def always_enters(way_type: WayType) -> WayType:
    """Let every example that moves a vector have a place, and make room afterwards: see `revise`."""
    _ENTERING.add(way_type)
    return way_type


def admit(
    way: Any, rule: Any, state: DualState, block: Block, held: Held, k: int, decision: VisitDecision
) -> tuple[int, float]:
    """Return what becomes of the example of visit k, and the squared length of what will be added.

    It may change `decision.step`.
    """
    raise NotImplementedError


@where(admit, lambda way_type: way_type in _ENTERING, **INLINED)
def admit_always(
    way: Any, rule: Any, state: DualState, block: Block, held: Held, k: int, decision: VisitDecision
) -> tuple[int, float]:
    """Let it have a place; room is made afterwards."""
    return ENTERED, block.q[k]


def revise(way: Any, state: DualState, block: Block, held: Held, k: int) -> None:
    """Make room after visit k, whose example got the last place, one more than the budget has."""
    raise NotImplementedError


@where(revise, lambda way_type: way_type not in _ENTERING, **INLINED)
def revise_nothing(way: Any, state: DualState, block: Block, held: Held, k: int) -> None:
    """Do nothing, where no example is admitted that there is no room for."""


def needs_row(way: Any, state: DualState, held: Held) -> bool:
    """Return whether an example that gets a place now, or is spread, needs its row of the block."""
    raise NotImplementedError


@where(needs_row, lambda way_type: way_type in _ENTERING, **INLINED)
def needs_always(way: Any, state: DualState, held: Held) -> bool:
    """Tell that it does."""
    return True


@inlined
def consider(rule: Any, state: DualState, block: Block, held: Held, k: int, decision: VisitDecision) -> bool:
    """Plan visit k, and tell whether it would add the example to a vector."""
    score(state, block, held, k, decision.z)
    plan(rule, state.weights, block, k, decision)
    for c in range(decision.z.size):
        if decision.step[c] != 0.0:
            return True
    return False


@compiled
def survey_held(
    rule: Any,
    way: Any,
    state: DualState,
    block: Block,
    held: Held,
    first: int,
    decision: VisitDecision,
    wanted: Integers,
) -> None:
    """Mark the visits from `first` on that, as things are, need a row which is not known yet."""
    is_needed = needs_row(way, state, held)
    for k in range(wanted.size):
        wanted[k] = 0
        if k >= first and is_needed and block.known[k] < 0 and block.slots[k] < 0:
            wanted[k] = consider(rule, state, block, held, k, decision)


def spread(way: Any, state: DualState, held: Held, k: int, decision: VisitDecision) -> None:
    """Add the projection of the example of visit k to the vectors, `decision.step` times."""
    raise NotImplementedError


@where(spread, lambda way_type: way_type in _ENTERING, **INLINED)
def spread_nothing(way: Any, state: DualState, held: Held, k: int, decision: VisitDecision) -> None:
    """Do nothing, where no example is projected."""


@inlined
def learn_from(
    rule: Any,
    way: Any,
    state: DualState,
    block: Block,
    held: Held,
    k: int,
    fate: int,
    decision: VisitDecision,
) -> None:
    """Add the example of visit k to the vectors, `decision.step` times, and make room if need be."""
    held.numbers[MOVES] += 1
    if fate == SPREAD:
        spread(way, state, held, k, decision)
        return
    place = block.slots[k] if block.slots[k] >= 0 else enter(state, block, held, k)
    add(state, held, place, decision)
    if state.counts[0] > held.budget:
        revise(way, state, block, held, k)
        if state.weights.drift.size > 0:  # the rule reads ||w||^2
            measure(state, block, held)


@internal
def walk_held(
    rule: Any,
    way: Any,
    state: DualState,
    block: Block,
    held: Held,
    first: int,
    end: int,
    trace: Trace,
    decision: VisitDecision,
    mistakes: Integers,
) -> int:
    """Visit the examples from `first` to `end`, in order, and return how far it went.

    It stops before a visit that needs a row of `block.own` or `held.projections` which is not known yet.
    Where a score is beyond the range of numbers, -1 is returned.
    """
    weights = state.weights
    for k in range(first, end):
        moves, is_known = consider(rule, state, block, held, k, decision), block.slots[k] >= 0
        if moves and not is_known and block.known[k] < 0 and needs_row(way, state, held):
            return k
        if not are_finite(decision.z, 0, decision.z.size, block.q[k]):
            return -1
        count_mistakes(block, k, decision.z, mistakes)
        for c in range(decision.z.size):
            note_score(trace, k, c, decision.z[c])
        if trace.asked.shape[0] > 0:
            note_predictions(trace, state, block, held, k, decision.z)
        fate, q = ENTERED, block.q[k]
        if moves and not is_known:
            fate, q = admit(way, rule, state, block, held, k, decision)
        if fate == PASSED_OVER:
            decision.step[:] = 0.0
        settle(state, block, k, decision, q)
        if moves and fate != PASSED_OVER:
            learn_from(rule, way, state, block, held, k, fate, decision)
        for c in range(decision.z.size):
            if block.labels[k, c] != 0:
                weights.mass[c] += weights.scale[c]
    return int(end)


@compiled
def walk_block(
    rule: Any,
    way: Any,
    state: DualState,
    block: Block,
    held: Held,
    first: int,
    trace: Trace,
    decision: VisitDecision,
    mistakes: Integers,
) -> int:
    """Do as `walk_held` does, to the end of the block, for Python."""
    return walk_held(rule, way, state, block, held, first, block.slots.size, trace, decision, mistakes)
