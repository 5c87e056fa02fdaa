"""Matrix products inside compiled code: the BLAS that SciPy brings, called without Python in between.

All matrices are flat arrays, row after row. A call from Python costs 30 microseconds, more than a block of 64
rows of 50 numbers takes.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from kerneltron._types import Floats
from kerneltron.engine.compiled import inlined

# Multiplications of one call. OpenBLAS shares larger products among threads, which wait for each other: on
# cores that others use, too, a product of 64 x 64 x 1,000 took up to ten times as long with two threads as
# with one. It also makes the result independent of their number.
MOST = 2**18


@intrinsic  # type: ignore[untyped-decorator]
def gemm(
    context: Any,
    turn_a: Any,
    turn_b: Any,
    m: Any,
    n: Any,
    k: Any,
    a: Any,
    lda: Any,
    b: Any,
    ldb: Any,
    beta: Any,
    c: Any,
    ldc: Any,
) -> Any:
    """Call BLAS, which counts by columns: c = a b + beta c, where a and b may be turned (transposed).

    numba's own `np.dot` returns an array, which functions without reference counts cannot; this calls what it
    calls. The name `numba_xxgemm` is private to numba: see `engine.compiled` on such names.
    """
    real = a.dtype

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        turn_a, turn_b, m, n, k, a, lda, b, ldb, beta, c, ldc = arguments
        byte, word, size = ir.IntType(8), ir.IntType(32), ir.IntType(64)
        anywhere = byte.as_pointer()

        def letter(turned: Any) -> Any:
            return builder.select(turned, ir.Constant(byte, ord("t")), ir.Constant(byte, ord("n")))

        def data(array_type: Any, array: Any) -> Any:
            return builder.bitcast(context.make_array(array_type)(context, builder, array).data, anywhere)

        def number(value: Any) -> Any:
            return builder.bitcast(cgutils.alloca_once_value(builder, value), anywhere)

        kinds = [byte, byte, byte, size, size, size, anywhere, anywhere, size, anywhere, size]
        function_type = ir.FunctionType(word, [*kinds, anywhere, anywhere, size])
        function = cgutils.get_or_insert_function(builder.module, function_type, "numba_xxgemm")
        kind = ir.Constant(byte, ord("s" if real == types.float32 else "d"))
        one = number(context.get_constant(real, 1.0))
        of = signature.args
        given = [kind, letter(turn_a), letter(turn_b), m, n, k, one, data(of[5], a), lda, data(of[7], b), ldb]
        builder.call(function, [*given, number(beta), data(of[10], c), ldc])
        return context.get_dummy_value()

    number = types.intp
    turns, shape = (types.boolean, types.boolean), (number, number, number)
    return types.void(*turns, *shape, a, number, b, number, real, c, number), generate


@inlined
def rows_times_columns(rows: Floats, count: int, vectors: Floats, columns: int, out: Floats) -> None:
    """Let out (count x columns) be the products of rows with the columns of a matrix."""
    width, real = vectors.size // columns, rows.dtype.type
    piece = max(1, MOST // (count * columns))
    for first in range(0, width, piece):
        length, beta = min(piece, width - first), real(0.0 if first == 0 else 1.0)
        a, b = vectors[first * columns :], rows[first:]
        gemm(False, False, columns, count, length, a, columns, b, width, beta, out, columns)


@inlined
def rows_times_rows(left: Floats, count: int, right: Floats, others: int, width: int, out: Floats) -> None:
    """Let out (count x others) be the products of rows with other rows."""
    piece, real = max(1, MOST // (count * others)), left.dtype.type
    for first in range(0, width, piece):
        length, beta = min(piece, width - first), real(0.0 if first == 0 else 1.0)
        gemm(True, False, others, count, length, right[first:], width, left[first:], width, beta, out, others)


@inlined
def sums_of_rows(rows: Floats, count: int, steps: Floats, columns: int, width: int, out: Floats) -> None:
    """Let out (width x columns) be the sums of rows, each times its row of `steps`."""
    piece, zero = max(1, MOST // (count * columns)), rows.dtype.type(0.0)
    for first in range(0, width, piece):
        length, b = min(piece, width - first), rows[first:]
        target = out[first * columns :]
        gemm(False, True, columns, length, count, steps, columns, b, width, zero, target, columns)
