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
    """A bound, the vector and the margin that it comes from, and what examples lack of that, in all."""

    bound: float
    vector: Floats
    margin: float
    lacking: float = 0.0


class Statement(NamedTuple):
    """A theorem in words.

    `if_separated` is what is left of it for a vector that separates the examples, if that is simpler.
    """

    statement: str
    reference: str
    if_separated: str = ""
    by_entropy: bool = False  # the distance to the vector is not measured by lengths and margins


class Theorem(NamedTuple):
    """A bound on the mistakes of every run that starts from w = 0 (or 1), with weights of 1.

    Parameters
    ----------
    says
        What is proved, and where.
    bound
        For any vector; infinite where a theorem is about separated examples alone, and this vector does not
        separate them.
    best
        The machine whose vector makes the bound the least, for this many visits to each example, where that
        is known in advance.
    search
        In the place of `bound`, where vectors are not those of machines: of rows, labels and visits.
    """

    says: Statement
    bound: Callable[[Compared], float] = lambda compared: inf
    best: Callable[[float], Machine] | None = None
    search: Callable[[Any, Integers, float], Found] | None = None
