"""The space that a learner learns in: what was asked for, and what was found.

A space is the features as they are given, those of an explicit map (both primal form, weights), or those of
a kernel (dual form, remembered examples). This is the one place where models are made.
"""

import sys
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kerneltron._types import Anything
from kerneltron._validate import rows_of
from kerneltron.learning.budgets import has_budget, new_policy
from kerneltron.learning.kernel_method import KernelMethod
from kerneltron.learning.memory import working_memory
from kerneltron.learning.method import Method
from kerneltron.learning.scaler_choice import scales_inside

if TYPE_CHECKING:
    from kerneltron.kernels.kernel import Kernel
    from kerneltron.maps.approximation import ApproximateMap
    from kerneltron.models.model import Model
    from kerneltron.models.representation import Representation

FIRST_EXAMPLES = 50  # of a stream, that a width may be found by
INSTEAD_OF_WIDTH = "give a number, such as kernel='Gaussian(2.0)'; kernels.propose_sigma(X, y) finds one."
INSTEAD_OF_KERNEL = "give a kernel, such as 'gaussian'; kernels.propose(X, y) ranks several."
STREAM = 100_000  # examples that a stream is taken to have, when the form is chosen


class Data(NamedTuple):
    """What is known of the examples when a learner begins.

    `X` are examples, all or the first of a stream. `codes` are places of their labels among the classes, or
    labels of tasks; `there` are the rows that have a weight, if not all. `is_whole` says that these are all
    examples.
    """

    examples: int
    inputs: int  # columns of the rows; 0 where examples are not rows of numbers
    dtype: Any = np.float64
    X: Any = None
    codes: Anything | None = None
    there: Anything | None = None
    is_whole: bool = True


class Space(NamedTuple):
    """The kernel, the form, the delta, the map and the C that were given or found.

    `representation` is None for methods that have no kernel; `delta` is None where it was not needed yet,
    `map` where no approximation was asked for, and `C` where it was given or there is none.
    """

    kernel: "Kernel"
    representation: "Representation | None" = None
    delta: float | None = None
    map: "ApproximateMap | None" = None
    C: float | None = None

    @property
    def form(self) -> str:
        """Whether it keeps weights, "primal", or examples, "dual"."""
        return "primal" if self.representation is None else self.representation.form


def takes_matrices(kernel: "Kernel", X: Any = None) -> bool:
    """Return whether the examples that a kernel compares are rows of numbers.

    Of a kernel that is still to be found the examples say so; those of a stream are.
    """
    from kerneltron.kernels.auto import Auto
    from kerneltron.kernels.kernel import OF_NUMBERS

    if isinstance(kernel, Auto):
        from kerneltron.kernels.domains import domain_of

        return X is None or domain_of(X) == "vectors"
    return kernel.domain in (*OF_NUMBERS, "similarities")


def kernel_of(method: Method) -> "Kernel":
    """Return the kernel that a method asks for; the linear one where it has none."""
    from kerneltron.kernels.linear import Linear

    return method.parsed_kernel if isinstance(method, KernelMethod) else Linear()


def find(method: Method, data: Data, columns: int, seed: int, known: Space | None = None) -> Space:
    """Return the space for these examples and this many columns.

    One that is `known`, of another learner with the same method, has a map that serves these, too.
    """
    space = known
    if space is None or space.map is None:
        space = choose_form(method, data, columns, seed)
    return space._replace(delta=find_delta(method, space, data, columns, seed))


def choose_form(method: Method, data: Data, columns: int, seed: int) -> Space:
    """Return the space without its delta: primal or dual form, whichever was asked for or costs less.

    `seed` is for a map that draws, where one is asked for.
    """
    if not isinstance(method, KernelMethod):
        return Space(kernel_of(method))
    kernel = _resolved_kernel(method, data, seed)
    from kerneltron.models.representation import Setting, approximated, choose

    setting = Setting(data.examples, data.inputs, columns, method.always_moves, method.passes)
    phi = None
    if method.approximation is not None:
        phi = _fitted_map(method, kernel, data, seed)
        representation = approximated(phi, setting)
    else:
        form, reason = _wanted_form(method, kernel)
        if form == "auto" and method.kernel_is_open and method.tolerance and not data.is_whole:
            form, reason = "dual", "what looks for an optimum on a stream keeps its examples"
        representation = choose(kernel, form, setting, reason)
    if method.verbose:
        print(f"{method.name()}: {representation}", file=sys.stderr)
    return Space(kernel, representation, map=phi, C=method.suitable_cost(kernel))


