"""Substrings of a given length, counted where they nearly occur."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from math import comb
from typing import Any

import numpy as np

from kerneltron._types import Floats, Integers
from kerneltron.engine.strings.neighbours import Neighbours, Words, find_neighbours, share_out
from kerneltron.kernels.bags import Found
from kerneltron.kernels.counting import Counting
from kerneltron.kernels.parameters import whole
from kerneltron.kernels.ragged import Ragged, starts_of
from kerneltron.kernels.strings.reading import read
from kerneltron.kernels.strings.strings import Codes
from kerneltron.kernels.threads import in_threads
from kerneltron.kernels.vocabulary import Vocabulary

MOST_NEIGHBOURS = 20_000  # of one piece


@dataclass(frozen=True, repr=False)
class Mismatch(Counting):
    """k(x, z) = sum over words b of k letters of near_x(b) near_z(b), how many pieces are nearly b.

    These are the pieces of k letters that differ from b in at most m places: a spectrum that forgives, as DNA
    and proteins mutate. Each piece of x counts for all N = sum over i <= m of
    C(k, i) (letters - 1)^i words around it, so an example costs O(N length) once, and holds at most that many
    entries (and no more than there are words); a value costs the words that both are near to.

    Parameters
    ----------
    k
        The length of the pieces.
    m
        In how many places a piece and a word may differ, less than k. With 0 it is the spectrum.
    alphabet
        The letters of the words. Letters outside differ from every letter.

    References
    ----------
    Leslie, Eskin, Cohen, Weston and Noble (2004), Mismatch string kernels for discriminative protein
    classification.

    Examples
    --------
    >>> from kerneltron.kernels import Mismatch
    >>> Mismatch(3, 1)(["GAT"], ["GAT", "GAC", "CAC", "CCC"])  # words that both are near to, of 1 + 3 * 3
    array([[10.,  4.,  2.,  0.]])
    >>> Mismatch(2, 1, alphabet="ab")(["aab"], ["bbb"])  # aa: ab, ba; ab: bb; of bb twice: bb, ab, ba
    array([[8.]])
    """

    k: int
    m: int
    alphabet: str = "ACGT"

    domain = "strings"

    def __post_init__(self) -> None:
        whole("k", self.k, 1)
        whole("m", self.m, 0)
        if self.m >= self.k:
            raise ValueError(f"m={self.m!r} must be less than k={self.k!r}: else all words are alike.")
        if not isinstance(self.alphabet, str) or not self.alphabet:
            raise TypeError(f"alphabet={self.alphabet!r} is not a text of letters, such as 'ACGT'.")
        if len(set(self.alphabet)) < len(self.alphabet):
            twice = next(letter for letter in self.alphabet if self.alphabet.count(letter) > 1)
            raise ValueError(f"alphabet={self.alphabet!r} holds {twice!r} twice.")
        if self._near > MOST_NEIGHBOURS:
            raise ValueError(
                f"Mismatch(k={self.k!r}, m={self.m!r}) over {len(self.alphabet)} letters finds more than "
                f"{MOST_NEIGHBOURS:,} words near every piece, too many to count: take a smaller m or k."
            )

    @property
    def _near(self) -> int:
        """How many words differ from one in at most m places; counting stops above MOST_NEIGHBOURS."""
        near, others = 0, len(self.alphabet) - 1
        for i in range(int(self.m) + 1):
            near += comb(int(self.k), i) * others**i
            if near > MOST_NEIGHBOURS:
                break
        return near

    def _find(self, X: Any) -> Found:
        strings = self._read(X)
        parts: list[tuple[Integers, Floats, Integers]] = [(np.empty(0, np.uint64), np.empty(0), _NONE)]
        parts *= len(strings)

        def work(first: int, end: int) -> None:
            for i in range(first, end):
                parts[i] = self._words(strings, i)

        if self.k <= strings.lengths.max(initial=0):
            in_threads(work, len(strings))
        starts = starts_of([len(ids) for ids, _, _ in parts])
        ids = np.concatenate([np.empty(0, np.uint64), *(ids for ids, _, _ in parts)])
        return Found(ids, starts, np.concatenate([np.empty(0), *(counts for _, counts, _ in parts)]))

    def _names(self, x: Any, places: Sequence[int]) -> list[str]:
        strings = self._read([x])
        origins = self._words(strings, 0)[2][np.asarray(places, np.int64)] if len(places) else _NONE
        pieces, numbers = np.divmod(origins, self._near)
        codes = [strings.flat.codes[piece : piece + int(self.k)].tolist() for piece in pieces]
        words = [
            next(islice(near(piece, 0, int(self.m), len(self.alphabet)), int(number), None))
            for piece, number in zip(codes, numbers, strict=True)
        ]
        return ["".join(self.alphabet[letter] for letter in word) for word in words]

    def _read(self, X: Any) -> Ragged[Codes]:
        """Return the strings by the places of their letters in the alphabet; one more is for all others."""
        symbols = read(X)
        letters = np.array([ord(letter) for letter in self.alphabet], np.uint64)
        codes = Vocabulary(letters).codes(symbols.flat.ids)
        is_outside = codes < 0
        outside = np.diff(np.concatenate([[0], np.cumsum(is_outside)])[symbols.starts])
        for i in np.flatnonzero(2 * outside > symbols.lengths):
            own = slice(symbols.starts[i], symbols.starts[i + 1])
            # Where it is one letter that fills gaps, such as N in DNA, the alphabet is right.
            if np.unique(symbols.flat.ids[own][is_outside[own]]).size > 1:
                raise ValueError(
                    f"X[{i}] has {outside[i]} of {symbols.lengths[i]} letters outside of the alphabet "
                    f"{self.alphabet!r}, the first at position {int(is_outside[own].argmax())}: give "
                    "alphabet=... with the letters of the strings."
                )
        codes[is_outside] = letters.size
        return Ragged(symbols.starts, Codes(codes))

    def _words(self, strings: Ragged[Codes], i: int) -> tuple[Integers, Floats, Integers]:
        """Return the words near string i, how many pieces each is near to, and where each was found first."""
        first, end, k, m = int(strings.starts[i]), int(strings.starts[i + 1]), int(self.k), int(self.m)
        size = min(max(end - first - k + 1, 0) * self._near, len(self.alphabet) ** k)
        if size == 0:
            return np.empty(0, np.uint64), np.empty(0), _NONE
        found = Neighbours(
            np.empty(size, np.uint64),
            np.empty(size),
            np.empty(size, np.int64),
            np.empty(1 << max(4, (2 * size - 1).bit_length()), np.int32),
            np.empty(m + 1, np.int64),
            np.empty(m + 1, np.int64),
            np.empty(m + 1, np.uint64),
        )
        words = Words(self._shares(), m)
        known = find_neighbours(strings.flat.codes, first, end, words, self._near, found)
        return found.ids[:known].copy(), found.counts[:known].copy(), found.origins[:known].copy()

    def _shares(self) -> Integers:
        """Return what each letter adds to the hash of a word at each place."""
        letters = np.array([ord(letter) for letter in self.alphabet], np.uint64)
        shares = np.empty((int(self.k), letters.size + 1), np.uint64)
        share_out(letters, shares)
        return shares


_NONE = np.empty(0, np.int64)


def near(piece: list[int], first: int, most: int, letters: int) -> Iterator[list[int]]:
    """Yield the words that differ from a piece in at most `most` places from `first` on, in one order."""
    if letters not in piece:
        yield piece
    for place in range(first, len(piece) if most else first):
        for letter in range(letters):
            if letter != piece[place]:
                yield from near([*piece[:place], letter, *piece[place + 1 :]], place + 1, most - 1, letters)
        if piece[place] == letters:
            return
