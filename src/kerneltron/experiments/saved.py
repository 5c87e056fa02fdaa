"""Results of experiments, read from the files that `saving.py` writes; those of others are refused."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kerneltron.experiments.catalogue import EXPERIMENTS
from kerneltron.experiments.experiment import KINDS

FORMAT = 2
PNG = b"\x89PNG\r\n\x1a\n"
LARGE = 1e300
Check = Callable[[Any], bool]


def read_all(folder: Path) -> list[dict[str, Any]]:
    """Return all results of a folder, in the order of the catalogue."""
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{folder} is a file: give the folder that `kerneltron reproduce` saved results in.")
    if not folder.is_dir():
        raise ValueError(f"there is no folder {folder}: `kerneltron reproduce digits -o {folder}` makes it.")
    found = [read(path) for path in sorted(folder.glob("*.json"))]
    if not found:
        raise ValueError(f"no results are saved in {folder}: `kerneltron reproduce digits -o {folder}` does.")
    order = list(EXPERIMENTS)
    return sorted(found, key=lambda each: order.index(each["name"]) if each["name"] in order else len(order))


def read(path: Path) -> dict[str, Any]:
    """Return the results that a file holds; raise an error that names the file if it holds others."""
    try:
        content = json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path} is not JSON ({error}): {_again(path)}") from error
    if not isinstance(content, dict) or "kerneltron" not in content or "format" not in content:
        raise ValueError(f"{path} is not a result of `kerneltron reproduce`: move it to another folder.")
    if content["format"] != FORMAT:
        raise ValueError(
            f"{path} has format {content['format']}, written by kerneltron {content['kerneltron']}; this "
            f"version reads format {FORMAT}: {_again(path)}"
        )
    for key, is_sound in PARTS.items():
        if key not in content or not is_sound(content[key]):
            raise ValueError(
                f"{path} is damaged: {key!r} is missing or not what it should be: {_again(path)}"
            )
    return content


def read_if_sound(path: Path) -> dict[str, Any] | None:
    """Return the results that a file holds, None if there is no such file or it holds others."""
    try:
        return read(path)
    except (OSError, ValueError):
        return None


def image(folder: Path, name: str) -> bytes:
    """Return a picture of the folder."""
    path = folder / name
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ValueError(f"the picture {path} cannot be read ({error.strerror}): {_again(path)}") from error
    if not content.startswith(PNG):
        raise ValueError(f"{path} is not a PNG picture: {_again(path)}")
    return content


def _again(path: Path) -> str:
    name = next((name for name in EXPERIMENTS if path.stem == name or path.stem.startswith(f"{name}-")), "")
    return f"make it again with `kerneltron reproduce {name} -o {path.parent}`." if name else "delete it."


# -- what the parts of a file must be ------------------------------------------------------------------


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_number(value: Any) -> bool:
    """Return whether a value is a finite number; whole ones may be too large to be written as others are."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < LARGE


def _list_of(is_sound: Check) -> Check:
    return lambda value: isinstance(value, list) and all(map(is_sound, value))


def _or_null(is_sound: Check) -> Check:
    return lambda value: value is None or is_sound(value)


def _with(parts: dict[str, Check]) -> Check:
    """Return a check of objects that have these parts."""

    def is_sound(value: Any) -> bool:
        return isinstance(value, dict) and all(
            key in value and check(value[key]) for key, check in parts.items()
        )

    return is_sound


def _is_table(value: Any) -> bool:
    cells = _list_of(_is_text)
    parts = _with({"title": _is_text, "head": cells, "rows": _list_of(cells)})
    return parts(value) and all(len(row) == len(value["head"]) for row in value["rows"])


def _are_pictures(value: Any) -> bool:
    """Return whether all are files beside the results, and not somewhere else."""
    return isinstance(value, dict) and all(
        _is_text(name) and Path(name).name == name for name in value.values()
    )


_NUMBERS: dict[str, Check] = dict.fromkeys(
    ("published", "ours", "spread", "difference"), _or_null(_is_number)
)
_TEXTS: dict[str, Check] = dict.fromkeys(("what", "unit", "verdict", "reason", "source"), _is_text)
PARTS: dict[str, Check] = {
    **dict.fromkeys(("kerneltron", "name", "brief", "command"), _is_text),
    "quick": lambda value: isinstance(value, bool),
    "seconds": _is_number,
    "comparisons": _list_of(_with({**_NUMBERS, **_TEXTS, "kind": KINDS.__contains__})),
    "tables": _list_of(_is_table),
    "notes": _list_of(_is_text),
    "pictures": _are_pictures,
    "captions": lambda value: isinstance(value, dict) and all(map(_is_text, value.values())),
}
