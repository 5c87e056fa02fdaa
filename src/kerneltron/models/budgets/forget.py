"""The oldest example is dropped, after the vectors were shrunk: the Forgetron."""

from typing import Any

from kerneltron.models.policy import Policy


class Forget(Policy):
    """Shrink and drop the oldest, so that the cost of all drops stays below what a mistake bound allows."""

    name = "forget"
    brief = "the oldest is dropped after the vectors shrink: the Forgetron"
    keeps_gram = True
    drops = True

    def way(self, dtype: Any) -> Any:
        """Return what the engine chooses its code by."""
        from kerneltron.engine.budgets import forget

        return forget.Forget()
