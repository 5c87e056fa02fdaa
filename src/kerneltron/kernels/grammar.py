"""Kernels as text: the expressions that `repr` writes are read back, and nothing in them is ever run."""

import ast
import operator
import reprlib
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from inspect import Parameter, signature
from math import isfinite
from typing import Any

from kerneltron._types import Anything
from kerneltron.kernels import auto
from kerneltron.kernels.catalogue import CONSTRUCTORS, HINTS, KERNELS, NO_TEXT, kernel_type
from kerneltron.kernels.distances import AUTO
from kerneltron.kernels.kernel import Kernel
from kerneltron.kernels.parameters import is_number
from kerneltron.kernels.syntax import (
    METHODS,
    SCOPE,
    KernelSyntaxError,
    Source,
    readable,
    too_deep,
    tree_of,
)

OPERATORS: dict[type[ast.operator], tuple[str, Callable[[Any, Any], Any]]] = {
    ast.Add: ("+", operator.add),
    ast.Sub: ("-", operator.sub),
    ast.Mult: ("*", operator.mul),
    ast.Div: ("/", operator.truediv),
    ast.Pow: ("**", operator.pow),
}
WORDS = (auto.WORD, "gaussian", "linear")  # that stand for a kernel, alone
LARGEST_EXPONENT = 1000  # of numbers: 9**9**9 must not be computed


def parse(text: str | Kernel, arrays: Mapping[str, Anything] | None = None) -> Kernel:
    """Return the kernel that `text` describes: `parse(repr(k), k.arrays()) == k`.

    Only what stands in a list of known names is built; the text is never run as Python. "linear", as
    scikit-learn writes it, is read as Linear(), and "gaussian" as Gaussian("auto"); "auto", alone, is the
    kernel that a learner is to find. A kernel is returned as it is.

    Parameters
    ----------
    text
        Such as "Gaussian(2.0) + 0.5 * Polynomial(3).normalized()".
    arrays
        What `@name` in the text stands for.

    Raises
    ------
    KernelSyntaxError
        A ValueError that points at the column where the text goes wrong, and says what to write instead.

    Examples
    --------
    >>> from kerneltron.kernels import parse
    >>> parse("1 + 2 * Polynomial(degree=3, c=1/4)").domain
    'vectors'
    >>> parse("2 * Liner()")
    Traceback (most recent call last):
    kerneltron.kernels.syntax.KernelSyntaxError: column 5: there is no kernel Liner: did you mean Linear?
        2 * Liner()
            ^
    """
    if isinstance(text, Kernel):
        return text
    if not isinstance(text, str):
        raise TypeError(f"kernel={text!r} is neither a kernel nor its text, such as 'Gaussian(2.0)'.")
    if text.strip() == auto.WORD:
        return auto.Auto()
    source = readable(text)
    try:
        tree = tree_of(source)
        return _Reader(source, arrays or {}).kernel(tree)
    except (RecursionError, MemoryError):
        raise too_deep(source.line) from None


