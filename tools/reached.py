"""Which tests reach which parts of the code: a call at the start of each block notes that it was there.

Modules are changed as they are imported, so that an ordinary run of the tests tells what each of them reaches
for a few per cent of its time (a trace function would be called for each call in NumPy and Hypothesis too).
The engine is left as it is: it is compiled, and by its content. Other processes are not looked into.
"""

import ast
import builtins
import json
import sys
import time
from collections.abc import Iterator
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple

import pytest

from tools.mutations import blocks

PACKAGE = Path(__file__).parents[1] / "src" / "kerneltron"
NAME = "__reached__"


class Test(NamedTuple):
    """What is known of a test that passes."""

    seconds: float
    reached: list[int]


class Record(NamedTuple):
    """The tests by their names, and the blocks `models/dual.py:120` whose numbers they name."""

    tests: dict[str, Test]
    blocks: list[str]

    @classmethod
    def read(cls, path: Path) -> "Record":
        """Return what was written."""
        tests, blocks = json.loads(path.read_text())
        return cls({name: Test(*test) for name, test in tests.items()}, blocks)


class Loader(SourceFileLoader):
    """Loads a module from its source, with a call at the start of each block."""

    numbers: dict[str, int]

    def get_code(self, fullname: str) -> CodeType:
        """Return the code of the changed source, which no file keeps."""
        tree = ast.parse(self.get_data(self.path))
        name = Path(self.path).relative_to(PACKAGE)
        for block in [*blocks(tree)]:
            number = self.numbers.setdefault(f"{name}:{block[0].lineno}", len(self.numbers))
            call = ast.Expr(ast.Call(ast.Name(NAME, ast.Load()), [ast.Constant(number)], []))
            has_docstring = isinstance(block[0], ast.Expr) and isinstance(block[0].value, ast.Constant)
            block.insert(int(has_docstring), ast.fix_missing_locations(ast.copy_location(call, block[0])))
        return compile(tree, self.path, "exec", dont_inherit=True)


class Finder(MetaPathFinder):
    """Finds the modules of the package, but for those of the engine."""

    def __init__(self, numbers: dict[str, int]) -> None:
        self.numbers = numbers

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> ModuleSpec | None:
        """Return where a module is, to be loaded by a `Loader`."""
        if not fullname.startswith("kerneltron") or fullname.startswith("kerneltron.engine"):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec and type(spec.loader) is SourceFileLoader:
            spec.loader = Loader(spec.loader.name, spec.loader.path)
            spec.loader.numbers = self.numbers
        return spec


class Recording:
    """A plugin of pytest that writes down what each test reaches."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.seen: set[int] = set()
        self.numbers: dict[str, int] = {}
        self.tests: dict[str, Test] = {}
        self.passed: set[str] = set()
        setattr(builtins, NAME, self.seen.add)
        sys.meta_path.insert(0, Finder(self.numbers))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Note what one test reaches, and its time."""
        self.seen.clear()
        start = time.perf_counter()
        result = yield
        if item.nodeid in self.passed:
            self.tests[item.nodeid] = Test(round(time.perf_counter() - start, 3), sorted(self.seen))
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Leave out tests that fail, or are skipped, without any error of ours."""
        if report.when == "call" and report.passed:
            self.passed.add(report.nodeid)
        elif report.failed:
            self.passed.discard(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        """Write what was seen."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text(json.dumps([self.tests, [*self.numbers]]))
