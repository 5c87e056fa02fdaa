"""Machine code that was compiled on this machine, kept for later processes.

A folder for each content of the engine, a file for each function and kinds of arguments. The name of a file
is a digest of all that the code depends on: never stale, also after an edit, a `git checkout`, another numba.
A file ends in a checksum; one that is damaged is compiled anew. Where no folder can be written to (a
read-only installation without a home, a full disk), code is compiled anew in each process.
"""

import os
import sys
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path

import llvmlite.binding as llvm

from kerneltron.engine.machine.content import ABI, engine_digest, is_as_it_was
from kerneltron.engine.machine.processor import features

VARIABLE = "KERNELTRON_CACHE_DIR"
CHECK = 32  # bytes of a checksum
SETTINGS = ("NUMBA_CPU_", "NUMBA_OPT", "NUMBA_LOOP_VECTORIZE", "NUMBA_SLP_VECTORIZE")  # numba's, of the code


def folder() -> Path:
    """Return where code is kept: `KERNELTRON_CACHE_DIR`, or where this system keeps such things."""
    chosen = os.environ.get(VARIABLE)
    if chosen:
        return Path(chosen)
    try:
        if sys.platform == "win32":
            return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "kerneltron"
        if sys.platform == "darwin":
            return Path.home() / "Library" / "Caches" / "kerneltron"
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "kerneltron"
    except RuntimeError:  # a user without a home, as containers have them
        return Path(os.devnull) / "kerneltron"  # where nothing can be kept


@cache
def _circumstances() -> str:
    """Return what code that was compiled here depends on beside its source."""
    from importlib.metadata import version  # 20 ms, which what is shipped does without

    versions = [f"{name} {version(name)}" for name in ("numba", "llvmlite", "numpy")]
    settings = sorted(f"{key}={value}" for key, value in os.environ.items() if key.startswith(SETTINGS))
    return repr((ABI, versions, sys.platform, llvm.get_host_cpu_name(), sorted(features()), settings))


def path_of(name: str, kinds: str, foreign: str) -> Path:
    """Return the file for a function and its kinds, with a digest of code from outside."""
    key = sha256(repr((name, kinds, foreign, _circumstances())).encode()).hexdigest()
    return folder() / engine_digest()[:16] / f"{name.replace('<locals>', '')}.{key[:24]}.o"


def load(path: Path) -> bytes | None:
    """Return what a file keeps, None if it is not there or damaged."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    code, check = data[:-CHECK], data[-CHECK:]
    return code if sha256(code).digest() == check else None


def save(path: Path, code: bytes) -> bool:
    """Keep code, and return whether that could be done. Other processes see all of it, or nothing."""
    if not is_as_it_was():
        return False  # it may be of another source than the path says
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(f".{os.getpid()}")
        try:
            part.write_bytes(code + sha256(code).digest())
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
        return True
    return False
