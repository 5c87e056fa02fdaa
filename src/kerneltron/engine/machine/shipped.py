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
from typing import NamedTuple, Self

from kerneltron.engine.machine.content import ABI, engine_digest
from kerneltron.engine.machine.kinds import fits
from kerneltron.engine.machine.processor import features

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


class Place(NamedTuple):
    """Where the code of a function stands, for one kinds of arguments."""

    kinds: str
    door: str
    offset: int
    size: int
    check: int  # of its bytes

    def checked(self) -> Self:
        """Return itself; raise a ValueError where it cannot be true."""
        if list(map(type, self)) != [str, str, int, int, int] or min(self.offset, self.size) < 0:
            raise ValueError(f"{self} is no place")
        return self


def level() -> str | None:
    """Return the level of processors whose code this one runs, None if there is none."""
    here = platform.system(), platform.machine()
    fit = (name for name, (system, needed) in LEVELS.items() if system == here and needed <= features())
    return next(fit, None)


def path_of_code() -> str:
    """Return which code this process runs: that of a level of processors, or for the very processor.

    Sums in any order may differ between both in the last digit.
    """
    return str(level()) if _index() else "compiled here"


@cache
def _index() -> dict[str, list[Place]]:
    """Return where the code of each function stands; nothing where there is none for this process."""
    found = level()
    path = FOLDER / str(found) / INDEX
    if found is None or not path.exists():
        return {}
    try:
        index = json.loads(path.read_bytes())
        if (index["abi"], index["engine"]) == (ABI, engine_digest()):
            return {
                name: [Place(*row).checked() for row in rows] for name, rows in index["functions"].items()
            }
        why = "is that of another version"
    except (ValueError, KeyError, TypeError, AttributeError, OSError):
        why = "cannot be read"
    LOG.warning("The code in %s %s: functions are compiled when they are first used.", path.parent, why)
    return {}


def find(name: str, kinds: str) -> tuple[bytes, str] | None:
    """Return the code of a function for arguments of these kinds, and the name of its door."""
    for place in _index().get(name, ()):
        if fits(place.kinds, kinds):
            code = _read(place)
            return None if code is None else (code, place.door)
    return None


def _read(place: Place) -> bytes | None:
    try:
        with (FOLDER / str(level()) / CODE).open("rb") as file:
            file.seek(place.offset)
            data = file.read(place.size)
        if zlib.crc32(data) == place.check:
            return zlib.decompress(data)
    except (OSError, OverflowError, zlib.error):
        pass
    warn_of_damage()
    return None


def warn_of_damage() -> None:
    """Say once that the code that comes with the package is damaged."""
    path = FOLDER / str(level()) / CODE
    if path not in _damaged:
        _damaged.add(path)
        LOG.warning("%s is damaged: functions are compiled when they are first used.", path)


_damaged: set[Path] = set()
