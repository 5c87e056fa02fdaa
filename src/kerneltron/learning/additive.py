"""What the additive online methods share: how they begin, and how much they may remember."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from kerneltron.learning.budgets import SKETCH, USUAL, check_budget
from kerneltron.learning.kernel_method import KernelMethod
from kerneltron.learning.online import OnlineMethod
from kerneltron.learning.parameters import check_number, parameter
from kerneltron.learning.scaler_choice import SCALE
from kerneltron.models.budgets import POLICIES, described

if TYPE_CHECKING:
    from kerneltron.maps.approximation import Approximation, StandsForMap


@dataclass(kw_only=True, eq=False, repr=False)
class AdditiveMethod(KernelMethod, OnlineMethod):
    """A method that adds multiples of the examples to its vectors, one after the other."""

    init_scale: float = parameter(
        0.0,
        "Standard deviation of random initial weights; 0 starts at zero. Primal form only.",
        least=0,
        mixes=True,
        brief="Deviation of random first weights.",
    )
    delta: float | str = parameter(
        0.0,
        "Let an example be a little more similar to itself: delta^2 is added to k(x_i, x_i) for the same "
        "example (not for an equal one), in training only. Data that cannot be separated become so. 'auto' "
        "approximates sqrt(R D), which gives the best mistake bound: see `kerneltron.learning.delta`.",
        fixed=True,
        brief="Makes an example more similar to itself.",
        brief_type=float,
    )
    budget: int | None = parameter(
        None,
        "Number of examples that may be remembered, shared by all classes: a model of fixed size in dual "
        "form, for streams that never end. None is without a limit.",
        fixed=True,
        optional=True,
        brief="Remember at most this many examples.",
        brief_default="no limit",
        brief_type=int,
    )
    when_full: str = parameter(
        USUAL,
        lambda method_type: (
            f"What happens when the budget is spent: {described()}. With 'stop' and 'project' the average is "
            "the mean of the vectors after each example; with 'merge' and 'sketch' it is approximated as the "
            "vectors are. Where examples are dropped, by 'bpa', 'forget', 'random' and 'smallest', what they "
            "were is lost: from then on the last vector predicts, with the mean of all its intercepts so far "
            "in the place of the last one."
        ),
        fixed=True,
        optional=True,
        brief=f"When the budget is spent: {', '.join(POLICIES)}.",
    )
    eta: float | None = parameter(
        None,
        "For `when_full='project'`: an example whose residual, the length of what the remembered examples do "
        "not span, is at most this is projected at once, with or without a budget. None projects only when "
        "the budget is spent (and what rounding cannot tell from a combination).",
        fixed=True,
        optional=True,
        brief="Project examples with residuals up to this.",
        brief_default="none",
        brief_type=float,
    )
    sketch: "str | Approximation | StandsForMap | None" = parameter(
        None,
        f"For `when_full='sketch'`: random features that what is dropped lives on in; None is '{SKETCH}'.",
        fixed=True,
        optional=True,
        brief="Features that keep what is dropped.",
        brief_default=SKETCH,
        brief_type=str,
    )

    scale: bool | str = parameter(False, SCALE, fixed=True, optional=True)
    scales_as_it_goes: ClassVar[bool] = True

    @property
    def looks_at_examples(self) -> bool:
        """Whether a map or a width is asked for, which is found for such examples."""
        return super().looks_at_examples or self.when_full == "sketch"

    @property
    def start(self) -> float:
        """Standard deviation of random initial weights."""
        return self.init_scale

    def check(self) -> None:
        """Raise if a parameter makes no sense."""
        from kerneltron.models.representation import LARGEST_DELTA

        if isinstance(self.delta, str):
            if self.delta != "auto":
                raise ValueError(f"delta={self.delta!r} is not known: give 'auto' or a number of at least 0.")
        else:
            check_number("delta", self.delta, least=0)
            if self.delta > LARGEST_DELTA:
                raise ValueError(f"delta={self.delta!r} must be at most {LARGEST_DELTA:g}: it is squared.")
        super().check()
        check_budget(self)
