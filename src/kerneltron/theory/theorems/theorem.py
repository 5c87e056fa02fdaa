"""What a theorem says: a bound for every vector that the run is compared with."""

from collections.abc import Callable
from math import inf
from typing import Any, NamedTuple

from kerneltron._types import Floats, Integers
from kerneltron.theory.compared import Compared


class Machine(NamedTuple):
    """A support vector machine: its loss, and what a unit of that costs."""

    loss: str
    C: float


class Found(NamedTuple):
    """A bound, and the vector and the margin that it comes from."""

    bound: float
    vector: Floats
    margin: float


class Theorem(NamedTuple):
    """A bound on the mistakes of every run that starts from w = 0 (or 1), with weights of 1.

    Parameters
    ----------
    statement, reference
        What is proved, and where.
    if_separated
        What is left of the statement for a vector that separates the examples, if that is simpler.
    bound
        For any vector; infinite where a theorem is about separated examples alone, and this vector does not
        separate them.
    best
        The machine whose vector makes the bound the least, for this many visits to each example, where that
        is known in advance.
    counts_updates
        Whether updates of thin margins are within the bound, too.
    search
        In the place of `bound`, where vectors are not those of machines: of rows, labels and visits.
    """

    statement: str
    reference: str
    if_separated: str = ""
    bound: Callable[[Compared], float] = lambda compared: inf
    best: Callable[[float], Machine] | None = None
    counts_updates: bool = False
    search: Callable[[Any, Integers, float], Found] | None = None
