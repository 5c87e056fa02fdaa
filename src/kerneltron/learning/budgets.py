"""Budgets of remembered examples: what may be asked for, and the policy that follows."""

from math import inf
from numbers import Integral
from typing import TYPE_CHECKING, Any

from kerneltron.learning.parameters import check_number
from kerneltron.models.budgets import POLICIES, policy
from kerneltron.models.hypotheses import hypothesis

if TYPE_CHECKING:
    from kerneltron.learning.additive import AdditiveMethod
    from kerneltron.learning.kernel_method import KernelMethod
    from kerneltron.maps.approximation import Approximation
    from kerneltron.models.policy import Policy

USUAL = "project"  # what happens when a budget is spent, unless something else is asked for
SKETCH = "RandomFourier(1024)"  # where what is dropped lives on, unless another map is given


def has_budget(method: "KernelMethod") -> bool:
    """Return whether a method bounds what it remembers: by a number, or by projecting what others span."""
    return method.budget is not None or method.eta is not None


def check_budget(method: "AdditiveMethod") -> None:
    """Raise unless `budget`, `when_full`, `eta` and `sketch` go together, and with the rest."""
    _check_words(method)
    if not has_budget(method):
        return
    if method.refuses_dual:
        raise ValueError(
            f"a budget is a number of remembered examples, and {method.name()} remembers none: "
            f"{method.refuses_dual}. Leave `budget` out; a map such as Nystrom(500) bounds the size, too."
        )
    if method.representation not in ("auto", "dual"):
        raise ValueError(
            f"a budget bounds the examples that the dual form remembers, and representation="
            f"{method.representation!r} keeps weights: leave `budget` out, or use `representation='dual'`."
        )
    chosen = hypothesis(method.hypothesis)
    if chosen.keeps_moves or not chosen.follows_weights:
        raise ValueError(
            f"hypothesis={method.hypothesis!r} needs vectors of the past, which are made of examples that a "
            "learner with a budget has forgotten: use `hypothesis='average'` or 'last'."
        )
    reason = policy(method.when_full).refusal(method.parsed_kernel, method.rule_type(), method.delta)
    if reason:
        raise ValueError(reason)


def _check_words(method: "AdditiveMethod") -> None:
    """Raise unless each of the four makes sense beside the others."""
    budget, eta, name = method.budget, method.eta, method.when_full
    if budget is not None and (not isinstance(budget, Integral) or isinstance(budget, bool)):
        raise TypeError(f"budget={budget!r} is not a whole number of examples; None is without a limit.")
    if budget is not None and budget < 1:
        raise ValueError(f"budget={budget!r} must be at least 1: what remembers nothing knows nothing.")
    if name not in POLICIES:
        raise ValueError(f"when_full={name!r} is not known. Choose one of {', '.join(map(repr, POLICIES))}.")
    if eta is not None:
        check_number("eta", eta, least=0, most=inf)
        if name != "project":
            raise ValueError(
                f"eta={eta!r} is the longest residual that is projected away: it belongs to "
                f"`when_full='project'`, not to {name!r}."
            )
    if budget is None and eta is None and name != USUAL:
        more = ", or `eta`" if name == "project" else ""
        raise ValueError(f"when_full={name!r} says what happens when a budget is spent: give `budget`{more}.")
    if method.sketch is not None:
        if name != "sketch":
            raise ValueError(f"sketch={method.sketch!r} belongs to `when_full='sketch'`, not to {name!r}.")
        sketch_of(method)


def sketch_of(method: "AdditiveMethod") -> "Approximation":
    """Return the map that keeps what is dropped."""
    from kerneltron.maps.random_fourier import RandomFourier
    from kerneltron.maps.text import is_map, parse

    asked = SKETCH if method.sketch is None else method.sketch
    if not is_map(asked) or not isinstance(found := parse(asked), RandomFourier):
        raise ValueError(
            f"sketch={asked!r} cannot keep what is dropped: give 'RandomFourier(m)', with an even number m "
            "of features."
        )
    return found


def new_policy(method: "AdditiveMethod", kernel: Any, X: Any, seed: int) -> "Policy":
    """Return the policy of a method, for a learner that begins with such examples."""
    found = policy(method.when_full)
    if method.when_full != "sketch":
        return found(seed, method.eta)
    if X is None:
        raise ValueError("when_full='sketch' looks at examples, and none are there yet.")
    return found(seed, sketch=sketch_of(method).fit(kernel, X, seed))
