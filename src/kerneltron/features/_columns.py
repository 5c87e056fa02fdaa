"""The columns of dicts, and the namespaces of names: which there are, and what role each column plays."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kerneltron.features._documents import plain
from kerneltron.stream.formats.json_lines import guess_role
from kerneltron.stream.formats.tabular import SAMPLE

VW_NAMESPACE = re.compile(r"\|([^\s:|]+)")


def decided(rows: Iterable[Mapping[str, Any]], known: Mapping[str, str]) -> dict[str, str]:
    """Return the roles that the first values of the columns suggest, for those that have none yet.

    Examples
    --------
    >>> decided([{"city": "Rome", "size": 3}, {"city": "New York"}], known={"size": "category"})
    {'city': 'text'}
    """
    values: dict[str, list[Any]] = {}
    for row in rows:
        for name, value in row.items():
            if value is not None and name not in known:
                first = values.setdefault(name, [])
                if len(first) < SAMPLE:
                    first.append(plain(value))
    return {name: guess_role(first) for name, first in values.items()}


def check_decided(rows: Sequence[Mapping[str, Any]], known: Mapping[str, str], fitted: bool) -> None:
    """Raise if a column holds strings, and it is not known whether these are texts or categories."""
    for number, row in enumerate(rows):
        for name, value in row.items():
            if isinstance(value, str) and name not in known:
                why = "which fit has not met" if fitted else "and without fit one value would not tell"
                raise ValueError(
                    f"X[{number}] has {value[:40]!r} in the column {name!r}, {why} whether it holds texts or "
                    f"categories: say columns={{{name!r}: 'text'}} or 'category', or call fit on examples "
                    "first, which decides once for all that come."
                )


def namespaces(rows: Sequence[Any]) -> set[str]:
    """Return the namespaces that examples of one kind have: columns of dicts, those of names or of VW."""
    if isinstance(rows[0], Mapping):
        return {name for row in rows for name in row}
    if isinstance(rows[0], str):
        return {name for row in rows for name in VW_NAMESPACE.findall(row)}
    entries = (entry[0] if isinstance(entry, tuple) and entry else entry for row in rows for entry in row)
    return {name.partition("^")[0] for name in entries if isinstance(name, str) and "^" in name}
