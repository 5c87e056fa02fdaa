"""Kernels that sum over pairs of nodes, one of each tree, with the same label or production."""

from abc import abstractmethod
from functools import partial
from typing import Any

import numpy as np

from kerneltron._matrices import frozen
from kerneltron._types import Floats, Integers
from kerneltron.engine.trees.grouping import Groups
from kerneltron.engine.trees.walking import compare, compare_own, find_peaks
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.pack import Pack
from kerneltron.kernels.pair import Pair
from kerneltron.kernels.threads import in_threads
from kerneltron.kernels.trees.forest import Codes, Forest
from kerneltron.kernels.trees.trees import KEY, Trees
from kerneltron.kernels.trees.working_arrays import grouped, groups_in, search_in, shape_of, walk_arrays

MOST_KEPT = 2**22  # numbers of one thread; where more are needed, the right side is cut into halves
LEAST_PAIRS = 4096  # pairs of trees that are worth a thread: a pair takes 0.1 us
LEAST_OWN = 256  # trees, each compared with itself, that are worth a thread: one takes 3 us


class Comparing(Kernel):
    """k(x, z) = sum over nodes n of x and m of z of Delta(n, m), which is 0 unless their codes are equal."""

    domain = "trees"

    @abstractmethod
    def _codes(self, forest: Forest) -> Codes:
        """Return what must be equal of two nodes."""

    @abstractmethod
    def _rule(self, largest: int, widest: int) -> Any:
        """Return Delta for trees of at most `largest` nodes, with at most `widest` children each."""

    def _fill(self, pack: Pack, X: Any) -> None:
        pack.add(KEY, lambda: Trees.of(X))

    def _diag(self, pack: Pack) -> Floats:
        trees: Any = pack.parts[KEY]
        rule, codes = self._rule(trees.largest, trees.forest.widest), self._codes(trees.forest)
        out = np.empty(len(trees))
        in_threads(lambda i, j: compare_each(rule, trees[i:j], codes, out[i:j]), out.size, LEAST_OWN)
        return out

    def _block(self, pair: Pair) -> Floats:
        left: Any = pair.left.parts[KEY]
        right: Any = pair.right.parts[KEY]
        out = np.empty(pair.shape)
        if out.size:
            rule = self._rule(min(left.largest, right.largest), max(left.forest.widest, right.forest.widest))
            codes = self._codes(right.forest)
            compare_all(rule, left, translated(self._codes(left.forest), codes), right, codes, out)
        return out.astype(pair.dtype, copy=False)


def compare_each(rule: Any, trees: Trees, codes: Codes, out: Floats) -> None:
    """Write the value of each tree with itself to `out`."""
    shape, roots = shape_of(trees.forest, codes), frozen(trees.roots, np.int32)
    search, groups = search_in(shape), groups_in(shape, len(codes.vocabulary))
    width, widest, peaks = width_of(rule), trees.forest.widest, np.zeros(len(trees.forest), np.int64)
    done, kept = 0, 1024
    while done < roots.size:
        arrays = walk_arrays(shape, groups, kept, widest, width)
        done += compare_own(rule, shape, roots[done:], search, groups, peaks, arrays, out[done:])
        if done < roots.size:
            kept = 2 * int(peaks[roots[done]])


def compare_all(rule: Any, left: Trees, own: Codes, right: Trees, codes: Codes, out: Floats) -> None:
    """Write the values of all pairs of trees to `out`; the codes of both sides are of one vocabulary."""
    shape, other = shape_of(left.forest, own), shape_of(right.forest, codes)
    roots, others = frozen(left.roots, np.int32), frozen(right.roots, np.int32)
    width, widest, peaks = width_of(rule), left.forest.widest, np.empty(len(left.forest), np.int64)
    pieces = [(0, len(right))]
    while pieces:
        first, end = pieces.pop()
        groups, places = grouped(other, others[first:end], len(codes.vocabulary))
        find_peaks(shape, groups, peaks)
        kept = int(peaks[roots].max())
        if kept * width > MOST_KEPT and end - first > 1:
            middle = (first + end) // 2
            pieces += [(first, middle), (middle, end)]
            continue

        def work(low: int, high: int, column: int, groups: Groups, places: Integers, kept: int) -> None:
            arrays = walk_arrays(shape, groups, kept, widest, width)
            compare(rule, shape, roots[low:high], groups, places, arrays, column, out[low:high])

        share = partial(work, column=first, groups=groups, places=places, kept=kept)
        in_threads(share, len(left), max(1, LEAST_PAIRS // (end - first)))


def translated(own: Codes, others: Codes) -> Codes:
    """Return the codes of nodes in another vocabulary, -1 for what it does not have."""
    if own is others:
        return own
    new = np.append(others.vocabulary.codes(own.vocabulary.ids), np.int32(-1))
    return Codes(new[own.of_nodes], others.vocabulary)


def width_of(rule: Any) -> int:
    """Return how many numbers a rule keeps of a pair of nodes."""
    return int(getattr(rule, "size", 1))
