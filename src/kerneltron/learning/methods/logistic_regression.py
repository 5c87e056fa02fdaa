"""Logistic regression: its parameters and its rule."""

from dataclasses import dataclass
from typing import Any, ClassVar

from kerneltron.engine.rules.logistic import LogisticRule
from kerneltron.learning.gradient import GradientMethod


@dataclass(kw_only=True, eq=False, repr=False)
class LogisticRegressionMethod(GradientMethod):
    """What `kerneltron.LogisticRegression` learns by; its parameters are described there."""

    _always_moves: ClassVar[bool] = True
    _has_probabilities: ClassVar[bool] = True

    def _rule(self, width: int) -> Any:
        return self._scheduled(LogisticRule)
