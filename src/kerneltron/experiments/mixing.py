"""Whether shards that are mixed after each round learn as well as one learner that sees all examples.

`kerneltron reproduce parallel` has the parts

rounds      test error by round for 1 to 16 shards, beside shards that are averaged once, at the end
learners    which learners reach, on 8 shards and in two more rounds, the test error of serial training
squares     AdaGrad's sums of squares, added up over shards or averaged, with longer steps or without
precisions  the same of AROW's precisions

for generated mail and, if KERNELTRON_DATA names a folder that has them, the newsgroups and a9a. `--only`
takes names of both kinds; without it there are the rounds of mail and a9a, and with `--full` all parts of all
three. Settings are those with which serial training does best on a tenth of the training examples, which is
left out for that; the last two parts are about these examples alone.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

from kerneltron.cluster.connecting import check_installed
from kerneltron.experiments import mixing_runs as runs
from kerneltron.experiments import mixing_tables as tables
from kerneltron.experiments.experiment import Asked, Comparison, Outcome
from kerneltron.experiments.joining import joined, together
from kerneltron.experiments.mixing_data import NAMES, Problem, problem_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CHOSEN = "Settings were chosen by serial training on a tenth of the training examples, which was left out."


class Size(NamedTuple):
    """How much is done."""

    rounds: int = 10  # of serial training
    long: int = 16  # rounds in which a loss is waited for
    counts: Sequence[int] = (1, 2, 4, 8, 16)  # of shards
    more: Sequence[int] = (32,)  # of shards, where there are two classes


QUICK = Size(2, 2, (1, 2, runs.COMPARED), ())


@contextmanager
def client_here() -> Iterator[Any]:
    """Start a cluster of threads in this process: what is learned does not depend on where."""
    check_installed()
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


def rounds(problem: Problem, size: Size, client: Any) -> Outcome:
    """Compare test errors by round: serial, mixed after each round, and averaged once."""
    errors = runs.curves_of_rounds(problem, size.counts, size.rounds, client)
    shards = f"{runs.COMPARED} shards"
    last = {"serial": errors["mixed"][1][-1]} | {
        f"{shards}, {name}": by_count[runs.COMPARED][-1] for name, by_count in errors.items()
    }
    comparisons = [
        Comparison(f"{problem.name}, {name}, after {size.rounds} rounds: test error", 100 * error)
        for name, error in last.items()
    ]
    return Outcome(comparisons, [tables.table_of_rounds(problem.name, errors)], figures=errors)


def learners(problem: Problem, size: Size, client: Any) -> Outcome:
    """Return which learners reach the error of serial training."""
    verdicts = [runs.verdict(problem, name, size.rounds, client) for name in runs.LEARNERS]
    laid_out = tables.table_of_verdicts(problem.name, verdicts, size.rounds)
    return Outcome(tables=[laid_out], notes=[CHOSEN], figures=[verdict._asdict() for verdict in verdicts])


def squares(problem: Problem, size: Size, client: Any) -> Outcome:
    """Compare sums of squares that are added up and averaged."""
    losses = runs.compare_squares(problem, counts_for(problem, size), size.long, client)
    laid_out = tables.table_of_contrast(losses, "Sums of squares", "logarithmic loss")
    return Outcome(tables=[laid_out], notes=[CHOSEN], figures=losses.curves)


def precisions(problem: Problem, size: Size, client: Any) -> Outcome:
    """Compare precisions that are added up and averaged."""
    errors = runs.compare_precisions(problem, counts_for(problem, size), size.rounds, client)
    laid_out = tables.table_of_contrast(errors, "AROW's precisions", "validation error")
    return Outcome(tables=[laid_out], notes=[CHOSEN], figures=errors.curves)


def counts_for(problem: Problem, size: Size) -> Sequence[int]:
    """Return numbers of shards to compare: many classes take long to mix."""
    return (*size.counts, *size.more) if len(problem.classes()) == 2 else (1, runs.COMPARED)


WORK: dict[str, Callable[[Problem, Size, Any], Outcome]] = {
    "rounds": rounds,
    "learners": learners,
    "squares": squares,
    "precisions": precisions,
}
PARTS = (*WORK, *NAMES)
USUAL_WORK, USUAL_DATA = ("rounds",), ("mail", "a9a")


def chosen(asked: Asked, known: Collection[str], usual: Collection[str]) -> list[str]:
    """Return what is named of one kind; if nothing of that kind is, the usual, and all with `full`."""
    wanted = asked.chosen(PARTS) if asked.parts else ()
    return [name for name in known if name in wanted] or list(known if asked.full else usual)


def picture(figures: Mapping[str, Mapping[str, Any]]) -> "Figure":
    """Draw errors and losses by round, of all data sets that have some."""
    from kerneltron.plots.mixing import draw_mixing

    errors = {name: found["rounds"] for name, found in figures.items() if "rounds" in found}
    losses = {
        name: {way: curves[runs.COMPARED] for way, curves in found["squares"].items()}
        | {"serial": found["squares"]["added"][1]}
        for name, found in figures.items()
        if "squares" in found
    }
    return draw_mixing(errors, losses, runs.COMPARED)


def reproduce(asked: Asked) -> Outcome:
    """Compare shards with serial training."""
    work, data = chosen(asked, WORK, USUAL_WORK), chosen(asked, NAMES, USUAL_DATA)
    size = QUICK if asked.quick else Size()
    with TemporaryDirectory() as folder, client_here() as client:

        def one(name: str) -> Outcome:
            problem = problem_of(name, Path(folder), asked.quick)
            parts = asked.show(work, name)
            return together({part: WORK[part](problem, size, client) for part in parts})

        found = joined(data, one)
    drawn = {"parallel": lambda: picture(found.figures)} if {"rounds", "squares"} & {*work} else {}
    return found._replace(pictures=drawn)
