"""Small numbers for 64-bit content hashes, in the order in which they are first met, and counts of them."""

import numpy as np

from kerneltron._types import Floats, Integers
from kerneltron.engine.compiled import compiled, inlined
from kerneltron.engine.hash_finalizer import GOLDEN


@inlined
def place_of(id: np.uint64, slots: Integers, table: Integers) -> np.uintp:
    """Return the slot where the code of `id` stands, or the free one where it belongs.

    There is a power of two of slots, at least twice as many as ids; free ones hold -1.
    """
    last = np.uint64(slots.size - 1)
    place = (id * GOLDEN >> np.uint64(20)) & last
    while slots[np.uintp(place)] >= 0 and table[np.uintp(slots[np.uintp(place)])] != id:
        place = (place + np.uint64(1)) & last
    return np.uintp(place)


@compiled
def intern(ids: Integers, known: int, slots: Integers, table: Integers, codes: Integers) -> int:
    """Write the code of each id to `codes`, and new ids to table[known:]; return how many are known now."""
    for p in range(ids.size):
        place = place_of(ids[p], slots, table)
        if slots[place] < 0:
            slots[place] = known
            table[known] = ids[p]
            known += 1
        codes[p] = slots[place]
    return known


@compiled
def look_up(ids: Integers, slots: Integers, table: Integers, codes: Integers) -> None:
    """Write the code of each id to `codes`, -1 for those that are not in the table."""
    for p in range(ids.size):
        codes[p] = slots[place_of(ids[p], slots, table)]


@compiled
def tally(
    codes: Integers, weights: Floats, starts: Integers, at: Integers, values: Floats, out: Integers
) -> int:
    """Sum the weights of the entries of each row with one code, in place: return how many are left.

    Row i stands in codes[starts[i]:starts[i + 1]]; `out` receives where it begins then. An entry weighs 1
    where `weights` is empty. `at` is -1 for every code; codes below 0 are dropped.
    """
    end = 0
    for i in range(starts.size - 1):
        first = end
        for p in range(starts[i], starts[i + 1]):
            code = codes[p]
            if code >= 0:
                weight = weights[p] if weights.size else 1.0
                if at[code] >= first:
                    values[at[code]] += weight
                else:
                    at[code] = end
                    codes[end] = code
                    values[end] = weight
                    end += 1
        out[i] = first
    out[starts.size - 1] = end
    return end
