"""Primal or dual: which form a kernel is learned in, and what each would cost."""

from typing import Any, NamedTuple

from kerneltron.kernels.kernel import STRUCTURES, Kernel
from kerneltron.kernels.linear import Linear

SMALL = 4096  # weights that are never worth remembering examples for
LARGEST = 2**27  # weights that are worth having at all: with the average, 2 GB
EVALUATION = (
    100  # multiplications that take as long as what a kernel evaluation does beside its inner product
)
SEQUENTIAL = 80  # how much longer a multiplication takes row by row than in a matrix product
RESERVED = 2**25  # bytes that the dual form needs for Gram blocks and the like, whatever is remembered
MOVES = 1 / 16  # the part of the examples that is expected to move a vector, unless all do


class Representation(NamedTuple):
    """The form that was chosen, and why.

    Costs are in multiplications, as a matrix product makes them, for one visit and all classes.
    """

    form: str  # "primal" or "dual"
    width: int | None  # exact number of features of the explicit map; None: infinitely many, or not known
    primal_cost: float
    dual_cost: float
    expected_support: int
    reason: str

    def __str__(self) -> str:
        dual = f"{self.dual_cost:.3g} in dual form with {self.expected_support:,} remembered examples"
        costs = f"multiplications a visit: {dual}"
        if self.width is not None:
            costs += f", {self.primal_cost:.3g} in primal form with {self.width:,} features"
        return f"{self.form} form: {self.reason} ({costs})"


class Setting(NamedTuple):
    """What the choice depends on, beside the kernel."""

    examples: int
    inputs: int
    columns: int
    always_moves: bool  # the rule moves at every example, and so remembers all


def choose(kernel: Kernel, wanted: str, setting: Setting) -> Representation:
    """Return the form `wanted`, or the cheaper one for "auto"."""
    width = width_of(kernel, setting.inputs)
    support = max(1, round(setting.examples * (1.0 if setting.always_moves else MOVES)))
    primal = float("inf") if width is None else float(SEQUENTIAL) * width * (1 + setting.columns)
    dual = float(support * (setting.inputs + EVALUATION + setting.columns))
    form, reason = _decide(kernel, wanted, width, primal < dual, setting.columns)
    return Representation(form, width, primal, dual, support, reason)


def width_of(kernel: Kernel, inputs: int) -> int | None:
    """Return the exact number of features of the kernel's explicit map, or None."""
    phi: Any = kernel.feature_map(inputs)
    return None if phi is None else int(phi.width)


def _decide(
    kernel: Kernel, wanted: str, width: int | None, is_cheaper: bool, columns: int
) -> tuple[str, str]:
    if wanted == "primal":
        _check_primal(kernel, width, columns)
    if wanted != "auto":
        return wanted, "as asked for"
    if kernel == Linear():
        return "primal", "the kernel is linear, so the features are those of the rows"
    if width is None or width * columns > LARGEST:
        return "dual", "the features cannot be listed" if width is None else "the weights would not fit"
    if width * (1 + columns) <= SMALL:
        return "primal", "so few weights are cheaper than remembering examples"
    if is_cheaper:
        return "primal", "the weights cost less than the examples that would be remembered"
    return "dual", "the examples that will be remembered cost less than the weights"


def _check_primal(kernel: Kernel, width: int | None, columns: int) -> None:
    if kernel.domain in STRUCTURES:
        raise ValueError(
            f"representation='primal' needs rows of numbers, and {kernel} compares {kernel.domain}: use "
            "representation='dual', or make rows with kerneltron.features.Substructures where the kernel "
            "lists its features."
        )
    if width is None:
        raise ValueError(
            f"representation='primal' needs features that can be listed, and {kernel} has infinitely many, "
            "or they are not known: use representation='dual'."
        )
    if width * columns > LARGEST and kernel != Linear():
        raise ValueError(
            f"representation='primal' needs {width:,} weights a class for {kernel}, too many: use "
            "representation='dual'."
        )
