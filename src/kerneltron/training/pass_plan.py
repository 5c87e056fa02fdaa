"""How to go over the examples: in memory, from files, and round by round on a cluster."""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from kerneltron.learning.method import Method


class PassPlan(NamedTuple):
    """How many passes to make, in which order, and when they are enough.

    Parameters
    ----------
    passes
        The most passes. In memory they may have a fraction: 0.1 is the first tenth of a pass.
    seed
        What the order of visits follows from; None keeps the given order.
    held_out
        Which part of a stream early stopping scores after each pass, chosen by a hash of each example's
        bytes; 0 for none. Of rows in memory `Arrays.held_out` are the rows themselves.
    patience
        Early stopping ends training when this many passes in a row do no better on what is held out.
    looks_first
        Whether all examples were looked at before the first pass, so that their columns are counted.
    room
        The most bytes that a stream may keep for later passes: of what takes more, there is one pass. None
        for no limit.
    tolerance
        Training ends when a model is closer to its optimum than this; 0 where none is looked for.
    """

    passes: float = 1
    seed: int | None = 0
    held_out: float = 0.0
    patience: int = 5
    looks_first: bool = False
    room: int | None = None
    tolerance: float = 0.0


ONCE = PassPlan(seed=None)


def plan_of(method: "Method", seed: int) -> PassPlan:
    """Return how a method goes over its examples; `seed` is the one that its random state stands for."""
    return PassPlan(
        method.passes,
        seed if method.shuffle else None,
        method.validation_fraction if method.early_stopping else 0.0,
        method.patience,
        tolerance=method.tolerance,
    )
