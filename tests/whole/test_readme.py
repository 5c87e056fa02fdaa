"""The programs of the README run, one after the other, and its commands print what it says."""

import os
import re
import subprocess
import sys
from doctest import ELLIPSIS, NORMALIZE_WHITESPACE, OutputChecker
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
TEXT = ROOT.joinpath("README.md").read_text()


def test_the_programs_of_the_readme_run(capsys):
    programs = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    assert len(programs) >= 3
    names: dict[str, object] = {}
    for program in programs:
        exec(program, names)
    out = capsys.readouterr().out
    assert "No counter-example" in out
    assert "alignment" in out


def test_the_programs_of_the_other_pages_run(capsys):
    for page in sorted((ROOT / "docs").glob("*.md")):
        for program in re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL):
            exec(program, {})
    assert capsys.readouterr().out


def test_the_commands_of_the_readme_print_what_it_says(tmp_path):
    tour = "".join(re.findall(r"```console\n(.*?)```", TEXT, re.DOTALL))
    steps = re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", tour, re.MULTILINE)
    assert {command.split()[1] for command, _ in steps} >= {"train", "evaluate", "explain", "predict"}
    beside = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for command, expected in steps:
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=tmp_path,
            env={**os.environ, "PATH": beside},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        wanted = expected.replace("\n\n", "\n<BLANKLINE>\n")
        fits = OutputChecker().check_output(wanted, done.stdout, ELLIPSIS | NORMALIZE_WHITESPACE)
        assert fits, f"$ {command}\n{done.stdout}\ninstead of\n{expected}"
