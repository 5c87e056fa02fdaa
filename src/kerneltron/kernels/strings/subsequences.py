"""Subsequences: symbols in order, with gaps between them."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from kerneltron._types import Floats
from kerneltron.engine.strings.subsequences import Diagonals, common_subsequences, own_subsequences
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.pack import Pack
from kerneltron.kernels.pair import Pair
from kerneltron.kernels.parameters import positive, whole
from kerneltron.kernels.strings.strings import both_sides, fill, strings
from kerneltron.kernels.threads import in_threads

MOST_SYMBOLS = 100_000  # of a string: two such take seconds


@dataclass(frozen=True, repr=False)
class Subsequences(Kernel):
    """k(x, z) = sum over sequences u of k symbols and its places i in x, j in z of decay^(span(i) + span(j)).

    The places rise but need not touch: "c-r" stands in "car" and in "core". A span runs from the first place
    to the last, so that gaps cost. A value takes O(k |x| |z|) time, k(x, x) too, and memory for
    O(k min(|x|, |z|)) numbers. Long strings have larger values than short ones: mostly one takes
    `Subsequences(k).normalized()`.

    Parameters
    ----------
    k
        The number of symbols, letters or tokens.
    decay
        What each symbol within a span multiplies the weight by, above 0 and at most 1.

    References
    ----------
    Lodhi, Saunders, Shawe-Taylor, Cristianini and Watkins (2002), Text classification using string kernels.

    Examples
    --------
    >>> from kerneltron.kernels import Subsequences
    >>> Subsequences(2, decay=0.5)(["cat"], ["car", "cat", "bat"])  # ca: 0.5^4; ca, at, c-t; at
    array([[0.0625  , 0.140625, 0.0625  ]])
    >>> Subsequences(2)([["to", "be", "or"]], [["to", "or"]])  # 0.5^(3 + 2)
    array([[0.03125]])
    """

    k: int
    decay: float = 0.5

    domain = "strings"

    def __post_init__(self) -> None:
        whole("k", self.k, 1)
        positive("decay", self.decay)
        if self.decay > 1:
            raise ValueError(f"decay={self.decay!r} must be at most 1.")

    def _fill(self, pack: Pack, X: Any) -> None:
        part = fill(pack, X)
        if part.longest > MOST_SYMBOLS:
            raise ValueError(
                f"X[{int(part.lengths.argmax())}] has {part.longest:,} symbols, and {self} takes up to "
                f"{MOST_SYMBOLS:,}, as it sets every symbol of one string beside every symbol of the other: "
                "cut the strings, or use Substrings() or Spectrum(k), which are linear in their length."
            )
        encoded, longest, squares = part.encoded(), part.longest, np.zeros(len(pack))

        def work(first: int, end: int) -> None:
            own_subsequences(
                encoded, first, end, float(self.decay), self._diagonals(longest, longest), squares
            )

        if self.k <= longest:
            in_threads(work, len(pack))
        pack.numbers[self] = squares

    def _diag(self, pack: Pack) -> Floats:
        return pack.numbers[self]

    def _block(self, pair: Pair) -> Floats:
        left, right = both_sides(pair)
        is_turned = len(pair.left) < len(pair.right)  # rows are shared between threads
        rows, others = (right, left) if is_turned else (left, right)
        block = np.zeros((rows.starts.size - 1, others.starts.size - 1))
        shorter, longer = sorted([strings(pair.left).longest, strings(pair.right).longest])

        def work(first: int, end: int) -> None:
            diagonals = self._diagonals(shorter, longer)
            common_subsequences(rows, others, first, end, float(self.decay), diagonals, block)

        if self.k <= shorter:
            in_threads(work, len(block))
        return np.ascontiguousarray(block.T if is_turned else block, pair.dtype)

    def _diagonals(self, shorter: int, longer: int) -> Diagonals:
        """Return new ones for two strings of at most this many symbols."""
        gains, reaches = np.empty((2, 2, int(self.k), shorter + 1))
        matches, ends = np.empty((2, shorter + 1))
        return Diagonals(gains, reaches, matches, ends, np.empty(longer, np.int32))
