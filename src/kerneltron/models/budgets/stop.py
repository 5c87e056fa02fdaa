"""Once the budget is spent, no new example is remembered."""

from typing import Any

from kerneltron.models.policy import Policy


class Stop(Policy):
    """Pass over new examples; those that are remembered are still added to."""

    name = "stop"
    brief = "no new example is remembered any more"
    stops = True

    def way(self, dtype: Any) -> Any:
        """Return what the engine chooses its code by."""
        from kerneltron.engine.budgets import stop

        return stop.Stop()
