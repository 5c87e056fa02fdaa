"""Commands load what they need, and no more."""

import subprocess
import sys

from kerneltron.cli.running import run


def told(program, folder):
    """Return what a program prints in a process of its own."""
    done = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, check=True)
    return done.stdout.decode().split()


def test_numba_is_loaded_without_linear_algebra_which_is_there_later(tmp_path):
    program = """
import sys
from kerneltron.engine.quick_start import load_numba
load_numba()
print("numba.np.arraymath" in sys.modules, "scipy.linalg" in sys.modules)
import scipy.linalg
load_numba()
print(scipy.linalg.det([[2.0]]))
"""
    assert told(program, tmp_path) == ["True", "False", "2.0"]


def test_to_inspect_a_model_takes_no_numba(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tiny.vw").write_text("a |t x\nb |t y\n" * 3)
    assert run(["train", "tiny.vw", "--bits", "4", "-o", "tiny.model"]) == 0
    capsys.readouterr()
    program = """
import sys
from kerneltron.cli.running import run
print(run(["inspect", "tiny.model", "--json"]) == 0, "numba" in sys.modules)
"""
    assert told(program, tmp_path)[-2:] == ["True", "False"]
