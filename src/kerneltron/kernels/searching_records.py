"""The search for a kernel over records: one for each field, and sums where they help."""

from math import sqrt
from typing import Any

from kerneltron._types import Anything
from kerneltron.kernels.domains import fields_of
from kerneltron.kernels.gaussian import Gaussian
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.on import On, as_rows, column
from kerneltron.kernels.scaled_columns import standardizing
from kerneltron.kernels.searching import Tried, added, best_of, examples_compared, formed, search, tried
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
    """Return how many records to compare: fewer where there are several fields."""
    structures = {name: domain for name, domain in fields.items() if domain != "vectors"}
    fitting = [examples_compared(domain, column(X, name), most) for name, domain in structures.items()]
    return int(min([most, *fitting]) / sqrt(max(len(structures), 1)))


def search_records(X: Any, fields: dict[str, str], codes: Anything) -> list[Tried]:
    """Try kernels on each field, then sums of the best ones as long as these do better, and their powers.

    Numbers are one field together: they are scaled, and compared by cosines and Gaussians.
    """
    groups = [
        [each._replace(kernel=On(name, each.kernel)) for each in search(domain, column(X, name), codes)]
        for name, domain in fields.items()
        if domain != "vectors"
    ]
    numbers = [name for name, domain in fields.items() if domain == "vectors"]
    if numbers:
        groups.append(list(tried(_of_numbers(X, numbers), X, codes)))
    best = sorted((best_of(group) for group in groups if group), key=lambda each: each.result.rank)
    sums = []
    current = best[0]
    for other in best[1:]:
        sums.append(added(current, other, codes))
        current = best_of([current, sums[-1]])
    further = formed(current, codes) if current in sums else []
    return [*(each for group in groups for each in group), *sums, *further]


def _of_numbers(X: Any, names: list[str]) -> list[Kernel]:
    """Return kernels on fields of numbers, all of the same scale."""
    scaled: Kernel | None = None
    for name in names:
        one = On(name, standardizing(matrix_of(as_rows(column(X, name)))))
        scaled = one if scaled is None else scaled + one
    assert scaled is not None
    median = median_distance(X, scaled)
    return [scaled.normalized(), *(Gaussian(factor * median, over=scaled) for factor in FACTORS)]
