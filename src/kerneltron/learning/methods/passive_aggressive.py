"""Passive-Aggressive: its parameters and its rule."""

from dataclasses import dataclass
from math import inf
from typing import Any

from kerneltron.engine.rules.passive_aggressive import PassiveAggressiveRule
from kerneltron.learning.additive import AdditiveMethod
from kerneltron.learning.parameters import check_choice, check_number


@dataclass(kw_only=True, eq=False, repr=False)
class PassiveAggressiveMethod(AdditiveMethod):
    """What `kerneltron.PassiveAggressive` learns by; its parameters are described there."""

    variant: str = "I"
    C: float = 1.0
    class_weight: Any = None

    @property
    def _whole_examples_only(self) -> bool:  # type: ignore[override]
        return self.variant == "0"

    def _rule(self, width: int) -> PassiveAggressiveRule:
        check_choice("variant", self.variant, ("0", "I", "II"))
        check_number("C", self.C, above=0, infinite=True)
        softness = 1.0 / (2.0 * self.C) if self.variant == "II" else 0.0
        return PassiveAggressiveRule(float(self.C) if self.variant == "I" else inf, softness)
