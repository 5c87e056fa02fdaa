"""Where the machine code of a call comes from: the package, an earlier process, or numba, in this order."""

from hashlib import sha256
from pathlib import Path
from typing import Any

from kerneltron.engine.foreign_code import UnknownCodeError, digest, foreign_types, is_foreign
from kerneltron.engine.machine import kept, shipped
from kerneltron.engine.machine.announcing import announced
from kerneltron.engine.machine.entry import Entry
from kerneltron.engine.machine.kinds import Kind, classes_in, written
from kerneltron.engine.machine.loading import load

WHY = "no machine code for these arguments came with the package or was kept"


def door_of(entry: Entry, kinds: tuple[Kind, ...]) -> Any:
    """Return a door of an entry that takes arguments of these kinds."""
    text = written(kinds)
    types = foreign_types(classes_in(kinds))
    if types or is_foreign(entry.py_func):
        try:
            return _kept(entry, kinds, kept.path_of(entry.name, text, digest(entry.py_func, types)))
        except UnknownCodeError:
            door = door_name(entry.name, text)
            return load(compiled(entry, kinds, door)[0], door, kinds)
    found = shipped.find(entry.name, text)
    if found is not None:
        try:
            return load(*found, kinds)
        except LookupError:
            shipped.warn_of_damage()
    return _kept(entry, kinds, kept.path_of(entry.name, text, ""))


def _kept(entry: Entry, kinds: tuple[Kind, ...], path: Path) -> Any:
    """Return the door that a file keeps; where it does not, compile it, and let the file keep it."""
    door = door_name(entry.name, written(kinds))
    code = kept.load(path)
    if code is None:
        code, is_free = compiled(entry, kinds, door)
        if is_free:
            kept.save(path, code)
    return load(code, door, kinds)


def door_name(name: str, kinds: str) -> str:
    """Return the name of a door, which is unique."""
    return f"{name}.{sha256(kinds.encode()).hexdigest()[:16]}"


def compiled(entry: Entry, kinds: tuple[Kind, ...], door: str) -> tuple[bytes, bool]:
    """Compile an entry for these kinds."""
    with announced(entry.name, WHY):
        try:
            from kerneltron.engine.machine.numba_inside import object_code
        except ModuleNotFoundError as error:
            raise ModuleNotFoundError(
                f"{entry.name} has to be compiled, since {WHY}, and {error.name} is not installed: "
                f"pip install {error.name}.",
                name=error.name,
            ) from error
        return object_code(entry.py_func, entry.options, kinds, door)