def rule_of(method: Method, space: Space, width: int) -> Any:
    """Return the rule that a method describes in a space, for this many features."""
    found = () if space.C is None else (space.C,)
    return method.rule(width, space.form, *found)


def _resolved_kernel(method: KernelMethod, data: Data, seed: int) -> "Kernel":
    """Return the kernel that a method requests, with what is "auto" in it found for the examples."""
    if not method.has_open_width:
        return method.parsed_kernel
    from kerneltron.kernels.search.finding import find_kernel

    kernel = method.parsed_kernel
    wanted = "kernel='auto'" if method.kernel_is_open else f"the width of {kernel}"
    instead = INSTEAD_OF_KERNEL if method.kernel_is_open else INSTEAD_OF_WIDTH
    if data.X is None or data.codes is None or data.codes.ndim != 1:
        raise ValueError(f"{wanted} is found by examples that have one label each: {instead}")
    there = np.arange(len(data.codes)) if data.there is None else data.there
    codes = data.codes[there]
    classes = len(np.unique(codes))
    if not data.is_whole and (len(codes) < FIRST_EXAMPLES or classes < 2):
        raise ValueError(
            f"{wanted} is found by the first examples of a stream, at least {FIRST_EXAMPLES} of "
            f"two classes or more, and these are {len(codes)} of {classes}: begin with more, or "
            f"{instead}"
        )
    X = data.X if data.there is None else rows_of(data.X, there)
    found = find_kernel(kernel, X, codes, seed)
    if method.verbose:
        origin = f"{'all' if data.is_whole else 'the first'} {len(codes):,} examples"
        about = _fields_described(found, X) if method.kernel_is_open else ""
        print(
            f"{method.name()}: kernel_ is {_scale_described(found)}, found by {origin}{about}",
            file=sys.stderr,
        )
    return found


def _scale_described(found: "Kernel") -> str:
    """Return a kernel in words, with what it does to columns."""
    from kerneltron.kernels.scaled_columns import scales_columns

    return (
        f"{found}, which divides columns by their standard deviation" if scales_columns(found) else f"{found}"
    )


def _fields_described(found: "Kernel", X: Any) -> str:
    """Return what became of each field of records, as a sentence behind another one."""
    if found.domain != "records":
        return ""
    from kerneltron.kernels.fields import fields_of

    return f". {fields_of(X).sentence(found)}"


def _fitted_map(method: KernelMethod, kernel: "Kernel", data: Data, seed: int) -> "ApproximateMap":
    """Return the map that a method asks for, for examples such as these."""
    assert method.approximation is not None
    if method.delta:
        raise ValueError(
            f"delta gives every example a feature of its own, which {method.approximation} has no room for: "
            "use `delta=0`, or `representation='dual'`."
        )
    if data.X is None:
        raise ValueError(f"{method.approximation} looks at examples, and none are there yet.")
    X = data.X if data.there is None else rows_of(data.X, data.there)
    return method.approximation.fit(kernel, X, seed)


def find_delta(method: Method, space: Space, data: Data, columns: int, seed: int) -> float | None:
    """Return the delta that was given or, for "auto", is best for these examples."""
    if not isinstance(method, KernelMethod):
        return None
    if method.delta != "auto":
        return float(method.delta)
    if data.codes is None or not data.is_whole:
        raise ValueError("delta='auto' looks at all examples: call fit first, or give a number.")
    from kerneltron.learning.delta import Sample, propose_delta

    rows = np.arange(len(data.codes)) if data.there is None else data.there
    sample = Sample(space.kernel.pack(data.X)[rows], data.codes[rows], columns)
    return propose_delta(space.kernel, sample, method.bias, seed)


def new_model(
    method: Method, space: Space, data: Data, columns: int, seed: int, without_own_column: bool = False
) -> "Model":
    """Return a model that knows nothing yet, in the space that was found.

    Parameters
    ----------
    method, space, data
        How it learns, in which space, and from rows of which width and precision.
    columns
        Number of vectors: `Target.columns`, or one per task.
    seed
        For the initial weights and the random hypothesis.
    without_own_column
        Column m has the kernel without column m of the rows.
    """
    options: dict[str, Any] = {"bias": method.bias, "hypothesis": method.hypothesis, "seed": seed}
    if space.form == "dual":
        return _new_dual(method, space, data, columns, without_own_column, options)
    return _new_primal(method, space, data, columns, options)


