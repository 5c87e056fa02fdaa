"""Graphs: which molecules are active, and how a social network came about, told by kernels over graphs.

Run as `python -m kerneltron.experiments.molecules [--only NAME] [--search]`. NCI1 (4,110 molecules) and MUTAG
(188) are looked for in the folder that KERNELTRON_DATA names; the networks are generated. Kernels and passes
were chosen by the folds of NCI1 that the table shows; with --search one more row chooses inside each fold.
"""

import argparse
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table
from sklearn.model_selection import GridSearchCV, RepeatedStratifiedKFold, cross_val_score

from kerneltron import PassiveAggressive
from kerneltron._types import Floats
from kerneltron.datasets.graphs import load_graphs
from kerneltron.datasets.networks import social_networks
from kerneltron.kernels import Kernel, ShortestPaths, WeisfeilerLehman

FOLDS, INNER_FOLDS, PASSES, SEED = 10, 3, 20, 0
NETWORKS, NOISE = 1000, 0.05
SHARPER = 6.0  # times the cosine is what stands in the exponent


class Problem(NamedTuple):
    """Labelled graphs, how often they are cut into folds, the best accuracy if known, and kernels to try."""

    graphs: Sequence[Any]
    y: Any
    repeats: int
    best: float | None
    kernels: Sequence[Kernel]


class Row(NamedTuple):
    """What one kernel made of a problem."""

    kernel: str
    accuracies: Floats  # of each fold
    seconds: float


def sharpened(kernel: Kernel, other: Kernel | None = None) -> Kernel:
    """Return exp of a cosine, as a cosine again: its features are all products of those of the kernel.

    With another one, of a third of the weight, these are products of the features of both.
    """
    inside = SHARPER * kernel.normalized()
    if other is not None:
        inside = inside + SHARPER / 3 * other.normalized()
    return inside.exp().normalized()


def refined(rounds: int) -> tuple[Kernel, Kernel, Kernel]:
    """Return kernels over molecules: patterns around a node, their products, and those with distances."""
    patterns = WeisfeilerLehman(rounds)
    return patterns.normalized(), sharpened(patterns), sharpened(patterns, ShortestPaths())


def molecules(name: str, repeats: int) -> Problem:
    """Return molecules and kernels for them."""
    data = load_graphs(name)
    return Problem(data.graphs, data.y, repeats, None, refined(5))


def generated(count: int = NETWORKS) -> Problem:
    """Return networks without labels, and kernels for them."""
    data = social_networks(count, seed=SEED, noise=NOISE)
    kernels = *refined(1), sharpened(ShortestPaths())
    return Problem(data.X, data.y, 1, 1 - data.bayes_error, kernels)


PROBLEMS: dict[str, Callable[[], Problem]] = {
    "NCI1": lambda: molecules("NCI1", 1),
    "MUTAG": lambda: molecules("MUTAG", 10),
    "networks": generated,
}


def learner(kernel: Kernel) -> PassiveAggressive:
    """Return the learner of all rows."""
    return PassiveAggressive(kernel=kernel, passes=PASSES, random_state=SEED)


def rows(problem: Problem, search: bool = False) -> list[Row]:
    """Cross-validate each kernel; with `search` also a learner that chooses one in each training part."""
    learners: dict[str, Any] = {repr(kernel): learner(kernel) for kernel in problem.kernels}
    if search:
        choices = {"kernel": [kernel for rounds in (2, 4, 5) for kernel in refined(rounds)]}
        grid = GridSearchCV(learner(problem.kernels[0]), choices, cv=INNER_FOLDS)
        learners["chosen by folds of each training part"] = grid
    folds = RepeatedStratifiedKFold(n_splits=FOLDS, n_repeats=problem.repeats, random_state=SEED)
    found = []
    for name, estimator in learners.items():
        start = perf_counter()
        accuracies = cross_val_score(estimator, problem.graphs, problem.y, cv=folds)
        found.append(Row(name, accuracies, perf_counter() - start))
    return found


def table(name: str, problem: Problem, results: list[Row]) -> Table:
    """Lay the rows of one problem out, the best accuracy in bold."""
    folds = f"{problem.repeats} x {FOLDS}-fold" if problem.repeats > 1 else f"{FOLDS}-fold"
    known = "" if problem.best is None else f"; no one can have more than {100 * problem.best:.1f} %"
    title = f"{name}: {len(problem.y):,} graphs, {folds} cross-validation{known}"
    out = Table(title=title, title_justify="left")
    out.add_column("kernel", overflow="fold")
    for column in ("accuracy", "of folds", "s a fold"):
        out.add_column(column, justify="right")
    best = max(row.accuracies.mean() for row in results)
    for row in results:
        mean, deviation = f"{100 * row.accuracies.mean():.1f} %", f"± {100 * row.accuracies.std():.1f}"
        shown = f"[bold]{mean}[/]" if row.accuracies.mean() == best else mean
        out.add_row(row.kernel, shown, deviation, f"{row.seconds / len(row.accuracies):.2f}")
    return out


def main() -> None:
    """Print one table per problem."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=PROBLEMS, help="this one alone")
    parser.add_argument("--search", action="store_true", help="also choose the kernel inside each fold")
    given = parser.parse_args()
    console = Console()
    for name in [given.only] if given.only else PROBLEMS:
        problem = PROBLEMS[name]()
        console.print(table(name, problem, rows(problem, given.search)))


if __name__ == "__main__":
    main()
