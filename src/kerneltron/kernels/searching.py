"""The search for a kernel: many are tried, and of the best ones powers, exponentials and sums."""

from collections.abc import Iterable, Iterator
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from kerneltron._types import Anything, Floats
from kerneltron.kernels.candidates import USUAL, mean_size
from kerneltron.kernels.diagnosis import alignments
from kerneltron.kernels.held_out import HeldOut, held_out, symmetric_gram
from kerneltron.kernels.kernel import Kernel

SAMPLE = 1000  # examples that are compared, at most
FEWEST = 100  # of large ones: errors of fewer tell nothing
POWERS, SCALES = (2, 3), (2.0, 6.0, 12.0)  # of kernels, and in exponents
BEST = 3  # kernels whose powers and exponentials are tried
# Symbols in all pairs of strings, nodes of all trees, edges of all graphs: a Gram matrix takes a second.
MOST_SYMBOLS, MOST_NODES, MOST_EDGES = 2e8, 5e4, 2e5
NONE: Floats = np.empty((0, 0))
ALIKE = 0.01  # relative, of squared errors that do not tell kernels apart


class Tried(NamedTuple):
    """A kernel, what it gets wrong, its centred alignment, its Gram matrix, and what these took.

    The matrix is in single precision, and kept only where more is made of it.
    """

    kernel: Kernel
    result: HeldOut
    alignment: float
    gram: Floats
    seconds: float

    @property
    def family(self) -> type:
        """The kind of kernel inside of the outermost normalisation."""
        return type(getattr(self.kernel, "base", self.kernel))

    @property
    def squared(self) -> float:
        """The squared error, infinite where there is none: it is steadier than the error itself."""
        return np.inf if np.isnan(self.result.squared) else self.result.squared


def examples_compared(domain: str, X: Any, most: int = SAMPLE) -> int:
    """Return how many examples to compare, by their sizes.

    Not by the clock: the same examples give the same kernel on any machine.
    """
    if domain == "vectors":
        return most
    size = max(mean_size(domain, X), 1.0)
    fitting = {"strings": np.sqrt(MOST_SYMBOLS / size), "trees": MOST_NODES / size}
    return int(np.clip(fitting.get(domain, MOST_EDGES / size), min(FEWEST, most), most))


def tried(kernels: Iterable[Kernel], X: Any, codes: Anything) -> Iterator[Tried]:
    """Yield kernels with what they get wrong; those whose numbers overflow are left out."""
    for kernel in kernels:
        began = perf_counter()
        try:
            gram = symmetric_gram(kernel, X)
        except ValueError:
            continue
        yield _judged(kernel, gram, codes, began)


def search(domain: str, X: Any, codes: Anything) -> list[Tried]:
    """Try the usual kernels for structures; then powers, exponentials and a sum of the best ones.

    The sum is that of the best kernels of the two best families, such as Weisfeiler-Lehman and shortest
    paths. Gram matrices are computed once: all others follow from them.
    """
    found = list(tried(USUAL[domain](X), X, codes))
    if not found:
        return found
    best = sorted(found, key=lambda each: each.squared)
    chosen = best[:BEST]
    rival = next((each for each in best if each.family != best[0].family), None)
    if rival is not None:
        chosen.append(added(best[0], rival, codes))
        found.append(chosen[-1])
    found += [one for each in chosen for one in formed(each, codes)]
    taken = best_of(found)
    return [each if each is taken else each._replace(gram=NONE) for each in found]


def added(first: Tried, second: Tried, codes: Anything) -> Tried:
    """Return the sum of two kernels, normalised, from their Gram matrices."""
    began = perf_counter()
    total = first.gram.astype(np.float64) + second.gram
    lengths = np.sqrt(np.diag(total))
    inverse = np.divide(1, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    kernel = (first.kernel + second.kernel).normalized()
    return _judged(kernel, total * inverse * inverse[:, None], codes, began)


def formed(each: Tried, codes: Anything) -> Iterator[Tried]:
    """Yield powers and exponentials of a normalised kernel, from its Gram matrix.

    They see several features at once. exp(c k), normalised, is the Gaussian of the distance in its features.
    """
    for power in POWERS:
        began = perf_counter()
        yield _judged(each.kernel**power, each.gram**power, codes, began)
    half = np.diag(each.gram) / np.float32(2)
    for scale in SCALES:
        began = perf_counter()
        gram = np.exp(scale * (each.gram - half - half[:, None]))
        yield _judged((scale * each.kernel).exp().normalized(), gram, codes, began)


def _judged(kernel: Kernel, gram: Floats, codes: Anything, began: float) -> Tried:
    result = held_out(gram, codes)
    alignment = alignments(gram / (np.max(np.abs(gram)) or 1.0), codes, shuffles=0)[0]
    return Tried(kernel, result, alignment, gram.astype(np.float32), perf_counter() - began)


def best_of(found: Iterable[Tried]) -> Tried:
    """Return the kernel to take: the one with the least squared error, of equal ones the simplest.

    Only those within a standard error of the least error are looked at; where nothing is wrong, only those
    that get nothing wrong, of which the simplest is taken.
    """
    rows = list(found)
    least = min(rows, key=lambda each: each.result.rank).result
    if np.isnan(least.error):
        return rows[0]
    beyond = least.standard_error if least.error else 0.0
    near = [each for each in rows if each.result.error <= least.error + beyond]
    squared = min(each.squared for each in near) if least.error else np.inf
    alike = [each for each in near if each.squared <= (1 + ALIKE) * squared]
    return min(alike, key=lambda each: (complexity(each.kernel), each.squared))


def complexity(kernel: Kernel) -> int:
    """Return how many kernels an expression is made of."""
    return 1 + sum(map(complexity, kernel._parts()))
