"""MIRA: its parameters and its rule."""

from dataclasses import dataclass
from typing import Any, ClassVar

from kerneltron.engine.joint import MiraRule
from kerneltron.learning.additive import AdditiveMethod
from kerneltron.learning.parameters import check_number


@dataclass(kw_only=True, eq=False, repr=False)
class MiraMethod(AdditiveMethod):
    """What `kerneltron.Mira` learns by; its parameters are described there."""

    C: float = 1.0
    class_weight: Any = None

    vote_refused: ClassVar[str] = "MIRA's classes move together, so the sign of one score means nothing."

    def _rule(self, width: int) -> MiraRule:
        check_number("C", self.C, above=0, infinite=True)
        return MiraRule(float(self.C))
