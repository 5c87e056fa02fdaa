"""Ways to stay within a budget of remembered examples: run by several seeds, and laid out."""

from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from rich.table import Table

from kerneltron.experiments.beside import draw_beside
from kerneltron.experiments.experiment import PUBLISHED, Asked, Comparison, Outcome
from kerneltron.experiments.second_order import Split

QUICK_ROWS = 1500
LEAST = 0.5  # of 100: two figures that are nearer are the same, however little ours varies
SAME_WITHIN = f"Figures are called the same within two standard deviations, and within {LEAST} points."


class Way(NamedTuple):
    """A way to learn: a learner for each budget, and the published figures in percent, if there are any."""

    learners: Mapping[str, Any]
    published: Mapping[str, float]
    settings: str = ""
    kind: str = PUBLISHED  # or INCOMPARABLE


class Result(NamedTuple):
    """What came out of one run."""

    error: float
    remembered: int
    seconds: float  # to learn


class Problem(NamedTuple):
    """Data by their seed, the ways that are compared, and by how many seeds, usually and at most.

    `source` says whose the published figures are.
    """

    title: str
    splits: Callable[[int], Split]
    ways: Mapping[str, Way]
    usual_seeds: int
    all_seeds: int
    shows_accuracy: bool = False
    source: str = ""


def measured(learner: Any, split: Split) -> Result:
    """Return the test error of a learner, how many examples predict, and the time to learn."""
    started = perf_counter()
    learner.fit(split.X, split.y)
    seconds = perf_counter() - started
    error = float(np.mean(learner.predict(split.X_test) != split.y_test))
    return Result(error, learner.dual_coef_.shape[1], seconds)


def few(split: Split) -> Split:
    """Return some of the rows, to see whether it runs."""
    rows = slice(0, QUICK_ROWS)
    return Split(split.X[rows], split.y[rows], split.X_test[rows], split.y_test[rows])


def seeds_of(problem: Problem, asked: Asked) -> int:
    """Return how many seeds to run by."""
    return 1 if asked.quick else problem.all_seeds if asked.full else problem.usual_seeds


def run(problem: Problem, asked: Asked) -> dict[str, dict[str, list[Result]]]:
    """Return the results by way and budget, one for each seed."""
    from sklearn.base import clone

    found: dict[str, dict[str, list[Result]]] = {
        name: {size: [] for size in way.learners} for name, way in problem.ways.items()
    }
    todo = [(name, size) for name, sizes in found.items() for size in sizes]
    split = problem.splits(asked.seed)
    for name, size in todo:  # what is compiled is not counted
        measured(clone(problem.ways[name].learners[size]), few(split))
    seeds = range(asked.seed, asked.seed + seeds_of(problem, asked))
    for seed, name, size in asked.show([(seed, *each) for seed in seeds for each in todo], "Learners"):
        if (name, size) == todo[0]:
            split = problem.splits(seed)
        learner = clone(problem.ways[name].learners[size]).set_params(random_state=seed)
        found[name][size].append(measured(learner, few(split) if asked.quick else split))
    return found


def in_percent(results: Sequence[Result], shows_accuracy: bool) -> str:
    """Return the mean error or accuracy in percent, and its standard deviation."""
    values = 100 * np.array([1 - each.error if shows_accuracy else each.error for each in results])
    spread = f" ± {values.std(ddof=1):.2f}" if values.size > 1 else ""
    return f"{values.mean():.2f}{spread}"


def measure(problem: Problem) -> str:
    """Return what the numbers of a problem are."""
    return "test accuracy in %" if problem.shows_accuracy else "test error in %"


def table(problem: Problem, found: Mapping[str, Mapping[str, Sequence[Result]]]) -> Table:
    """Lay the figures out, one row for each way."""
    sizes = list(dict.fromkeys(size for results in found.values() for size in results))
    out = Table(title=f"{problem.title}: {measure(problem)}", title_justify="left")
    out.add_column("way")
    for size in sizes:
        out.add_column(size or "ours", justify="right")
    for column in ("examples", "seconds"):
        out.add_column(column, justify="right")
    for name, results in found.items():
        ours = [
            in_percent(results[size], problem.shows_accuracy) if size in results else "" for size in sizes
        ]
        examples = [f"{np.mean([r.remembered for r in some]):,.0f}" for some in results.values()]
        seconds = [f"{np.mean([r.seconds for r in some]):.1f}" for some in results.values()]
        more = [" / ".join(cells) for cells in (examples, seconds)]
        out.add_row(name, *ours, *more)
    return out


def settings(problem: Problem) -> list[Table]:
    """Return which settings the ways have, where that was chosen."""
    chosen = {name: way.settings for name, way in problem.ways.items() if way.settings}
    out = Table("way", "settings", title="Settings", title_justify="left")
    for cells in chosen.items():
        out.add_row(*cells)
    return [out] if chosen else []


def outcome(problem: Problem, asked: Asked, reason: str, notes: Sequence[str]) -> Outcome:
    """Run all ways of a problem; `reason` says why its figures are not those that were published."""
    found = run(problem, asked)
    more = f"; --full takes {problem.all_seeds}" if problem.all_seeds > problem.usual_seeds else ""
    seeds = (
        f"Runs by seed, of which means and standard deviations are shown: {seeds_of(problem, asked)}{more}."
    )
    comparisons = [
        compared(problem, name, size, results, reason)
        for name, sizes in found.items()
        for size, results in sizes.items()
    ]
    return Outcome(
        comparisons=[each for each in comparisons if each.published is not None],
        tables=[table(problem, found), *settings(problem)],
        pictures={"all ways": lambda: draw_beside(comparisons, problem.title, measure(problem))},
        notes=[seeds, SAME_WITHIN, *notes],
        figures=found,
    )


def compared(problem: Problem, name: str, size: str, results: Sequence[Result], reason: str) -> Comparison:
    """Return a mean beside the published figure; they are the same within two standard deviations."""
    values = 100 * np.array([1 - each.error if problem.shows_accuracy else each.error for each in results])
    spread = float(values.std(ddof=1)) if values.size > 1 else None
    published = problem.ways[name].published.get(size)
    return Comparison(
        f"{name}, {size}" if size else name,
        float(values.mean()),
        published,
        spread=spread,
        higher_is_better=problem.shows_accuracy,
        close=max(2 * (spread or 0.0), LEAST),
        reason=reason,
        source=problem.source,
        kind=problem.ways[name].kind,
    )
