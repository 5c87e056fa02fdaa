"""Primal or dual: which form a kernel is learned in, and what each would cost."""

from math import inf, log, log10
from typing import Any, NamedTuple

from kerneltron.kernels.kernel import STRUCTURES, Kernel
from kerneltron.kernels.linear import Linear
from kerneltron.maps.approximation import ApproximateMap
from kerneltron.maps.feature_map import shown_count

FEW_WEIGHTS = 4096  # so few that remembering examples never pays
MOST_WEIGHTS = 2**27  # weights that are worth having at all: with the average, 2 GB
COUNTED = 960 * log(2)  # logarithm of numbers of features that are worked out: a float has room for a cost
EVALUATION = (
    100  # multiplications that take as long as what a kernel evaluation does beside its inner product
)
SEQUENTIAL = 80  # how much longer a multiplication takes row by row than in a matrix product
RESERVED = 2**25  # bytes that the dual form needs for Gram blocks and the like, whatever is remembered
LARGEST_DELTA = 1e75  # its square is added to k(x, x), and rules multiply two such numbers
ASKED = "as asked for"
MOVES = 1 / 4  # the part of the examples of two classes that is expected to move a vector in a first pass


class Representation(NamedTuple):
    """The form that was chosen, and why.

    Costs are in multiplications, as a matrix product makes them, for one visit and all classes.
    """

    form: str  # "primal" or "dual"
    width: int | None  # exact number of features of the explicit map; None: see log_width
    primal_cost: float
    dual_cost: float
    expected_support: int  # an estimate of how many examples the dual form would remember
    reason: str
    log_width: float = inf  # of the number of features; infinity: infinitely many, or not known
    kept_rows: int = 0  # rows of kernel values that `fit` kept at the most, in dual form
    moves: int = 0  # how often an example moved a vector where rows could be kept,
    hits: int = 0  # and how often its row was there

    def __str__(self) -> str:
        support = f"an estimated {self.expected_support:,} remembered examples"
        costs = f"multiplications per visit: {self.dual_cost:.3g} in dual form with {support}"
        if self.log_width < inf:
            cost = f"{self.primal_cost:.3g}" if self.primal_cost < inf else "too many"
            features = shown_count(self.log_width, self.width)
            costs += f", {cost} in primal form with {features} features"
        kept = ""
        if self.kept_rows:
            served = f"{self.hits:,} of {self.moves:,} moves"
            kept = f"; {self.kept_rows:,} rows of kernel values were kept, for {served}"
        return f"{self.form} form: {self.reason} ({costs}{kept})"


class Setting(NamedTuple):
    """What the choice depends on, beside the kernel."""

    examples: int
    inputs: int
    columns: int
    always_moves: bool  # the rule moves at every example, and so remembers all
    passes: float = 1

    def support(self) -> int:
        """Return about how many examples the dual form would remember.

        Nobody knows before the data are seen: it depends on how often the learner errs. The perceptron with
        Gaussian and cubic kernels remembers 0.07 to 0.35 of two classes (digits, Spambase, a9a) after a pass
        and about twice as many after ten, 0.3 to 0.5 of ten classes; of labels that are noise, half and all.
        Rules with a margin remember up to twice as many.
        """
        looks = (1 + log10(max(self.passes, 1))) * (1 if self.columns == 1 else 2)
        part = 1.0 if self.always_moves else 1 - (1 - MOVES) ** looks
        return max(1, round(self.examples * part))


def choose(kernel: Kernel, wanted: str, setting: Setting, reason: str = ASKED) -> Representation:
    """Return the form `wanted`, for this reason, or the cheaper one for "auto".

    Of numbers that no memory has room for only the logarithm is known: they may have millions of digits.
    """
    width, log_width = _width(kernel, setting.inputs)
    support = setting.support()
    primal = inf if width is None else float(SEQUENTIAL) * width * (1 + setting.columns)
    # On the way there are half of them on average.
    dual = support / 2 * (setting.inputs + EVALUATION + setting.columns)
    if wanted == "primal":
        _check_primal(kernel, width, log_width, setting.columns)
    if wanted == "auto":
        wanted, reason = _cheaper(kernel, width, log_width, primal < dual, setting.columns)
    return Representation(wanted, width, primal, dual, support, reason, log_width)


def approximated(phi: ApproximateMap, setting: Setting) -> Representation:
    """Return the form of a learner in the features of a map that approximates its kernel."""
    support = setting.support()
    primal = float(phi.width) * (setting.inputs + 1 + setting.columns)
    dual = support / 2 * (setting.inputs + EVALUATION + setting.columns)
    reason = f"in the features of {phi.asked}, which approximate the kernel"
    return Representation("primal", phi.width, primal, dual, support, reason, log_of(phi.width))


def _width(kernel: Kernel, inputs: int) -> tuple[int | None, float]:
    """Return the number of features, None where it is too large or there is none, and its logarithm."""
    if kernel == Linear():
        return inputs, log_of(inputs)
    phi: Any = kernel.feature_map(inputs)
    log_width = inf if phi is None else float(phi.log_width)
    if log_width >= COUNTED:
        return None, log_width
    return int(phi.width), log_of(phi.width)


def log_of(width: int) -> float:
    """Return the logarithm of a number of features; none at all are as quickly had as one."""
    return log(max(width, 1))


def _cheaper(
    kernel: Kernel, width: int | None, log_width: float, is_cheaper: bool, columns: int
) -> tuple[str, str]:
    if kernel == Linear():
        return "primal", "the kernel is linear, so the features are those of the rows"
    if log_width == inf:
        return "dual", "the features cannot be listed"
    if width is None or width * columns > MOST_WEIGHTS:
        return "dual", "the weights would not fit"
    if width * (1 + columns) <= FEW_WEIGHTS:
        return "primal", "so few weights are cheaper than remembering examples"
    if is_cheaper:
        return "primal", "the weights cost less than the examples that would be remembered"
    return "dual", "the examples that will be remembered cost less than the weights"


def _check_primal(kernel: Kernel, width: int | None, log_width: float, columns: int) -> None:
    if kernel.domain in STRUCTURES:
        raise ValueError(
            f"representation='primal' needs rows of numbers, and {kernel} compares {kernel.domain}: use "
            "representation='dual', or make rows with kerneltron.features.Substructures where the kernel "
            "lists its features."
        )
    if log_width == inf:
        raise ValueError(
            f"representation='primal' needs features that can be listed, and {kernel} has infinitely many, "
            "or they are not known: use `representation='dual'`."
        )
    if (width is None or width * columns > MOST_WEIGHTS) and kernel != Linear():
        raise ValueError(
            f"representation='primal' needs {shown_count(log_width, width)} weights per class for {kernel}, "
            "too many: use `representation='dual'`."
        )
