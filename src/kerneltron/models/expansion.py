"""Vectors of the dual form, w_c = sum_s a_sc phi(x_s), ready to be multiplied with examples."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from kerneltron._types import Floats
from kerneltron.kernels.cost import are_worth_threads
from kerneltron.kernels.pack import Pack
from kerneltron.kernels.threads import side_by_side
from kerneltron.models.dual_state import sums_of
from kerneltron.models.kernel_values import KernelValues
from kerneltron.models.overflow import Factor, factor_of

SHARED = 2**19  # kernel values that are worth a thread for each core, whatever the examples are
# The most examples whose products one thread computes; of fewer than two times as many, it computes half.
# Fixed, so that results do not depend on cores. In later passes 512 examples have their scores of the same
# moment: where one core did all of them, ten passes over MNIST took 2.3 s, and take 1.7.
ROWS = 512

Piece = tuple[slice, Pack]  # remembered examples, and which rows of the coefficients are theirs


class Expansion:
    """The products <w_c, phi(x)> = sum_s a_sc (k(x, x_s) + constant), in double precision; it never changes.

    Parameters
    ----------
    values
        Where kernel values come from.
    pieces
        Returns the remembered examples, some at a time.
    coefficients
        One row per remembered example, one column per vector.
    constant
        The product of the constant features.
    is_kept
        Whether to hold the pieces, and what follows from their coefficients: for vectors that predict one
        example after the other.
    """

    def __init__(
        self,
        values: KernelValues,
        pieces: Callable[[], Iterable[Piece]],
        coefficients: Floats,
        constant: float,
        is_kept: bool = False,
    ) -> None:
        self._values, self._coefficients = values, coefficients
        self._constant = constant * sums_of(coefficients)
        self._pieces = None if is_kept else pieces
        self._kept = list(pieces()) if is_kept else None
        self._factors: dict[Any, Sequence[tuple[Pack, Factor]]] = {}  # by precision

    def products(self, pack: Pack) -> Floats:
        """Return one product per example of the pack and vector."""
        total = np.zeros((len(pack), self._coefficients.shape[1]))
        total += self._constant
        values = len(pack) * len(self._coefficients)
        if values >= SHARED or are_worth_threads(pack, values):
            self._add_shared(pack, values, total)
        elif self._pieces is None:
            for piece, factor in self._factors.get(pack.precision) or self._worked_out(pack.precision):
                total += factor.of(self._values.block(pack, piece))
        else:
            for where, piece in self._all():
                gram = self._values.block(pack, piece)
                total += factor_of(self._coefficients[where], gram.dtype).of(gram)
        return total

    def _all(self) -> Iterable[Piece]:
        return (self._kept or ()) if self._pieces is None else self._pieces()

    def _worked_out(self, precision: Any) -> Sequence[tuple[Pack, Factor]]:
        """Return the pieces with their coefficients, for examples of a precision."""
        found = [
            (piece, factor_of(self._coefficients[where], np.result_type(precision, piece.precision)))
            for where, piece in self._all()
        ]
        self._factors[precision] = found
        return found

    def _add_shared(self, pack: Pack, values: int, total: Floats) -> None:
        """Add all products, in one thread per core."""
        # Dense examples are shared as well: few remembered examples are a single piece.
        is_cut = are_worth_threads(pack, values)
        step = min(ROWS, -(-len(pack) // 2)) if is_cut else max(1, len(pack))
        parts = [slice(first, first + step) for first in range(0, len(pack), step)]

        def products(task: tuple[slice, Pack, slice]) -> tuple[slice, Floats]:
            where, piece, rows = task
            gram = self._values.block(pack[rows] if is_cut else pack, piece)
            return rows, factor_of(self._coefficients[where], gram.dtype).of(gram)

        tasks = ((*piece, rows) for piece in self._all() for rows in parts)
        for rows, some in side_by_side(products, tasks):
            total[rows] += some
