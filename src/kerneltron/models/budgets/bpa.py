"""One example is dropped, and the new one corrected for that: budgeted passive-aggressive."""

from typing import Any

from kerneltron.kernels.kernel import Kernel
from kerneltron.models.policy import Policy


class Bpa(Policy):
    """Drop the example for which the new one makes up best: BPA-S, for `PassiveAggressive` alone."""

    name = "bpa"
    brief = "one is dropped and the new one makes up for it: BPA-S, for PassiveAggressive only"
    drops = True

    @classmethod
    def refusal(cls, kernel: Kernel, rule_type: Any, delta: Any) -> str:
        """Say that other rules have no such update."""
        from kerneltron.engine.rules.passive_aggressive import PassiveAggressiveRule

        if rule_type is PassiveAggressiveRule:
            return ""
        return (
            "when_full='bpa' is an update of PassiveAggressive: use that learner, or "
            "`when_full='project'` or another one."
        )

    def way(self, dtype: Any) -> Any:
        """Return what the engine chooses its code by."""
        from kerneltron.engine.budgets import bpa

        return bpa.BPA()
