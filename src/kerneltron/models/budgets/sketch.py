"""What is dropped lives on in random features: dual space gradient descent."""

from typing import Any

from kerneltron.kernels.kernel import Kernel
from kerneltron.models.policy import Policy, refusal_of_others


class Sketch(Policy):
    """Move the example that weighs least into a vector of random features."""

    name = "sketch"
    brief = "the one that weighs least moves into a vector of random features"

    @property
    def features(self) -> int:
        """Number of random features."""
        return int(self.sketch.width)

    @classmethod
    def refusal(cls, kernel: Kernel, rule_type: Any, delta: Any) -> str:
        """Say that it takes Gaussian kernels, and rules that do not look at ||w||."""
        from kerneltron.engine.declared import declared

        if declared(rule_type).reads_norm:
            return (
                "when_full='sketch' knows inner products of what was dropped only approximately, and the "
                "learner looks at the length of its vectors: use `when_full='project'` or 'smallest'."
            )
        return refusal_of_others(cls.name, "keeps what is dropped in random features", kernel, delta)

    def way(self, dtype: Any) -> Any:
        """Return what the engine chooses its code by."""
        from kerneltron.engine.budgets import sketch

        return sketch.Sketch()
