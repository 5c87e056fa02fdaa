"""What tests share: real data, the command line, a folder to work in, and what `make quick` leaves out."""

import gzip
import json
import os
import shlex
from collections import defaultdict
from pathlib import Path

import pytest

DATA = os.environ.get("KERNELTRON_DATA", "")
NO_DATA = "KERNELTRON_DATA is not set"


@pytest.hookimpl(tryfirst=True)  # before pytest looks at the markers
def pytest_collection_modifyitems(items):
    """Mark tests that only combine anew as slow, and skip what needs real data where there are none."""
    for item in combining_anew(items):
        item.add_marker(pytest.mark.slow)
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
