"""Matrix products inside compiled code: the BLAS that SciPy brings, called without Python in between.

All matrices are flat arrays, row after row. A call from Python costs 30 microseconds, more than a block of 64
rows of 50 numbers takes.
"""

from kerneltron._types import Floats
from kerneltron.engine.blas import gemm, gemv
from kerneltron.engine.compiled import inlined

# Multiplications of one call. OpenBLAS shares larger products among threads, which wait for each other: on
# two cores that others used, too, a product of 64 x 64 x 1,000 took from half as long with two threads as
# with one to more than a hundred times as long. It also makes the result independent of their number.
MOST = 2**18
MOST_OF_VECTOR = 9000  # the same for a matrix times a vector


@inlined
def rows_times_vector(rows: Floats, count: int, vector: Floats, width: int, out: Floats) -> None:
    """Let out be the products of `count` rows with a vector."""
    piece, real = max(1, MOST_OF_VECTOR // count), rows.dtype.type
    for first in range(0, width, piece):
        length, beta = min(piece, width - first), real(0.0 if first == 0 else 1.0)
        gemv(True, length, count, rows[first:], width, vector[first:], beta, out)


@inlined
def rows_times_columns(rows: Floats, count: int, vectors: Floats, columns: int, out: Floats) -> None:
    """Let out (count x columns) be the products of rows with the columns of a matrix."""
    width, real = vectors.size // columns, rows.dtype.type
    if columns == 1:
        rows_times_vector(rows, count, vectors, width, out)
        return
    piece = max(1, MOST // (count * columns))
    for first in range(0, width, piece):
        length, beta = min(piece, width - first), real(0.0 if first == 0 else 1.0)
        a, b = vectors[first * columns :], rows[first:]
        gemm(False, False, columns, count, length, a, columns, b, width, beta, out, columns)
