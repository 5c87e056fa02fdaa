"""Machine code that comes with the package: compiled before, for a level of processors.

A folder for each level holds `index.json` (of which engine it is, and where each function stands) and
 `code.bin`. Code for another engine, another door, or a processor without the instructions is left alone.
"""

import json
import logging
import platform
import zlib
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm

from kerneltron.engine.machine.content import ABI, engine_digest
from kerneltron.engine.machine.kinds import fits

FOLDER = Path(__file__).parent / "shipped_code"
INDEX, CODE = "index.json", "code.bin"
LOG = logging.getLogger("kerneltron")

# Instructions that a level of processors has: x86-64-v3, since Intel Haswell (2013) and AMD Excavator (2015).
LEVELS = {
    "linux-x86-64-v3": (
        ("Linux", "x86_64"),
        {"avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "popcnt", "sse4.2"},
    )
}


def level() -> str | None:
    """Return the level of processors whose code this one runs, None if there is none."""
    here = platform.system(), platform.machine()
    there = {name for name, is_there in llvm.get_host_cpu_features().items() if is_there}
    fit = (name for name, (system, needed) in LEVELS.items() if system == here and needed <= there)
    return next(fit, None)


@cache
def _index() -> dict[str, Any]:
    """Return where the code of each function stands; nothing where there is none for this process."""
    found = level()
    path = FOLDER / str(found) / INDEX
    if found is None or not path.exists():
        return {}
    try:
        index = json.loads(path.read_bytes())
        if (index["abi"], index["engine"]) == (ABI, engine_digest()):
            return dict(index["functions"])
        why = "is that of another version"
    except (ValueError, KeyError, TypeError, OSError):
        why = "cannot be read"
    LOG.warning("The code in %s %s: functions are compiled when they are first used.", path.parent, why)
    return {}


def find(name: str, kinds: str) -> tuple[bytes, str] | None:
    """Return the code of a function for arguments of these kinds, and the name of its door."""
    for listed, door, offset, size, check in _index().get(name, ()):
        if fits(listed, kinds):
            code = _read(offset, size, check)
            return None if code is None else (code, door)
    return None


def _read(offset: int, size: int, check: int) -> bytes | None:
    path = FOLDER / str(level()) / CODE
    try:
        with path.open("rb") as file:
            file.seek(offset)
            data = file.read(size)
        if zlib.crc32(data) == check:
            return zlib.decompress(data)
    except (OSError, zlib.error):
        pass
    if path not in _damaged:
        _damaged.add(path)
        LOG.warning("%s is damaged: functions are compiled when they are first used.", path)
    return None


_damaged: set[Path] = set()
