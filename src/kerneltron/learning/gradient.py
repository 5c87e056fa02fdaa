"""What the methods that follow a gradient share: a step schedule and an L2 penalty."""

from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite
from typing import Any, ClassVar

from kerneltron.learning.method import class_weight
from kerneltron.learning.parameters import parameter
from kerneltron.learning.scaling_method import ScalingMethod
from kerneltron.models.hypotheses import hypothesis

# Of AdaGrad's sums, at each gradient of slope 1 on a stream. Progressive error on a border that turns once in
# 2,000 rows, on prices, and on three rules that stay: 28.9, 7.0, 32.6, 10.3 and 22.5 % with 0; 20.3, 6.3,
# 32.6, 10.2 and 22.6 % with 1/100; 17.1, 5.9, 32.6, 10.3 and 22.7 % with 1/30; 15.4, 5.9, 32.6, 10.3 and
# 22.8 % with 1/10.
FORGETTING = 1 / 30


@dataclass(kw_only=True, eq=False, repr=False)
class GradientMethod(ScalingMethod):
    """Stochastic gradient descent on a loss + (l2 / 2) ||w||^2, with lazy shrinking."""

    learning_rate: float = parameter(
        1.0,
        "The first step, eta_0.",
        above=0,
        infinite=True,
        brief="The first step.",
    )
    schedule: str = parameter(
        "auto",
        "'auto': adaptive in primal form, inverse in dual form. 'adaptive': AdaGrad, eta_0 / sqrt(sum of the "
        "coordinate's squared gradients), which hardly minds how the features are scaled; its L2 does not "
        "follow the coordinate's rate: all weights shrink by 1 / (1 + l2 eta_0 / sqrt(t)). In `partial_fit` "
        "with hypothesis='auto', each gradient lets the sums of its coordinates fade, by a thirtieth where "
        "the loss has the slope 1: steps stop shrinking, to keep up with what changes. 'inverse': eta_t "
        "= 1 / (1 / eta_0 + l2 t), which is constant when l2 is 0. 'constant': eta_t = eta_0. These two are "
        "twice as fast and want features of similar scale.",
        choices=("auto", "constant", "inverse", "adaptive"),
        fixed=True,
        brief="How steps shrink: auto, constant, inverse or adaptive.",
        brief_default="auto, which is adaptive where there are weights,",
    )
    l2: float = parameter(
        1e-4,
        "Weight of the penalty. No example touches weights outside its own features, whatever it is.",
        least=0,
        brief="Weight of the L2 penalty.",
    )
    class_weight: dict[Any, float] | str | None = class_weight("multiplies the step")

    adapts: ClassVar[bool] = True
    refuses_moves: ClassVar[str] = "a gradient learner moves at every example, so all vectors would be kept."

    def scheduled(self, rule: Callable[..., Any], form: str) -> Any:
        """Return `rule(1 / eta_0, decay, l2)`, or its adaptive form."""
        schedule = self._schedule(form)
        if not isfinite(self.learning_rate) and (schedule != "inverse" or self.l2 == 0):
            raise ValueError(
                f"learning_rate=inf belongs to `schedule='inverse'` with l2 > 0, where steps are 1 / (l2 t); "
                f"give a finite one for schedule={schedule!r} and l2={self.l2!r}."
            )
        if schedule == "adaptive":
            from kerneltron.engine.adaptive import Adaptive

            return Adaptive(rule(1.0, 0.0, 0.0), float(self.learning_rate), float(self.l2))
        decay = float(self.l2) if schedule == "inverse" else 0.0
        return rule(1.0 / self.learning_rate, decay, float(self.l2))

    def following(self, rule: Any) -> Any:
        """Return the rule; adaptive steps stop shrinking where the hypothesis keeps up with changes.

        Steps that stay as long make the last vector noisy, which its mean hardly minds.
        """
        if hypothesis(self.hypothesis).keeps_up and hasattr(rule, "forgetting"):
            return rule._replace(forgetting=FORGETTING)
        return rule

    def _schedule(self, form: str) -> str:
        """Return the schedule that a form of the learner calls for."""
        if form == "dual" and self.schedule == "adaptive":
            raise ValueError(
                "schedule='adaptive' has a rate for each weight, and the dual form has no weights: use "
                "`schedule='inverse'`, or `representation='primal'` where the kernel allows it."
            )
        if self.schedule != "auto":
            return self.schedule
        return "inverse" if form == "dual" else "adaptive"
