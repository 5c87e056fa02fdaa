"""Inner products of counts by bitmaps: which rows hold a feature is a row of bits, and these are added up.

A strip of 256 rows is four words for each bitmap. Row r of it is bit r // 32 of byte r % 32, the lowest byte
of a word first. The sum of many bitmaps stands in eight planes, of which plane t holds bit t of each row's
sum; when the eight bits above one another change places with the eight in one byte, the planes are the
sums, one byte per row, in order.
"""

from itertools import zip_longest
from typing import Any, NamedTuple

import numpy as np

from kerneltron._types import Bytes, Floats, Integers, Sparse
from kerneltron.engine.compiled import compiled, inlined, intrinsic

STRIP = 256  # rows
WORDS = STRIP // 64
PLANES = 8
GROUP = 8  # bitmaps that are added at a time
FULL = 2**PLANES - GROUP  # bitmaps, after which a sum may be about to overflow


class Bitmaps(NamedTuple):
    """Bitmap places[c] + t holds the rows with more than t in column c, for t < levels[c].

    The rows of strip s are in bits[s]. There the last bitmap but one is empty; the last one is for what
    nobody reads, and the place of columns without levels.
    """

    levels: Integers
    places: Integers
    bits: Integers


@compiled
def mark(rows: Sparse, bitmaps: Bitmaps) -> None:
    """Set the bits of the rows, which have been 0."""
    levels, places, bits = bitmaps
    for i in range(rows.starts.size - 1):
        strip, r = bits[i // STRIP], i % STRIP
        word, bit = np.uintp(r % 32 // 8), np.uint64(1) << np.uint64(r % 8 * 8 + r // 32)
        for p in range(rows.starts[i], rows.starts[i + 1]):
            c = np.uintp(rows.indices[p])
            strip[np.uintp(places[c]), word] |= bit  # to ask here for levels takes twice as long
            t = 1
            while t < rows.values[p] and t < levels[c]:
                strip[np.uintp(places[c] + t), word] |= bit
                t += 1


@compiled
def count_terms(rows: Sparse, first: int, end: int, bitmaps: Bitmaps, starts: Integers) -> None:
    """Write where the terms of each row begin, if they are listed one after the other, and the last end."""
    starts[0] = 0
    for i in range(first, end):
        terms = 0
        for p in range(rows.starts[i], rows.starts[i + 1]):
            terms += int(rows.values[p]) * bitmaps.levels[np.uintp(rows.indices[p])]
        starts[i - first + 1] = starts[i - first] + (terms + GROUP - 1) // GROUP * GROUP


@compiled
def list_terms(
    rows: Sparse, first: int, end: int, bitmaps: Bitmaps, starts: Integers, terms: Integers
) -> None:
    """List the bitmaps whose sum is the inner products of each row: each as often as the row's value says.

    They are filled up with the empty one to a multiple of eight.
    """
    levels, places, bits = bitmaps
    for i in range(first, end):
        at = starts[i - first]
        for p in range(rows.starts[i], rows.starts[i + 1]):
            c = np.uintp(rows.indices[p])
            for t in range(levels[c]):
                for _ in range(int(rows.values[p])):
                    terms[np.uintp(at)] = places[c] + t
                    at += 1
        terms[at : starts[i - first + 1]] = bits.shape[1] - 2


@compiled
def add_sums(
    bitmaps: Bitmaps,
    first: int,
    starts: Integers,
    terms: Integers,
    planes: Integers,
    sums: Bytes,
    out: Floats,
) -> None:
    """Add to out[i, j] how many of the bitmaps in terms[starts[i]:starts[i + 1]] hold row j.

    Strips before the first wanted are left out. `planes` holds eight bitmaps of a strip while it works,
    and `sums` the same as bytes.
    """
    for s in range(first, bitmaps.bits.shape[0]):
        strip = bitmaps.bits[s]
        for i in range(out.shape[0]):
            row = out[i, s * STRIP : (s + 1) * STRIP]
            for p in range(starts[i], starts[i + 1], FULL):
                add_up(strip, terms, p, min(p + FULL, starts[i + 1]), planes)
                exchange(planes, 1, np.uint64(0x5555555555555555))
                exchange(planes, 2, np.uint64(0x3333333333333333))
                exchange(planes, 4, np.uint64(0x0F0F0F0F0F0F0F0F))
                for j in range(row.size):
                    row[j] += sums[j]


@intrinsic
def add_up(context: Any, strip: Any, terms: Any, first: Any, end: Any, planes: Any) -> Any:
    """Let the planes be the sum of the bitmaps terms[first:end], a multiple of eight and at most FULL.

    Carry-save adders turn eight bitmaps into one carry (the method of Harley and Seal in Muła, Kurz and
    Lemire 2018, Faster population counts using AVX2 instructions), and the planes stay in registers: 4 ns for
    eight bitmaps of a strip. It took 9 with the planes in memory, where a compiled loop would leave them,
    since arrays may overlap.
    """
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils

    word, vector = ir.IntType(64), ir.VectorType(ir.IntType(64), WORDS)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        def pointer(number: int, pointed: Any) -> Any:
            array = context.make_array(signature.args[number])(context, builder, arguments[number])
            return builder.bitcast(array.data, pointed.as_pointer())

        def element(array: Any, place: Any) -> Any:
            value = builder.load(builder.gep(array, [place]))
            value.align = 4
            return value

        def added(a: Any, b: Any, c: Any) -> tuple[Any, Any]:
            odd = builder.xor(a, b)
            return builder.xor(odd, c), builder.or_(builder.and_(a, b), builder.and_(odd, c))

        strip, terms, planes = pointer(0, vector), pointer(1, ir.IntType(32)), pointer(4, vector)
        sums = [cgutils.alloca_once(builder, vector, zfill=True) for _ in range(PLANES)]
        group, nothing = ir.Constant(word, GROUP), ir.Constant(vector, None)
        with cgutils.for_range_slice(builder, arguments[2], arguments[3], group, word) as (at, _):
            places = [element(terms, builder.add(at, ir.Constant(word, k))) for k in range(GROUP)]
            carries = [element(strip, builder.sext(place, word)) for place in places]
            for plane in sums:  # 8 bitmaps make 4 carries of twice the weight, these 2, these 1, ...
                pairs = zip_longest(carries[::2], carries[1::2], fillvalue=nothing)
                bits, carries = builder.load(plane), []
                for a, b in pairs:
                    bits, carry = added(a, b, bits)
                    carries.append(carry)
                builder.store(bits, plane)
        for t, plane in enumerate(sums):
            builder.store(builder.load(plane), builder.gep(planes, [ir.Constant(word, t)])).align = 8
        return context.get_dummy_value()

    return types.void(strip, terms, types.intp, types.intp, planes), generate


@inlined
def exchange(planes: Integers, distance: int, mask: np.uint64) -> None:
    """Swap bits of planes this far apart with bits as far apart in a byte, where the mask is 1."""
    shift, far = np.uint64(distance), distance * WORDS
    for t in range(PLANES):
        if t & distance == 0:
            for w in range(t * WORDS, (t + 1) * WORDS):
                different = ((planes[w] >> shift) ^ planes[w + far]) & mask
                planes[w + far] ^= different
                planes[w] ^= different << shift
