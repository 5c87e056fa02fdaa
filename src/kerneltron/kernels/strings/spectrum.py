"""Substrings of a given length, counted."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kerneltron.kernels.bags import Found
from kerneltron.kernels.counting import Counting
from kerneltron.kernels.parameters import truth, whole
from kerneltron.kernels.strings.reading import read, spelled
from kerneltron.kernels.strings.runs import find_runs, spans


@dataclass(frozen=True, repr=False)
class Spectrum(Counting):
    """k(x, z) = sum over strings s of length k of occ_x(s) occ_z(s): how often each occurs in both.

    Strings are alike that share many short pieces, wherever these stand. An example costs O(k length) once
    and holds at most one entry per symbol (`blended`: k); a value costs the pieces that both have.

    Parameters
    ----------
    k
        The length of the pieces, in letters or tokens.
    blended
        Count the pieces of all lengths from 1 to k.

    References
    ----------
    Leslie, Eskin and Noble (2002), The spectrum kernel: a string kernel for SVM protein classification.
    Shawe-Taylor and Cristianini (2004), Kernel Methods for Pattern Analysis, section 11.2.

    Examples
    --------
    >>> from kerneltron.kernels import Spectrum
    >>> Spectrum(2)(["abab", "bab", "cab"])  # ab twice and ba; ba and ab; ca and ab
    array([[5., 3., 2.],
           [3., 2., 1.],
           [2., 1., 2.]])
    >>> Spectrum(2, blended=True)([["to", "be", "or", "not"]], [["not", "to", "be"]])
    array([[4.]])
    """

    k: int
    blended: bool = False

    domain = "strings"

    def __post_init__(self) -> None:
        whole("k", self.k, 1)
        truth("blended", self.blended)

    def _find(self, X: Any) -> Found:
        symbols = read(X)
        return find_runs(symbols, *self._lengths(int(symbols.starts[-1])))

    def _names(self, x: Any, places: Sequence[int]) -> list[str]:
        return [spelled(x, *span) for span in spans(len(x), *self._lengths(len(x)), places)]

    def _lengths(self, symbols: int) -> tuple[int, int]:
        """Return those of the shortest and the longest pieces among this many symbols, in a machine word."""
        k = min(int(self.k), symbols + 1)
        return 1 if self.blended else k, k
