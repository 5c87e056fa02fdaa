"""A bar on standard error for long work."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress(title: str, total: int, shown: bool) -> Iterator[Callable[[int, int], None]]:
    """Yield a function to be told of visited examples and mistakes; it draws a bar if `shown`."""
    if not shown:
        yield lambda visited, mistakes: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    error = TextColumn("mistakes {task.fields[mistakes]}")
    with Progress(*columns, error, console=Console(stderr=True)) as bar:
        task = bar.add_task(title, total=total, mistakes=0)
        missed = 0

        def advance(visited: int, mistakes: int) -> None:
            nonlocal missed
            missed += mistakes
            bar.update(task, advance=visited, mistakes=missed)

        yield advance
