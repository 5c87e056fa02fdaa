"""Kernels that another one has to be compared with, before it may be said to suit the data."""

from collections.abc import Iterator
from typing import Any

from kerneltron._validate import is_sparse
from kerneltron.kernels.after import After
from kerneltron.kernels.distances import OfDistance
from kerneltron.kernels.gaussian import Gaussian
from kerneltron.kernels.kernel import OF_NUMBERS, Kernel
from kerneltron.kernels.linear import Linear
from kerneltron.kernels.scaled_columns import standardizing
from kerneltron.kernels.vectors import matrix_of
from kerneltron.kernels.width import median_distance

WIDTHS = (0.125, 0.25, 0.5, 2.0, 4.0)  # of the widths that a kernel has


def rivals(kernel: Kernel, X: Any) -> list[Kernel]:
    """Return the kernel with other widths and with scaled columns, normalised, the inner product, a Gaussian.

    Parameters
    ----------
    kernel
        An expression.
    X
        Some of the examples that it is for: scales and median distances are theirs.
    """
    found = [with_widths_times(kernel, factor) for factor in WIDTHS] if list(of_distances(kernel)) else []
    if kernel.domain in OF_NUMBERS:
        rows = matrix_of(X)
        found.append(Linear())
        if not isinstance(kernel, OfDistance):
            found.append(Gaussian(_shortened(median_distance(rows))))
        elif kernel.base == Linear() and not is_sparse(rows):
            scaled = standardizing(rows)
            change = median_distance(rows, scaled) / median_distance(rows)
            found.append(kernel.replace(sigma=_shortened(float(kernel.sigma) * change), over=scaled))
    if not isinstance(kernel, OfDistance):
        found.append(kernel.normalized())
    return [rival for rival in found if rival != kernel]


def of_distances(kernel: Kernel) -> Iterator[OfDistance]:
    """Yield the kernels with a width in an expression, but for those that see other examples than it does."""
    if isinstance(kernel, OfDistance):
        yield kernel
    elif not isinstance(kernel, After):
        for part in kernel._parts():
            yield from of_distances(part)


def with_widths_times(kernel: Kernel, factor: float) -> Kernel:
    """Return the expression with all widths, but for those inside of distances, this many times as large."""
    if isinstance(kernel, OfDistance):
        return kernel.replace(sigma=factor * float(kernel.sigma))
    inside = {
        field.name: with_widths_times(part, factor)
        for field in kernel._fields()
        if isinstance(part := getattr(kernel, field.name), Kernel)
    }
    return kernel.replace(**inside) if inside else kernel


def _shortened(sigma: float) -> float:
    """Return a width with four digits, which are enough for a comparison."""
    return float(f"{sigma:.4g}")
