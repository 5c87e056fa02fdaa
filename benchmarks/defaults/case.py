"""The case `defaults` of `python -m benchmarks`: one row for each set, and one for each question."""

from collections.abc import Sequence
from typing import Any

from rich.console import Console

from benchmarks.defaults import sets
from benchmarks.defaults.measuring import measure
from benchmarks.defaults.shares import Share, shares
from benchmarks.settings import Settings
from benchmarks.table import Row, Target


def defaults(settings: Settings, names: Sequence[str] | None = None) -> list[Row]:
    """Measure the defaults on all sets, or on some, and judge them."""
    progress, figures, missing = Console(stderr=True), [], []
    for name in sets.names() if names is None else names:
        try:
            data = sets.load(name, settings.quick)
        except FileNotFoundError as error:
            missing.append(Row(name, "", "", f"no data: {error}", None, "", {}))
            continue
        progress.print(f"  {name}", style="dim")
        figures.append(measure(data))
    return [*(_row(each) for each in figures), *missing, *(_question(each) for each in shares(figures))]


def _question(found: Share) -> Row:
    target = None if found.goal is None else Target("at least", found.goal)
    return Row(found.question, f"{found.judged} sets", "", "", found.share, "", found._asdict(), target)


def _row(figures: dict[str, Any]) -> Row:
    mine, best = figures["ours"][figures["recommended"]], figures["best"]
    known = {name: peer for name, peer in figures["peers"].items() if "error" in peer}
    peer = min(known, key=lambda name: known[name]["error"]) if known else None
    theirs = f"{percent(best)}; {peer} {percent(known[peer])}" if peer else percent(best)
    # Half an error more on both sides, so that none of them is 0.
    half = 0.5 / figures["test_rows"]
    ratio = (mine["error"] + half) / (best["error"] + half)
    title = f"{figures['set']}, {figures['recommended']}"
    return Row(title, "our best; the best peer", percent(mine), theirs, ratio, "of our best", figures)


def percent(figures: dict[str, Any]) -> str:
    """Return an error with its standard error."""
    return f"{100 * figures['error']:.1f} ± {100 * figures['standard_error']:.1f} %"
