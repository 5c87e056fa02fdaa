"""Pegasos: its parameters and its rule."""

from dataclasses import dataclass
from math import inf
from typing import Any

from kerneltron.engine.rules.pegasos import PegasosRule
from kerneltron.learning.gradient import GradientMethod


@dataclass(kw_only=True, eq=False, repr=False)
class PegasosMethod(GradientMethod):
    """What `kerneltron.Pegasos` learns by; its parameters are described there."""

    learning_rate: float = inf
    schedule: str = "inverse"

    def _rule(self, width: int) -> Any:
        rule = self._scheduled(PegasosRule)
        if self.schedule == "constant" and self.l2 * self.learning_rate >= 1:
            raise ValueError(
                f"learning_rate * l2 = {self.learning_rate * self.l2:g} would shrink the weights to nothing "
                "at every step: keep it below 1."
            )
        return rule
