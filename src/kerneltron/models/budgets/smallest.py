"""The remembered example that weighs least is dropped."""

from typing import Any

from kerneltron.models.policy import Policy


class Smallest(Policy):
    """Drop the example whose part in the vectors is shortest; of several, the oldest."""

    name = "smallest"
    brief = "the one whose coefficients weigh least is dropped, of several the oldest"
    drops = True

    def way(self, dtype: Any) -> Any:
        """Return what the engine chooses its code by."""
        from kerneltron.engine.budgets import smallest

        return smallest.Smallest()
