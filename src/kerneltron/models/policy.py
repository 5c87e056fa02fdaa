"""What happens when a budget of examples is spent: what every policy answers, and does by default."""

from typing import Any, ClassVar

from kerneltron.kernels.gaussian import Gaussian
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.linear import Linear
from kerneltron.kernels.scaled_columns import ScaledColumns


class Policy:
    """How to stay within a budget: one file in `models/budgets/`, and one of its name in `engine/budgets/`.

    Parameters
    ----------
    seed
        For those that draw.
    eta
        The longest residual that is projected away; None to project only when the budget is spent.
    sketch
        The map whose features keep what is dropped.
    """

    name: ClassVar[str]  # as the parameter `when_full` gives it
    brief: ClassVar[str]  # what it does, for the help of that parameter
    keeps_gram: ClassVar[bool] = False  # it asks what the examples have in common with each other
    solves: ClassVar[bool] = False  # it projects: see `models.factor`
    mixes: ClassVar[bool] = False  # it makes new examples of old ones
    drops: ClassVar[bool] = False  # examples are lost: no sums over the past can be kept of them
    stops: ClassVar[bool] = False  # once the budget is spent, rows of a block are not needed any more

    def __init__(self, seed: int = 0, eta: float | None = None, sketch: Any = None) -> None:
        self.seed, self.eta, self.sketch = seed, eta, sketch

    @property
    def features(self) -> int:
        """Number of features that keep what is dropped."""
        return 0

    @classmethod
    def refusal(cls, kernel: Kernel, rule_type: Any, delta: Any) -> str:
        """Say why it cannot be with this kernel, rule and delta; empty where it can."""
        return ""

    def way(self, dtype: Any) -> Any:
        """Return what the engine chooses its code by, for kernel values of this precision."""
        raise NotImplementedError


def is_gaussian_over_rows(kernel: Kernel) -> bool:
    """Return whether a kernel is Gaussian, and sees the rows themselves, or with scaled columns."""
    return isinstance(kernel, Gaussian) and isinstance(kernel.base, Linear | ScaledColumns)


def refusal_of_others(name: str, purpose: str, kernel: Kernel, delta: Any) -> str:
    """Say why a policy for Gaussian kernels over rows cannot be with another, or with a delta."""
    if not is_gaussian_over_rows(kernel):
        return (
            f"when_full={name!r} {purpose} of the Gaussian kernel over rows of numbers, and the kernel is "
            f"{kernel}: use `kernel='Gaussian(...)'`, or `when_full='project'`, which takes any kernel."
        )
    if delta != 0:
        return (
            f"when_full={name!r} makes examples that never came, and delta={delta!r} gives each example that "
            "came a feature of its own: use `delta=0`."
        )
    return ""
