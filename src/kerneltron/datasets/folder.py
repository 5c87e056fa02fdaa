"""Where data sets lie: in a folder that is given, or in one below the folder that KERNELTRON_DATA names."""

import gzip
import json
import os
import zlib
from collections.abc import Collection
from pathlib import Path
from typing import Any

VARIABLE = "KERNELTRON_DATA"


class MissingFileError(FileNotFoundError):
    """A file or folder of a data set is not there: what was looked for, and what to do about it."""

    def __init__(self, what: str, advice: str = "") -> None:
        super().__init__(f"{what}: {advice}" if advice else what)
        self.what = what


def folder_of(data: str, given: str | Path | None = None) -> Path | None:
    """Return the folder of a data set: what is given, else `data` below KERNELTRON_DATA, if that is set."""
    if given is not None:
        return Path(given)
    root = os.environ.get(VARIABLE)
    return Path(root, data) if root else None


def found_folder(data: str, given: str | Path | None, origin: str) -> Path:
    """Return the folder of a data set that cannot be downloaded; `origin` says where it comes from."""
    folder = folder_of(data, given)
    if folder is None:
        raise MissingFileError(
            f"{VARIABLE} is not set",
            f"let it name a folder with the data in `{data}`, or give the folder itself. {origin}",
        )
    return folder


def find(folder: Path, name: str, advice: str) -> Path:
    """Return the file, packed or not; raise an error that says what was looked for, and the advice."""
    for path in (folder / f"{name}.gz", folder / name):
        if path.is_file():
            return path
    raise MissingFileError(f"Neither {name}.gz nor {name} is in {folder}", advice)


def unpacked(path: Path) -> bytes:
    """Return what the file holds, unpacked if its name ends in .gz."""
    if path.suffix != ".gz":
        return path.read_bytes()
    try:
        with gzip.open(path) as file:
            return file.read()
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise ValueError(f"{path} cannot be unpacked ({error}): fetch it again.") from error


def lines_of(path: Path) -> list[str]:
    """Return the lines of a text; other ends than those of lines, such as U+0085, are parts of a text."""
    try:
        lines = unpacked(path).decode().removesuffix("\n").split("\n")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not text in UTF-8 ({error}): fetch it again.") from error
    return [line.removesuffix("\r") for line in lines] if lines != [""] else []


def json_lines(path: Path, keys: Collection[str]) -> list[dict[str, Any]]:
    """Return the objects of a file, one per line, which hold a text under each of the keys."""
    return [_object(line, f"{path}, line {number}", keys) for number, line in enumerate(lines_of(path), 1)]


def _object(line: str, place: str, keys: Collection[str]) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except ValueError as error:
        raise ValueError(f"{place} is not JSON ({error}): fetch the file again.") from error
    if not isinstance(found, dict) or not all(isinstance(found.get(key), str) for key in keys):
        raise ValueError(f"{place} is not an object with texts under {', '.join(keys)}: {line[:60]!r}")
    return found
