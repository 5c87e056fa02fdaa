"""Kernels that are tried on a sample of the examples, and which of them to take."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from kerneltron._types import Anything, Floats, Integers
from kerneltron._validate import rows_of
from kerneltron.kernels.fields import fields_of
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.search.held_out import alignments, held_out, symmetric_gram

# Examples that are compared: trying four widths takes about half a second on one core, however many examples
# there are, and what is chosen does not depend on how quick the machine is.
SAMPLE = 1000
FEWEST_LARGE = 100  # of large examples: errors of fewer tell nothing
# Symbols in all pairs of strings, nodes of all trees, edges of all graphs: a Gram matrix takes a second.
MOST_SYMBOLS, MOST_NODES, MOST_EDGES = 2e8, 5e4, 2e5
ALIKE = 0.01  # relative, of squared errors that do not tell kernels apart


class Sample(NamedTuple):
    """Examples that kernels are compared by: `some` of all of `X`, and the class of each from 0.

    Alignments are computed where a table shows them: they take a third of the time of the errors.
    """

    X: Any
    some: Any
    codes: Anything
    with_alignments: bool = False

    def first(self, count: int) -> "Sample":
        """Return the sample of no more than this many."""
        some, labels = rows_of(self.some, np.arange(len(self.codes))[:count]), self.codes[:count]
        return self._replace(some=some, codes=np.unique(labels, return_inverse=True)[1])


class Tried(NamedTuple):
    """A kernel, its held-out error with the standard error, its centred alignment, and what it took.

    `squared` is the squared held-out error, infinite where there is none: it is steadier than the error.
    `gram` is in single precision, and not kept in results.
    """

    kernel: Kernel
    error: float
    standard_error: float
    alignment: float = np.nan
    seconds: float = 0.0
    squared: float = np.inf
    gram: Any = None

    @property
    def rank(self) -> tuple[float, float]:
        """What is smaller for better kernels; infinite where there is no error."""
        return np.inf if np.isnan(self.error) else self.error, self.squared


def sample_of(
    X: Any, codes: Anything, most: int = SAMPLE, seed: int = 0, with_alignments: bool = False
) -> Sample:
    """Return at most this many of the examples, drawn at random."""
    chosen = chosen_rows(len(codes), most, seed)
    labels = np.unique(codes[chosen], return_inverse=True)[1]
    return Sample(X, rows_of(X, chosen), labels, with_alignments)


def chosen_rows(total: int, most: int, seed: int) -> Integers:
    """Return the places of at most `most` examples, drawn at random, in their order."""
    if total <= most:
        return np.arange(total)
    return np.sort(np.random.default_rng(seed).choice(total, most, replace=False))


def compared(domain: str, X: Any, most: int = SAMPLE) -> int:
    """Return how many examples are compared, by their sizes, or by those of what stands in fields of records.

    Not by the clock: the same examples give the same kernel on any machine.
    """
    if domain == "vectors":
        return most
    if domain == "records":
        structures = [field for field in fields_of(X).used if field.domain != "vectors"]
        return min([most, *(compared(field.domain, field.values(X), most) for field in structures)])
    size = max(mean_size(domain, X), 1.0)
    fitting = {"strings": np.sqrt(MOST_SYMBOLS / size), "trees": MOST_NODES / size}
    return int(np.clip(fitting.get(domain, MOST_EDGES / size), min(FEWEST_LARGE, most), most))


def mean_size(domain: str, X: Any) -> float:
    """Return how many symbols, nodes or edges an example has on average."""
    return float(np.mean([_size(domain, x) for x in X])) if len(X) else 0.0


def _size(domain: str, x: Any) -> int:
    if domain == "trees":
        return str(x).count("(") + str(x).count(" ")
    if domain == "graphs":
        return len(x[0]) if isinstance(x, tuple | list) else int(x.number_of_edges())
    return len(x)


def tried(kernels: Iterable[Kernel], sample: Sample) -> list[Tried]:
    """Evaluate kernels; those whose numbers overflow are left out."""
    found = []
    for kernel in kernels:
        with suppress(ValueError):
            found.append(evaluated(kernel, sample))
    return found


def evaluated(kernel: Kernel, sample: Sample) -> Tried:
    """Return what a kernel gets wrong; raise where its numbers overflow."""
    began = perf_counter()
    return judged(kernel, symmetric_gram(kernel, sample.some), sample, began)


def judged(kernel: Kernel, gram: Floats, sample: Sample, began: float) -> Tried:
    """Return what a kernel with this Gram matrix gets wrong; `began` is when its computation began."""
    error, standard_error, squared = held_out(gram, sample.codes)
    alignment = np.nan
    if sample.with_alignments:
        alignment = alignments(gram / (np.max(np.abs(gram)) or 1.0), sample.codes, shuffles=0)[0]
    with np.errstate(over="ignore"):  # more is made of normalised kernels alone
        kept = gram.astype(np.float32)
    return Tried(kernel, error, standard_error, alignment, perf_counter() - began, squared, kept)


def ranked(found: Iterable[Tried]) -> list[Tried]:
    """Return kernels by their errors, the least first; of equal ones by their squared errors."""
    return sorted(found, key=lambda each: each.rank)


def best_of(found: Sequence[Tried]) -> Tried:
    """Return the kernel to take: the one with the least squared error, of equal ones the simplest.

    Only those within a standard error of the least error are looked at; where nothing is wrong, only those
    that get nothing wrong, of which the simplest is taken.
    """
    least = ranked(found)[0]
    if np.isnan(least.error):
        return found[0]
    near = _within(found, least.error + (least.standard_error if least.error else 0.0))
    squared = min(each.squared for each in near) if least.error else np.inf
    alike = [each for each in near if each.squared <= (1 + ALIKE) * squared]
    return min(alike, key=lambda each: (complexity(each.kernel), each.squared))


def widest_of_best(found: Sequence[Tried]) -> Tried:
    """Return, of kernels with ever narrower widths, the first within one standard error of the least error.

    Smoother kernels generalise better where errors cannot tell: on 21 sets of data, machines were then within
    10 % or two standard errors of the best of a grid on 90 %, compared with 76 % with the least error itself.
    """
    least = ranked(found)[0]
    return next(iter(_within(found, least.error + least.standard_error)), found[0])


def complexity(kernel: Kernel) -> int:
    """Return how many kernels an expression is made of."""
    return 1 + sum(map(complexity, kernel._parts()))


def _within(found: Iterable[Tried], error: float) -> list[Tried]:
    return [each for each in found if each.error <= error]
