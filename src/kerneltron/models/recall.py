"""The arrays of a dual learner: how they begin, grow, and let go of what no one asks for any more."""

from typing import Any

import numpy as np

from kerneltron._types import Floats, Integers
from kerneltron.engine.dual import Recall, gather
from kerneltron.models.weights import blank, copy


def nothing_yet(rule: Any, columns: int, averaging: bool) -> Recall:
    """Return what a learner knows that has seen nothing."""
    none = np.empty((0, columns))
    weights = blank(rule, 0, columns, np.float64, averaging)
    return Recall(weights, none, np.empty(0, np.int64), none, np.zeros(2, np.int64), np.zeros((2, columns)))


def with_room(recall: Recall, visits: int, averaging: bool, is_logged: bool) -> Recall:
    """Let coefficients, and the log if there is one, have room for as many more entries."""
    slots, moves = recall.counts
    weights, columns = recall.weights, recall.weights.scale.size
    if weights.v.size < (slots + visits) * columns:
        size = (2 * slots + visits) * columns
        sums = enlarged(weights.u, size if averaging else 0)
        recall = recall._replace(weights=weights._replace(v=enlarged(weights.v, size), u=sums))
    if is_logged and recall.log_slots.size < moves + visits:
        size = 2 * moves + visits
        log = {"log_slots": enlarged(recall.log_slots, size), "log_steps": enlarged(recall.log_steps, size)}
        recall = recall._replace(**log)
    return recall


def moves_since(recall: Recall, since: int) -> tuple[Integers, Floats]:
    """Return which remembered examples were added since then, in order, and how often, a row each."""
    entries = recall.counts[1] - since
    slots, steps = np.empty(entries, np.int64), np.empty((entries, recall.weights.scale.size))
    found = gather(recall, since, np.full(recall.counts[0], -1), slots, steps)
    order = np.argsort(slots[:found])
    return slots[order], steps[order]


def forget(recall: Recall, moves: int) -> None:
    """Drop the first moves of the log."""
    left = recall.counts[1] - moves
    recall.log_slots[:left] = recall.log_slots[moves : moves + left].copy()
    recall.log_steps[:left] = recall.log_steps[moves : moves + left].copy()
    recall.counts[1] = left


def without_log(recall: Recall) -> Recall:
    """Return the coefficients alone."""
    none = np.empty((0, recall.weights.scale.size))
    counts = np.array([recall.counts[0], 0])
    return Recall(recall.weights, none, np.empty(0, np.int64), none, counts, recall.constant)


def copied(recall: Recall) -> Recall:
    """Return a deep copy."""
    arrays: Any = recall[1:]
    return Recall(copy(recall.weights), *(array.copy() for array in arrays))


def enlarged(array: Any, size: int) -> Any:
    """Return a copy with `size` entries (rows), the new ones 0."""
    other = np.zeros((size, *array.shape[1:]), array.dtype)
    other[: len(array)] = array
    return other