def _new_primal(method: Method, space: Space, data: Data, columns: int, options: dict[str, Any]) -> "Model":
    from kerneltron.engine.declared import declared
    from kerneltron.kernels.linear import Linear
    from kerneltron.models.mapped import Mapped
    from kerneltron.models.primal import Primal

    options |= {"dtype": data.dtype, "start": method.start}
    of_rows: type[Primal] = Primal
    of_map: type[Mapped] = Mapped
    if declared(rule_of(method, space, 1)).ascends:
        from kerneltron.models.primal_machine import MappedMachine, PrimalMachine

        of_rows, of_map = PrimalMachine, MappedMachine
        options |= {"tolerance": method.tolerance, "keep_coefficients": getattr(method, "warm_start", False)}
    is_linear = space.map is None and space.kernel == Linear()
    if is_linear:
        width = data.inputs
        if scales_inside(method):
            from kerneltron.models.scaled import Scaled

            of_rows = Scaled
        return of_rows(rule_of(method, space, width), width, columns, delta=space.delta or 0.0, **options)
    phi = space.kernel.feature_map(data.inputs) if space.map is None else space.map
    return of_map(rule_of(method, space, phi.width), phi, columns, **options)


def _new_dual(
    method: Method,
    space: Space,
    data: Data,
    columns: int,
    without_own_column: bool,
    options: dict[str, Any],
) -> "Model":
    from kerneltron.engine.declared import declared
    from kerneltron.models.dual import Dual
    from kerneltron.models.dual_without import DualWithout

    assert isinstance(method, KernelMethod)
    if method.init_scale:
        raise ValueError(
            f"init_scale={method.init_scale!r} draws random weights, which the dual form does not have: "
            "use `init_scale=0`, or `representation='primal'`."
        )
    rule = rule_of(method, space, 1)
    options |= {"delta": space.delta or 0.0, "working_memory": working_memory(method, data, columns)}
    if declared(rule).ascends:
        from kerneltron.models.dual_machine import DualMachine

        if without_own_column:
            raise ValueError(
                f"exclude_own_column=True gives every task a kernel of its own, and {method.name()} keeps "
                "the values of one for all: use another learner, such as PassiveAggressive."
            )
        return DualMachine(rule, space.kernel, columns, tolerance=method.tolerance, **options)
    if not has_budget(method):
        form = DualWithout if without_own_column else Dual
        return form(rule, space.kernel, columns, **options)
    if without_own_column:
        raise ValueError(
            "exclude_own_column=True gives every task a kernel of its own, and a budget is shared by all: "
            "leave the budget out."
        )
    from kerneltron.learning.additive import AdditiveMethod
    from kerneltron.models.budgeted import Budgeted

    assert isinstance(method, AdditiveMethod)
    X = data.X if data.X is None or data.there is None else rows_of(data.X, data.there)
    found = new_policy(method, space.kernel, X, options["seed"])
    budget = None if method.budget is None else int(method.budget)
    return Budgeted(rule, space.kernel, columns, policy=found, budget=budget, **options)


def _check_features(method: KernelMethod, kernel: "Kernel") -> None:
    """Raise unless a method that needs weights, one per feature, can have them."""
    phi = kernel.feature_map(1) if takes_matrices(kernel) else None
    if method.representation == "dual" or phi is None:
        asked = "representation='dual'" if phi is not None else f"kernel={kernel}"
        raise ValueError(
            f"{asked} is not possible with {method.name()}: {method.refuses_dual}. Use `kernel='linear'`, "
            "another kernel whose features can be listed, or another learner such as PassiveAggressive."
        )


def _wanted_form(method: KernelMethod, kernel: "Kernel") -> tuple[str, str]:
    """Return the representation that was asked for, or the only one that can be, and why."""
    from kerneltron.kernels.linear import Linear
    from kerneltron.models.hypotheses import hypothesis
    from kerneltron.models.representation import ASKED

    wanted, has_dual = str(method.representation), not method.refuses_dual
    if not has_dual:
        _check_features(method, kernel)
        wanted = "primal"
    if has_budget(method) and wanted == "auto":
        return "dual", "a budget is a number of remembered examples"
    if not takes_matrices(kernel) and wanted == "auto":
        # These words stand in model files: other ones would be other bytes.
        return "dual", f"the kernel compares {kernel.domain}, which are no rows of numbers"
    has_room = kernel == Linear() and not hypothesis(method.hypothesis).keeps_moves
    if not method.delta or has_room or wanted == "dual":
        return wanted, ASKED if has_dual else method.refuses_dual
    if wanted == "primal":
        raise ValueError(
            "delta gives every example a feature of its own: in primal form only the linear kernel, "
            "where moves are not kept as by the vote, has room for them. Use "
            + ("`representation='dual'`." if has_dual else "`delta=0`, or `kernel='linear'`.")
        )
    return "dual", "delta gives every example a feature of its own, which weights have no room for"
