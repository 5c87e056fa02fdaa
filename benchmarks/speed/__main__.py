"""The command `python -m benchmarks.speed`: measure the headlines and compare them with the record."""

from argparse import ArgumentParser
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from time import perf_counter

from rich.console import Console
from rich.table import Table

from benchmarks.speed.race import Measured, Race, measure
from benchmarks.speed.races import RACES
from benchmarks.speed.record import PATH, Headline, load, save

AGAIN = 2  # more rounds for a headline that looks worse than the record


def main() -> None:
    """Run the races. A worse ratio is printed plainly and is the exit code 1."""
    parser = ArgumentParser(prog="python -m benchmarks.speed", description=__doc__)
    parser.add_argument("--only", metavar="TEXT", action="append", help="headlines whose name has this text")
    parser.add_argument("--save", action="store_true", help="write these ratios as the record")
    parser.add_argument("--record", type=Path, default=PATH, help="the record (default: %(default)s)")
    given = parser.parse_args()
    recorded = load(given.record)
    chosen = [race for race in RACES if not given.only or any(text in race.name for text in given.only)]
    if not chosen:
        parser.error(f"no headline has the text {' or '.join(map(repr, given.only))} in its name")
    start = perf_counter()
    headlines = run(chosen, recorded)
    show(headlines, perf_counter() - start)
    if given.save:
        save(headlines, given.record)
    raise SystemExit(1 if any(headline.is_worse for headline in headlines) else 0)


def run(races: Sequence[Race], recorded: dict[str, float]) -> list[Headline]:
    """Measure in one BLAS thread; peers that are not installed are left out, with a word."""
    progress, headlines = Console(stderr=True), []
    with import_module("threadpoolctl").threadpool_limits(1):  # scikit-learn brings it
        for race in races:
            progress.print(f"measuring {race.name}", style="dim", highlight=False)
            try:
                headlines += race_of(race, recorded)
            except ModuleNotFoundError as missing:
                progress.print(f"left out: {missing.name} is not installed", style="red")
    return headlines


def race_of(race: Race, recorded: dict[str, float]) -> list[Headline]:
    """Measure one race; where it looks worse than the record, again, to tell a disturbance from a defect."""
    contestants = race.prepare()
    measured = measure(contestants)
    for _ in range(AGAIN):
        if not any(headline.is_worse for headline in ratios(race, measured, recorded)):
            break
        measured = measured.best(measure(contestants))
    return ratios(race, measured, recorded)


def ratios(race: Race, measured: Measured, recorded: dict[str, float]) -> list[Headline]:
    """Return the headlines of one race, one for each clock."""
    found = [Headline(race.name, race.reference, clock, measured.ratio(clock), None) for clock in race.clocks]
    return [headline._replace(recorded=recorded.get(headline.key)) for headline in found]


def show(headlines: Sequence[Headline], seconds: float) -> None:
    """Print one table."""
    terminal = Console()
    console = terminal if terminal.is_terminal else Console(width=150)
    table = Table("headline", "reference", "clock", "times as long", "on record", "change")
    for row in headlines:
        style = "red" if row.is_worse else None
        recorded = "" if row.recorded is None else f"{row.recorded:.3g}"
        table.add_row(
            row.name, row.reference, row.clock, f"{row.ratio:.3g}", recorded, row.change, style=style
        )
    console.print(table)
    worse = [row.key for row in headlines if row.is_worse]
    verdict = f"more than 15 % slower than on record: {', '.join(worse)}" if worse else "none is slower"
    console.print(f"{seconds:.0f} s; {verdict}", highlight=False)


if __name__ == "__main__":
    main()
