"""The examples of a call of a model in dual form."""

from abc import ABC, abstractmethod
from contextlib import AbstractContextManager
from copy import copy
from typing import Any, Self

import numpy as np

from kerneltron._types import Integers, Trace, Visits
from kerneltron.kernels.pack import Pack
from kerneltron.kernels.threads import one_blas_thread
from kerneltron.models.kept_rows import Reuse
from kerneltron.models.kernel_expansion import KernelExpansion

LARGEST_SQUARE = 1e150  # the largest k(x, x): rules multiply two such numbers


class VisitedExamples(ABC):
    """The examples that the visits of a call belong to, and the way in which these move the vectors.

    Parameters
    ----------
    learned
        The vectors.
    rule
        What moves them.
    rows
        The examples.

    Attributes
    ----------
    q
        The inner product of each example with itself.
    slots
        The place of each example among those remembered, -1 where it has none.
    is_lost
        Whether the norm of a vector lost its digits during this call.
    """

    is_lost = False

    def __init__(self, learned: KernelExpansion, rule: Any, rows: Pack) -> None:
        self.learned, self.rule, self.rows = learned, rule, rows
        self.q = learned.squares(rows)
        if self.q.max(initial=0.0) > LARGEST_SQUARE:
            raise ValueError(
                f"{learned.kernel} reaches {self.q.max():.0e} on these examples, too much to be squared: use "
                "kernel.normalized(), or scale the rows down."
            )
        self.slots: Integers = np.full(len(rows), -1, np.int64)
        if learned.has_unknown_norms:
            learned.measure_norms()

    @property
    def reuse(self) -> Reuse | None:
        """How often kernel values that were kept were of use; None where none were kept."""
        return None

    def threads(self) -> AbstractContextManager[None]:
        """Return what holds while blocks are visited: products have one thread each, and may be shared."""
        return one_blas_thread()

    @abstractmethod
    def visit(self, visits: Visits, trace: Trace, mistakes: Integers) -> None:
        """Make a block of visits, and count the mistakes."""

    @abstractmethod
    def measure(self) -> None:
        """Recompute what is kept by recursion, before another pass."""

    def of(self, learned: KernelExpansion) -> Self:
        """Return the same examples, which move the vectors of a copy."""
        other = copy(self)
        other.learned = learned
        return other
