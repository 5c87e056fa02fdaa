"""Substrings that two strings have at the same position."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kerneltron._types import Floats
from kerneltron.engine.strings.degrees import weigh_runs
from kerneltron.kernels.bags import Found
from kerneltron.kernels.listing import Listing
from kerneltron.kernels.pack import Pack
from kerneltron.kernels.pair import Pair
from kerneltron.kernels.parameters import whole
from kerneltron.kernels.strings.reading import read, spelled
from kerneltron.kernels.strings.runs import find_runs, sizes, spans
from kerneltron.kernels.strings.strings import both_sides, fill, strings
from kerneltron.kernels.threads import in_threads


@dataclass(frozen=True, repr=False)
class WeightedDegree(Listing):
    """k(x, z) = sum over d = 1..k of beta_d times the positions l with x[l:l+d] = z[l:l+d].

    beta_d = 2 (k - d + 1) / (k (k + 1)), 1 in all. Strings are alike where they have the same pieces at the
    same positions: for sequences that are aligned, as around a splice site. A run of r equal symbols that
    ends at a position adds r (2k + 1 - r) / (k (k + 1)) there (r at most k), so a value costs O(length),
    whatever k is. Strings of different lengths are compared as far as both go.

    Parameters
    ----------
    k
        The length of the longest pieces. With k = 1, the number of equal positions.

    References
    ----------
    Rätsch and Sonnenburg (2004), Accurate splice site prediction for C. elegans, in Kernel Methods in
    Computational Biology. Sonnenburg, Rätsch and Rieck (2007), Large scale learning with string kernels.

    Examples
    --------
    >>> from kerneltron.kernels import WeightedDegree
    >>> WeightedDegree(1)(["GATTACA"], ["GATTACA", "GACTATA", "ATTACAG"])
    array([[7., 5., 1.]])
    >>> WeightedDegree(2)(["GATTACA"], ["GATTACA", "GACTATA"]).round(3)  # 7 2/3 + 6 / 3, 5 2/3 + 2 / 3
    array([[6.667, 4.   ]])
    """

    k: int

    domain = "strings"

    def __post_init__(self) -> None:
        whole("k", self.k, 1)

    def _fill(self, pack: Pack, X: Any) -> None:
        fill(pack, X)  # and no features, of which there are k for each symbol

    def _diag(self, pack: Pack) -> Floats:
        n, k = strings(pack).lengths.astype(np.float64), float(self.k)
        m = np.minimum(n, k)  # runs of 1 to m, then all of k
        runs = m * (m + 1) / 2 + (n - m) * k
        squares = m * (m + 1) * (2 * m + 1) / 6 + (n - m) * k * k
        diagonal: Floats = ((2 * k + 1) * runs - squares) / (k * (k + 1))
        return diagonal

    def _block(self, pair: Pair) -> Floats:
        left, right = both_sides(pair)
        block, k = np.empty(pair.shape), float(self.k)
        longest = min(int(self.k), strings(pair.left).longest + 1)

        def work(first: int, end: int) -> None:
            weigh_runs(left, right, first, end, longest, 2 * k + 1, block)

        in_threads(work, len(block))
        block /= k * (k + 1)
        return block.astype(pair.dtype, copy=False)

    def _find(self, X: Any) -> Found:
        symbols = read(X)
        k = min(int(self.k), symbols.starts[-1] + 1)
        found = find_runs(symbols, 1, k, placed=True)
        degrees = [sizes(length, k) for length in symbols.lengths.tolist()]
        degree = np.concatenate([np.zeros(0), *degrees])
        weights = np.sqrt(2 * (self.k - degree + 1) / (float(self.k) * (self.k + 1)))
        return found._replace(weights=weights)

    def _names(self, x: Any, places: Sequence[int]) -> list[str]:
        where = spans(len(x), 1, min(int(self.k), len(x) + 1), places)
        return [f"{first}:{spelled(x, first, end)}" for first, end in where]
