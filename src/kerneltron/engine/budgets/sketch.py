"""Sketch: what is dropped lives on in random features, so that nothing is forgotten entirely."""

from typing import NamedTuple

from kerneltron.engine.budgets.held import Held, lightest, release
from kerneltron.engine.budgets.walk import always_enters, revise
from kerneltron.engine.compiled import INLINED
from kerneltron.engine.dispatch import implements
from kerneltron.engine.dual import Block, DualState


@always_enters
class Sketch(NamedTuple):
    """Move the example that adds least into the features that stand in the first places."""

    nothing: int = 0  # numba takes no tuples without a field


@implements(revise, Sketch, **INLINED)
def move_to_sketch(way: Sketch, state: DualState, block: Block, held: Held, k: int) -> None:
    """Add alpha z(x) to the features, for the map z; the constant feature is kept as it is."""
    weights, columns, place = state.weights, state.weights.scale.size, lightest(state, held)
    for c in range(columns):
        at = place * columns + c
        state.constant[0, c] += block.constant * weights.v[at]
        for f in range(held.features):
            weights.v[f * columns + c] += weights.v[at] * held.sketched[place, f]
        if weights.u.size > 0:
            state.constant[1, c] += block.constant * weights.u[at]
            for f in range(held.features):
                weights.u[f * columns + c] += weights.u[at] * held.sketched[place, f]
    release(state, block, held, k, place)
