"""The formats of files: how each is recognised, cut into records, and parsed."""

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from kerneltron.stream.errors import InputError

if TYPE_CHECKING:
    from kerneltron.stream.formats.format import Format

# What each format is called, and where it lives; in the order in which contents are looked at.
FORMATS = {
    "parquet": ("columnar", "Parquet"),
    "arrow": ("columnar", "Arrow"),
    "jsonl": ("json_lines", "JsonLines"),
    "svmlight": ("svmlight", "Svmlight"),
    "vw": ("vowpal", "Vowpal"),
    "tsv": ("delimited", "Tsv"),
    "csv": ("delimited", "Csv"),
}


def named(name: str) -> "type[Format]":
    """Return a format by its name."""
    if name not in FORMATS:
        raise InputError(f"There is no format {name!r}. Choose one of {', '.join(sorted(FORMATS))}.")
    home, kind = FORMATS[name]
    found: type[Format] = getattr(import_module(f"{__name__}.{home}"), kind)
    return found


def recognised(name: str, head: bytes) -> "type[Format]":
    """Return the format of a file, by its name (without .gz or .zst) and then by its first bytes."""
    for kind in map(named, FORMATS):
        if name.lower().endswith(kind.endings):
            return kind
    for kind in map(named, FORMATS):
        if kind.recognises(head):
            return kind
    raise InputError(
        f"{name}: the format cannot be told from its name or its first line. Say it with `format`, one of "
        f"{', '.join(sorted(FORMATS))}."
    )


def restored(values: Mapping[str, Any]) -> "Format":
    """Return the format that `Format.to_json` described."""
    return named(str(values.get("name"))).from_json(values)
