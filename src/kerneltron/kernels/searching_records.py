"""The search for a kernel over records: one for each field, and sums where they help."""

from math import sqrt
from typing import Any

import numpy as np

from kerneltron._types import Anything
from kerneltron._validate import rows_of
from kerneltron.kernels.candidates import USUAL
from kerneltron.kernels.domains import fields_of
from kerneltron.kernels.gaussian import Gaussian
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.on import On, as_rows, column
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


def known_fields(X: Any) -> dict[str, str]:
    """Return what stands in each field that kernels can compare; raise where there is none."""
    fields = fields_of(X)
    if not fields:
        raise ValueError(
            "no field holds numbers, strings, trees or graphs in all records: give a kernel such as "
            "On('field', k)."
        )
    return fields


def records_compared(X: Any, fields: dict[str, str], most: int) -> int:
    """Return how many records to compare, by the sizes of what stands in their fields."""
    structures = {name: domain for name, domain in fields.items() if domain != "vectors"}
    return min([most, *(examples_compared(of, column(X, name), most) for name, of in structures.items())])


def search_records(X: Any, fields: dict[str, str], codes: Anything) -> list[Tried]:
    """Try kernels on each field, then sums of the best ones as long as these do better, and their powers.

    The best three of each field are looked for among a part of the records, which is smaller the more fields
    there are, and compared on all. Numbers are one field together: they are scaled, and compared by cosines
    and Gaussians.
    """
    few = max(FEWEST, int(len(codes) / sqrt(len(fields) + 1)))
    some, labels = rows_of(X, np.arange(len(codes))[:few]), np.unique(codes[:few], return_inverse=True)[1]
    groups: list[list[Kernel]] = [
        [On(name, kernel) for kernel in _best_three(domain, column(some, name), labels)]
        for name, domain in fields.items()
        if domain != "vectors"
    ]
    numbers = [name for name, domain in fields.items() if domain == "vectors"]
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


def _best_three(domain: str, values: Any, codes: Anything) -> list[Kernel]:
    judged = sorted(tried(USUAL[domain](values), values, codes), key=lambda each: each.squared)
    return [each.kernel for each in judged[:BEST]]


def _of_numbers(X: Any, names: list[str]) -> list[Kernel]:
    """Return kernels on fields of numbers, all of the same scale."""
    scaled: Kernel | None = None
    for name in names:
        one = On(name, standardizing(matrix_of(as_rows(column(X, name)))))
        scaled = one if scaled is None else scaled + one
    assert scaled is not None
    median = median_distance(X, scaled)
    return [scaled.normalized(), *(Gaussian(factor * median, over=scaled) for factor in FACTORS)]
