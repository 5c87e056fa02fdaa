"""The line that shows how a training goes, on standard error and only if that is a terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

from kerneltron.learning.pace import Moment, Pace
from kerneltron.learning.streaming import StreamTraining

INTERVAL = 0.25  # seconds


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
