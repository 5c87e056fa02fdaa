"""Where and with what a table was measured."""

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

PACKAGES = ("numpy", "scipy", "scikit-learn", "numba", "kerneltron", "river", "vowpalwabbit")


class Machine(NamedTuple):
    versions: dict[str, str]
    processor: str
    cores: int


def this_machine() -> Machine:
    """Return the versions that matter and the name of the processor."""
    versions = {"python": platform.python_version()}
    versions |= {name: _version(name) for name in PACKAGES}
    return Machine(versions, _processor(), os.cpu_count() or 1)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
