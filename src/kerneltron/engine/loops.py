"""The loops that visit rows in primal form: one serves all additive rules, others have their own."""

from collections.abc import Callable
from typing import Any, TypeVar

from kerneltron._types import Floats, Rows, Trace, Visits, Weights

Loop = Callable[[Any, Weights, Rows, Visits, Trace, Floats], int]
Function = TypeVar("Function", bound=Callable[..., Any])
_LOOPS: dict[type, Loop] = {}


def is_loop_of(rule_type: type) -> Callable[[Function], Function]:
    """Let the decorated loop be that of one type of rules, beside which it stands."""

    def note(loop: Function) -> Function:
        _LOOPS[rule_type] = loop
        return loop

    return note


def has_own_loop(rule: Any) -> bool:
    """Return whether the update of a rule is not `(shrink, step)`."""
    return type(rule) in _LOOPS


def loop_of(rule: Any) -> Loop:
    """Return the loop that a rule learns in."""
    from kerneltron.engine.additive import learn

    return _LOOPS.get(type(rule), learn)
