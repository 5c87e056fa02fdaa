"""Support vector machines: their parameters and their rule."""

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar

from kerneltron.learning.kernel_method import KernelMethod
from kerneltron.learning.method import MOST_PASSES, class_weight
from kerneltron.learning.parameters import check_number, parameter
from kerneltron.learning.scaler_choice import SCALE

if TYPE_CHECKING:
    from kerneltron.kernels.kernel import Kernel

AUTO = "auto"
# Of 3, 10 and 30 the one with which Gaussian("auto") was, on most of 21 sets of data, within 10 % or two
# standard errors of the best of a grid: 90 %, beside 81 and 76 %. Normalised kernels of strings, trees and
# graphs had 14 % fewer errors with it than with 1, in the mean over 16 sets, 3 % fewer than with 3, and 1 %
# fewer than with 30. With 10, linear machines on raw columns converge more rarely.
OF_UNIT_LENGTH, OF_OTHERS = 10.0, 1.0


@dataclass(kw_only=True, eq=False, repr=False)
class SVMMethod(KernelMethod):
    """Find the optimum: the vectors that minimise ||w||^2 / 2 + sum_i C_i max(0, 1 - y_i <w, x_i>).

    It climbs to the optimum of the dual problem, one coefficient of w = sum_i alpha_i y_i x_i at a time. At
    each visit alpha_i <- clip(alpha_i + (1 - y_i <w, x_i>) / q_i, 0, C_i). It stops when the relative duality
    gap, which bounds how far the objective can be from the optimum, is at most `tol`; a sweep over all
    examples confirms that. Each class is told from the rest, and all share their kernel evaluations; `SVC`
    tells each class from each other one, and leaves the constant feature out of ||w||^2.

    In dual form, with any kernel, a pass costs the kernel values of the examples that it moves; values of
    examples that can still move are kept, as far as `working_memory` allows. In primal form it is the
    algorithm of LIBLINEAR: a pass costs O(non-zeros), and memory is one number per example and class beside
    the weights.

    References
    ----------
    Hsieh, Chang, Lin, Keerthi and Sundararajan, A dual coordinate descent method for large-scale linear SVM
    (2008), algorithm 1. The duality gap as a sum: Shalev-Shwartz and Zhang, Stochastic dual coordinate ascent
    (2013), section 2.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from kerneltron import SVM
    >>> X, y = load_digits(return_X_y=True)
    >>> learner = SVM(kernel="gaussian", random_state=0).fit(X[:1200], y[:1200])
    >>> f"{learner.score(X[1200:], y[1200:]):.2f}", bool(learner.gap_[-1] <= 0.01)
    ('0.97', True)
    >>> round(learner.kernel_.sigma, 1)
    24.4
    """

    C: float | str = parameter(
        AUTO,
        "What a unit of loss costs beside ||w||^2 / 2: the largest coefficient of an example. Large values "
        "follow the examples closely, and take more passes. 'auto' is 10 for kernels of a distance, such as "
        "Gaussian, and normalised ones, where every example has the length 1, and 1 for others.",
        brief="What a unit of loss costs.",
        brief_default="10 for Gaussian and normalised kernels, else 1",
        brief_type=float,
    )
    loss: str = parameter(
        "hinge",
        "'hinge': C max(0, 1 - z), where most coefficients are 0 or C. 'squared_hinge': C max(0, 1 - z)^2, "
        "where none is the largest.",
        choices=("hinge", "squared_hinge"),
        fixed=True,
        brief="hinge or squared_hinge.",
    )
    tol: float = parameter(
        1e-2,
        "The relative duality gap at which to stop: (objective - dual objective) / objective.",
        above=0,
        below=1,
        of_training=True,
        brief="The relative duality gap at which to stop.",
    )
    passes: float = parameter(
        200,
        "How often to go over the examples, at most; most passes visit only those that can still move. A "
        "`ConvergenceWarning` says how large the gap is, if that was not enough.",
        above=0,
        most=MOST_PASSES,
        of_training=True,
        brief="How often to go over the input.",
        brief_type=int,
    )
    warm_start: bool = parameter(
        False,
        "Begin `fit` with the coefficients that the last one has found, for the same examples in the same "
        "order; `C`, `tol` and weights may be others.",
        mixes=True,
    )
    class_weight: dict[Any, float] | str | None = class_weight("multiplies C")
    scale: bool | str = parameter(False, SCALE, fixed=True, optional=True)

    on_streams: ClassVar[Any] = {**KernelMethod.on_streams, "passes": 1}
    refuses_side_by_side: ClassVar[str] = "every task would have to stop at an optimum of its own"

    @property
    def tolerance(self) -> float:
        """The relative duality gap at which to stop."""
        return float(self.tol)

    def suitable_cost(self, kernel: "Kernel") -> float | None:
        """Return the C that suits a kernel, where it is left open."""
        from kerneltron.kernels.unit_length import has_unit_length

        if not isinstance(self.C, str):
            return None
        return OF_UNIT_LENGTH if self.kernel_is_open or has_unit_length(kernel) else OF_OTHERS

    @property
    def cost(self) -> float:
        """The number that `C` stands for, before a kernel was found.

        Files that hold none were learned with 10 for kernels of a distance, and 1 for normalised ones, too.
        """
        from kerneltron.kernels.distances import OfDistance

        if isinstance(self.C, str):
            return OF_UNIT_LENGTH if isinstance(self.parsed_kernel, OfDistance) else OF_OTHERS
        return float(self.C)

    @property
    def starts_warm(self) -> bool:
        """Whether another fit begins with what the last one has found."""
        return bool(self.warm_start)

    def check(self) -> None:
        """Raise if a parameter makes no sense."""
        if self.C != AUTO:
            check_number("C", self.C, above=0)
        super().check()

    def check_streaming(self) -> None:
        """Raise if a parameter needs all examples at once: weights keep none of them."""
        from kerneltron.kernels.linear import Linear

        super().check_streaming()
        is_primal = self.representation == "primal" or self.approximation is not None
        if is_primal or (self.representation == "auto" and self.parsed_kernel == Linear()):
            from kerneltron.models.primal_machine import REFUSAL

            raise ValueError(REFUSAL)

    @classmethod
    def rule_type(cls) -> Any:
        """Return the type of its rules."""
        from kerneltron.engine.rules.svm import AscentRule

        return AscentRule

    def rule(self, width: int, form: str = "primal", found: float | None = None) -> Any:
        """Return the rule that the parameters describe, with the C that was found where it is left open."""
        cost = found if found is not None and isinstance(self.C, str) else self.cost
        if self.loss == "squared_hinge":
            return self.rule_type()(inf, 1.0 / (2.0 * cost))
        return self.rule_type()(cost, 0.0)
