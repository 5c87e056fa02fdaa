"""The theorem of each rule: one file each, found by the type of the rule.

>>> from kerneltron.engine.rules.perceptron import PerceptronRule
>>> theorem_of(PerceptronRule(learning_rate=1.0, margin=0.0), columns=1).statement
'mistakes <= (R ||w*|| + sqrt(sum of max(0, 1 - y <w*, x>)^2))^2'
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from kerneltron.theory.theorems.theorem import Theorem

# Types of rules by name, and the modules whose `theorem(rule, columns)` returns what is proved of them.
PROVED = {
    "PerceptronRule": "perceptron",
    "PassiveAggressiveRule": "passive_aggressive",
    "MiraRule": "mira",
    "RommaRule": "romma",
    "AlmaRule": "alma",
    "WinnowRule": "winnow",
}
_others: dict[str, Callable[[Any, int], Theorem | None]] = {}


def theorem_of(rule: Any, columns: int) -> Theorem | None:
    """Return the theorem about the mistakes of a rule; None where none is known."""
    name = type(rule).__name__
    if name in _others:
        return _others[name](rule, columns)
    if name not in PROVED:
        return None
    found: Theorem | None = import_module(f"{__name__}.{PROVED[name]}").theorem(rule, columns)
    return found


def register(rule_type: type, theorem: Callable[[Any, int], Theorem | None]) -> None:
    """Let a rule from elsewhere have a theorem: a function of the rule and its number of columns."""
    _others[rule_type.__name__] = theorem
