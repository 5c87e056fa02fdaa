"""Several bytes of a buffer in one load, at any offset, and where in them something stands."""

from typing import Any

import numpy as np

from kerneltron.engine.compiled import inlined, intrinsic

BLOCK = 64  # bytes that are looked at together
SLACK = BLOCK + 16  # bytes that a buffer needs beyond its text, so that loads at its end stay inside

ONES = np.uint64(0x0101010101010101)
HIGH = np.uint64(0x8080808080808080)


@intrinsic
def load64(context: Any, array: Any, offset: Any) -> Any:
    """Return the eight bytes of a byte array from `offset` on, the first one lowest."""
    from llvmlite import ir
    from numba import types

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        pointer = builder.bitcast(builder.gep(data, [arguments[1]]), ir.IntType(64).as_pointer())
        word = builder.load(pointer)
        word.align = 1
        return word

    return types.uint64(array, types.intp), generate


@intrinsic
def marked_block(context: Any, array: Any, offset: Any, bound: Any, one: Any, other: Any) -> Any:
    """Return a bit for each of the 64 bytes from `offset` on: less than `bound`, or `one`, or `other`.

    The first byte is the lowest bit. Vector registers compare 16 or 32 bytes at a time.
    """
    from llvmlite import ir
    from numba import types

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        vector, word = ir.VectorType(ir.IntType(8), BLOCK), ir.IntType(32)
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        bytes_ = builder.load(builder.bitcast(builder.gep(data, [arguments[1]]), vector.as_pointer()))
        bytes_.align = 1

        def everywhere(value: Any) -> Any:
            byte = builder.trunc(value, ir.IntType(8))
            first = builder.insert_element(ir.Constant(vector, ir.Undefined), byte, ir.Constant(word, 0))
            zeros = ir.Constant(ir.VectorType(word, BLOCK), [0] * BLOCK)
            return builder.shuffle_vector(first, first, zeros)

        marks = builder.icmp_unsigned("<", bytes_, everywhere(arguments[2]))
        for value in arguments[3:]:
            marks = builder.or_(marks, builder.icmp_unsigned("==", bytes_, everywhere(value)))
        return builder.bitcast(marks, ir.IntType(BLOCK))

    return types.uint64(array, types.intp, types.intp, types.intp, types.intp), generate


@intrinsic
def lowest_bit(context: Any, word: Any) -> Any:
    """Return the place of the lowest bit that is set, 64 if none is."""
    from llvmlite import ir
    from numba import types

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.uint64(types.uint64), generate


@inlined
def below(word: np.uint64, byte: int) -> np.uint64:
    """Mark (by its high bit) the first byte of `word` that is less than `byte` <= 128, maybe later ones."""
    return (word - ONES * np.uint64(byte)) & ~word & HIGH


@inlined
def equal(word: np.uint64, byte: int) -> np.uint64:
    """Mark (by its high bit) the first byte of `word` that equals `byte`, and maybe later ones."""
    different = word ^ (ONES * np.uint64(byte))
    return (different - ONES) & ~different & HIGH


@inlined
def first_marked(marks: np.uint64) -> int:
    """Return which byte is the first that is marked, 8 if none is."""
    return int(np.int64(lowest_bit(marks) >> np.uint64(3)))


@inlined
def first_bytes(word: np.uint64, count: int) -> np.uint64:
    """Return `word` with all but its first `count` < 8 bytes set to 0."""
    return word & ((np.uint64(1) << np.uint64(8 * count)) - np.uint64(1))
