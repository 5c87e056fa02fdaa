"""Two functions of BLAS, called from compiled code.

numba's own `np.dot` returns an array, which functions without reference counts cannot; these call what it
calls, SciPy's BLAS (`machine.blas_symbols`). BLAS counts by columns: what is a row here is a column there. It
takes the addresses of all its arguments, and sizes of 32 bits.
"""

from typing import Any

from kerneltron.engine.compiled import intrinsic


class Call:
    """A call in the making: each argument by its address."""

    def __init__(self, context: Any, builder: Any, real: Any) -> None:
        from llvmlite import ir

        self.context, self.builder, self.real, self.ir = context, builder, real, ir
        self.anywhere = ir.IntType(8).as_pointer()
        self.arguments: list[Any] = []

    def value(self, value: Any) -> None:
        """Give a value."""
        from numba.core import cgutils

        address = cgutils.alloca_once_value(self.builder, value)
        self.arguments.append(self.builder.bitcast(address, self.anywhere))

    def turn(self, is_turned: Any) -> None:
        """Say whether a matrix is transposed."""
        yes, no = (self.ir.Constant(self.ir.IntType(8), ord(letter)) for letter in "tn")
        self.value(self.builder.select(is_turned, yes, no))

    def sizes(self, *sizes: Any) -> None:
        """Give sizes."""
        for size in sizes:
            self.value(self.builder.trunc(size, self.ir.IntType(32)))

    def array(self, array_type: Any, array: Any) -> None:
        """Give an array."""
        data = self.context.make_array(array_type)(self.context, self.builder, array).data
        self.arguments.append(self.builder.bitcast(data, self.anywhere))

    def one(self) -> None:
        """Give the number 1."""
        self.value(self.context.get_constant(self.real, 1.0))

    def step(self) -> None:
        """Say that entries stand side by side."""
        self.value(self.ir.Constant(self.ir.IntType(32), 1))

    def make(self, name: str) -> Any:
        """Call the function."""
        from numba.core import cgutils

        letter = "s" if str(self.real) == "float32" else "d"
        function_type = self.ir.FunctionType(self.ir.VoidType(), [self.anywhere] * len(self.arguments))
        function = cgutils.get_or_insert_function(
            self.builder.module, function_type, f"kerneltron_{letter}{name}"
        )
        self.builder.call(function, self.arguments)
        return self.context.get_dummy_value()


@intrinsic
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
    from numba import types

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
        call.value(beta)
        call.array(signature.args[10], c)
        call.sizes(ldc)
        return call.make("gemm")

    size, turns = types.intp, (types.boolean, types.boolean)
    return types.void(*turns, size, size, size, a, size, b, size, a.dtype, c, size), generate


@intrinsic
def gemv(context: Any, turn: Any, m: Any, n: Any, a: Any, lda: Any, x: Any, beta: Any, y: Any) -> Any:
    """Let y be a (m x n), or a turned, times x, plus beta y."""
    from numba import types

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        turn, m, n, a, lda, x, beta, y = arguments
        call = Call(context, builder, signature.args[6])
        call.turn(turn)
        call.sizes(m, n)
        call.one()
        call.array(signature.args[3], a)
        call.sizes(lda)
        call.array(signature.args[5], x)
        call.step()
        call.value(beta)
        call.array(signature.args[7], y)
        call.step()
        return call.make("gemv")

    size = types.intp
    return types.void(types.boolean, size, size, a, size, x, a.dtype, y), generate
