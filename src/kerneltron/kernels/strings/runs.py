"""Runs of symbols of several lengths, in the order of the engine: by where they begin, then end."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from kerneltron._types import Integers
from kerneltron.engine.strings.hashing import hash_runs
from kerneltron.kernels.bags import Found
from kerneltron.kernels.ragged import Ragged, starts_of
from kerneltron.kernels.strings.reading import Symbols

MOST_RUNS = 2**31  # 8 bytes each


def find_runs(symbols: Ragged[Symbols], shortest: int, longest: int, placed: bool = False) -> Found:
    """Return the hashes of all runs; `placed` ones know where they stand."""
    starts = run_starts(symbols.lengths, shortest, longest)
    if starts[-1] > MOST_RUNS:
        raise ValueError(
            f"k={longest} makes {starts[-1]:,} pieces of these strings, and at most {MOST_RUNS:,} are listed"
            ": take a smaller k, or Substrings(max_length=k), which lists none."
        )
    ids = np.empty(starts[-1], np.uint64)
    hash_runs(symbols.flat.ids, symbols.starts, shortest, longest, placed, ids)
    return Found(ids, starts)


def run_starts(lengths: Integers, shortest: int, longest: int) -> Integers:
    """Return where the runs of each string begin, if they are listed one after the other."""
    return starts_of(_up_to(longest, lengths) - _up_to(shortest - 1, lengths))


def spans(length: int, shortest: int, longest: int, places: Sequence[int]) -> list[tuple[int, int]]:
    """Return where the runs at some places, of a string of this length, begin and end."""
    starts = starts_of(_at_each(length, shortest, longest))
    firsts = np.searchsorted(starts, places, side="right") - 1
    ends = firsts + shortest + np.asarray(places, np.int64) - starts[firsts]
    return list(zip(firsts.tolist(), ends.tolist(), strict=True))


def sizes(length: int, longest: int) -> Integers:
    """Return how long each run of 1 to `longest` symbols is, of a string of this length."""
    counts = _at_each(length, 1, longest)
    return np.arange(counts.sum()) - np.repeat(starts_of(counts)[:-1], counts) + 1


def _at_each(length: int, shortest: int, longest: int) -> Any:
    """Return how many runs begin at each symbol."""
    return np.maximum(np.minimum(longest, length - np.arange(length)) - shortest + 1, 0)


def _up_to(longest: int, lengths: Integers) -> Any:
    """Return how many runs of at most `longest` symbols each string has."""
    most = np.minimum(longest, lengths)
    return most * lengths - most * (most - 1) // 2
