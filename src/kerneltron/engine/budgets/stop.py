"""Stop: once the budget is spent, no more examples are remembered."""

from typing import Any, NamedTuple

from kerneltron.engine.budgets.held import Held
from kerneltron.engine.budgets.walk import ENTERED, PASSED_OVER, admit, needs_row, spread
from kerneltron.engine.compiled import INLINED
from kerneltron.engine.dispatch import implements
from kerneltron.engine.dual import Block, DualState, VisitDecision


class Stop(NamedTuple):
    """Pass over new examples; those that have a place are still added to."""

    nothing: int = 0  # numba takes no tuples without a field


@implements(admit, Stop, **INLINED)
def admit_until_full(
    way: Stop, rule: Any, state: DualState, block: Block, held: Held, k: int, decision: VisitDecision
) -> tuple[int, float]:
    """Let it have a place as long as there is one."""
    return (ENTERED if state.counts[0] < held.budget else PASSED_OVER), block.q[k]


@implements(needs_row, Stop, **INLINED)
def needs_until_full(way: Stop, state: DualState, held: Held) -> bool:
    """Return whether there is still a place."""
    return bool(state.counts[0] < held.budget)


@implements(spread, Stop, **INLINED)
def spread_nothing(way: Stop, state: DualState, held: Held, k: int, decision: VisitDecision) -> None:
    """Do nothing: no example is projected."""
