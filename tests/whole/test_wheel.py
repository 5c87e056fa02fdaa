"""What users install: a wheel with machine code, which runs the README's first example without numba."""

import os
import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from kerneltron.engine.machine import shipped

pytestmark = pytest.mark.soak

ROOT = Path(__file__).parents[2]
WITHOUT_NUMBA = """
import sys
sys.modules["numba"] = None  # whoever imports it fails
"""
ASKED = """
import kerneltron
print(kerneltron.__file__)
"""


@pytest.mark.skipif(shipped.level() is None, reason="no machine code is shipped for this processor")
def test_the_first_example_compiles_nothing(tmp_path):
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run(
        [*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", tmp_path, ROOT], check=True
    )
    (wheel,) = tmp_path.glob("kerneltron-*.whl")
    assert wheel.stat().st_size < 15e6
    installed = tmp_path / "installed"
    subprocess.run([*pip, "install", "--no-deps", "--target", installed, wheel], check=True)
    example = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)[1]
    environment = {**os.environ, "PYTHONPATH": str(installed), "KERNELTRON_CACHE_DIR": str(tmp_path / "kept")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)

    def seconds():
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            [sys.executable, "-c", WITHOUT_NUMBA + example + ASKED],
            env=environment,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert done.stdout.split()[-1].startswith(str(installed))
        assert done.stderr == ""
        assert not (tmp_path / "kept").exists()
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    assert min(seconds() for _ in range(3)) < 3.0  # 1.2 on free cores
