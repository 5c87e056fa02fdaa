"""The search for a kernel over records: one for each field, and sums where they help."""

from math import sqrt
from typing import Any

import numpy as np

from kerneltron._types import Anything
from kerneltron._validate import rows_of
from kerneltron.kernels.candidates import USUAL
from kerneltron.kernels.fields import Field, fields_of
from kerneltron.kernels.gaussian import Gaussian
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.linear import Linear
from kerneltron.kernels.scaled_columns import standardizing
from kerneltron.kernels.searching import (
    BEST,
    FEWEST,
    Tried,
    added,
    best_of,
    examples_compared,
    formed,
    tried,
)
from kerneltron.kernels.trying import FACTORS
from kerneltron.kernels.vectors import matrix_of
from kerneltron.kernels.width import median_distance


def known_fields(X: Any) -> list[Field]:
    """Return the fields to be compared; raise an error that names the first that cannot be."""
    found = fields_of(X)
    if found.errors:
        raise found.errors[0]
    if not found.used:
        raise ValueError(
            "no field holds numbers, dates, strings, trees or graphs: give a kernel such as On('field', k)."
        )
    return found.used


def records_compared(X: Any, most: int) -> int:
    """Return how many records to compare, by the sizes of what stands in their fields."""
    structures = [field for field in fields_of(X).used if field.domain != "vectors"]
    return min([most, *(examples_compared(field.domain, field.values(X), most) for field in structures)])


def search_records(X: Any, fields: list[Field], codes: Anything) -> list[Tried]:
    """Try kernels on each field, then sums of the best ones as long as these do better, and their powers.

    The best three of each field are looked for among a part of the records, which is smaller the more fields
    there are, and compared on all. Numbers are one field together: they are scaled, and compared by cosines
    and Gaussians.
    """
    few = max(FEWEST, int(len(codes) / sqrt(len(fields) + 1)))
    some, labels = rows_of(X, np.arange(len(codes))[:few]), np.unique(codes[:few], return_inverse=True)[1]
    groups: list[list[Kernel]] = [
        _best_three(field, some, labels) for field in fields if field.domain != "vectors"
    ]
    numbers = [field for field in fields if field.domain == "vectors"]
    if numbers:
        groups.append(_of_numbers(X, numbers))
    judged = [list(tried(group, X, codes)) for group in groups]
    found = [each for group in judged for each in group]
    best = sorted((best_of(group) for group in judged if group), key=lambda each: each.squared)
    current = best[0]
    for other in best[1:]:
        found.append(added(current, other, codes))
        current = best_of([current, found[-1]])
    return [*found, *formed(current, codes)]


def _best_three(field: Field, X: Any, codes: Anything) -> list[Kernel]:
    kernels = [field.on(kernel) for kernel in USUAL[field.domain](field.values(X))]
    judged = sorted(tried(kernels, X, codes), key=lambda each: each.squared)
    return [each.kernel for each in judged[:BEST]]


def _of_numbers(X: Any, fields: list[Field]) -> list[Kernel]:
    """Return kernels on fields of numbers, all of the same scale."""
    scaled: Kernel | None = None
    for field in fields:
        rows = field.on(Linear())._seen_inside(X)
        one = field.on(standardizing(matrix_of(rows)))
        scaled = one if scaled is None else scaled + one
    assert scaled is not None
    median = median_distance(X, scaled)
    return [scaled.normalized(), *(Gaussian(factor * median, over=scaled) for factor in FACTORS)]
