"""Which format input has: said, or found by its name and its first bytes."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from kerneltron.stream.declared import Declared
from kerneltron.stream.errors import InputError
from kerneltron.stream.formats import named, recognised
from kerneltron.stream.formats.columns import FEATURES, LABEL, Columns
from kerneltron.stream.formats.delimited import Csv
from kerneltron.stream.formats.format import Format
from kerneltron.stream.formats.json_lines import JsonLines
from kerneltron.stream.formats.svmlight import Svmlight
from kerneltron.stream.formats.tabular import Tabular
from kerneltron.stream.sources import head_of, plain_name

HEAD = 1 << 16  # bytes


def format_for(sources: Sequence[str], declared: Declared, labelled: bool = True) -> Format:
    """Return the format of input of which nothing is known but what was declared."""
    columns = Columns(roles=declared.roles, label=declared.label, names=declared.columns, labelled=labelled)
    return _made(_kind(sources, declared), columns, declared)


def format_like(known: Format, sources: Sequence[str], declared: Declared, labelled: bool) -> Format:
    """Return the format of input for a model that was trained on a `known` one.

    Where both have columns, these have the roles that they had in training, unless others were declared.
    Without `labelled` there need be no labels. Raises an InputError where the features would be different.
    """
    kind = _kind(sources, declared)
    _check_alike(known, kind, sources[0])
    if not isinstance(known, Tabular):
        columns = Columns(
            roles=declared.roles, label=declared.label, names=declared.columns, labelled=labelled
        )
        return _made(kind, columns, declared)
    again = type(known).from_json(known.to_json())
    roles = {**again.columns.roles, **declared.roles}
    if declared.label is not None or LABEL in declared.roles.values():
        mine = [declared.label, *(name for name, role in declared.roles.items() if role == LABEL)]
        roles = {name: role for name, role in roles.items() if role != LABEL or name in mine}
    columns = replace(
        again.columns,
        roles=roles,
        label=declared.label,
        names=declared.columns or (again.columns.names if kind is type(known) else ()),
        labelled=labelled,
    )
    if declared.delimiter is None and kind is type(known) and isinstance(known, Csv):
        declared = replace(declared, delimiter=known.delimiter)
    return _made(kind, columns, declared)


def _check_alike(known: Format, kind: type[Format], source: str) -> None:
    """Raise if a model that was trained on a `known` format would take input of another one for noise.

    Formats with columns share them, and `convert` writes the features of any format in VW and JSON lines.
    """
    from_lines = not isinstance(known, Tabular) and issubclass(kind, Tabular) and kind is not JsonLines
    named = known.roles.items() if isinstance(known, Tabular) and kind is Svmlight else ()
    to_numbers = any(role in FEATURES and not name.isdecimal() for name, role in named)
    if from_lines or to_numbers:
        reason = "has columns, whose roles the model does not know" if from_lines else "has no columns"
        raise InputError(
            f"{source}: the model was trained on {known.name}, and this is {kind.name}, which {reason}: the "
            f"features would differ. Give {known.name}, or say `format` if the file is of another format."
        )


def _kind(sources: Sequence[str], declared: Declared) -> type[Format]:
    if declared.format is not None:
        return named(declared.format)
    return recognised(plain_name(sources[0]), head_of(sources[0], HEAD))


def _made(kind: type[Format], columns: Columns, declared: Declared) -> Format:
    """Return a format with what was said of it; raise where it has no place for that."""
    options: dict[str, Any] = {}
    if issubclass(kind, Csv):
        options["delimiter"] = declared.delimiter
    elif declared.delimiter is not None:
        raise InputError(f"The format {kind.name} has no delimiter: leave `delimiter` out.")
    if issubclass(kind, Tabular):
        return kind(columns, **options)
    if declared.label is not None or declared.columns or declared.roles:
        raise InputError(f"The format {kind.name} has no columns: leave `label`, `columns` and `roles` out.")
    return kind()
