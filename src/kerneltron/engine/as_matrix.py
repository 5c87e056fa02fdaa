"""A matrix in the memory of a one-dimensional array."""

from typing import Any

from kerneltron.engine.compiled import intrinsic


@intrinsic
def as_matrix(context: Any, array: Any, rows: Any, columns: Any) -> Any:
    """Return the first rows x columns entries of an array, which must be there, as a matrix.

    `array.reshape` would do the same with the help of numba's own library, which shipped code has not.
    """
    from llvmlite import ir
    from numba import types

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        given = context.make_array(signature.args[0])(context, builder, arguments[0])
        matrix = context.make_array(signature.return_type)(context, builder)
        rows, columns = arguments[1:]
        word = ir.IntType(64)
        matrix.data, matrix.itemsize = given.data, given.itemsize
        matrix.meminfo, matrix.parent = given.meminfo, given.parent
        matrix.nitems = builder.mul(rows, columns)
        for name, pair in (("shape", (rows, columns)), ("strides", (None, given.itemsize))):
            both = ir.Constant(ir.ArrayType(word, 2), ir.Undefined)
            first = builder.mul(columns, given.itemsize) if pair[0] is None else pair[0]
            both = builder.insert_value(builder.insert_value(both, first, 0), pair[1], 1)
            setattr(matrix, name, both)
        return matrix._getvalue()

    matrix_type = types.Array(array.dtype, 2, "C", readonly=not array.mutable)
    return matrix_type(array, types.intp, types.intp), generate
