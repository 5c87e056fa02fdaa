"""What `make demo` and `make bench` run, on less."""

import json
import subprocess
import sys

import numpy as np
import pytest

from benchmarks import kernel_peers
from benchmarks.dual import learner
from benchmarks.settings import Settings
from kerneltron.experiments import digits
from kerneltron.experiments.experiment import Asked

pytestmark = pytest.mark.slow


def test_demo_prints_tables_and_saves_a_picture(own_folder, call_command):
    code, out, complaints = call_command("reproduce digits --quick -o new/demo")
    assert (code, complaints) == (0, "")
    assert "9 against the rest" in out
    assert "all ten digits" in out
    assert "Perceptron, margin 1" in out
    assert "not to be believed" in out
    assert (own_folder / "new" / "demo" / "digits.png").read_bytes().startswith(b"\x89PNG")
    assert json.loads((own_folder / "new" / "demo" / "digits.json").read_text())["name"] == "digits"


def test_demo_errors_fall_with_the_passes(monkeypatch):
    monkeypatch.setattr(digits, "PASSES", (0.1, 10))
    results = digits.run(Asked())
    assert set(results) == {"9 against the rest", "all ten digits"}
    for rows in results.values():
        assert {row.hypothesis for row in rows} == {"last", "average", "vote"}
        assert all(row.errors[1] < row.errors[0] for row in rows)
        assert min(row.errors[1] for row in rows) < 0.05


@pytest.mark.soak
def test_benchmarks_of_kernels_run(tmp_path):
    cases = ("dual", "prediction", "sparse_dual", "working_memory", "growth")
    path = tmp_path / "figures.json"
    options = ["--quick", "--repeats", "1", "--json", str(path)]
    options += [option for case in cases for option in ("--only", case)]
    subprocess.run([sys.executable, "-m", "benchmarks", *options], capture_output=True, check=True)
    rows = json.loads(path.read_text())["rows"]
    assert {row["case"] for row in rows} == set(cases)
    assert all(row["figure"] > 0 for row in rows if "error" not in row["measured"])
    assert all(row["met"] for row in rows if row["case"] == "working_memory")


def test_benchmarks_say_which_peer_is_missing(monkeypatch):
    monkeypatch.setattr(kernel_peers, "find_spec", lambda name: None)
    (row,) = kernel_peers.vowpal_wabbit(Settings(repeats=1, quick=True))
    assert "not installed" in row.theirs
    assert row.met is None


def test_the_obvious_loop_of_the_benchmarks_makes_the_same_mistakes():
    data = digits.load_digits()
    signs = np.where(data.y == 9, 1.0, -1.0)
    mistakes = learner(3).fit(data.X, data.y == 9).mistakes_
    assert kernel_peers.perceptron_loop(data.X, signs, 3) == mistakes.sum()


def test_benchmarks_measure_and_save(tmp_path):
    command = [sys.executable, "-m", "benchmarks"]
    path = tmp_path / "figures.json"
    options = ["--quick", "--repeats", "1", "--only", "dense", "--json", str(path)]
    shown = subprocess.run([*command, *options], capture_output=True, text=True, check=True)
    assert "times as fast" in shown.stdout
    assert "scikit-learn" in shown.stdout
    assert json.loads(path.read_text())["rows"]
    assert subprocess.run([*command, "--only", "nothing"], capture_output=True, check=False).returncode == 2
