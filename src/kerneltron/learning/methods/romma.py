"""ROMMA: its parameters and its rule."""

from dataclasses import dataclass
from typing import ClassVar

from kerneltron.engine.rules.romma import RommaRule
from kerneltron.learning.additive import AdditiveMethod


@dataclass(kw_only=True, eq=False, repr=False)
class RommaMethod(AdditiveMethod):
    """What `kerneltron.Romma` learns by; its parameters are described there."""

    aggressive: bool = False

    _whole_examples_only: ClassVar[bool] = True

    def _rule(self, width: int) -> RommaRule:
        return RommaRule(bool(self.aggressive))
