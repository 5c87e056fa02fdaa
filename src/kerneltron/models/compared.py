"""Rows that a Gaussian kernel sees distances of: those of a block of visits, and those that are held.

Compiled code compares them: see `engine.budgets.rows`; all other examples are compared by their kernel.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from kerneltron._types import Floats
from kerneltron._validate import is_sparse
from kerneltron.engine.budgets.held import Compared
from kerneltron.kernels.gaussian import Gaussian
from kerneltron.kernels.pack import Pack
from kerneltron.kernels.scaled_columns import ScaledColumns
from kerneltron.kernels.vectors import Vectors
from kerneltron.models.workspace import Workspace

NO_ROWS, NO_SQUARES = np.empty((0, 0), np.float32), np.empty(0, np.float32)
NOT_COMPARED = Compared(NO_ROWS, NO_SQUARES, NO_ROWS, NO_ROWS, NO_SQUARES, 1.0, 1.0, 1.0, 0.0)


def seen(kernel: Gaussian, pack: Pack) -> Vectors:
    """Return the rows whose distances a kernel over rows sees: as they are, or with scaled columns."""
    rows: Vectors = pack.parts[kernel.base._rows]  # type: ignore[assignment]
    return rows


def unchanged(kernel: Gaussian, rows: Any) -> Any:
    """Return rows as they came, or would have come, that a kernel sees like this."""
    return kernel.base.unchanged(rows) if isinstance(kernel.base, ScaledColumns) else rows


def can_be_compared(kernel: Gaussian, packs: Sequence[Pack]) -> bool:
    """Return whether the rows of all packs are dense, and so near that their distances keep their digits."""
    if any(is_sparse(seen(kernel, pack).X) for pack in packs):
        return False
    return not kernel.are_far(*(seen(kernel, pack).squares() for pack in packs))


def compared(
    kernel: Gaussian,
    visited: Pack,
    held: Sequence[Pack],
    first: int,
    places: int,
    features: Floats | None,
    own: float,
    workspace: Workspace,
) -> Compared:
    """Return the rows that are visited, those that are held, in places from `first` on, and room for more.

    `features` are those of a sketch, one row per visit; `own` is what an example has in common with itself
    beside its kernel.
    """
    dtype = np.result_type(visited.precision, *(pack.precision for pack in held))
    before, after, half = kernel.scales

    def squares_of(pack: Pack) -> Any:
        return half * seen(kernel, pack).squares().astype(dtype)

    rows = workspace.take("held", (places, seen(kernel, visited).width), dtype)
    squares = workspace.take("held squares", (places,), dtype)
    for pack in held:
        rows[first : first + len(pack)] = seen(kernel, pack).X
        squares[first : first + len(pack)] = squares_of(pack)
        first += len(pack)
    return Compared(
        rows=np.ascontiguousarray(seen(kernel, visited).X, dtype),
        squares=squares_of(visited),
        features=np.empty((0, 0), dtype) if features is None else features.astype(dtype),
        held=rows,
        held_squares=squares,
        before=before,
        after=after,
        half=half,
        own=own,
    )
