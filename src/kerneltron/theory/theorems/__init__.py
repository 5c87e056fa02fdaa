"""The theorem of each rule: one file each, found by the type of the rule.

>>> from kerneltron.engine.rules.perceptron import PerceptronRule
>>> theorem_of(PerceptronRule(learning_rate=1.0, margin=0.0), columns=1).says.statement
'mistakes <= (R ||w*|| + sqrt(sum of max(0, 1 - y <w*, x>)^2))^2'
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from kerneltron.theory.theorems.theorem import Theorem

# Rules by where they are, and the modules whose `theorem(rule, columns)` returns what is proved of them.
PROVED = {
    "kerneltron.engine.rules.perceptron.PerceptronRule": "perceptron",
    "kerneltron.engine.rules.passive_aggressive.PassiveAggressiveRule": "passive_aggressive",
    "kerneltron.engine.joint.MiraRule": "mira",
    "kerneltron.engine.rules.romma.RommaRule": "romma",
    "kerneltron.engine.rules.alma.AlmaRule": "alma",
    "kerneltron.engine.multiplicative.WinnowRule": "winnow",
}
_others: dict[type, Callable[[Any, int], Theorem | None]] = {}


def theorem_of(rule: Any, columns: int) -> Theorem | None:
    """Return the theorem about the mistakes of a rule; None where none is known."""
    kind = type(rule)
    if kind in _others:
        return _others[kind](rule, columns)
    name = PROVED.get(f"{kind.__module__}.{kind.__qualname__}")
    if name is None:
        return None
    found: Theorem | None = import_module(f"{__name__}.{name}").theorem(rule, columns)
    return found


def register(rule_type: type, theorem: Callable[[Any, int], Theorem | None]) -> None:
    """Let a rule from elsewhere have a theorem: a function of the rule and its number of columns."""
    _others[rule_type] = theorem
