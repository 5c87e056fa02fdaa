"""Private options of numba stand in one place, for the versions that they were tested with."""

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


@pytest.mark.parametrize("word", ["_nrt", "forceinline"])
def test_private_options_stand_in_one_place(word):
    sources = sorted((ROOT / "src").rglob("*.py"))
    having = [path.name for path in sources if re.search(rf"\b{word}\b", path.read_text())]
    assert having == ["compiled.py"]
