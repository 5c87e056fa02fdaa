"""The arrays of a dual learner: how they begin, grow, and let go of what is no longer needed."""

from typing import Any

import numpy as np

from kerneltron._types import Floats, Integers
from kerneltron.engine.dual import DualState, gather
from kerneltron.models.weights import blank, copy


def nothing_yet(rule: Any, columns: int, averaging: bool) -> DualState:
    """Return what a learner knows that has seen nothing."""
    none = np.empty((0, columns))
    weights = blank(rule, 0, columns, np.float64, averaging)
    return DualState(
        weights, none, np.empty(0, np.int64), none, np.zeros(2, np.int64), np.zeros((2, columns))
    )


def with_room(state: DualState, visits: int, averaging: bool, is_logged: bool) -> DualState:
    """Let coefficients, and the log if there is one, have room for this many more visits."""
    slots, moves = state.counts
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
    none = np.empty((0, state.weights.scale.size))
    counts = np.array([state.counts[0], 0])
    return DualState(state.weights, none, np.empty(0, np.int64), none, counts, state.constant)


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


def copied(state: DualState) -> DualState:
    """Return a deep copy."""
    arrays: Any = state[1:]
    return DualState(copy(state.weights), *(array.copy() for array in arrays))


def enlarged(array: Any, size: int) -> Any:
    """Return a copy with `size` entries (rows), the new ones 0."""
    other = np.zeros((size, *array.shape[1:]), array.dtype)
    other[: len(array)] = array
    return other
