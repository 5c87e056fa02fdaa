"""The columns of dicts, and the namespaces of names: which there are, and what role each column plays."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kerneltron.features._documents import plain
from kerneltron.kernels.field_values import is_missing
from kerneltron.kernels.on import closest
from kerneltron.stream.formats.columns import IGNORE
from kerneltron.stream.formats.json_lines import guess_role
from kerneltron.stream.formats.tabular import SAMPLE

LISTED = 20  # columns that an error names
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
            if name not in known and len(values.get(name, ())) < SAMPLE and not is_missing(value):
                values.setdefault(name, []).append(plain(value))
    return {name: guess_role(first) for name, first in values.items()}


def check_decided(rows: Sequence[Mapping[str, Any]], known: Mapping[str, str], fitted: bool) -> None:
    """Raise if a column holds strings, and it is not known whether these are texts or categories."""
    for number, row in enumerate(rows):
        for name, value in row.items():
            if isinstance(value, str) and name not in known:
                what = f"X[{number}] has {value[:40]!r} in the column {name!r}"
                say = f"say columns={{{name!r}: 'text'}} or 'category'"
                if fitted:
                    raise ValueError(
                        f"{what}, which fit has not met. {_known(name, known)} If it is new, call fit on "
                        f"examples that have it, or {say}."
                    )
                raise ValueError(
                    f"{what}, and without fit one value would not tell whether it holds texts or categories: "
                    f"{say}, or call fit on examples first, which decides once for all that come."
                )


def _known(name: str, known: Mapping[str, str]) -> str:
    """Return a sentence about the columns that are known, and which of them was meant."""
    names = [each for each, role in known.items() if role != IGNORE]
    more = ", ..." if len(names) > LISTED else ""
    return f"Known are {', '.join(map(repr, names[:LISTED])) or 'none'}{more}{closest(name, names)}"


def common_columns(rows: Sequence[Mapping[str, Any]], among: Iterable[str]) -> list[str]:
    """Return the columns, of those in `among`, that all examples have.

    Examples
    --------
    >>> common_columns([{"city": "Rome", "size": 3}, {"city": None}], among=["city", "size"])
    ['city']
    """
    common, there = list(among), set(among)
    for row in rows:
        if not there <= row.keys():
            common = [name for name in common if name in row]
            there = set(common)
        if not common:
            break
    return common


def check_common(rows: Sequence[Mapping[str, Any]], common: Sequence[str]) -> None:
    """Raise if an example has none of the columns that all examples had so far: it would say nothing."""
    if not common:
        return
    there = set(common)
    for number, row in enumerate(rows):
        if there.isdisjoint(row):
            here = ", ".join(map(repr, list(row)[:LISTED])) or "none"
            meant = next((text for name in row if len(text := closest(name, common)) > 1), ".")
            raise ValueError(
                f"X[{number}] has none of the columns {', '.join(map(repr, common[:LISTED]))} that examples "
                f"had in fit; it has {here}{meant} None stands for what is missing."
            )


def namespaces(rows: Sequence[Any]) -> set[str]:
    """Return the namespaces that examples of one kind have: columns of dicts, those of names or of VW."""
    if isinstance(rows[0], Mapping):
        return {name for row in rows for name in row}
    if isinstance(rows[0], str):
        return {name for row in rows for name in VW_NAMESPACE.findall(row)}
    entries = (entry[0] if isinstance(entry, tuple) and entry else entry for row in rows for entry in row)
    return {name.partition("^")[0] for name in entries if isinstance(name, str) and "^" in name}
