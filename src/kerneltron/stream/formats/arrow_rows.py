"""Rows of Arrow tables as text, and the roles that types suggest. pyarrow is imported when it is needed."""

import json
from collections.abc import Mapping
from typing import Any

from kerneltron.stream.formats.columns import CATEGORY, IGNORE, NUMBER, TEXT, guess_words


def guess(kind: Any, values: Any) -> str:
    """Return the role that the type of a column, and if it holds strings its first values, suggest."""
    if _is_number(kind):
        return NUMBER
    if not is_usable(kind):
        return IGNORE
    if is_nested(kind):
        return CATEGORY if _types().is_struct(kind) else TEXT
    return guess_words(value.as_py() or "" for value in values) if _is_string(kind) else CATEGORY


def is_usable(kind: Any) -> bool:
    """Return whether values of this type can be written as text."""
    return _is_number(kind) or _is_string(kind) or is_nested(kind) or _is(kind, "boolean", "temporal")


def is_nested(kind: Any) -> bool:
    """Return whether values of this type hold other values."""
    return _is(kind, "list", "large_list", "fixed_size_list", "struct")


def as_csv(batch: Any, roles: Mapping[str, str]) -> bytes:
    """Return flat rows as comma-separated values, without a header; line ends in texts become blanks."""
    import pyarrow
    from pyarrow import csv

    columns = [
        _on_one_line(column) if roles[name] == TEXT else _plain(column)
        for name, column in zip(batch.schema.names, batch.columns, strict=True)
    ]
    written = pyarrow.BufferOutputStream()
    table = pyarrow.record_batch(columns, batch.schema.names)
    csv.write_csv(table, written, csv.WriteOptions(include_header=False))
    return bytes(written.getvalue())


def as_json(batch: Any, roles: Mapping[str, str]) -> bytes:
    """Return rows as JSON objects, one per line."""
    lines = [json.dumps(row, default=str, ensure_ascii=False) + "\n" for row in batch.to_pylist()]
    return "".join(lines).encode()


def _on_one_line(column: Any) -> Any:
    import pyarrow
    from pyarrow import compute

    text = column.cast(pyarrow.large_string())
    for line_end in "\r\n":
        text = compute.replace_substring(text, line_end, " ")
    return text


def _plain(column: Any) -> Any:
    """Return a column in a type that can be written."""
    import pyarrow

    return column.cast(pyarrow.large_string()) if _is_string(column.type) else column


def _is_number(kind: Any) -> bool:
    return _is(kind, "integer", "floating", "decimal")


def _is_string(kind: Any) -> bool:
    return _is(kind, "string", "large_string", "string_view")


def _is(kind: Any, *names: str) -> bool:
    """Return whether a type, or that of the values which a dictionary of them stands for, is one of these."""
    types = _types()
    values = kind.value_type if types.is_dictionary(kind) else kind
    return any(getattr(types, f"is_{name}")(values) for name in names)


def _types() -> Any:
    from pyarrow import types

    return types
