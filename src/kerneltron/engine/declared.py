"""What a rule says of itself beside its formula, and what is taken for granted where it says nothing.

>>> from kerneltron.engine.rules.romma import RommaRule
>>> declared(RommaRule).reads_norm, declared(RommaRule).is_joint
(True, False)
"""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

RuleType = TypeVar("RuleType", bound=type)


class PerWeight(NamedTuple):
    """What a rule keeps for each weight beside the weight: `Weights.kept`, of double precision.

    A class that comes late begins with the mean of the others. Models that are merged add up what came to it
    since `first`: a sum over examples.
    """

    name: str  # of its tensor in a model file
    first: float = 0.0


class Declared(NamedTuple):
    """What models, files and loops ask of a rule: none of them need know which rules there are."""

    # What it keeps for each weight, None for nothing; given the rule.
    keeps: Callable[[Any], PerWeight | None] = lambda rule: None
    # The least that it multiplies a vector by from a tick on, 0 where that is not known; given rule and tick.
    least_shrink: Callable[[Any, int], float] = lambda rule, t: 0.0
    # It looks at ||w||^2, which is then followed with all its digits.
    reads_norm: bool = False
    # Its columns move together.
    is_joint: bool = False
    # Its weights are positive, and multiplied: see `models.positive`.
    is_multiplicative: bool = False
    # It brings the coefficient of an example to its optimum, and so needs to know it: see `engine.ascent`.
    ascends: bool = False
    # Its scores are logarithms of odds; given the rule.
    has_log_odds: Callable[[Any], bool] = lambda rule: False


_DECLARED: dict[type, Declared] = {}


def declares(**said: Any) -> Callable[[RuleType], RuleType]:
    """Let the decorated type of rules say this of itself, by the names of `Declared`."""

    def note(rule_type: RuleType) -> RuleType:
        _DECLARED[rule_type] = Declared(**said)
        return rule_type

    return note


def declared(rule: Any) -> Declared:
    """Return what a rule, or a type of rules, has said."""
    return _DECLARED.get(rule if isinstance(rule, type) else type(rule), Declared())


def never_shrinks(rule: Any, t: int) -> float:
    """Return 1, for rules that only add."""
    return 1.0
