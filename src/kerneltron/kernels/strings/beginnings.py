"""The substrings of lengths 1 to k, in the order in which the engine lists them: by position, then length."""

from collections.abc import Sequence

import numpy as np

from kerneltron._types import Integers
from kerneltron.engine.strings.hashing import hash_beginnings
from kerneltron.kernels.bags import Found
from kerneltron.kernels.ragged import Ragged, starts_of
from kerneltron.kernels.strings.reading import Symbols

MOST = 2**31  # substrings: 8 bytes each


def find_beginnings(symbols: Ragged[Symbols], k: int, placed: bool) -> Found:
    """Return the hashes of all substrings of at most k symbols; `placed` ones know where they stand."""
    lengths = symbols.lengths
    longest = np.minimum(k, lengths)
    starts = starts_of(longest * lengths - longest * (longest - 1) // 2)
    if starts[-1] > MOST:
        raise ValueError(
            f"k={k} makes {starts[-1]:,} pieces of these strings, and at most {MOST:,} are listed: take a "
            "smaller k, or Substrings(max_length=k), which lists none."
        )
    ids = np.empty(starts[-1], np.uint64)
    hash_beginnings(symbols.flat.ids, symbols.starts, k, placed, ids)
    return Found(ids, starts)


def sizes(length: int, k: int) -> Integers:
    """Return how long each substring of a string of this length is."""
    counts = np.minimum(k, length - np.arange(length))
    return np.arange(counts.sum()) - np.repeat(starts_of(counts)[:-1], counts) + 1


def spans(length: int, k: int, places: Sequence[int]) -> list[tuple[int, int]]:
    """Return where the substrings at some places begin and end."""
    starts = starts_of(np.minimum(k, length - np.arange(length)))
    firsts = np.searchsorted(starts, places, side="right") - 1
    ends = firsts + places - starts[firsts] + 1
    return list(zip(firsts.tolist(), ends.tolist(), strict=True))
