"""Comparisons as rows of text, for the terminal, the page and the documentation alike."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kerneltron.experiments.experiment import SUSPICIOUS

HEAD = ("what", "published", "ours", "difference", "verdict")
CHECK = (
    "much better than published. Before it is believed, check that no test example was learned from, that no "
    "feature tells the label, that settings were chosen without the test examples, and that split and "
    "measure are those of the publication."
)
INTRODUCTION = """# Published numbers, reproduced

Made by `kerneltron reproduce --all` and `kerneltron report -o docs/reproduced.md`, and never typed. The
seconds are those of all that a command does.
"""


def row_of(comparison: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the cells of a saved comparison, in the order of `HEAD`.

    Examples
    --------
    >>> error = {"what": "test error", "published": 6.12, "ours": 5.3, "spread": 0.4, "difference": -0.82}
    >>> row_of(error | {"unit": "%", "verdict": "better"})
    ('test error', '6.12 %', '5.30 ± 0.40 %', '-0.82', 'better')
    """
    unit = comparison["unit"]
    published, ours, spread = (number(comparison[key], unit) for key in ("published", "ours", "spread"))
    difference = number(comparison["difference"], unit, sign="+")
    ours = f"{ours} ± {spread}" if spread else ours
    both = (f"{value} {unit}".rstrip() if value else "-" for value in (published, ours))
    return comparison["what"], *both, difference, comparison["verdict"]


def number(value: float | None, unit: str, sign: str = "") -> str:
    """Return a number as it is read most easily, an empty text for None; `sign` "+" shows it always.

    Examples
    --------
    >>> number(1228.0, ""), number(3.0, "%"), number(0.00123456, "", "+"), number(None, "%")
    ('1,228', '3.00', '+0.001235', '')
    """
    if value is None:
        return ""
    form = ".2f" if unit == "%" else ",.0f" if value == int(value) or abs(value) >= 1e4 else ".4g"
    return format(value, f"{sign}{form}")


def reasons(comparisons: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return why some numbers are not those that were published, and what to check where some are too good.

    Examples
    --------
    >>> error = {"what": "a tree", "verdict": "worse", "reason": "another split."}
    >>> reasons([error, error | {"what": "a vote"}])
    ['a tree; a vote: another split.']
    """
    comparisons = list(comparisons)
    told: dict[str, list[str]] = {}
    for each in comparisons:
        if each["reason"]:
            told.setdefault(each["reason"], []).append(each["what"])
    for each in comparisons:
        if each["verdict"] == SUSPICIOUS:
            told.setdefault(CHECK, []).append(each["what"])
    return [f"{'; '.join(names)}: {reason}" for reason, names in told.items()]


def markdown(results: Sequence[Mapping[str, Any]]) -> str:
    """Return the comparisons of all results as one table, with the command that makes each of them again."""
    rows = [row for each in results for row in _rows(each)]
    table = [("command", "seconds", *HEAD), ("---", "---:", "---", *["---:"] * 3, "---"), *rows]
    told = [f"{each['name']}: {line}" for each in results for line in reasons(each["comparisons"])]
    lines = [f"| {' | '.join(row)} |" for row in table]
    return "\n".join([INTRODUCTION, *lines, "", *(f"- {_escaped(line)}" for line in told)]).rstrip() + "\n"


def _rows(each: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """Return the rows of an experiment, the first with its command and time; one if nothing is compared."""
    compared = [row_of(comparison) for comparison in each["comparisons"]] or [(each["brief"], "", "", "", "")]
    command = " ".join(each["command"].replace("`", "'").replace("|", r"\|").split())
    origins = [(f"`{command}`", f"{each['seconds']:,.0f}"), *[("", "")] * (len(compared) - 1)]
    return [(*origin, *map(_escaped, cells)) for origin, cells in zip(origins, compared, strict=True)]


def _escaped(text: str) -> str:
    """Return a text that neither ends a cell nor acts as Markdown."""
    return " ".join(re.sub(r"([\\`*_\[\]<>|#])", r"\\\1", text).split())
