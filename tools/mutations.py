r"""Small errors in a module: what could be wrong in it, and the module with one of them.

    >>> import ast
    >>> source = "def clip(x, top):\n    return top if x > top else x\n"
    >>> [error.what for error in errors_in(source)]
    ['negate: x > top', 'compare: x > top']
    >>> ast.unparse(with_error(source, 1)).splitlines()[1].strip()
    'return top if x >= top else x'

Only the insides of functions are changed: what runs on import is over before a test begins. Annotations,
docstrings, and the default values of outer functions stay.
"""

import ast
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

OTHER: dict[type[ast.AST], Any] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
BLOCKS = ("body", "orelse", "finalbody")
Change = Callable[[], None]


class Error(NamedTuple):
    """A place where something could be wrong: its block is the part of a function that runs as one."""

    kind: str
    what: str
    line: int
    block: int


def errors_in(source: str) -> list[Error]:
    """Return all errors that a module could have, in the order of its text."""
    return [error for error, _ in _errors(ast.parse(source))]


def with_error(source: str, number: int) -> ast.Module:
    """Return the module with one of these errors."""
    tree = ast.parse(source)
    for place, (_, change) in enumerate(_errors(tree)):
        if place == number:
            change()
            return ast.fix_missing_locations(tree)
    raise IndexError(f"there is no error {number}")


def blocks(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    """Yield each list of statements inside of functions: a line runs if the first one of its block does."""
    for function in outer_functions(tree):
        for node in ast.walk(function):
            yield from (some for name in BLOCKS if (some := getattr(node, name, None)) and _is_block(some))


def outer_functions(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the functions and methods of a module that stand in no other function."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, FUNCTIONS):
            yield child
        else:
            yield from outer_functions(child)


def _is_block(statements: object) -> bool:
    return isinstance(statements, list) and isinstance(statements[0], ast.stmt)


def _errors(tree: ast.Module) -> Iterator[tuple[Error, Change]]:
    for block in blocks(tree):
        first = block[0].lineno
        for place, statement in enumerate(block):
            for kind, node, change in _of_statement(block, place, statement):
                yield (
                    Error(kind, f"{kind}: {ast.unparse(node).partition(chr(10))[0]}", node.lineno, first),
                    change,
                )


def _of_statement(
    block: list[ast.stmt], place: int, statement: ast.stmt
) -> Iterator[tuple[str, Any, Change]]:
    """Yield what can be wrong in one statement, without the blocks inside of it, which have their turn."""
    if _can_go(statement):
        yield "drop", statement, lambda: block.__setitem__(place, ast.copy_location(ast.Pass(), statement))
    for node in _expressions(statement):
        yield from _of_expression(node)


def _can_go(statement: ast.stmt) -> bool:
    """Return whether names that are used later stay defined without this."""
    if isinstance(statement, ast.Assign):
        return not any(isinstance(target, ast.Name | ast.Tuple) for target in statement.targets)
    if isinstance(statement, ast.Expr):
        return not isinstance(statement.value, ast.Constant | ast.Yield | ast.YieldFrom)
    return isinstance(statement, ast.AugAssign | ast.Raise | ast.Delete)


def _expressions(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a statement and the expressions in it."""
    is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    if is_docstring or isinstance(node, ast.ClassDef | ast.JoinedStr):
        return
    yield node
    for name, child in ast.iter_fields(node):
        if name in (*BLOCKS, "handlers", "cases", "annotation", "returns") and isinstance(node, ast.stmt):
            continue
        for each in child if isinstance(child, list) else [child]:
            if isinstance(each, ast.AST):
                yield from _expressions(each)


def _of_expression(node: Any) -> Iterator[tuple[str, Any, Change]]:
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        yield "negate", node.test, lambda: _set(node, "test", ast.UnaryOp(ast.Not(), node.test))
    if isinstance(node, ast.Compare):
        yield "compare", node, lambda: node.ops.__setitem__(0, OTHER[type(node.ops[0])]())
    if isinstance(node, ast.BinOp | ast.AugAssign | ast.BoolOp) and type(node.op) in OTHER:
        yield "operator", node, lambda: _set(node, "op", OTHER[type(node.op)]())
    value = node.value if isinstance(node, ast.Constant) else None
    if isinstance(value, int | float):
        yield (
            "constant",
            node,
            lambda: _set(node, "value", not value if isinstance(value, bool) else value + 1),
        )
    for name in ("lower", "upper") if isinstance(node, ast.Slice) else ():
        bound = getattr(node, name)
        if bound is not None and not isinstance(bound, ast.Constant):
            yield "off by one", bound, _one_more(node, name, bound)


def _one_more(node: ast.Slice, name: str, bound: ast.expr) -> Change:
    return lambda: _set(node, name, ast.BinOp(bound, ast.Add(), ast.Constant(1)))


def _set(node: ast.AST, name: str, value: object) -> None:
    setattr(node, name, value)
