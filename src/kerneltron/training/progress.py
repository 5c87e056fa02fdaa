"""A bar on standard error for long work."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def progress(title: str, total: int | None, shown: bool) -> Iterator[Callable[..., None]]:
    """Yield a function to be told of visited examples and mistakes; it draws a bar if `shown`.

    A learner that looks for an optimum has no `total`, and also tells the gap that is left, after each pass.
    """
    if not shown:
        yield lambda visited, mistakes, gap=0.0: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    error = TextColumn("mistakes {task.fields[mistakes]}{task.fields[left]}")
    with Progress(*columns, error, console=Console(stderr=True)) as bar:
        task = bar.add_task(title, total=total, mistakes=0, left="")
        missed = 0

        def advance(visited: int, mistakes: int, gap: float = 0.0) -> None:
            nonlocal missed
            missed += mistakes
            left: dict[str, Any] = {"left": f", gap {gap:.2g}"} if gap else {}
            bar.update(task, advance=visited, mistakes=missed, **left)

        yield advance
