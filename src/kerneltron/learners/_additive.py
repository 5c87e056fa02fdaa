"""What the additive learners add to the common parameters."""

from dataclasses import dataclass

from kerneltron.learners._base import OnlineClassifier
from kerneltron.learners._parameters import check_number


@dataclass(kw_only=True, eq=False, repr=False)
class AdditiveClassifier(OnlineClassifier):
    """A learner that adds multiples of the examples to its vectors.

    Parameters
    ----------
    fit_intercept
        Give every example a constant feature 1, treated like any other.
    init_scale
        Standard deviation of random initial weights; 0 starts at zero.
    """

    fit_intercept: bool = True
    init_scale: float = 0.0

    def _bias(self) -> float:
        return 1.0 if self.fit_intercept else 0.0

    def _initial_scale(self) -> float:
        return self.init_scale

    def _check_parameters(self) -> None:
        check_number("init_scale", self.init_scale, least=0)
        super()._check_parameters()
