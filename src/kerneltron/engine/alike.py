"""Rows of bits that are equal: which differ from a given one, and a hash of each to find equal ones by."""

import numpy as np

from kerneltron._types import Integers
from kerneltron.engine.compiled import compiled
from kerneltron.engine.hash_finalizer import GOLDEN


@compiled
def mark_others(rows: Integers, place: int, marks: Integers) -> None:
    """Set the marks of all rows that differ from the one at `place` to 1."""
    for i in range(rows.shape[0]):
        if marks[i] == 0:
            for j in range(rows.shape[1]):
                if rows[i, j] != rows[place, j]:
                    marks[i] = 1
                    break


@compiled
def hash_rows(rows: Integers, places: Integers, hashes: Integers) -> None:
    """Continue the hashes of some rows by what stands in them here; equal rows have equal hashes."""
    for i in range(places.size):
        h = hashes[i]
        for j in range(rows.shape[1]):
            h = np.uint64((h ^ np.uint64(rows[places[i], j])) * GOLDEN)
            h = np.uint64(h ^ (h >> np.uint64(32)))
        hashes[i] = h


@compiled
def mark_unlike(rows: Integers, places: Integers, others: Integers, marks: Integers) -> None:
    """Set the mark of each place whose row differs from the one at the other place to 1."""
    for i in range(places.size):
        if places[i] != others[i] and marks[i] == 0:
            for j in range(rows.shape[1]):
                if rows[places[i], j] != rows[others[i], j]:
                    marks[i] = 1
                    break
