"""One of the remembered examples is dropped at random."""

from typing import Any

from kerneltron.models.policy import Policy


class Random(Policy):
    """Drop an example, each as likely as the others: the Randomized Budget Perceptron."""

    name = "random"
    brief = "a random one is dropped: the Randomized Budget Perceptron"
    drops = True

    def way(self, dtype: Any) -> Any:
        """Return what the engine chooses its code by."""
        from kerneltron.engine.budgets import random

        return random.Random(self.seed)
