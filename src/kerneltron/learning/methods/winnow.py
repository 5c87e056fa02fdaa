"""Winnow: its parameters and its rule."""

from dataclasses import dataclass
from typing import Any, ClassVar

from kerneltron._validate import check_finite, check_non_negative
from kerneltron.engine.multiplicative import WinnowRule
from kerneltron.learning.method import OnlineMethod
from kerneltron.learning.parameters import check_number


@dataclass(kw_only=True, eq=False, repr=False)
class WinnowMethod(OnlineMethod):
    """What `kerneltron.Winnow` learns by; its parameters are described there."""

    promotion: float = 2.0
    demotion: float = 0.5
    threshold: float | None = None
    balanced: bool = False

    _non_negative_only: ClassVar[bool] = True
    vote_refused: ClassVar[str] = "Winnow multiplies its weights; a vote is counted over sums of examples."

    def _rule(self, width: int) -> WinnowRule:
        check_number("promotion", self.promotion, above=1)
        check_number("demotion", self.demotion, above=0, below=1)
        if self.threshold is not None:
            check_number("threshold", self.threshold)
        threshold = float(width if self.threshold is None else self.threshold)
        return WinnowRule(float(self.promotion), float(self.demotion), threshold, bool(self.balanced))

    def _check_values(self, X: Any) -> None:
        check_finite(X)
        check_non_negative(X)
