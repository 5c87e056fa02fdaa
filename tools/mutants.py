"""Show how strong the tests are: make small errors in the code, one at a time, and see whether a test fails.

    python -m tools.mutants --record        run the tests once, and note what each of them reaches
    python -m tools.mutants --number 200    make errors, and run the tests that reach each, to a failure
    python -m tools.mutants ... -m "not soak" tests/models    other options go to pytest

The tests are collected once; a forked child then puts the code with the error in the place of that of each
function that is there already. Errors are chosen evenly over folders and kinds by a seed, so that two suites
can be compared on the same ones. The engine is left out: it would have to be compiled for each.
"""

import faulthandler
import gc
import os
import random
import resource
import signal
import sys
import time
from argparse import ArgumentParser
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import zip_longest
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, NamedTuple

import pytest

from tools.mutations import Error, errors_in, with_error
from tools.reached import PACKAGE, Record, Recording

FOLDERS = ("models", "learning", "kernels", "stream", "files")
RECORD = PACKAGE.parents[1] / ".cache" / "reached.json"
MEMORY = 16 << 30
SURVIVED, KILLED, OUT_OF_TIME = range(3)  # what a child returns
VERDICTS = {SURVIVED: "survived", KILLED: "killed", OUT_OF_TIME: "out of time"}


class Mutant(NamedTuple):
    """A module of the package with an error."""

    path: str
    number: int
    error: Error

    def __str__(self) -> str:
        return f"{self.path}:{self.error.line}: {self.error.what}"

    @property
    def block(self) -> str:
        """The part of the code that has to be reached for the error to be met."""
        return f"{self.path}:{self.error.block}"

    def code(self) -> CodeType:
        """Return the code of the module with the error."""
        path = PACKAGE / self.path
        return compile(with_error(path.read_text(), self.number), str(path), "exec", dont_inherit=True)

    def fits(self) -> bool:
        """Return whether functions that exist can take this code: one with as many closed-over names."""
        path = PACKAGE / self.path
        old = compile(path.read_text(), str(path), "exec", dont_inherit=True)
        return [each.co_freevars for each in inner(old)] == [each.co_freevars for each in inner(self.code())]


