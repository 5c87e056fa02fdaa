"""Saved results as a page of Markdown: numbers beside published ones, then what each experiment notes."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kerneltron._visible import visible
from kerneltron.experiments.catalogue import ENTRIES
from kerneltron.experiments.summary import (
    HEAD,
    JUDGED,
    OWN_HEAD,
    SOURCE,
    alone,
    beside,
    reasons,
    row_of,
    source_of,
)

QUICK = " (quick: not to be believed)"


def markdown(results: Sequence[Mapping[str, Any]], output: str) -> str:
    """Return all comparisons as one table, then the other numbers and the notes of each experiment."""
    compared = [row for each in results for row in _rows(each)]
    head = ("command", "seconds", *HEAD, SOURCE)
    parts = [
        "# Published numbers, reproduced",
        _introduction(results, output),
        _table(head, compared, numeric={1, 3, 4, 5}),
        *(_section(each) for each in results),
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


def _introduction(results: Sequence[Mapping[str, Any]], output: str) -> str:
    """Say how the page came about: by one command if it was all of them, else by that of each row."""
    usual = {f"kerneltron reproduce {entry.name}" for entry in ENTRIES if not entry.is_long}
    is_all = usual <= {each["command"] for each in results}
    made = "`kerneltron reproduce --all`" if is_all else "the commands of the table"
    report = _code(f"kerneltron report -o {output}")
    return (
        f"Made by {made} and {report}, and never typed. The seconds are those of all that a command does. "
        f"{JUDGED}"
    )


def _rows(each: Mapping[str, Any]) -> list[list[str]]:
    """Return the rows of an experiment, the first with its command and time; one if nothing is compared."""
    found = [[*row_of(one), source_of(one)] for one in beside(each["comparisons"])]
    found = found or [[each["brief"], *[""] * len(HEAD)]]
    origin = [_code(each["command"]) + (QUICK if each["quick"] else ""), f"{each['seconds']:,.0f}"]
    return [[*(["", ""] if number else origin), *map(_escaped, cells)] for number, cells in enumerate(found)]


def _section(each: Mapping[str, Any]) -> str:
    """Return the numbers of an experiment that nothing stands beside, and what there is to know of all."""
    own = [[_escaped(cell) for cell in (row[0], row[2])] for row in map(row_of, alone(each["comparisons"]))]
    lines = [f"- {_escaped(line)}" for line in [*reasons(each["comparisons"]), *each["notes"]]]
    parts = [_table(OWN_HEAD, own, numeric={1}) if own else "", "\n".join(lines)]
    body = "\n\n".join(filter(None, parts))
    return f"## {_escaped(each['name'])}\n\n{body}" if body else ""


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], numeric: set[int]) -> str:
    line = ["---:" if place in numeric else "---" for place in range(len(head))]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, line, *rows))


def _code(text: str) -> str:
    """Return a command as code, which ends neither the code nor a cell."""
    plain = visible(" ".join(text.split())).replace("`", "'").replace("|", r"\|")
    return f"`{plain}`"


def _escaped(text: str) -> str:
    """Return a text that neither ends a cell nor acts as Markdown or on a terminal."""
    return " ".join(re.sub(r"([\\`*_\[\]<>|#])", r"\\\1", visible(" ".join(text.split()))).split())
