"""Widths of kernels such as Gaussian: multiples of the median distance, in the place of open ones."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from kerneltron._types import Floats
from kerneltron._validate import is_sparse
from kerneltron.kernels.after import After
from kerneltron.kernels.auto import has_open_width
from kerneltron.kernels.distances import OfDistance
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.linear import Linear
from kerneltron.kernels.scaled_columns import ScaledColumns, standardizing
from kerneltron.kernels.search.trying import Sample, Tried, evaluated, ranked
from kerneltron.kernels.vectors import matrix_of

FACTORS = (1.0, 0.5, 0.25, 0.125)  # of the median distance: widths that are always tried
NARROWEST = 1 / 64  # of the median distance: narrower ones are tried down to this while they do better
FAR, LARGEST = 1e5, 1e100  # times the usual distance from the centre: where rows are far, and the farthest
SAME = 1e-12  # squared distances below this, relative to the squared norms, are rounding

AtWidth = Callable[[float], Kernel]  # from a number of median distances to the kernel with such widths


def widths_tried(at: AtWidth, sample: Sample) -> list[Tried]:
    """Try a kernel with several widths, from the widest to narrower ones, as long as these do better."""
    found: list[Tried] = []
    factor = FACTORS[0]
    while factor in FACTORS or (factor >= NARROWEST and found[-1] is ranked(found)[0]):
        found.append(evaluated(at(factor), sample))
        factor /= 2
    return found


def closed(kernels: Iterable[Kernel], X: Any) -> Iterator[Kernel]:
    """Yield kernels, and for each with open widths those of several widths."""
    for kernel in kernels:
        if has_open_width(kernel):
            yield from (at(factor) for at in at_widths(kernel, X, X) for factor in FACTORS)
        else:
            yield kernel


def at_widths(kernel: Kernel, X: Any, some: Any) -> list[AtWidth]:
    """Return a kernel as a function of its open widths: all are the same multiple of their median distances.

    The first function leaves columns as they are; the second, where there are columns to scale, scales them.

    Parameters
    ----------
    kernel
        An expression with open widths.
    X, some
        All examples, and those that are compared: columns are scaled by all, distances are those of some.
    """
    plain, scaled = (_at_width(kernel, X, some, scales) for scales in (False, True))
    return [plain] if scaled(1.0) == plain(1.0) else [plain, scaled]


def _at_width(kernel: Kernel, X: Any, some: Any, scales: bool) -> AtWidth:
    if not has_open_width(kernel):
        return lambda factor: kernel
    X, some = kernel._seen_inside(X), kernel._seen_inside(some)
    parts = {name: _at_width(part, X, some, scales) for name, part in _named_parts(kernel)}
    if isinstance(kernel, OfDistance) and kernel.is_open:
        if scales and kernel.over is None and (columns := _columns_to_scale(X)) is not None:
            parts["over"] = lambda factor: columns
        median = median_distance(some, parts["over"](1.0) if parts else None)
        return lambda factor: kernel.replace(sigma=factor * median, **_at(parts, factor))
    return lambda factor: kernel.replace(**_at(parts, factor))


def _at(parts: dict[str, AtWidth], factor: float) -> dict[str, Kernel]:
    return {name: at(factor) for name, at in parts.items()}


def _columns_to_scale(X: Any) -> ScaledColumns | None:
    rows = matrix_of(X)
    return scaled_columns(rows) if rows.shape[1] > 1 and can_be_scaled(rows) else None


def can_be_scaled(rows: Any) -> bool:
    """Return whether there are enough rows to scale columns by.

    A column without entries so far is left out for ever. Sparse rows with more columns than rows, such as
    hashed ones, have many of these.
    """
    return not is_sparse(rows) or bool(rows.shape[1] <= rows.shape[0])


def scaled_columns(X: Any) -> ScaledColumns:
    """Return the inner product of rows with all columns brought to one scale."""
    return standardizing(matrix_of(X))


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
    inside = {name: with_widths_times(part, factor) for name, part in _named_parts(kernel)}
    return kernel.replace(**inside) if inside else kernel


def _named_parts(kernel: Kernel) -> list[tuple[str, Kernel]]:
    """Return the kernels that an expression is made of, by the names of its parameters."""
    values = [(field.name, getattr(kernel, field.name)) for field in kernel._fields()]
    return [(name, value) for name, value in values if isinstance(value, Kernel)]


def median_distance(X: Any, over: Kernel | None = None, quantile: float = 0.5) -> float:
    """Return the median, or another quantile, of the distances of examples that differ; 1.0 if none do."""
    kernel, unit = Linear() if over is None else over, 1.0
    pack = kernel.pack(X)
    if kernel._rows is not None:
        part: Any = pack.parts[kernel._rows]
        centred, unit = _centred(part.X)
        kernel, pack = Linear(), Linear().pack(centred)
    distances = squared_distances(kernel.gram(pack, pack))
    counts = np.triu(distances > 0, 1)
    return float(unit * np.sqrt(np.quantile(distances[counts], quantile))) if counts.any() else 1.0


def squared_distances(gram: Floats) -> Floats:
    """Return k(x, x) + k(z, z) - 2 k(x, z) for all pairs of a Gram matrix, 0 where only rounding is left."""
    gram = gram.astype(np.float64)
    norms = np.diag(gram)
    sums = norms[:, None] + norms[None, :]
    distances = sums - gram - gram.T
    distances[distances <= SAME * sums] = 0.0
    return distances


def _centred(X: Any) -> tuple[Any, float]:
    """Return rows in double precision whose distances lose no digits, and the unit they are measured in."""
    X = X.astype(np.float64)
    if is_sparse(X) or not min(X.shape):
        unit = float(abs(X).max()) if min(X.shape) else 0.0
        return (X / unit, unit) if unit > 0 else (X, 1.0)
    about_mean, about_median = X - X.mean(axis=0), X - np.median(X, axis=0)
    unit, usual = float(np.abs(about_mean).max()), float(np.median(np.abs(about_median).max(axis=1)))
    if unit > FAR * usual > 0:  # a few rows are so far away that beside them all others would be the same
        return np.clip(about_median / usual, -LARGEST, LARGEST), usual
    return (about_mean / unit, unit) if unit > 0 else (X, 1.0)
