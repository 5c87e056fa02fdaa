"""Test error on handwritten digits by learner, hypothesis and number of passes.

Run as `python -m kerneltron.experiments.digits [--picture PATH]`.
"""

import argparse
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.progress import track
from rich.table import Table

from kerneltron import LogisticRegression, Mira, PassiveAggressive, Pegasos, Perceptron, Romma, Winnow
from kerneltron.datasets.digits import Split, load_digits

PASSES = (0.1, 1, 2, 4, 10)
LEARNERS = {
    "Perceptron": Perceptron(),
    "Perceptron, margin 1": Perceptron(margin=1.0),
    "Passive-Aggressive I": PassiveAggressive(C=0.1),
    "ROMMA": Romma(),
    "MIRA": Mira(C=0.1),
    "Logistic regression": LogisticRegression(),
    # The first steps of 1 / (l2 t) would stay in the average for long.
    "Pegasos, rate 1": Pegasos(l2=1e-3, learning_rate=1.0),
    # Pixels are fractions: gentle factors, and a negative half for what must not be there.
    "Winnow, balanced": Winnow(balanced=True, promotion=1.2, demotion=1 / 1.2, threshold=0),
}
HYPOTHESES = ("last", "average", "vote")


class Row(NamedTuple):
    """Test errors of one learner and hypothesis, one for each number of passes."""

    learner: str
    hypothesis: str
    errors: list[float]


def tasks() -> dict[str, Split]:
    """Return the two problems: a nine or not, and which digit."""
    digits = load_digits()
    nine = digits._replace(y=digits.y == 9, y_test=digits.y_test == 9)
    return {"9 against the rest": nine, "all ten digits": digits}


def errors(learner: Any, data: Split) -> list[float]:
    """Return the test error after each number of passes."""
    fits = (learner.set_params(passes=passes).fit(data.X, data.y) for passes in PASSES)
    return [1.0 - float(fit.score(data.X_test, data.y_test)) for fit in fits]


def run(console: Console) -> dict[str, list[Row]]:
    """Train everything and return the rows of one table a task."""
    from sklearn.base import clone

    results: dict[str, list[Row]] = {name: [] for name in tasks()}
    work = [(task, name, kind) for task in results for name in LEARNERS for kind in HYPOTHESES]
    problems = tasks()
    for task, name, hypothesis in track(work, "Learning", console=console, transient=True):
        learner = clone(LEARNERS[name]).set_params(hypothesis=hypothesis, random_state=0)
        if hypothesis == "vote" and learner.vote_refused:
            continue
        results[task].append(Row(name, hypothesis, errors(learner, problems[task])))
    return results


def table(task: str, rows: list[Row]) -> Table:
    """Lay the rows of one task out, the best error of each column in bold."""
    best = [min(row.errors[k] for row in rows) for k in range(len(PASSES))]
    out = Table(title=f"Digits, {task}: test error in % after so many passes")
    out.add_column("learner", no_wrap=True)
    out.add_column("hypothesis")
    for passes in PASSES:
        out.add_column(f"{passes:g}", justify="right")
    before = ""
    for row in rows:
        cells = [
            f"[bold]{100 * error:.1f}[/]" if error == best[k] else f"{100 * error:.1f}"
            for k, error in enumerate(row.errors)
        ]
        out.add_row("" if row.learner == before else row.learner, row.hypothesis, *cells)
        before = row.learner
    return out


def main() -> None:
    """Print the tables and, if asked, save the picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--picture", type=Path, help="save a picture of the tables here")
    arguments = parser.parse_args()
    results = run(Console(stderr=True))
    console = Console()
    for task, rows in results.items():
        console.print(table(task, rows))
    if arguments.picture:
        from kerneltron.plots.errors import draw_errors

        arguments.picture.parent.mkdir(parents=True, exist_ok=True)
        curves = {
            task: {row.learner: row.errors for row in rows if row.hypothesis == "average"}
            for task, rows in results.items()
        }
        draw_errors(PASSES, curves, "Digits: the averaged vector", arguments.picture)
        console.print(f"Picture saved as {arguments.picture}")


if __name__ == "__main__":
    main()
