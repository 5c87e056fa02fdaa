"""Rows of the one table: what was measured beside what, the figure, and whether it meets its target."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

from benchmarks.machine import Machine


class Target(NamedTuple):
    """A bound that a figure is to keep."""

    sense: str  # "at least", "at most" or "below"
    bound: float
    aim: float | None = None  # what would be better still

    def met_by(self, figure: float) -> bool:
        """Return whether `figure` keeps the bound."""
        if self.sense == "at least":
            return figure >= self.bound
        return figure <= self.bound if self.sense == "at most" else figure < self.bound

    def __str__(self) -> str:
        better = "" if self.aim is None else f", aim {self.aim:g}"
        return f"{self.sense} {self.bound:g}{better}"


class Row(NamedTuple):
    """One line: `figure` is what `target` speaks of, and `raw` all that it was worked out from."""

    measured: str
    beside: str
    ours: str
    theirs: str
    figure: float | None  # None where there was nothing to measure
    unit: str
    raw: dict[str, Any]
    target: Target | None = None

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None without one."""
        return self.target.met_by(self.figure) if self.target and self.figure is not None else None

    def cells(self) -> list[str]:
        """Return what stands in the columns of the table."""
        figure = "" if self.figure is None else f"{self.figure:.2f} {self.unit}"
        target = "" if self.target is None else str(self.target)
        met = {True: "[green]yes", False: "[red]no", None: ""}[self.met]
        return [self.measured, self.beside, self.ours, self.theirs, figure, target, met]


Section = tuple[str, Sequence[Row]]  # the name of a case, and its rows


def show(sections: Sequence[Section], machine: Machine) -> None:
    """Print the table, and below it where and with what it was measured."""
    # Output that is not a terminal would be cut to 80 columns.
    terminal = Console()
    console = terminal if terminal.is_terminal else Console(width=180)
    table = Table("measured", "beside", "ours", "theirs", "figure", "target", "met")
    for _, rows in sections:
        for row in rows:
            table.add_row(*row.cells())
        table.add_section()
    console.print(table)
    versions = ", ".join(f"{name} {version}" for name, version in machine.versions.items())
    console.print(f"{versions}\n{machine.processor}, {machine.cores} cores", highlight=False)


def save(sections: Sequence[Section], machine: Machine, path: Path) -> None:
    """Write every figure, and the timings behind it, as JSON."""
    rows = [
        {**row._asdict(), "case": case, "target": row.target and row.target._asdict(), "met": row.met}
        for case, rows in sections
        for row in rows
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"machine": machine._asdict(), "rows": rows}, indent=1) + "\n")
