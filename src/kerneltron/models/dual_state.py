"""The arrays of a dual learner: how they begin, grow, and let go of what is no longer needed."""

from typing import Any

import numpy as np

from kerneltron._types import Floats, Integers, Weights
from kerneltron.engine.coefficients import add_rows, find_occupied
from kerneltron.engine.dual import DualState, gather
from kerneltron.kernels.room import enlarged
from kerneltron.models.weights import BY_FEATURE, blank


def nothing_yet(rule: Any, columns: int, averaging: bool) -> DualState:
    """Return what a learner knows that has seen nothing."""
    weights = blank(rule, 0, columns, np.float64, averaging)
    counts, constant = np.zeros(2, np.int64), np.zeros((2, columns))
    return without_log(DualState(weights, constant, counts, constant, counts, constant))


def with_room(state: DualState, visits: int, averaging: bool, is_logged: bool) -> DualState:
    """Let coefficients, and the log if there is one, have room for this many more visits."""
    slots, moves = state.counts.tolist()
    weights, columns = state.weights, state.weights.scale.size
    if weights.v.size < (slots + visits) * columns:
        size = (2 * slots + visits) * columns
        sums = enlarged(weights.u, size if averaging else 0)
        state = state._replace(weights=weights._replace(v=enlarged(weights.v, size), u=sums))
    if is_logged and state.log_slots.size < moves + visits:
        size = 2 * moves + visits
        log = {"log_slots": enlarged(state.log_slots, size), "log_steps": enlarged(state.log_steps, size)}
        state = state._replace(**log)
    return state


def with_coefficients(v: Floats) -> tuple[Integers, Floats]:
    """Return which rows of v are not all 0, and these rows: v itself where all are there."""
    there = np.empty(len(v), np.int64)
    found = find_occupied(v, there)
    return (there, v) if found == len(v) else (there[:found], v[there[:found]])


def sums_of(coefficients: Floats) -> Floats:
    """Return the sum of each column: the same digits as NumPy's, which adds the rows in order, or pairs."""
    if coefficients.shape[1] == 1:
        return np.asarray(coefficients.sum(axis=0))
    sums = np.zeros(coefficients.shape[1])
    add_rows(coefficients, sums)
    return sums


def moves_since(state: DualState, since: int) -> tuple[Integers, Floats]:
    """Return which remembered examples were added since then, in order, and how often, one row each."""
    entries = state.counts[1] - since
    slots, steps = np.empty(entries, np.int64), np.empty((entries, state.weights.scale.size))
    found = gather(state, since, np.full(state.counts[0], -1), slots, steps)
    order = np.argsort(slots[:found])
    return slots[order], steps[order]


def forget(state: DualState, moves: int) -> None:
    """Drop the first moves of the log."""
    left = state.counts[1] - moves
    state.log_slots[:left] = state.log_slots[moves : moves + left].copy()
    state.log_steps[:left] = state.log_steps[moves : moves + left].copy()
    state.counts[1] = left


def without_log(state: DualState) -> DualState:
    """Return the coefficients alone."""
    columns, counts = state.weights.scale.size, np.array([state.counts[0], 0])
    nothing, no_steps = np.empty((columns, 0)), np.empty((0, columns))
    return DualState(state.weights, nothing, np.empty(0, np.int64), no_steps, counts, state.constant)


def kept_slots(state: DualState, places: Integers) -> DualState:
    """Return the coefficients of examples that still have a slot, and no log; see `SupportSet.release`."""
    columns, stays = state.weights.scale.size, np.flatnonzero(places >= 0)
    weights = state.weights
    arrays = {
        name: getattr(weights, name).reshape(-1, columns)[stays].reshape(-1)
        for name in ("v", "u")
        if getattr(weights, name).size
    }
    kept = without_log(state._replace(weights=weights._replace(**arrays)))
    return kept._replace(counts=np.array([stays.size, 0]))


def sharing(state: DualState) -> DualState:
    """Return a copy of all but the coefficients: both read the same, as far as each knows them."""
    arrays: Any = state[1:]
    shared = Weights._make(
        array if name in BY_FEATURE else array.copy()
        for name, array in zip(Weights._fields, state.weights, strict=True)
    )
    return DualState(shared, *(array.copy() for array in arrays))


def copied(state: DualState) -> DualState:
    """Return a deep copy. In the room behind the coefficients, which another may have written to, is 0."""
    weights, used = state.weights, int(state.counts[0]) * state.weights.scale.size
    by_slot = {name: getattr(weights, name) for name in BY_FEATURE}
    own = {name: enlarged(array[:used], array.size) for name, array in by_slot.items()}
    return sharing(state._replace(weights=weights._replace(**own)))
