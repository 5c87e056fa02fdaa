"""How mixing is laid out: see `experiments.mixing`."""

from collections.abc import Mapping, Sequence

from rich.table import Table

from kerneltron.experiments import mixing_runs as runs
from kerneltron.experiments.mixing_runs import Contrast, Verdict

SHOWN = (1, 2, 3, 4, 6, 10)  # rounds that have a column of a table


def _table(title: str, texts: Sequence[str], numbers: Sequence[str]) -> Table:
    table = Table(title=title, title_justify="left")
    for column in texts:
        table.add_column(column)
    for column in numbers:
        table.add_column(column, justify="right")
    return table


def table_of_rounds(problem: str, found: Mapping[str, Mapping[int, Sequence[float]]]) -> Table:
    """Lay out test errors by round."""
    rounds = [number for number in SHOWN if number <= len(found["mixed"][1])]
    title = f"Averaged perceptron on {problem}: test error in % after each round"
    table = _table(title, ("", "shards"), [f"{number}" for number in rounds])
    for name, curves in found.items():
        for count, errors in curves.items():
            label = "serial" if count == 1 else name
            table.add_row(label, f"{count}", *(f"{100 * errors[number - 1]:.2f}" for number in rounds))
        table.add_section()
    return table


def table_of_verdicts(problem: str, verdicts: Sequence[Verdict], rounds: int) -> Table:
    """Lay out which learners reach the serial error."""
    ways = list(dict.fromkeys(way for each in verdicts for way in each.mixed))
    title = (
        f"Test error in % on {problem}: serial after {rounds} rounds, and {runs.COMPARED} shards after "
        f"{rounds + runs.MORE}; round in which these reach it within {100 * runs.POINTS:g} points"
    )
    table = _table(title, ("learner", "chosen", "for shards"), ("serial", *ways))
    for each in verdicts:
        said = (_answer(each, way) if way in each.mixed else "" for way in ways)
        tuned = "" if each.tuned in (None, each.setting) else str(each.tuned)
        table.add_row(each.learner, str(each.setting), tuned, f"{100 * each.serial:.2f}", *said)
    return table


def _answer(found: Verdict, way: str) -> str:
    number = found.reached(way)
    return f"{100 * found.mixed[way][-1]:.2f} {'no' if number is None else number:>2}"


def table_of_contrast(found: Contrast, what: str, shown: str) -> Table:
    """Lay out the round in which the goal is first met, with the least value of any round in brackets."""
    first = next(iter(found.curves.values()))
    title = (
        f"{what} on {found.problem} ({found.setting}): rounds to a {shown} of {found.goal:.4f}, which is "
        f"about the best of serial training, and the least in {len(first[1])} rounds, by number of shards"
    )
    table = _table(title, ("",), [f"{count}" for count in first])
    for name, curves in found.curves.items():
        table.add_row(name, *(_when(values, found.goal) for values in curves.values()))
    return table


def _when(values: Sequence[float], goal: float) -> str:
    number = next((number for number, value in enumerate(values, 1) if value <= goal), None)
    return f"{number or '-'} ({min(values):.4f})"
