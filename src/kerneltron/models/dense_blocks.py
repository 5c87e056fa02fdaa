"""Where dense rows are learned in blocks, and the room that this takes."""

from typing import Any

import numpy as np

from kerneltron._types import Dense, Trace, Visits, Weights
from kerneltron.engine.coded_rules import coded
from kerneltron.engine.declared import declared
from kerneltron.engine.dense_blocks import Workspace, learn_in_blocks
from kerneltron.engine.dual import DualState, VisitDecision
from kerneltron.engine.loops import has_own_loop

# Visits in a block. At 1,000 columns and ten classes, 16 and 64 take up to 1.1 and 1.6 times as long where
# most visits move a vector; where few do, 64 take as long and 128 take 1.3 times as long.
LENGTH = 32

# From here on blocks pay. With ten classes, a perceptron that moves at nearly every visit takes 1.1 times as
# long row by row at 100 columns, 1.6 times at 200 and 2.6 times at 1,000; logistic regression takes 1.9, 3.7
# and 4.5 times as long. With one column the loop, whose sums are in registers, is always the quicker one.
LEAST_COLUMNS = 3
LEAST_WIDTH = 128
LEAST_VISITS = 32


def pays(rule: Any, weights: Weights, visits: int) -> bool:
    """Return whether blocks are quicker than the loop that goes row by row."""
    columns = weights.scale.size
    if visits < LEAST_VISITS or columns < LEAST_COLUMNS or weights.v.size < LEAST_WIDTH * columns:
        return False
    about = declared(rule)
    return not about.reads_norm and (about.is_joint or not has_own_loop(rule))


def visit_in_blocks(
    rule: Any, weights: Weights, rows: Dense, visits: Visits, trace: Trace
) -> tuple[int, int]:
    """Return how many visits were made, -1 where a score overflows, and how many of them were mistakes."""
    length = min(LENGTH, visits.order.size)
    mistakes = np.zeros(1, np.int64)
    columns = weights.scale.size
    decision = VisitDecision(*(np.empty(columns) for _ in VisitDecision._fields))
    state, room = _state(rule, weights, length), _room(weights, length)
    made = learn_in_blocks(coded(rule), weights, rows, visits, trace, state, room, decision, mistakes)
    return made, int(mistakes[0])


def _state(rule: Any, weights: Weights, length: int) -> DualState:
    """Return the steps of a block, beside the numbers of the columns."""
    columns, nothing = weights.scale.size, np.empty(0)
    local = weights._replace(
        v=np.zeros(length * columns),
        u=np.zeros(length * columns if weights.u.size else 0),
        negative=nothing,
        kept=nothing,
    )
    if has_own_loop(rule):  # which does not follow the norm
        local = local._replace(norm=weights.norm.copy())
    no_scores, no_steps = np.empty((columns, 0)), np.empty((0, columns))
    slots = np.empty(0, np.int64)
    return DualState(local, no_scores, slots, no_steps, np.zeros(2, np.int64), np.zeros((2, columns)))


def _room(weights: Weights, length: int) -> Workspace:
    columns, real = weights.scale.size, weights.v.dtype
    width = weights.v.size // columns
    return Workspace(
        rows=np.empty(length * width, real),
        own=np.empty(length * length, real),
        products=np.empty(length * columns, real),
        steps=np.empty(length + 3, real),
        late=np.empty(length + 3, real),
        moves=np.empty(weights.v.size, real),
        past=np.empty(weights.u.size, real),
        scores=np.empty(length * columns),
        labels=np.empty(length * columns, np.int8),
        q=np.empty(length),
        known=np.empty(length, np.int64),
        slots=np.empty(length, np.int64),
        exact=np.empty((2, length)),
        places=np.empty(length + 3, np.int64),
        unit=np.empty(2),
        units=np.empty((2, columns)),
    )