def inner(code: CodeType) -> Iterator[CodeType]:
    """Yield all code in some code."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from inner(constant)


def chosen(number: int, seed: int, folders: Sequence[str] = FOLDERS) -> list[Mutant]:
    """Return mutants of each folder in turn, and in it of each kind of error."""
    generator = random.Random(seed)
    of_folder = []
    for folder in folders:
        of_kind: dict[str, list[Mutant]] = defaultdict(list)
        for path in sorted((PACKAGE / folder).rglob("*.py")):
            for place, error in enumerate(errors_in(path.read_text())):
                of_kind[error.kind].append(Mutant(str(path.relative_to(PACKAGE)), place, error))
        for some in of_kind.values():
            generator.shuffle(some)
        in_turn = (mutant for some in zip_longest(*of_kind.values()) for mutant in some if mutant)
        of_folder.append(mutant for mutant in in_turn if mutant.fits())
    return [next(of_folder[place % len(folders)]) for place in range(number)]


class SameExamples:
    """A plugin of pytest: tests with drawn examples draw the same in each run, and keep none of a mutant."""

    def pytest_sessionstart(self) -> None:
        """Settle it before tests are collected."""
        from hypothesis import settings  # whose own plugin wants to see the import

        settings.register_profile("mutants", derandomize=True, database=None)
        settings.load_profile("mutants")


class Trial:
    """A plugin of pytest that runs tests on mutants instead of running them all."""

    def __init__(self, mutants: list[Mutant], record: Record, seconds: float) -> None:
        self.mutants, self.record, self.seconds = mutants, record, seconds
        self.verdicts: dict[Mutant, str] = {}
        self.failed = ""

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try each mutant in a child."""
        config = session.config
        config.pluginmanager.unregister(name="terminalreporter")
        capture: Any = config.pluginmanager.get_plugin("capturemanager")
        functions = defaultdict(list)
        for each in gc.get_objects():
            if isinstance(each, FunctionType):
                functions[place_of(each.__code__)].append(each)
        gc.freeze()
        for mutant in self.mutants:
            start = time.monotonic()
            items = self.tests_of(mutant, session.items)
            verdict, killer = self.tried(mutant, items, functions) if items else ("not reached", "")
            self.verdicts[mutant] = verdict
            with capture.global_and_fixture_disabled():
                took = f"{time.monotonic() - start:.1f} s of {len(items)} tests"
                print(f"{verdict:12} {mutant}  [{took}] {killer}", flush=True)
        return True

    def tests_of(self, mutant: Mutant, items: list[pytest.Item]) -> list[pytest.Item]:
        """Return the tests that reach the error, the quickest first."""
        tests, blocks = self.record
        number = blocks.index(mutant.block) if mutant.block in blocks else -1
        some = [item for item in items if item.nodeid in tests and number in tests[item.nodeid].reached]
        return sorted(some, key=lambda item: tests[item.nodeid].seconds)

    def tried(
        self,
        mutant: Mutant,
        items: list[pytest.Item],
        functions: dict[tuple[str, str, int], list[FunctionType]],
    ) -> tuple[str, str]:
        """Return what became of a mutant, and the test that found it."""
        reading, writing = os.pipe()
        if not (child := os.fork()):
            os.setsid()
            faulthandler.disable()
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            signal.alarm(int(10 * self.seconds))
            code = self.run(mutant, items, functions)
            os.write(writing, self.failed.encode())
            os._exit(code)
        _, status = os.waitpid(child, 0)
        os.close(writing)
        with open(reading) as pipe:
            killer = pipe.read()
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # what its tests have begun
        return ("hung or fell" if os.WIFSIGNALED(status) else VERDICTS[os.WEXITSTATUS(status)]), killer

    def run(
        self,
        mutant: Mutant,
        items: list[pytest.Item],
        functions: dict[tuple[str, str, int], list[FunctionType]],
    ) -> int:
        """Run tests on a mutant, to the first that fails."""
        for code in inner(mutant.code()):
            for function in functions[place_of(code)]:
                function.__code__ = code
        start = time.process_time()
        for item, following in zip_longest(items, items[1:]):
            if time.process_time() - start > self.seconds:
                return OUT_OF_TIME
            # A test that takes as long as all of them may is caught in a loop.
            resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time() + 2 * self.seconds), -1))
            item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
            if self.failed:
                return KILLED
        return SURVIVED

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note the test that fails."""
        if report.failed:
            self.failed = report.nodeid


def place_of(code: CodeType) -> tuple[str, str, int]:
    """Return by what the code of a function is found again."""
    return code.co_filename, code.co_qualname, code.co_firstlineno


def main() -> int:
    """Record what tests reach, or try mutants and print how many were found."""
    parser = ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--record", action="store_true", help="note what each test reaches")
    parser.add_argument("--number", type=int, default=200, help="how many mutants")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=30, help="of tests on each mutant")
    parser.add_argument("--file", type=Path, default=RECORD, help="what is recorded")
    given, options = parser.parse_known_args()
    plain = ["-q", "-p", "no:cacheprovider", *options]
    if given.record:
        return int(pytest.main(plain, plugins=[SameExamples(), Recording(given.file)]))
    trial = Trial(chosen(given.number, given.seed), Record.read(given.file), given.seconds)
    pytest.main(plain, plugins=[SameExamples(), trial])
    for folder in FOLDERS:
        some = [verdict for mutant, verdict in trial.verdicts.items() if mutant.path.startswith(folder)]
        print(f"{folder:10}", ", ".join(f"{count} {verdict}" for verdict, count in Counter(some).items()))
    found = sum(verdict in ("killed", "hung or fell") for verdict in trial.verdicts.values())
    print(f"killed {found} of {len(trial.verdicts)}: {found / len(trial.verdicts):.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
