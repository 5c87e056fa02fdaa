"""Saved results as one HTML page that needs nothing else: no script, no other file, no network."""

import re
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from kerneltron._version import __version__
from kerneltron._visible import visible
from kerneltron.experiments.experiment import AS_THEORY, BETTER, SAME, SUSPICIOUS, UNLIKE_THEORY, WORSE
from kerneltron.experiments.saved import image
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

# A cell of numbers, which stand at the right: digits, and what stands between and around them.
NUMERIC = re.compile(r"[-+−±~<>≈]*\s*[\d.,]+(?:[\d.,\s%±/x×e+-]|[kMG]?B\b|ms\b|s\b)*|-|–|")  # noqa: RUF001
MARKS = {
    **dict.fromkeys((SAME, AS_THEORY), "same"),
    **dict.fromkeys((WORSE, UNLIKE_THEORY), "worse"),
    BETTER: "better",
    SUSPICIOUS: "suspicious",
}
QUICK = '<span class="quick">quick: not to be believed</span>'
STYLE = """
:root { color-scheme: light dark; --text: #1b1b1b; --soft: #5c5c5c; --line: #c9c9c9; --back: #ffffff;
  --good: #00694c; --bad: #9c4400; --alarm: #ffe08a; }
@media (prefers-color-scheme: dark) { :root { --text: #ececec; --soft: #a9a9a9; --line: #4a4a4a;
  --back: #161616; --good: #4fd0a5; --bad: #f0a35e; --alarm: #6b5200; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--text); background: var(--back); max-width: 62rem;
  margin: 2rem auto; padding: 0 1rem; }
h1, h2 { line-height: 1.2; }
h2 { margin-top: 3rem; border-top: 2px solid var(--line); padding-top: 1rem; }
a { color: inherit; }
code { font: 0.95em ui-monospace, monospace; }
pre { overflow-x: auto; border: 1px solid var(--line); padding: 0.5rem 0.8rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; margin: 0.5rem 0 1.5rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: 0.4rem 0; }
th, td { text-align: left; vertical-align: top; padding: 0.15rem 0.8rem 0.15rem 0;
  border-bottom: 1px solid var(--line); }
.number { text-align: right; white-space: nowrap; }
.soft { color: var(--soft); }
.better { color: var(--good); }
.worse { color: var(--bad); }
.suspicious { background: var(--alarm); font-weight: 700; }
.quick { background: var(--alarm); padding: 0.3rem 0.6rem; }
figure { margin: 1rem 0; }
img { max-width: 100%; height: auto; background: #ffffff; }
@media print { body { max-width: none; margin: 0; font-size: 11pt; } h2 { break-after: avoid; }
  tr, figure { break-inside: avoid; } .wide { overflow: visible; } }
"""


def page(results: Sequence[Mapping[str, Any]], folder: Path) -> str:
    """Return the page; the pictures are taken from the folder and become parts of it."""
    body = [
        "<h1>Published numbers, reproduced</h1>",
        f"<p>By kerneltron {_text(__version__)}. Every section names the command that makes its tables and "
        f"pictures again. {_text(JUDGED)}</p>",
        _contents(results),
        _summary(results),
        *(_section(each, folder) for each in results),
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        "<title>Published numbers, reproduced by kerneltron</title>\n"
        f"<style>{STYLE}</style>\n</head>\n<body>\n" + "\n".join(body) + "\n</body>\n</html>\n"
    )


def _contents(results: Sequence[Mapping[str, Any]]) -> str:
    """Return a list of all experiments, each a link to its section."""
    lines = [f"<li>{_link(each)}: {_text(each['brief'])}{_quick(each)}</li>" for each in results]
    return "\n".join(["<nav><ul>", *lines, "</ul></nav>"])


def _summary(results: Sequence[Mapping[str, Any]]) -> str:
    """Return all numbers that have something beside them in one table; sections name the sources."""
    rows = [
        _row([f"<td>{_link(each)}{_quick(each)}</td>", *_compared(comparison)[:-1]])
        for each in results
        for comparison in beside(each["comparisons"])
    ]
    return _table("All comparisons", ("experiment", *HEAD), rows, {2, 3, 4}) if rows else ""


