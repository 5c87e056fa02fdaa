"""What experiments come to, for people: tables, numbers beside published ones, and what to know of them."""

import select
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from kerneltron.cli.standard_streams import Unread

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from kerneltron.experiments.catalogue import Entry
    from kerneltron.experiments.running import Reproduced

NARROW = 70  # columns of a terminal that has no room for standard deviations
WIDE = 1000  # columns that suffice for any table
Progress = Callable[[Iterable[Any], str], Iterable[Any]]


@contextmanager
def bars() -> Iterator[Progress]:
    """Yield what shows how far work is, on standard error and only if that is a terminal.

    Work that nobody will read the results of ends at its next step.
    """
    if not sys.stderr.isatty():
        yield lambda work, what: while_read(work)
        return
    from rich.console import Console
    from rich.progress import Progress as Display

    with Display(console=Console(stderr=True), transient=True) as display:

        def show(work: Iterable[Any], what: str) -> Iterator[Any]:
            task = display.add_task(what)
            yield from while_read(display.track(work, task_id=task))
            display.remove_task(task)

        yield show


def while_read(work: Iterable[Any]) -> Iterator[Any]:
    """Yield the work as long as somebody can read standard output.

    Raises
    ------
    Unread
        It is a pipe whose other end is closed, as by `| head`.
    """
    for each in work:
        check_read()
        yield each


def check_read() -> None:
    """Raise if standard output is a pipe that nobody reads any more; written to, it would tell only later."""
    try:
        place = sys.stdout.fileno()
    except (OSError, ValueError):  # it is no file, or is closed
        return
    if hasattr(select, "poll"):
        poll = select.poll()
        poll.register(place, 0)  # an error is told, whatever one asks for
        if any(event & select.POLLERR for _, event in poll.poll(0)):
            raise Unread


def printer() -> "Console":
    """Return what prints tables on standard output."""
    from rich.console import Console

    return Console(highlight=False, emoji=False)


def print_outcome(done: "Reproduced", content: Mapping[str, Any], folder: str) -> None:
    """Print the tables, our numbers beside those that were published, the notes, and what was saved."""
    from kerneltron.experiments.summary import reasons, sources

    console = printer()
    for table in done.outcome.tables:
        print_whole(console, table)
    if content["comparisons"]:
        print_whole(console, comparisons_table(content, console.width))
    lines = [*sources(content["comparisons"]), *reasons(content["comparisons"]), *content["notes"]]
    if content["quick"]:
        lines.append("A quick run shows that it works: its numbers are not to be believed.")
    for line in lines:
        console.print(f"- {line}", markup=False)
    files = ", ".join([f"{content['name']}.json", *content["pictures"].values()])
    last = f"{content['name']}: {content['seconds']:,.1f} s; saved in {folder}: {files}"
    console.print(last, markup=False, soft_wrap=True)


def print_whole(console: "Console", table: "Table") -> None:
    """Print a table of which a narrow terminal cuts nothing off: words and lines may go on below."""
    for column in table.columns:
        column.overflow = "fold"
    room = console.options.update(max_width=WIDE)
    least = table.__rich_measure__(console, room).minimum
    if least > console.width:
        table.width = least
    console.print(table, crop=False)


def comparisons_table(content: Mapping[str, Any], width: int) -> "Table":
    """Lay our numbers out beside others; where there is little room, without standard deviations."""
    from rich import box
    from rich.markup import escape
    from rich.table import Table

    from kerneltron.experiments.experiment import SUSPICIOUS
    from kerneltron.experiments.summary import HEAD, row_of

    title = f"{content['name']}: {content['brief']}"
    table = Table(title=title, title_justify="left", box=box.SIMPLE, pad_edge=False)
    for column in HEAD:
        justify: Any = "left" if column in ("what", "verdict") else "right"
        table.add_column(column, justify=justify)
    for comparison in content["comparisons"]:
        style = "bold reverse" if comparison["verdict"] == SUSPICIOUS else None
        shown = comparison if width >= NARROW else {**comparison, "spread": None}
        table.add_row(*map(escape, row_of(shown)), style=style)
    return table


def print_list(entries: Iterable["Entry"]) -> None:
    """Print which experiments there are, what they show, and whether the data that they need are there."""
    from rich import box
    from rich.table import Table

    table = Table("name", "what it shows", "data", box=box.SIMPLE)
    for entry in entries:
        brief = f"{entry.brief} (long: left out by --all)" if entry.is_long else entry.brief
        table.add_row(entry.name, brief, _needed(entry))
    print_whole(printer(), table)


def _needed(entry: "Entry") -> str:
    from kerneltron.experiments.origins import MISSING, THERE, state

    needed = [f"{data}: {state(data)}" for data in entry.data]
    more = [f"{data}: {THERE if state(data) == THERE else MISSING} (optional)" for data in entry.optional]
    return "\n".join([*needed, *more])
