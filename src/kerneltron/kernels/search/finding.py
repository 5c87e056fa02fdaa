"""What kernel="auto" and open widths become for examples and labels, and the search itself."""

from collections.abc import Iterable, Iterator, Sequence
from math import sqrt
from time import perf_counter
from typing import Any

import numpy as np

from kerneltron._types import Anything
from kerneltron.kernels.auto import Auto, has_open_width
from kerneltron.kernels.distances import AUTO
from kerneltron.kernels.domains import domain_of
from kerneltron.kernels.fields import Field, fields_of
from kerneltron.kernels.gaussian import Gaussian
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.search.candidates import USUAL, of_numbers, of_unit_length
from kerneltron.kernels.search.trying import (
    FEWEST_LARGE,
    Sample,
    Tried,
    best_of,
    compared,
    evaluated,
    judged,
    ranked,
    sample_of,
    tried,
    widest_of_best,
)
from kerneltron.kernels.search.widths import at_widths, widths_tried

FEWEST = 10  # examples that kernels are compared by
POWERS, SCALES = (2, 3), (2.0, 6.0, 12.0)  # of kernels, and in exponents
BEST = 3  # kernels whose powers and exponentials are tried


def find_kernel(requested: Kernel, X: Any, codes: Anything, seed: int = 0) -> Kernel:
    """Return the kernel that was requested, with what is "auto" in it found by errors on held-out examples.

    kernel="auto" becomes, for strings, trees, graphs and records, the best of all that `kernels.propose`
    tries; for rows of numbers the best of the inner product, polynomials, and the Gaussian that
    `kernel="gaussian"` stands for. Takes 2 to 10 s of one core: at most 1,000 examples are compared, fewer
    where they are large, and never by the clock.

    Open widths of an expression are all the same multiple of the median distance that each has to do with: 1,
    1/2, 1/4, 1/8, and narrower ones as long as these do better. All that is tried with the columns as they
    are, and again with columns that are scaled to a standard deviation of 1; the better of both is taken, and
    in it the widest kernel within one standard error of the best. Takes about a second on one core.

    Parameters
    ----------
    requested
        An expression.
    X
        Examples.
    codes
        The class of each, whole numbers from 0.
    seed
        Which examples are compared, where there are more, follows from it.
    """
    if not has_open_width(requested):
        return requested
    if not isinstance(requested, Auto):
        return _with_widths(requested, sample_of(X, codes, seed=seed)).kernel
    domain = domain_of(X)
    if len(codes) < FEWEST or len(np.unique(codes)) < 2:
        return first_kernel(domain, X, codes, seed)
    sample = sample_of(X, codes, compared(domain, X), seed)
    return best_of(searched(domain, sample)).kernel


def first_kernel(domain: str, X: Any, codes: Anything, seed: int) -> Kernel:
    """Return a kernel where there are too few examples, or one class, to compare several."""
    if domain == "vectors":
        return find_kernel(Gaussian(AUTO), X, codes, seed)
    if domain != "records":
        return USUAL[domain](X)[2]
    kernels: list[Kernel] = []
    for field in known_fields(X):
        of_field = Gaussian(AUTO) if field.domain == "vectors" else USUAL[field.domain](field.values(X))[2]
        kernels.append(find_kernel(field.on(of_field), X, codes, seed))
    return sum(kernels[1:], kernels[0])


def searched(domain: str, sample: Sample) -> list[Tried]:
    """Return all kernels that were tried for examples of this domain."""
    if domain == "vectors":
        return [*tried(of_unit_length(sample.X), sample), _with_widths(Gaussian(AUTO), sample)]
    if domain == "records":
        return _searched_by_field(known_fields(sample.X), sample)
    return _searched_structures(USUAL[domain](sample.some), sample)


def _with_widths(kernel: Kernel, sample: Sample) -> Tried:
    """Return a kernel with the best widths, over columns as they are or scaled ones."""
    families = [widths_tried(at, sample) for at in at_widths(kernel, sample.X, sample.some)]
    return widest_of_best(min(families, key=lambda found: ranked(found)[0].rank))


def _searched_structures(usual: list[Kernel], sample: Sample) -> list[Tried]:
    """Try the usual kernels for structures; then powers, exponentials and a sum of the best ones.

    The sum is that of the best kernels of the two best families, such as Weisfeiler-Lehman and shortest
    paths. Gram matrices are computed once: all others follow from them.
    """
    found = _some_tried(usual, sample)
    best = _by_squares(found)
    chosen = best[:BEST]
    rival = next((each for each in best if _family(each) != _family(best[0])), None)
    if rival is not None:
        chosen.append(_added(best[0], rival, sample))
        found.append(chosen[-1])
    return [*found, *(one for each in chosen for one in _formed(each, sample))]


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


def _searched_by_field(fields: list[Field], sample: Sample) -> list[Tried]:
    """Try kernels on each field, then sums of the best ones as long as these do better, and their powers.

    The best three of each field are looked for among a part of the records, which is smaller the more fields
    there are, and compared on all. Numbers are one field together: they are scaled, and compared by cosines
    and Gaussians.
    """
    part = sample.first(max(FEWEST_LARGE, int(len(sample.codes) / sqrt(len(fields) + 1))))
    groups = [_best_of_field(field, part) for field in fields if field.domain != "vectors"]
    numbers = [field for field in fields if field.domain == "vectors"]
    if numbers:
        groups.append(of_numbers(sample.some, numbers))
    by_group = [_some_tried(group, sample) for group in groups]
    found = [each for group in by_group for each in group]
    best = _by_squares(best_of(group) for group in by_group)
    current = best[0]
    for other in best[1:]:
        found.append(_added(current, other, sample))
        current = best_of([current, found[-1]])
    return [*found, *_formed(current, sample)]


def _best_of_field(field: Field, sample: Sample) -> list[Kernel]:
    kernels = [field.on(kernel) for kernel in USUAL[field.domain](field.values(sample.some))]
    return [each.kernel for each in _by_squares(_some_tried(kernels, sample))[:BEST]]


def _some_tried(kernels: Sequence[Kernel], sample: Sample) -> list[Tried]:
    """Try kernels; where none can compare the examples, raise the error of the first."""
    return tried(kernels, sample) or [evaluated(kernels[0], sample)]


def _by_squares(found: Iterable[Tried]) -> list[Tried]:
    return sorted(found, key=lambda each: each.squared)


def _family(each: Tried) -> type:
    """Return the kind of kernel inside of the outermost normalisation."""
    return type(getattr(each.kernel, "base", each.kernel))


def _added(first: Tried, second: Tried, sample: Sample) -> Tried:
    """Return the sum of two kernels, normalised, from their Gram matrices."""
    began = perf_counter()
    total = first.gram.astype(np.float64) + second.gram
    lengths = np.sqrt(np.diag(total))
    inverse = np.divide(1, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    kernel = (first.kernel + second.kernel).normalized()
    return judged(kernel, total * inverse * inverse[:, None], sample, began)


def _formed(each: Tried, sample: Sample) -> Iterator[Tried]:
    """Yield powers and exponentials of a normalised kernel, from its Gram matrix.

    They see several features at once. exp(c k), normalised, is the Gaussian of the distance in its features.
    """
    for power in POWERS:
        began = perf_counter()
        yield judged(each.kernel**power, each.gram**power, sample, began)
    half = np.diag(each.gram) / np.float32(2)
    for scale in SCALES:
        began = perf_counter()
        gram = np.exp(scale * (each.gram - half - half[:, None]))
        yield judged((scale * each.kernel).exp().normalized(), gram, sample, began)
