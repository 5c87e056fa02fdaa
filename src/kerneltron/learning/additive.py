"""What the additive methods add to the common parameters: the space they learn in."""

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from kerneltron.kernels.grammar import parse
from kerneltron.kernels.kernel import OF_NUMBERS, Kernel
from kerneltron.kernels.linear import Linear
from kerneltron.kernels.precomputed import Precomputed
from kerneltron.learning.method import OnlineMethod
from kerneltron.learning.parameters import check_choice, check_number
from kerneltron.models.mapped import Mapped
from kerneltron.models.model import Model
from kerneltron.models.representation import ASKED, LARGEST_DELTA, RESERVED, Setting, choose

if TYPE_CHECKING:
    from kerneltron.models.dual import Dual

MATRICES = (*OF_NUMBERS, "similarities")  # domains whose examples are rows of numbers
STREAM = 100_000  # examples that a stream is taken to have, when the form is chosen
MEGABYTE = 2**20


@dataclass(kw_only=True, eq=False, repr=False)
class AdditiveMethod(OnlineMethod):
    """A method that adds multiples of the examples to its vectors, and so needs only inner products.

    Parameters
    ----------
    kernel
        The inner product: "linear", a kernel of `kerneltron.kernels`, or its text such as
        "Polynomial(3) + Gaussian(2)". With "precomputed", X is the Gram matrix (rows of new examples,
        columns of those learned from). `kernel__sigma` and the like set its parameters.
    representation
        "primal" keeps weights, for kernels whose features can be listed; "dual" keeps examples; "auto" takes
        the cheaper one. The choice, the exact number of features and both costs are in `representation_`.
    fit_intercept
        Give every example a constant feature 1, treated like any other: the kernel k + 1.
    init_scale
        Standard deviation of random initial weights; 0 starts at zero. Primal form only.
    delta
        Let an example be a little more similar to itself: delta^2 is added to k(x_i, x_i) for the same
        example (not for an equal one), in training only. Data that cannot be separated become so.
        "auto" approximates sqrt(R D), which gives the best mistake bound: see `kerneltron.theory.delta`.
    budget
        Number of examples that may be remembered. Not there yet: None.
    working_memory
        Megabytes that the dual form may use beyond the data, the remembered examples and their coefficients.

    Attributes
    ----------
    kernel_ : the kernel that `kernel` describes
    representation_ : the form that was chosen, and its costs
    delta_ : the delta that was given or found
    """

    kernel: Any = "linear"
    representation: str = "auto"
    fit_intercept: bool = True
    init_scale: float = 0.0
    delta: Any = 0.0
    budget: int | None = None
    working_memory: float = 256

    # Rules that move at every example: in dual form they remember all.
    _always_moves: ClassVar[bool] = False

    # -- the kernel ----------------------------------------------------------------------------------

    def _kernel(self) -> Kernel:
        if not isinstance(self.kernel, str | Kernel):
            raise TypeError(
                f"kernel={self.kernel!r} is no kernel: give 'linear', 'precomputed', a kernel of "
                "kerneltron.kernels, or its text. A function f(x, z) becomes one by kernels.FromFunction(f)."
            )
        return parse(self.kernel)

    def _is_precomputed(self) -> bool:
        return isinstance(self.kernel, Precomputed) or (
            isinstance(self.kernel, str) and self.kernel in ("precomputed", "Precomputed()")
        )

    # -- the model -----------------------------------------------------------------------------------

    def _bias(self) -> float:
        return 1.0 if self.fit_intercept else 0.0

    def _initial_scale(self) -> float:
        return self.init_scale

    def _for_stream(self, width: int, columns: int, dtype: Any, seed: int) -> Model:
        kernel = self._kernel()
        if kernel.domain not in MATRICES:
            raise ValueError(
                f"kernel={kernel} compares {kernel.domain}, and a stream holds rows of numbers: give a "
                "kernel over vectors such as 'linear' or 'Gaussian(2.0)'."
            )
        self._choose_form(STREAM, width, columns)
        self.delta_ = float(self.delta)
        return self._untrained(width, columns, dtype, seed)

    def _choose_form(self, examples: int, inputs: int, columns: int) -> None:
        """Choose between primal and dual form for so many examples of so many numbers."""
        self.kernel_ = self._kernel()
        form, reason = self._wanted_form(self.kernel_)
        setting = Setting(examples, inputs, columns, self._always_moves, self.passes)
        self.representation_ = choose(self.kernel_, form, setting, reason)
        if self.verbose:
            print(f"{type(self).__name__.removesuffix('Method')}: {self.representation_}", file=sys.stderr)

    def _wanted_form(self, kernel: Kernel) -> tuple[str, str]:
        """Return the representation that was asked for, or the only one that can be, and why."""
        if kernel.domain not in MATRICES and self.representation == "auto":
            return "dual", f"the kernel compares {kernel.domain}, which are no rows of numbers"
        has_room = kernel == Linear() and self.hypothesis != "vote"
        if not self.delta or has_room or self.representation == "dual":
            return self.representation, ASKED
        if self.representation == "primal":
            raise ValueError(
                "delta gives every example a feature of its own: in primal form only the linear kernel, "
                "without the vote, has room for them. Use representation='dual'."
            )
        return "dual", "delta gives every example a feature of its own, which weights have no room for"

    def _untrained(self, width: int, columns: int, dtype: Any, seed: int) -> Model:
        """Return a model that knows nothing yet, in the form and with the delta that were chosen."""
        if self.representation_.form == "dual":
            from kerneltron.models.dual import Dual

            return self._new_dual(Dual, columns, seed)
        if self.kernel_ == Linear():
            return self._primal(width, columns, dtype, seed, self.delta_)
        phi = self.kernel_.feature_map(width)
        options = {"bias": self._bias(), "hypothesis": self.hypothesis, "seed": seed}
        return Mapped(
            self._rule(phi.width), phi, columns, dtype=dtype, start=self._initial_scale(), **options
        )

    def _new_dual(self, form: "type[Dual]", columns: int, seed: int) -> "Dual":
        if self.init_scale:
            raise ValueError(
                f"init_scale={self.init_scale!r} draws random weights, which the dual form does not have: "
                "use init_scale=0, or representation='primal'."
            )
        return form(
            self._rule(1),
            self.kernel_,
            columns,
            bias=self._bias(),
            hypothesis=self.hypothesis,
            delta=self.delta_,
            working_memory=int(self.working_memory * MEGABYTE),
            seed=seed,
        )

    def _adopt_parameters(self, model: Model, width: int) -> None:
        for name, now, before in (
            ("kernel", self._kernel(), self.kernel_),
            ("delta", self.delta_ if self.delta == "auto" else float(self.delta), self.delta_),
        ):
            if now != before:
                raise ValueError(
                    f"{name} cannot change from {before} to {now} between calls of partial_fit: use fit to "
                    "start anew."
                )
        super()._adopt_parameters(model, width)

    # -- checks --------------------------------------------------------------------------------------

    def _check_parameters(self) -> None:
        self._kernel()
        check_choice("representation", self.representation, ("auto", "primal", "dual"))
        check_number("init_scale", self.init_scale, least=0)
        if isinstance(self.delta, str) and self.delta != "auto":
            raise ValueError(f"delta={self.delta!r} is not known: give 'auto' or a number of at least 0.")
        if self.delta != "auto":
            check_number("delta", self.delta, least=0)
            if self.delta > LARGEST_DELTA:
                raise ValueError(f"delta={self.delta!r} must be at most {LARGEST_DELTA:g}: it is squared.")
        if self.budget is not None:
            raise NotImplementedError(
                f"budget={self.budget!r}: budgets are not there yet. Use budget=None, which remembers every "
                "example that moved a vector."
            )
        check_number("working_memory", self.working_memory, least=2 * RESERVED // MEGABYTE)
        super()._check_parameters()

    def _check_streaming(self) -> None:
        super()._check_streaming()
        if self._is_precomputed():
            raise ValueError(
                "kernel='precomputed' knows the similarities of one set of examples, not of a stream: use "
                "fit, or give partial_fit the kernel itself."
            )
        if self.delta == "auto" and "delta_" not in vars(self):
            raise ValueError("delta='auto' looks at all examples: call fit first, or give a number.")
