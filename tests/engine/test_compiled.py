"""Private options of numba stand in one place, for the versions that they were tested with."""

import ast
import re
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
from numba.core.cpu import CPUTargetOptions
from numba.core.options import DefaultOptions

from kerneltron.engine import compiled

ROOT = Path(__file__).parents[2]


def test_numba_is_held_to_the_versions_that_were_tested():
    dependencies = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    (numba,) = [each for each in dependencies if each.startswith("numba")]
    least, below = re.search(r">=([\d.]+),<([\d.]+)", numba).groups()
    number = [tuple(map(int, text.split(".")[:2])) for text in (least, version("numba"), below)]
    assert number[0] <= number[1] < number[2], "a new numba: measure the options, then raise the bound"


@pytest.mark.parametrize("name", [*compiled.BARE, *compiled.INLINED])
def test_numba_knows_the_options(name):
    assert name in vars(CPUTargetOptions) or name in vars(DefaultOptions)


@pytest.mark.parametrize("word", ["_nrt", "forceinline", "no_cpython_wrapper"])
def test_private_options_stand_in_one_place(word):
    sources = sorted((ROOT / "src").rglob("*.py"))
    having = [path.name for path in sources if re.search(rf"\b{word}\b", path.read_text())]
    assert having == ["compiled.py"]


# -- functions that only compiled code may call ---------------------------------------------------------

INTERNAL = {"inlined", "internal", "reordered"}
COMPILED = INTERNAL | {"compiled", "implements", "where", "njit", "overload"}


def decorators(function):
    found = (each.func if isinstance(each, ast.Call) else each for each in function.decorator_list)
    return {each.id for each in found if isinstance(each, ast.Name)}


def parsed(folder):
    paths = [path for path in (ROOT / folder).rglob("*.py") if "engine" in path.read_text(encoding="utf-8")]
    for path in sorted(paths):
        name = ".".join(path.relative_to(ROOT / "src" if folder == "src" else ROOT).with_suffix("").parts)
        yield name, ast.parse(path.read_text(encoding="utf-8"))


def calls_from_python(node, inside=False):
    """Yield the names of functions that code which is not compiled calls."""
    for child in ast.iter_child_nodes(node):
        is_compiled = inside or (isinstance(child, ast.FunctionDef) and bool(decorators(child) & COMPILED))
        if isinstance(child, ast.Call) and not is_compiled:
            function = child.func
            if isinstance(function, ast.Name):
                yield None, function.id
            elif isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
                yield function.value.id, function.attr
        yield from calls_from_python(child, is_compiled)


@pytest.mark.slow
def test_python_calls_no_function_that_is_for_compiled_code_alone():
    """Such a call would run in Python, a hundred times slower."""
    modules = {name: tree for folder in ("src", "tests", "benchmarks") for name, tree in parsed(folder)}
    internal = {
        (name, node.name)
        for name, tree in modules.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and decorators(node) & INTERNAL
    }
    assert ("kerneltron.engine.budgets.held", "enter") in internal
    wrong = []
    for name, tree in modules.items():
        imported = {
            each.asname or each.name: (node.module, each.name)
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module
            for each in node.names
        }
        for owner, function in calls_from_python(tree):
            module, inside = imported.get(owner, (name, None)) if owner else (name, None)
            meant = (f"{module}.{inside}", function) if owner else imported.get(function, (name, function))
            if meant in internal:
                wrong.append((name, function))
    assert not wrong


@pytest.mark.slow
def test_what_python_calls_returns_no_named_tuples():
    """Doors make numbers and plain tuples of them."""
    plain = {"None", "int", "float", "bool", "Integers", "Floats", "tuple"}
    returns = {
        (name, node.name): ast.unparse(node.returns).split("[")[0]
        for name, tree in parsed("src")
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.returns and "compiled" in decorators(node)
    }
    assert ("kerneltron.engine.text.records", "parse") in returns
    assert not {function: kind for function, kind in returns.items() if kind not in plain}
