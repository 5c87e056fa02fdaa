"""What tests share: real data, the command line, a folder to work in, and what only `make soak` runs."""

import gzip
import json
import os
import shlex
import sys
from collections import defaultdict
from pathlib import Path

import pytest

DATA = os.environ.get("KERNELTRON_DATA", "")
NO_DATA = "KERNELTRON_DATA is not set"
UNLISTED = Path(__file__).parents[1] / ".cache" / "unlisted"
looked_at = defaultdict(int)  # how many kinds of arguments of each function of the engine


@pytest.hookimpl(tryfirst=True)  # before pytest looks at the markers
def pytest_collection_modifyitems(items):
    """Leave what only combines anew to `make soak`, and skip what needs real data where there are none."""
    for item in combining_anew(items):
        item.add_marker(pytest.mark.soak)
    if not DATA:
        for item in items:
            if item.get_closest_marker("real_data"):
                item.add_marker(pytest.mark.skip(reason=NO_DATA))


def combining_anew(items):
    """Yield the runs of a test in which each parameter has a value that it had in an earlier run."""
    met = defaultdict(set)
    for item in items:
        if hasattr(item, "callspec"):
            values = {(name, id(value)) for name, value in item.callspec.params.items()}
            if values <= met[item.function]:
                yield item
            met[item.function] |= values


def pytest_runtest_teardown(item):
    """Fail where a function of the engine is called with arguments that are not listed: users would wait."""
    if "kerneltron.engine.machine.entry" in sys.modules and (unlisted := [*unlisted_calls()]):
        pytest.fail(f"not in engine/machine/listed.txt (see docs/inside/machine_code.md): {unlisted}")


def unlisted_calls():
    """Yield new kinds of arguments of functions of the engine that are not listed, and write them down."""
    from kerneltron.engine.foreign_code import foreign_types
    from kerneltron.engine.machine.entry import ENTRIES
    from kerneltron.engine.machine.kinds import classes_in, written
    from kerneltron.engine.machine.listed import is_listed

    for entry in ENTRIES.values():
        new = [*entry.met][looked_at[entry.name] :]
        looked_at[entry.name] += len(new)
        for kinds in new if entry.py_func.__module__.startswith("kerneltron.engine.") else ():
            text = written(kinds)
            if not foreign_types(classes_in(kinds)) and not is_listed(entry.name, text):
                UNLISTED.mkdir(parents=True, exist_ok=True)
                with (UNLISTED / str(os.getpid())).open("a") as file:
                    file.write(f"{entry.name}\t{text}\n")
                yield entry.name, text


@pytest.fixture(scope="session")
def data_folder():
    """The folder of real data sets; tests that ask for it are skipped without it."""
    if not DATA:
        pytest.skip(NO_DATA)
    return Path(DATA)


@pytest.fixture(scope="session")
def questions(data_folder):
    """Returns the questions of the part `train` or `test`, with their trees."""

    def read(part):
        path = data_folder / "trec_questions" / f"{part}.jsonl.gz"
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            return [json.loads(line) for line in lines]

    return read


@pytest.fixture
def own_folder(tmp_path, monkeypatch):
    """Let the test work in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def call_command(capsys):
    """Runs a command as the command line does; returns its code and what it printed."""
    from kerneltron.cli.running import run

    def call(command):
        capsys.readouterr()
        code = run(shlex.split(command))
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return call
