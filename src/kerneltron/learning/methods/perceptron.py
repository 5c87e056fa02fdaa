"""The perceptron: its parameters and its rule."""

from dataclasses import dataclass
from typing import Any

from kerneltron.engine.rules.perceptron import PerceptronRule
from kerneltron.learning.additive import AdditiveMethod
from kerneltron.learning.parameters import check_number


@dataclass(kw_only=True, eq=False, repr=False)
class PerceptronMethod(AdditiveMethod):
    """What `kerneltron.Perceptron` learns by; its parameters are described there."""

    learning_rate: float = 1.0
    margin: float = 0.0
    class_weight: Any = None

    def _rule(self, width: int) -> PerceptronRule:
        check_number("learning_rate", self.learning_rate, above=0)
        check_number("margin", self.margin, least=0)
        return PerceptronRule(float(self.learning_rate), float(self.margin))
