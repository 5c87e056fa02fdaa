"""Whether shards that are mixed after each round learn as well as one learner that sees all examples.

Run as `python -m kerneltron.experiments.mixing [--picture PATH] [--only PART ...] [--data NAME ...]`. Parts:

rounds      test error by round for 1 to 16 shards, beside shards that are averaged once, at the end
learners    which learners reach, on 8 shards and in two more rounds, the test error of serial training
squares     AdaGrad's sums of squares, added up over shards or averaged, with longer steps or without
precisions  the same of AROW's precisions

Data are generated mail and, if KERNELTRON_DATA names a folder that has them, the newsgroups and a9a. Settings
are those with which serial training does best on a tenth of the training examples, which is left out for
that; the last two parts are about these examples alone.
"""

import argparse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table

from kerneltron.experiments import mixing_runs as runs
from kerneltron.experiments.mixing_data import NAMES, Problem, problems
from kerneltron.experiments.mixing_runs import Comparison, Verdict

PARTS = ("rounds", "learners", "squares", "precisions")
ROUNDS = 10  # of serial training
COUNTS = (1, 2, 4, 8, 16)  # of shards
MANY = (*COUNTS, 32)
SHOWN = (1, 2, 3, 4, 6, 10)  # rounds that have a column of a table
LONG = 16  # rounds in which a loss is waited for


@contextmanager
def client_here() -> Iterator[Any]:
    """Start a cluster of threads in this process: what is learned does not depend on where."""
    from distributed import Client

    with Client(
        processes=False,
        n_workers=1,
        threads_per_worker=2,
        dashboard_address=":0",
        set_as_default=False,
        silence_logs=50,
    ) as client:
        yield client


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


def table_of_comparison(found: Comparison, what: str, shown: str) -> Table:
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


def run(
    found: Sequence[Problem], parts: Sequence[str], client: Any, console: Console, rounds: int
) -> tuple[dict[str, Any], dict[str, Comparison]]:
    """Do the parts, and print their tables; return what the picture shows."""
    bar = Console(stderr=True)

    def shown(names: Iterable[Any], what: str) -> Iterable[Any]:
        return track(list(names), what, console=bar, transient=True)

    errors, comparisons = {}, {}
    if "rounds" in parts:
        for problem in shown(found, "Rounds"):
            errors[problem.name] = runs.curves_of_rounds(problem, COUNTS, rounds, client)
            console.print(table_of_rounds(problem.name, errors[problem.name]))
    if "learners" in parts:
        for problem in found:
            verdicts = [
                runs.verdict(problem, name, rounds, client) for name in shown(runs.LEARNERS, problem.name)
            ]
            console.print(table_of_verdicts(problem.name, verdicts, rounds))
    if "squares" in parts:
        for problem in shown(found, "Squares"):
            comparisons[problem.name] = runs.compare_squares(problem, counts_for(problem), LONG, client)
            console.print(
                table_of_comparison(comparisons[problem.name], "Sums of squares", "logarithmic loss")
            )
    if "precisions" in parts:
        for problem in shown(found, "Precisions"):
            compared = runs.compare_precisions(problem, counts_for(problem), rounds, client)
            console.print(table_of_comparison(compared, "AROW's precisions", "validation error"))
    return errors, comparisons


def counts_for(problem: Problem) -> Sequence[int]:
    """Return numbers of shards to compare: many classes take long to mix."""
    return MANY if len(problem.classes()) == 2 else (1, runs.COMPARED)


def main() -> None:
    """Print the tables and, if asked, save the picture."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--picture", type=Path, help="save errors and losses by round here")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="of serial training")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, help="do these parts alone")
    parser.add_argument("--data", nargs="+", choices=NAMES, default=NAMES, help="use these data alone")
    given = parser.parse_args()
    console = Console() if Console().is_terminal else Console(width=150)  # files have no width
    with TemporaryDirectory() as folder, client_here() as client:
        errors, comparisons = run(
            problems(Path(folder), given.data), given.only, client, console, given.rounds
        )
    if given.picture:
        from kerneltron.plots.mixing import draw_mixing

        losses = {
            name: {way: curves[runs.COMPARED] for way, curves in found.curves.items()}
            | {"serial": found.curves["added"][1]}
            for name, found in comparisons.items()
        }
        given.picture.parent.mkdir(parents=True, exist_ok=True)
        draw_mixing(errors, losses, runs.COMPARED).savefig(given.picture)
        console.print(f"Picture saved as {given.picture}")


if __name__ == "__main__":
    main()