class _Reader:
    """Turns the nodes of a syntax tree into numbers, text, lists, arrays and kernels."""

    def __init__(self, source: Source, arrays: Mapping[str, Anything]) -> None:
        self.line, self.starts, self.arrays = source.line, source.starts, arrays
        self.bytes, self.shift = source.text.encode(), source.shift

    def column(self, offset: int | None) -> int:
        """Return the column of a place that Python counts in bytes."""
        return len(self.bytes[:offset].decode()) + self.shift

    def error(self, at: ast.expr | ast.keyword | int, reason: str) -> KernelSyntaxError:
        """Return the error that points at a node or a column."""
        column = at if isinstance(at, int) else self.column(at.col_offset)
        return KernelSyntaxError(self.line, column, reason)

    def kernel(self, node: ast.expr) -> Kernel:
        """Return the kernel that the whole text describes."""
        value = self.read(node)
        if isinstance(value, Kernel):
            return value
        if is_number(value):
            raise self.error(
                node, f"a number alone is not a kernel: write Constant({value!r}), or add it to a kernel."
            )
        raise self.error(
            node, f"{_shown(value)} is not a kernel: write one such as Linear() or Gaussian(2.0)."
        )

    def read(self, node: ast.expr) -> Any:
        """Return what the node describes."""
        match node:
            case ast.Constant(value=value):
                return self._constant(node, value)
            case ast.Name(id=name):
                return self._name(node, name)
            case ast.List() | ast.Tuple():
                return self._items(node)
            case ast.UnaryOp(op=ast.USub() | ast.UAdd()):
                return self._signed(node)
            case ast.BinOp():
                return self._binary(node)
            case ast.Call():
                return self._call(node)
            case ast.Attribute(attr=name):
                known = f"write .{name}() with brackets." if name in METHODS else HINTS.get(name, f"{SCOPE}.")
                raise self.error(
                    self.column(node.end_col_offset) - len(name), f".{name} is not read from text: {known}"
                )
            case ast.Lambda():
                raise self.error(node, f"a lambda is not read from text: {NO_TEXT}")
        raise self.error(node, f"this is not a part of a kernel. {SCOPE}.")

    def _constant(self, node: ast.expr, value: Any) -> Any:
        if isinstance(value, int | float) and not _is_finite(value):
            raise self.error(node, "numbers must be finite, and at most 1.8e308.")
        if value is not None and not isinstance(value, int | float | str):
            raise self.error(node, f"{value!r} is not a part of a kernel. {SCOPE}.")
        return value

    def _name(self, node: ast.Name, name: str) -> Any:
        column = self.column(node.col_offset)
        if column in self.starts:
            name = self.line[column + 1 : self.column(node.end_col_offset)]
            if name not in self.arrays:
                known = ", ".join(f"@{key}" for key in self.arrays) or "none were given"
                raise self.error(node, f"there is no array @{name}; the arrays are: {known}.")
            return self.arrays[name]
        if name in ("linear", "Linear", "precomputed"):
            return kernel_type(name.capitalize())()
        if name == "gaussian":
            return kernel_type("Gaussian")(AUTO)
        if name in KERNELS:
            needed = ", ".join(signature(kernel_type(name)).parameters)
            raise self.error(node, f"{name} needs brackets: write {name}({needed}).")
        raise self._unknown(node, name)

    def _unknown(self, node: ast.expr, name: str) -> KernelSyntaxError:
        folded = {known.lower(): known for known in KERNELS}
        if self.line.strip() == name:  # which stands alone
            folded |= {word: repr(word) for word in WORDS}
        close = [folded[key] for key in get_close_matches(name.lower(), folded, n=1)]
        words = f"the words that stand for one are {', '.join(map(repr, WORDS))}"
        listed = f"did you mean {close[0]}?" if close else f"the kernels are {', '.join(KERNELS)}; {words}."
        return self.error(node, f"there is no kernel {name}: {HINTS.get(name, listed)}")

    def _items(self, node: ast.List | ast.Tuple) -> list[Any] | tuple[Any, ...]:
        items = []
        for element in node.elts:
            items.append(self.read(element))
            if isinstance(items[-1], Kernel):
                raise self.error(element, "a list holds numbers or text, not kernels.")
        return items if isinstance(node, ast.List) else tuple(items)

    def _signed(self, node: ast.UnaryOp) -> Any:
        value = self.read(node.operand)
        if is_number(value):
            return -value if isinstance(node.op, ast.USub) else value
        if not isinstance(value, Kernel):
            raise self.error(node, f"a sign stands before numbers, not before {_shown(value)}.")
        try:
            return -value if isinstance(node.op, ast.USub) else value
        except TypeError as error:
            raise self.error(node, str(error)) from error

    def _binary(self, node: ast.BinOp) -> Any:
        left, right = self.read(node.left), self.read(node.right)
        end = self.column(node.left.end_col_offset)
        column = end + len(self.line[end:]) - len(self.line[end:].lstrip(" )"))
        if type(node.op) not in OPERATORS:
            raise self.error(column, f"this operator is not a part of a kernel. {SCOPE}.")
        sign, function = OPERATORS[type(node.op)]
        for value, operand in ((left, node.left), (right, node.right)):
            if not (isinstance(value, Kernel) or is_number(value)):
                raise self.error(operand, f"{sign} joins kernels and numbers, not {_shown(value)}.")
        if not isinstance(left, Kernel) and not isinstance(right, Kernel):
            return self._arithmetic(column, sign, function, left, right)
        if isinstance(right, Kernel) and (sign == "**" or (sign == "/" and not isinstance(left, Kernel))):
            raise self.error(column, f"on the right of {sign} stands a number, not a kernel.")
        try:
            return function(left, right)
        except (TypeError, ValueError, ArithmeticError) as error:
            raise self.error(column, str(error)) from error

    def _arithmetic(
        self, column: int, sign: str, function: Callable[[Any, Any], Any], left: Any, right: Any
    ) -> Any:
        if sign == "**" and abs(right) > LARGEST_EXPONENT:
            raise self.error(column, f"exponents of numbers go up to {LARGEST_EXPONENT}.")
        try:
            value = function(left, right)
        except ArithmeticError as error:
            raise self.error(column, f"{left!r} {sign} {right!r} is not a finite number.") from error
        if not _is_finite(value):
            raise self.error(column, f"{left!r} {sign} {right!r} is not a finite number.")
        return value

    def _call(self, node: ast.Call) -> Kernel:
        column, name, function = self._called(node.func)
        given = self._arguments(node, column, name, function)
        try:
            built = function(**given)
        except (TypeError, ValueError, ArithmeticError, AttributeError) as error:
            raise self.error(column, str(error)) from error
        assert isinstance(built, Kernel)
        return built

    def _called(self, node: ast.expr) -> tuple[int, str, Callable[..., Any]]:
        """Return the column, the name and the constructor or method that a call names."""
        match node:
            case ast.Name(id=name):
                if name not in KERNELS:
                    raise self._unknown(node, name)
                return self.column(node.col_offset), name, kernel_type(name)
            case ast.Attribute(value=ast.Name(id=name), attr=way) if way in CONSTRUCTORS.get(name, ()):
                return self.column(node.col_offset), f"{name}.{way}", getattr(kernel_type(name), way)
            case ast.Attribute(value=inside, attr=method):
                column = self.column(node.end_col_offset) - len(method)
                if method not in METHODS:
                    close = get_close_matches(method, METHODS, n=1)
                    listed = f"did you mean .{close[0]}()?" if close else f"there are {', '.join(METHODS)}."
                    raise self.error(column, f".{method} is not read from text: {HINTS.get(method, listed)}")
                base = self.read(inside)
                if not isinstance(base, Kernel):
                    raise self.error(column, f".{method}() belongs to kernels, not to {_shown(base)}.")
                return column, f".{method}", getattr(base, method)
        raise self.error(node, "only the names of kernels and their methods stand before a bracket.")

    def _arguments(
        self, node: ast.Call, column: int, name: str, function: Callable[..., Any]
    ) -> dict[str, Any]:
        """Return the arguments of a call by the names of the parameters."""
        parameters = signature(function).parameters
        places = [key for key, parameter in parameters.items() if parameter.kind != Parameter.KEYWORD_ONLY]
        takes = f"it has {', '.join(parameters)}" if parameters else "it has none"
        given: dict[str, Any] = {}
        for place, argument in enumerate(node.args):
            if place >= len(places):
                raise self.error(argument, f"{name} takes {len(places)} arguments by place: {takes}.")
            given[places[place]] = self.read(argument)
        for keyword in node.keywords:
            if keyword.arg is None or keyword.arg not in parameters:
                raise self.error(keyword, f"{name} has no parameter {keyword.arg or '**'}; {takes}.")
            if keyword.arg in given:
                raise self.error(keyword, f"{name} is given {keyword.arg} twice.")
            given[keyword.arg] = self.read(keyword.value)
        needed = [key for key, parameter in parameters.items() if parameter.default is Parameter.empty]
        missing = [key for key in needed if key not in given]
        if missing:
            raise self.error(
                column, f"{name} needs {' and '.join(missing)}: write {name}({', '.join(parameters)})."
            )
        return given


def _is_finite(value: Any) -> bool:
    try:
        return isfinite(value)
    except (OverflowError, TypeError):  # whole numbers beyond 1e308, complex numbers
        return False


def _shown(value: Any) -> str:
    """Return a value for a message, in short; arrays by their shape."""
    return f"an array of the shape {value.shape}" if hasattr(value, "shape") else reprlib.repr(value)
