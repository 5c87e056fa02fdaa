"""Kernels whose widths are open, such as Gaussian("auto"), and the widths that suit examples and labels."""

from collections.abc import Callable, Hashable
from typing import Any

import numpy as np

from kerneltron._types import Anything
from kerneltron._validate import is_sparse, rows_of
from kerneltron.kernels.auto import Auto
from kerneltron.kernels.distances import OfDistance
from kerneltron.kernels.kernel import OF_NUMBERS, Kernel
from kerneltron.kernels.scaled_columns import ScaledColumns, standardizing
from kerneltron.kernels.trying import (
    SAMPLE,
    Candidate,
    best_of,
    chosen_rows,
    widest_of_best,
    widths_tried,
)
from kerneltron.kernels.vectors import matrix_of
from kerneltron.kernels.width import median_distance


def has_open_width(kernel: Kernel) -> bool:
    """Tell whether a width in an expression, or the kernel as a whole, is still to be found."""
    if isinstance(kernel, Auto):
        return True
    return (isinstance(kernel, OfDistance) and kernel.is_open) or any(map(has_open_width, kernel._parts()))


def with_widths(kernel: Kernel, X: Any, codes: Anything, seed: int = 0) -> Kernel:
    """Return the kernel with numbers in the place of open widths, found by the error on held-out examples.

    All open widths of an expression are the same multiple of the median distance that each has to do with:
    1, 1/2, 1/4, 1/8, and narrower ones as long as these do better. All that is tried with the columns as they
    are, and again with columns that are scaled to a standard deviation of 1; the better of both is taken, and
    in it the widest kernel within one standard error of the best. Takes about a second on one core: at most
    1,000 examples are compared.

    Parameters
    ----------
    kernel
        An expression.
    X
        Examples.
    codes
        The class of each, whole numbers from 0.
    seed
        Which of more than 1,000 examples are compared follows from it.
    """
    if not has_open_width(kernel):
        return kernel
    families = families_tried(kernel, X, codes, seed)
    return widest_of_best(min(families, key=lambda found: best_of(found).result.rank)).kernel


def families_tried(
    kernel: Kernel, X: Any, codes: Anything, seed: int = 0, sample: int = SAMPLE
) -> list[list[Candidate]]:
    """Return what was tried with the columns as they are and, where that is possible, with scaled ones."""
    chosen = chosen_rows(len(codes), sample, seed)
    some, labels = rows_of(X, chosen), np.unique(codes[chosen], return_inverse=True)[1]
    return [widths_tried(at, some, labels) for at in of_widths(kernel, X, some)]


def of_widths(kernel: Kernel, X: Any, some: Any) -> list[Callable[[float], Kernel]]:
    """Return functions from a number of median distances to the expression with such widths.

    The first leaves columns as they are; the second, where there are columns to scale, scales them.
    """
    closings = [_Closing(kernel, X, some, is_scaled) for is_scaled in (False, True)]
    return [closing.at for closing in closings if closing.is_of_use]


class _Closing:
    """Puts widths into an expression, each a multiple of a median distance that is computed once.

    Parameters
    ----------
    kernel
        The expression.
    X, some
        All examples, and those that are compared: columns are scaled by all, distances are those of some.
    is_scaled
        Whether kernels over rows become kernels over scaled columns.
    """

    def __init__(self, kernel: Kernel, X: Any, some: Any, is_scaled: bool) -> None:
        self.kernel, self.is_scaled = kernel, is_scaled
        self.medians: dict[Hashable, float] = {}
        self.factors: dict[Hashable, ScaledColumns] = {}
        self._measure(kernel, X, some, ())

    def _measure(self, kernel: Kernel, X: Any, some: Any, path: tuple[str, ...]) -> None:
        """Note the median distance that each open width has to do with, and the factors of its columns."""
        if not has_open_width(kernel):
            return
        X, some = kernel._seen_inside(X), kernel._seen_inside(some)
        for name, part in _named_parts(kernel):
            self._measure(part, X, some, (*path, name))
        if isinstance(kernel, OfDistance) and kernel.is_open:
            if self.is_scaled and kernel.over is None and kernel.base.domain in OF_NUMBERS:
                rows = matrix_of(X)
                if rows.shape[1] > 1 and (not is_sparse(rows) or rows.shape[1] <= rows.shape[0]):
                    self.factors[path] = standardizing(rows)
            inside = self._over(kernel, path, 1.0)
            self.medians[path] = median_distance(some, inside)

    @property
    def is_of_use(self) -> bool:
        """Whether there are columns to be scaled, if that is wanted."""
        return bool(self.factors) or not self.is_scaled

    def at(self, factor: float) -> Kernel:
        """Return the expression with widths of this many median distances."""
        return self._closed(self.kernel, (), factor)

    def _closed(self, kernel: Kernel, path: tuple[str, ...], factor: float) -> Kernel:
        if not has_open_width(kernel):
            return kernel
        if isinstance(kernel, OfDistance) and kernel.is_open:
            sigma = factor * self.medians[path]
            return kernel.replace(sigma=sigma, over=self._over(kernel, path, factor))
        inside = {name: self._closed(part, (*path, name), factor) for name, part in _named_parts(kernel)}
        return kernel.replace(**inside)

    def _over(self, kernel: OfDistance, path: tuple[str, ...], factor: float) -> Kernel | None:
        """Return the kernel whose features the distance is in."""
        if kernel.over is None:
            return self.factors.get(path)
        return self._closed(kernel.over, (*path, "over"), factor)


def _named_parts(kernel: Kernel) -> list[tuple[str, Kernel]]:
    """Return the kernels that an expression is made of, by the names of its parameters."""
    values = [(field.name, getattr(kernel, field.name)) for field in kernel._fields()]
    return [(name, value) for name, value in values if isinstance(value, Kernel)]
