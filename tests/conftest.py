"""What tests share: real data, the command line, a folder to work in."""

import gzip
import json
import os
import shlex
from pathlib import Path

import pytest

DATA = os.environ.get("KERNELTRON_DATA", "")
NO_DATA = "KERNELTRON_DATA is not set"


def pytest_collection_modifyitems(items):
    """Skip what needs real data where there are none."""
    if not DATA:
        for item in items:
            if item.get_closest_marker("real_data"):
                item.add_marker(pytest.mark.skip(reason=NO_DATA))


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
