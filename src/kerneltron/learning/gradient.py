"""What the methods that follow a gradient share: a step schedule and an L2 penalty."""

from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite
from typing import Any, ClassVar

from kerneltron.engine.adaptive import Adaptive
from kerneltron.learning.additive import AdditiveMethod
from kerneltron.learning.parameters import check_choice, check_number


@dataclass(kw_only=True, eq=False, repr=False)
class GradientMethod(AdditiveMethod):
    """Stochastic gradient descent on a loss + (l2 / 2) ||w||^2, with lazy shrinking.

    Parameters
    ----------
    learning_rate
        The first step, eta_0.
    schedule
        "auto": adaptive in primal form, inverse in dual form. "adaptive": AdaGrad, eta_0 / sqrt(sum of
        the coordinate's squared gradients), which hardly minds how the features are scaled; its L2 does not
        follow the coordinate's rate: all weights shrink by 1 / (1 + l2 eta_0 / sqrt(t)). "inverse":
        eta_t = 1 / (1 / eta_0 + l2 t), which is constant when l2 is 0. "constant": eta_t = eta_0. These two
        are twice as fast and want features of similar scale.
    l2
        Weight of the penalty. No example touches weights outside its own features, whatever it is.
    class_weight
        Weight per class as a dict, or "balanced"; multiplies the step.
    """

    learning_rate: float = 0.5
    schedule: str = "auto"
    l2: float = 1e-4
    class_weight: Any = None

    vote_refused: ClassVar[str] = "a gradient learner moves at every example, so all vectors would be kept."

    def _scheduled(self, rule: Callable[..., Any]) -> Any:
        """Return `rule(1 / eta_0, decay, l2)`, or its adaptive form."""
        check_choice("schedule", self.schedule, ("auto", "constant", "inverse", "adaptive"))
        schedule = self._schedule()
        check_number("learning_rate", self.learning_rate, above=0, infinite=True)
        check_number("l2", self.l2, least=0)
        if not isfinite(self.learning_rate) and (schedule != "inverse" or self.l2 == 0):
            raise ValueError(
                f"learning_rate=inf belongs to schedule='inverse' with l2 > 0, where steps are 1 / (l2 t); "
                f"give a finite one for schedule={schedule!r} and l2={self.l2!r}."
            )
        if schedule == "adaptive":
            return Adaptive(rule(1.0, 0.0, 0.0), float(self.learning_rate), float(self.l2))
        decay = float(self.l2) if schedule == "inverse" else 0.0
        return rule(1.0 / self.learning_rate, decay, float(self.l2))

    def _schedule(self) -> str:
        """Return the schedule that the form of the learner calls for."""
        is_dual = "representation_" in vars(self) and self.representation_.form == "dual"
        if is_dual and self.schedule == "adaptive":
            raise ValueError(
                "schedule='adaptive' has a rate for each weight, and the dual form has no weights: use "
                "schedule='inverse', or representation='primal' where the kernel allows it."
            )
        if self.schedule != "auto":
            return self.schedule
        return "inverse" if is_dual else "adaptive"
