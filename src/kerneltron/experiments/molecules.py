"""Graphs: which molecules are active, and how a social network came about, told by kernels over graphs.

`kerneltron reproduce graphs` looks for NCI1 (4,110 molecules) and MUTAG (188) in the folder that
KERNELTRON_DATA names; the networks are generated. Kernels and passes were chosen by the folds of NCI1 that
the table shows; with `--full` one more row chooses inside each fold. `--only` names one of the three.
"""

from collections.abc import Callable, Iterable, Sequence
from time import perf_counter
from typing import Any, NamedTuple

from rich.table import Table
from sklearn.model_selection import GridSearchCV, RepeatedStratifiedKFold, cross_val_score

from kerneltron import PassiveAggressive
from kerneltron._types import Floats
from kerneltron.datasets.graphs import load_graphs
from kerneltron.datasets.networks import social_networks
from kerneltron.experiments.experiment import Asked, Comparison, Outcome
from kerneltron.experiments.joining import joined
from kerneltron.kernels import Kernel, ShortestPaths, WeisfeilerLehman

FOLDS, INNER_FOLDS, PASSES, SEED = 10, 3, 20, 0
NETWORKS, NOISE = 1000, 0.05
QUICK, QUICK_FOLDS = 150, 3  # graphs, and folds of them, to see whether it runs
SHARPER = 6.0  # times the cosine is what stands in the exponent
CLOSE = 1.5  # points of accuracy: deviations over folds are larger
SAME_WITHIN = f"Accuracies are called the same as published within {CLOSE} points."
MOLECULES = ("NCI1", "MUTAG")  # of which there are published accuracies
SUBTREES = ("Shervashidze et al. (2011)", "theirs is an SVM with these patterns.")
TRANSPORT = ("optimal-transport Weisfeiler-Lehman kernels", "theirs is another kernel.")
CHOSEN = (
    "Kernels and passes were chosen by the folds of NCI1 that the table shows, so its accuracies are a "
    "little optimistic."
)
INSIDE = "The row that chooses inside each training part is not."
CHOSEN_ELSEWHERE = "Kernels and passes are those that folds of NCI1 chose."
FEWER = "With --full there are more kernels, and a row that chooses inside each training part."


Show = Callable[[Iterable[Any]], Iterable[Any]]


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


PARTS = tuple(PROBLEMS)
PATTERNS, _, WITH_DISTANCES = BRIEF = ("patterns", "exp of patterns", "exp of patterns and distances")
NAMES = {  # of kernels, in a few words
    repr(sharpened(ShortestPaths())): "exp of distances",
    **{repr(kernel): name for rounds in (1, 5) for name, kernel in zip(BRIEF, refined(rounds), strict=True)},
}
PUBLISHED = {  # accuracies in %, whose they are, and what is different
    ("NCI1", PATTERNS): (82.2, *SUBTREES),
    ("NCI1", WITH_DISTANCES): (85.75, *TRANSPORT),
    ("MUTAG", PATTERNS): (82.1, *SUBTREES),
}


def learner(kernel: Kernel) -> PassiveAggressive:
    """Return the learner of all rows."""
    return PassiveAggressive(kernel=kernel, passes=PASSES, hypothesis="average", random_state=SEED)


def rows(problem: Problem, search: bool = False, folds: int = FOLDS, show: Show = iter) -> list[Row]:
    """Cross-validate each kernel; with `search` also a learner that chooses one in each training part."""
    learners: dict[str, Any] = {repr(kernel): learner(kernel) for kernel in problem.kernels}
    if search:
        choices = {"kernel": [kernel for rounds in (2, 4, 5) for kernel in refined(rounds)]}
        grid = GridSearchCV(learner(problem.kernels[0]), choices, cv=INNER_FOLDS)
        learners["chosen by folds of each training part"] = grid
    cut = RepeatedStratifiedKFold(n_splits=folds, n_repeats=problem.repeats, random_state=SEED)
    found = []
    for name, estimator in show(list(learners.items())):
        start = perf_counter()
        accuracies = cross_val_score(estimator, problem.graphs, problem.y, cv=cut)
        found.append(Row(name, accuracies, perf_counter() - start))
    return found


def table(name: str, problem: Problem, results: list[Row]) -> Table:
    """Lay the rows of one problem out, the best accuracy in bold."""
    count = len(results[0].accuracies) // problem.repeats
    folds = f"{problem.repeats} x {count}-fold" if problem.repeats > 1 else f"{count}-fold"
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


def comparisons(name: str, results: Sequence[Row]) -> list[Comparison]:
    """Set our accuracies beside the published ones, where there are some."""
    found = []
    for row in results:
        kernel = NAMES.get(row.kernel, row.kernel)
        published, source, reason = PUBLISHED.get((name, kernel), (None, "", ""))
        found.append(
            Comparison(
                f"{name}, {kernel}: accuracy",
                100 * float(row.accuracies.mean()),
                published,
                spread=100 * float(row.accuracies.std()),
                higher_is_better=True,
                close=CLOSE,
                reason=reason,
                source=source,
            )
        )
    return found


def fewer(problem: Problem) -> Problem:
    """Return some of the graphs, and each of them once, to see whether it runs."""
    step = max(1, len(problem.y) // QUICK)
    return problem._replace(graphs=problem.graphs[::step], y=problem.y[::step], repeats=1)


def reproduce(asked: Asked) -> Outcome:
    """Cross-validate two kernels for each problem; with `full` all, and a learner that chooses among them."""

    def one(name: str) -> Outcome:
        problem = PROBLEMS[name]()
        if not asked.full:
            problem = problem._replace(kernels=problem.kernels[::2])
        problem = fewer(problem) if asked.quick else problem
        folds = QUICK_FOLDS if asked.quick else FOLDS
        results = rows(problem, asked.full, folds, lambda work: asked.show(work, name))
        return Outcome(
            comparisons(name, results),
            [table(name, problem, results)],
            notes=[
                *([SAME_WITHIN] if name in MOLECULES else []),
                CHOSEN if name == "NCI1" else CHOSEN_ELSEWHERE,
                *([INSIDE] if asked.full and name == "NCI1" else [] if asked.full else [FEWER]),
            ],
            figures=[{**row._asdict(), "accuracies": row.accuracies.tolist()} for row in results],
        )

    return joined(asked.chosen(PARTS), one)
