"""The line that shows how a training goes, on standard error and only if that is a terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

from kerneltron.training.pace import Moment, Pace
from kerneltron.training.streaming import StreamTraining

INTERVAL = 0.25  # seconds
MOST_SHARDS = 8  # that the line of a cluster shows


@contextmanager
def live(total: int | None, quiet: bool) -> Iterator[Callable[[StreamTraining], None]]:
    """Yield a function to be told of a training after each window."""
    if quiet or not sys.stderr.isatty():
        yield lambda training: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}"), BarColumn(bar_width=20), TimeRemainingColumn(compact=True)
    pace = Pace(total)
    shown = -INTERVAL
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("starting; a first run compiles its code, once", total=None)

        def update(training: StreamTraining) -> None:
            nonlocal shown
            if monotonic() - shown < INTERVAL:
                return
            shown = monotonic()
            moment = pace.look(training)
            known = None if moment.share is None else 1.0
            bar.update(task, description=line(moment), completed=moment.share or 0.0, total=known)

        yield update


@contextmanager
def live_rounds(quiet: bool) -> Iterator[Callable[[Any], None]]:
    """Yield a function to be told of a training on a cluster now and then."""
    if quiet or not sys.stderr.isatty():
        yield lambda training: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = TextColumn("{task.description}"), BarColumn(bar_width=20)
    began = monotonic()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("workers start; a first run compiles its code, once", total=None)

        def update(training: Any) -> None:
            words, share = line_of_round(training, monotonic() - began)
            bar.update(task, description=words, completed=share, total=1.0)

        yield update


def line_of_round(training: Any, elapsed: float) -> tuple[str, float]:
    """Return the words of the line, and which part of all rounds lies behind."""
    signs = [sign for sign in list(training.signs.values()) if sign.round == training.number]
    shares = {sign.shard: sign.share or 0.0 for sign in signs}
    shards, rounds = len(training.shards), int(training.plan.passes)
    examples = training.progress.examples + sum(sign.progress.examples for sign in signs)
    each = "  ".join(f"{number + 1}: {share:.0%}" for number, share in sorted(shares.items())[:MOST_SHARDS])
    words = (
        f"round {min(training.number + 1, rounds)}/{rounds}  {examples:,} examples  "
        f"{examples / elapsed if elapsed else 0.0:,.0f}/s  shards {each or shards}"
    )
    return words, (training.number + sum(shares.values()) / shards) / rounds


def line(moment: Moment) -> str:
    """Return the words of the line.

    Examples
    --------
    >>> line(Moment(40000, 125000.0, 0.42301, 0.4012, 0.5))
    '40,000 examples  125,000/s  loss 0.4230  recent 0.4012'
    """
    return (
        f"{moment.examples:,} examples  {moment.rate:,.0f}/s  loss {moment.loss:.4f}  "
        f"recent {moment.recent_loss:.4f}"
    )
