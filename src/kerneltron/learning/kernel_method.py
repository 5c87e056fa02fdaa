"""What the methods with a kernel share: the space they learn in."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, cast

from kerneltron.learning.method import Method
from kerneltron.learning.parameters import check_number, parameter

if TYPE_CHECKING:
    from kerneltron.kernels.kernel import Kernel
    from kerneltron.maps.approximation import Approximation, StandsForMap

FORMS = ("auto", "primal", "dual")  # words for a representation; anything else is a map
LEAST_MEMORY = 64  # megabytes


@dataclass(kw_only=True, eq=False, repr=False)
class KernelMethod(Method):
    """A method whose vectors are sums of multiples of the examples, and so needs only inner products."""

    kernel: "str | Kernel" = parameter(
        "linear",
        "The inner product: 'linear', a kernel of `kerneltron.kernels`, or its text such as "
        "'Polynomial(3) + Gaussian(2)'. 'gaussian', for Gaussian('auto'), finds the width, and whether to "
        "scale the columns, by the held-out errors of at most 1,000 examples; 'auto' looks for the kernel "
        "itself, over rows, strings, trees, graphs or records; `kernel_` is what was found. "
        "With 'precomputed', X is the Gram matrix (rows of new examples, columns of those learned from). "
        "`kernel__sigma` and the like set its parameters.",
        fixed=True,
        brief="The inner product, such as 'gaussian' or 'Polynomial(3) + Gaussian(2)'; auto finds one.",
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
    working_memory: float | str = parameter(
        "auto",
        "Megabytes that the dual form may use beyond the data, the remembered examples and their "
        "coefficients: for scores, and for kernel values that later passes need again. 'auto' is 256 for "
        "streams and where that is enough, else what `fit` can use, but at most a quarter of the memory that "
        "is free; what was found is `working_memory_`. For the same one, fits give the same bytes.",
        mixes=True,
        brief="Megabytes for the dual form.",
        brief_type=float,
    )

    # In the place of parameters that not all methods have (see `AdditiveMethod`); an annotation would make
    # fields of them.
    delta = cast("float | str", 0.0)
    init_scale = 0.0
    budget = cast("int | None", None)
    eta = cast("float | None", None)

    on_streams: ClassVar[Mapping[str, Any]] = {"working_memory": 256}

    @classmethod
    def is_additive(cls) -> bool:
        """Tell that it can have a kernel."""
        return True

    @property
    def looks_at_examples(self) -> bool:
        """Whether a map or a width is asked for, which is found for such examples."""
        return self.approximation is not None or self.has_open_width

    @cached_property
    def has_open_width(self) -> bool:
        """Whether a width in the kernel is to be found, as of Gaussian("auto"), or the kernel itself."""
        from kerneltron.kernels.auto import has_open_width

        return has_open_width(self.parsed_kernel)

    @property
    def kernel_is_open(self) -> bool:
        """Whether the kernel itself is to be found."""
        from kerneltron.kernels.auto import Auto

        return isinstance(self.parsed_kernel, Auto)

    def suitable_cost(self, kernel: "Kernel") -> float | None:
        """Return the C that suits a kernel, for methods that leave it open."""
        return None

    @property
    def bias(self) -> float:
        """Value of the constant feature."""
        return 1.0 if self.fit_intercept else 0.0

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
        self.parsed_kernel  # noqa: B018, raises if it is not a kernel
        self.approximation  # noqa: B018, raises if it is neither a word nor a map
        if self.kernel_is_open and self.refuses_dual:
            raise ValueError(
                f"kernel='auto' may find a kernel whose features cannot be listed, and {self.name()} needs "
                f"these: {self.refuses_dual}. Give a kernel such as 'linear' or 'Polynomial(2)'."
            )
        if self.working_memory != "auto":
            check_number("working_memory", self.working_memory, least=LEAST_MEMORY)
        super().check()

    def check_streaming(self) -> None:
        """Raise if a parameter needs all examples at once."""
        from kerneltron.kernels.precomputed import Precomputed

        super().check_streaming()
        if isinstance(self.parsed_kernel, Precomputed):
            raise ValueError(
                "kernel='precomputed' knows the similarities of one set of examples, not of a stream: give "
                "the kernel itself or, in Python, all examples at once to fit."
            )
