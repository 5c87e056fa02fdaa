"""What kernel="auto" becomes for examples and labels."""

from typing import Any

import numpy as np

from kerneltron._types import Anything
from kerneltron._validate import is_sparse, rows_of
from kerneltron.kernels.candidates import DEGREES, USUAL
from kerneltron.kernels.distances import AUTO
from kerneltron.kernels.domains import domain_of
from kerneltron.kernels.gaussian import Gaussian
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.linear import Linear
from kerneltron.kernels.open_widths import families_tried, with_widths
from kerneltron.kernels.polynomial import Polynomial
from kerneltron.kernels.scaled_columns import ScaledColumns, standardizing
from kerneltron.kernels.searching import NONE, SAMPLE, Tried, best_of, examples_compared, search, tried
from kerneltron.kernels.searching_records import known_fields, records_compared, search_records
from kerneltron.kernels.trying import best_of as best_width
from kerneltron.kernels.trying import chosen_rows, widest_of_best
from kerneltron.kernels.vectors import matrix_of

LARGEST = 1e25  # mean squared length of rows whose products of four can be listed
FEWEST = 10  # examples that errors are compared for


def find_kernel(X: Any, codes: Anything, seed: int = 0) -> Kernel:
    """Return the kernel that suits examples, by the errors on held-out ones.

    All of strings, trees, graphs and records that `kernels.propose` tries. For rows of numbers the inner
    product, polynomials, and the Gaussian that `kernel="gaussian"` stands for. Takes 2 to 10 s of one core:
    at most 1,000 examples are compared, fewer where they are large, and never by the clock.

    Parameters
    ----------
    X
        Examples.
    codes
        The class of each, whole numbers from 0.
    seed
        Which examples are compared, where there are more, follows from it.
    """
    domain = domain_of(X)
    if len(codes) < FEWEST or len(np.unique(codes)) < 2:
        return first_kernel(domain, X, codes, seed)
    if domain == "vectors":
        return best_of(_of_vectors(X, codes, seed)).kernel
    return best_of(searched(domain, X, codes, seed)).kernel


def searched(domain: str, X: Any, codes: Anything, seed: int = 0, most: int = SAMPLE) -> list[Tried]:
    """Return all that was tried for structures, with at most this many examples."""
    some, labels = sampled(X, codes, compared(domain, X, most), seed)
    if domain == "records":
        return search_records(some, known_fields(X), labels)
    return search(domain, some, labels)


def compared(domain: str, X: Any, most: int = SAMPLE) -> int:
    """Return how many examples are compared, of more."""
    if domain == "records":
        return records_compared(X, most)
    return examples_compared(domain, X, most)


def sampled(X: Any, codes: Anything, most: int, seed: int) -> tuple[Any, Anything]:
    """Return at most this many examples, and their classes from 0."""
    chosen = chosen_rows(len(codes), most, seed)
    return rows_of(X, chosen), np.unique(codes[chosen], return_inverse=True)[1]


def first_kernel(domain: str, X: Any, codes: Anything, seed: int) -> Kernel:
    """Return a kernel where there are too few examples, or one class, to compare several."""
    if domain == "vectors":
        return with_widths(Gaussian(AUTO), X, codes, seed)
    if domain == "records":
        kernels = [
            with_widths(field.on(Gaussian(AUTO)), X, codes, seed)
            if field.domain == "vectors"
            else field.on(USUAL[field.domain](field.values(X))[2])
            for field in known_fields(X)
        ]
        return sum(kernels[1:], kernels[0])
    return USUAL[domain](X)[2]


def _of_vectors(X: Any, codes: Anything, seed: int) -> list[Tried]:
    """Return inner products, normalised polynomials, and the Gaussian that `with_widths` would find.

    Rows have the length 1 on average, whatever their scale: then the same C suits all of these kernels.
    """
    some, labels = sampled(X, codes, SAMPLE, seed)
    rows = matrix_of(X)
    plain: list[Kernel] = []
    if (factor := _inverse(Linear(), rows)) is not None:
        plain = [factor * Linear(), *(Polynomial(degree).normalized() for degree in DEGREES)]
    if not is_sparse(rows) or rows.shape[1] <= rows.shape[0]:
        # Columns of wide sparse rows that have not come yet would be left out for ever.
        scaled = standardizing(rows)
        if (factor := _inverse(scaled, rows)) is not None:
            plain.append(ScaledColumns(scaled.factors * np.sqrt(factor)))
    families = families_tried(Gaussian(AUTO), X, codes, seed)
    gaussian = widest_of_best(min(families, key=lambda found: best_width(found).result.rank))
    return [*tried(plain, some, labels), Tried(gaussian.kernel, gaussian.result, np.nan, NONE, 0.0)]


def _inverse(kernel: Kernel, rows: Any) -> float | None:
    """Return 1 over the mean of k(x, x), with four digits; None where that is out of all proportion."""
    try:
        mean = float(np.mean(kernel.diag(rows)))
    except ValueError:  # it overflows
        return None
    return float(f"{1 / mean:.4g}") if 1 / LARGEST < mean < LARGEST else None
