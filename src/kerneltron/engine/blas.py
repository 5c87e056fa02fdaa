"""Two functions of BLAS, called from compiled code.

numba's own `np.dot` returns an array, which functions without reference counts cannot; these call what it
calls. The names `numba_xxgemm` and `numba_xxgemv` are private to numba: see `engine.compiled` on such names.
BLAS counts by columns: what is a row here is a column there.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

BYTE, WORD, SIZE = ir.IntType(8), ir.IntType(32), ir.IntType(64)
ANYWHERE = BYTE.as_pointer()


class Call:
    """A call in the making: each argument as the function expects it."""

    def __init__(self, context: Any, builder: Any, real: Any) -> None:
        self.context, self.builder, self.real = context, builder, real
        self.arguments = [ir.Constant(BYTE, ord("s" if real == types.float32 else "d"))]

    def turn(self, is_turned: Any) -> None:
        """Say whether a matrix is transposed."""
        yes, no = ir.Constant(BYTE, ord("t")), ir.Constant(BYTE, ord("n"))
        self.arguments.append(self.builder.select(is_turned, yes, no))

    def sizes(self, *sizes: Any) -> None:
        """Give sizes."""
        self.arguments.extend(sizes)

    def array(self, array_type: Any, array: Any) -> None:
        """Give an array, by its first entry."""
        data = self.context.make_array(array_type)(self.context, self.builder, array).data
        self.arguments.append(self.builder.bitcast(data, ANYWHERE))

    def number(self, value: Any) -> None:
        """Give a number, by its address."""
        address = cgutils.alloca_once_value(self.builder, value)
        self.arguments.append(self.builder.bitcast(address, ANYWHERE))

    def one(self) -> None:
        """Give the number 1."""
        self.number(self.context.get_constant(self.real, 1.0))

    def make(self, name: str) -> Any:
        """Call the function."""
        function_type = ir.FunctionType(WORD, [argument.type for argument in self.arguments])
        function = cgutils.get_or_insert_function(self.builder.module, function_type, name)
        self.builder.call(function, self.arguments)
        return self.context.get_dummy_value()


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
    """Let c (m x n) be a (m x k) times b (k x n), plus beta c; a and b may be turned."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        turn_a, turn_b, m, n, k, a, lda, b, ldb, beta, c, ldc = arguments
        call = Call(context, builder, signature.args[9])
        call.turn(turn_a)
        call.turn(turn_b)
        call.sizes(m, n, k)
        call.one()
        call.array(signature.args[5], a)
        call.sizes(lda)
        call.array(signature.args[7], b)
        call.sizes(ldb)
        call.number(beta)
        call.array(signature.args[10], c)
        call.sizes(ldc)
        return call.make("numba_xxgemm")

    size, turns = types.intp, (types.boolean, types.boolean)
    return types.void(*turns, size, size, size, a, size, b, size, a.dtype, c, size), generate


@intrinsic  # type: ignore[untyped-decorator]
def gemv(context: Any, turn: Any, m: Any, n: Any, a: Any, lda: Any, x: Any, beta: Any, y: Any) -> Any:
    """Let y be a (m x n), or a turned, times x, plus beta y."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        turn, m, n, a, lda, x, beta, y = arguments
        call = Call(context, builder, signature.args[6])
        call.turn(turn)
        call.sizes(m, n)
        call.one()
        call.array(signature.args[3], a)
        call.sizes(lda)
        call.array(signature.args[5], x)
        call.number(beta)
        call.array(signature.args[7], y)
        return call.make("numba_xxgemv")

    size = types.intp
    return types.void(types.boolean, size, size, a, size, x, a.dtype, y), generate