def _link(each: Mapping[str, Any]) -> str:
    return f'<a href="#{_text(each["name"])}">{_text(each["name"])}</a>'


def _quick(each: Mapping[str, Any]) -> str:
    return f" {QUICK}" if each["quick"] else ""


def _section(each: Mapping[str, Any], folder: Path) -> str:
    """Return what an experiment came to."""
    parts = [
        f'<section id="{_text(each["name"])}">',
        f"<h2>{_text(each['name'])}: {_text(each['brief'])}</h2>",
        f"<pre><code>{_text(each['command'])}</code></pre>",
        f'<p class="soft">{each["seconds"]:,.1f} s, by kerneltron {_text(each["kerneltron"])}</p>',
    ]
    if each["quick"]:
        parts.append('<p class="quick">A quick run: these numbers are not to be believed.</p>')
    compared, own = beside(each["comparisons"]), alone(each["comparisons"])
    if compared:
        parts.append(_table("", (*HEAD, SOURCE), [_row(_compared(one)) for one in compared], {1, 2, 3}))
    if own:
        parts.append(_table("", OWN_HEAD, [_row(_cells(row_of(one)[:3:2], {1})) for one in own], {1}))
    parts += [f"<p>{_text(line)}</p>" for line in [*reasons(each["comparisons"]), *each["notes"]]]
    parts += [_laid_out(table) for table in each["tables"]]
    parts += [
        _picture(each["captions"].get(title, title), folder, name) for title, name in each["pictures"].items()
    ]
    return "\n".join([*parts, "</section>"])


def _compared(comparison: Mapping[str, Any]) -> list[str]:
    """Return the cells of a comparison; the verdict is told by words, and by a colour as well."""
    *cells, verdict = row_of(comparison)
    mark = MARKS.get(verdict, "")
    judged = f'<td class="{mark}">{_text(verdict)}</td>'
    return [*_cells(cells, {1, 2, 3}), judged, *_cells([source_of(comparison)], set())]


def _laid_out(table: Mapping[str, Any]) -> str:
    """Return a saved table, with columns of numbers at the right."""
    columns = zip(*table["rows"], strict=True)
    numeric = {place for place, column in enumerate(columns) if all(map(NUMERIC.fullmatch, column))}
    return _table(
        table["title"], table["head"], [_row(_cells(row, numeric)) for row in table["rows"]], numeric
    )


def _table(title: str, head: Iterable[str], rows: Iterable[str], numeric: set[int]) -> str:
    caption = f"<caption>{_text(title)}</caption>" if title else ""
    names = "".join(
        f'<th scope="col"{_class(place, numeric)}>{_text(name)}</th>' for place, name in enumerate(head)
    )
    top, body = f"{caption}<thead><tr>{names}</tr></thead>", "\n".join(rows)
    return f'<div class="wide"><table>{top}\n<tbody>\n{body}\n</tbody></table></div>'


def _row(cells: Iterable[str]) -> str:
    return f"<tr>{''.join(cells)}</tr>"


def _cells(cells: Iterable[str], numeric: set[int]) -> list[str]:
    return [f"<td{_class(place, numeric)}>{_text(cell)}</td>" for place, cell in enumerate(cells)]


def _class(place: int, numeric: set[int]) -> str:
    return ' class="number"' if place in numeric else ""


def _picture(caption: str, folder: Path, name: str) -> str:
    """Return a picture as a part of the page."""
    source = b64encode(image(folder, name)).decode()
    return (
        f'<figure><img alt="{_text(caption)}" src="data:image/png;base64,{source}">'
        f"<figcaption>{_text(caption)}</figcaption></figure>"
    )


def _text(text: str) -> str:
    """Return a text that is only seen: nothing in it acts as HTML, or sets the direction of writing."""
    return escape(visible(" ".join(text.split())))
