"""What the additive methods add to the common parameters: the space they learn in."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from kerneltron.learning.budgets import SKETCH, USUAL, check_budget
from kerneltron.learning.method import Method
from kerneltron.learning.parameters import check_number, parameter
from kerneltron.models.budgets import POLICIES, described

if TYPE_CHECKING:
    from kerneltron.kernels.kernel import Kernel
    from kerneltron.maps.approximation import Approximation, StandsForMap

FORMS = ("auto", "primal", "dual")  # words for a representation; anything else is a map
LEAST_MEMORY = 64  # megabytes


@dataclass(kw_only=True, eq=False, repr=False)
class AdditiveMethod(Method):
    """A method that adds multiples of the examples to its vectors, and so needs only inner products."""

    kernel: "str | Kernel" = parameter(
        "linear",
        "The inner product: 'linear', a kernel of `kerneltron.kernels`, or its text such as "
        "'Polynomial(3) + Gaussian(2)'. With 'precomputed', X is the Gram matrix (rows of new examples, "
        "columns of those learned from). `kernel__sigma` and the like set its parameters.",
        fixed=True,
        brief="The inner product, such as 'Polynomial(3) + Gaussian(2)'.",
    )
    representation: "str | Approximation | StandsForMap" = parameter(
        "auto",
        "'primal' keeps weights, for kernels whose features can be listed; 'dual' keeps examples; 'auto' "
        "takes the cheaper one. The choice, the exact number of features and both costs are in "
        "`representation_`. A map of `kerneltron.features`, or its text such as 'RandomFourier(2000)', keeps "
        "weights for features that approximate the kernel: a model of fixed size. Rows are mapped as they "
        "are visited; the map is `map_`, and `representation__n_components` and the like set its parameters.",
        mixes=True,
        brief="primal (weights), dual (examples) or auto.",
    )
    fit_intercept: bool = parameter(
        True,
        "Give every example a constant feature 1, treated like any other: the kernel k + 1.",
        fixed=True,
        brief="A constant feature 1.",
    )
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
        "approximates sqrt(R D), which gives the best mistake bound: see `kerneltron.theory.delta`.",
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
            f"What happens when the budget is spent: {described()}. An average follows its examples: what is "
            "dropped, shrunk, projected or merged is so in the average, too. Only 'stop' and 'project' leave "
            "it the mean of the vectors after each example. Where examples are dropped, by 'bpa', 'forget', "
            "'random' and 'smallest', little is left of it, and by 'merge' it may suffer: use "
            "`hypothesis='last'`."
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
    working_memory: float = parameter(
        256,
        "Megabytes that the dual form may use beyond the data, the remembered examples and their "
        "coefficients.",
        least=LEAST_MEMORY,
        mixes=True,
        brief="Megabytes for the dual form.",
    )

    @classmethod
    def is_additive(cls) -> bool:
        """Tell that it can have a kernel."""
        return True

    @property
    def looks_at_examples(self) -> bool:
        """Whether a map is asked for, which is made for such examples."""
        return self.approximation is not None or self.when_full == "sketch"

    @property
    def bias(self) -> float:
        """Value of the constant feature."""
        return 1.0 if self.fit_intercept else 0.0

    @property
    def start(self) -> float:
        """Standard deviation of random initial weights."""
        return self.init_scale

    @cached_property
    def parsed_kernel(self) -> "Kernel":
        """The kernel that `kernel` describes."""
        from kerneltron.kernels.grammar import parse
        from kerneltron.kernels.kernel import Kernel

        if not isinstance(self.kernel, str | Kernel):
            raise TypeError(
                f"kernel={self.kernel!r} is not a kernel: give 'linear', 'precomputed', a kernel of "
                "kerneltron.kernels, or its text. A function f(x, z) becomes one by kernels.FromFunction(f)."
            )
        return parse(self.kernel)

    @cached_property
    def approximation(self) -> "Approximation | None":
        """The map that `representation` asks for; None where it is a word."""
        from kerneltron.maps.text import is_map, parse

        if isinstance(self.representation, str) and self.representation in FORMS:
            return None
        if not is_map(self.representation):
            raise ValueError(
                f"representation={self.representation!r} is not known. Choose one of "
                f"{', '.join(map(repr, FORMS))}, or a map such as 'RandomFourier(2000)' or 'Nystrom(500)'."
            )
        own = getattr(self.representation, "kernel", None)
        if own is not None and not isinstance(self.representation, str):
            from kerneltron.kernels.grammar import parse as parse_kernel

            if parse_kernel(own) != self.parsed_kernel:
                raise ValueError(
                    f"representation={self.representation!r} is for {parse_kernel(own)}, and the learner has "
                    f"kernel={self.parsed_kernel}: leave the kernel of the map out."
                )
        return parse(self.representation)

    def check(self) -> None:
        """Raise if a parameter makes no sense."""
        from kerneltron.models.representation import LARGEST_DELTA

        self.parsed_kernel  # noqa: B018, raises if it is not a kernel
        self.approximation  # noqa: B018, raises if it is neither a word nor a map
        if isinstance(self.delta, str):
            if self.delta != "auto":
                raise ValueError(f"delta={self.delta!r} is not known: give 'auto' or a number of at least 0.")
        else:
            check_number("delta", self.delta, least=0)
            if self.delta > LARGEST_DELTA:
                raise ValueError(f"delta={self.delta!r} must be at most {LARGEST_DELTA:g}: it is squared.")
        super().check()
        check_budget(self)

    def check_streaming(self) -> None:
        """Raise if a parameter needs all examples at once."""
        from kerneltron.kernels.precomputed import Precomputed

        super().check_streaming()
        if isinstance(self.parsed_kernel, Precomputed):
            raise ValueError(
                "kernel='precomputed' knows the similarities of one set of examples, not of a stream: give "
                "the kernel itself or, in Python, all examples at once to fit."
            )
