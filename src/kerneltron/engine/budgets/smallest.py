"""Smallest: what adds least to the vectors is forgotten, as in BSGD with removal (Wang et al., 2012)."""

from typing import NamedTuple

from kerneltron.engine.budgets.held import Held, drop, lightest
from kerneltron.engine.budgets.walk import always_enters, revise
from kerneltron.engine.compiled import INLINED
from kerneltron.engine.dispatch import implements
from kerneltron.engine.dual import Block, DualState


@always_enters
class Smallest(NamedTuple):
    """Forget the example whose part in the vectors is shortest, the new one included."""

    nothing: int = 0  # numba takes no tuples without a field


@implements(revise, Smallest, **INLINED)
def forget_lightest(way: Smallest, state: DualState, block: Block, held: Held, k: int) -> None:
    """Let w lose as little of its length as dropping one example can cost."""
    drop(state, block, held, k, lightest(state, held))
