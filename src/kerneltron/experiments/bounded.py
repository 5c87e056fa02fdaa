"""Kernel models of bounded size: what maps and budgets cost, and what they lose against the exact model.

`kerneltron reproduce bounded` looks for its data in the folder that KERNELTRON_DATA names, and `--only` picks
some of them: mnist (ten digits), a9a (one pass), nci1 (molecules, 10 folds) and trec (questions). Landmarks
of mnist and the maps of a9a have settings that held-out training examples chose, the kernel and Arow's r of
nci1 were chosen by other folds of the same molecules, the kernel of trec is that of `experiments.questions`;
other settings were set by hand. A map is computed anew in each pass: mnist takes half an hour. Budgets have
the settings of landmarks, unless they say otherwise.
"""

import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple
from warnings import catch_warnings, simplefilter

import numpy as np
from rich.table import Table

from kerneltron import Arow, PassiveAggressive
from kerneltron._types import Anything
from kerneltron._validate import rows_of
from kerneltron.datasets.graphs import load_graphs
from kerneltron.datasets.mnist import load_mnist
from kerneltron.datasets.questions import load_questions
from kerneltron.experiments import molecules, questions
from kerneltron.experiments.experiment import Asked, Comparison, Outcome
from kerneltron.experiments.joining import joined
from kerneltron.experiments.second_order import adult
from kerneltron.kernels import Gaussian, Kernel, Polynomial
from kerneltron.plots.trade_offs import Point, draw_trade_offs

PREDICTIONS = 3  # runs, of which the quickest counts
QUARTIC, GAUSSIAN = Polynomial(4).normalized(), Gaussian(4.0)
BUDGETS = (500, 1000, 2000)
EXACT, LINEAR = "exact, dual", "linear"
QUICK = 1000  # examples to learn from and to test on, to see whether it runs
BENCHMARK = "scikit-learn's benchmark script"
LINEAR_SVM = "theirs is a linear SVM after a map of a Gaussian kernel."
MEAN: dict[str, Any] = {"hypothesis": "average"}  # of all vectors, as published
ONE_PASS: dict[str, Any] = {"passes": 1, "scale": False, **MEAN, "random_state": 0}
PUBLISHED = {  # test errors in %, by problem, way and size
    ("mnist", "Nystrom, uniform", "1,000"): 2.28,
    ("mnist", "RandomFourier", "1,000"): 4.86,
}


Show = Callable[[Iterable[Any]], Iterable[Any]]


class Split(NamedTuple):
    """Examples to learn from and to test on."""

    X: Any
    y: Anything
    X_test: Any
    y_test: Anything


class Problem(NamedTuple):
    """Data, and the learners that are compared: by the way, then by the size."""

    title: str
    splits: Callable[[], Iterator[Split]]
    learners: Mapping[str, Mapping[str, Any]]


def sized(make: Callable[[str], Any], text: str, sizes: Sequence[int]) -> dict[str, Any]:
    """Return a learner for each size that stands in the text of a map, such as "Nystrom({})"."""
    return {f"{size:,}": make(text.format(size)) for size in sizes}


def budgets(learner: Any, when_full: str, **more: Any) -> dict[str, Any]:
    """Return a learner for each budget of remembered examples."""
    from sklearn.base import clone

    return {
        f"{budget:,}": clone(learner).set_params(budget=budget, when_full=when_full, **more)
        for budget in BUDGETS
    }


def mnist() -> Problem:
    """Ten digits, ten passes."""

    def make(representation: str, kernel: Kernel | str = QUARTIC, C: float = 10.0) -> Any:
        fixed: dict[str, Any] = {
            "C": C,
            "passes": 10,
            "scale": False,
            "hypothesis": "average",
            "random_state": 0,
        }
        return PassiveAggressive(kernel=kernel, representation=representation, **fixed)

    def second_order(representation: str) -> Any:
        return Arow(
            kernel=QUARTIC,
            representation=representation,
            r=0.03,
            passes=10,
            hypothesis="average",
            random_state=0,
        )

    def splits() -> Iterator[Split]:
        yield Split(*load_mnist())

    return Problem(
        "MNIST, ten digits, ten passes of PA-I, and of Arow where it says so",
        splits,
        {
            LINEAR: {"": make("primal", "linear", C=0.01)},
            EXACT: {"": make("dual", Polynomial(5).normalized(), C=1.0)},
            "Nystrom, k-means": sized(make, "Nystrom({}, method='kmeans')", (250, 500, 1000, 2000, 4000)),
            "Nystrom, k-means, Arow": sized(second_order, "Nystrom({}, method='kmeans')", (1000, 4000)),
            "Nystrom, uniform": sized(make, "Nystrom({})", (250, 500, 1000, 2000, 4000)),
            "RandomFourier": sized(
                lambda text: make(text, Gaussian(5.0)), "RandomFourier({})", (500, 1000, 2000, 4000)
            ),
            "TensorSketch, degree 2": sized(
                lambda text: make(text, Polynomial(2).normalized()), "TensorSketch({})", (1024, 4096)
            ),
            "budget, project": budgets(make("dual"), "project"),
            "budget, merge, Gaussian": budgets(make("dual", Gaussian(4.0), C=1.0), "merge"),
            "budget, bpa": budgets(make("dual", C=1.0), "bpa", hypothesis="last"),
        },
    )


def a9a() -> Problem:
    """Incomes of 32,561 people from 123 indicators, one pass."""

    def make(representation: str, kernel: Kernel | str = GAUSSIAN) -> Any:
        return Arow(kernel=kernel, representation=representation, r=0.1, **ONE_PASS)

    def splits() -> Iterator[Split]:
        data = adult()
        yield Split(data.X.toarray(), data.y, data.X_test.toarray(), data.y_test)

    return Problem(
        "a9a, one pass of Arow; the exact one of PA-I",
        splits,
        {
            LINEAR: {"": make("primal", "linear")},
            EXACT: {"": PassiveAggressive(kernel=GAUSSIAN, representation="dual", **ONE_PASS)},
            "RandomFourier": sized(make, "RandomFourier({})", (250, 500, 1000, 2000, 4000)),
            "Nystrom, uniform": sized(make, "Nystrom({})", (250, 500, 1000)),
        },
    )


def nci1() -> Problem:
    """Molecules in ten folds: patterns around a node and distances, as in `experiments.molecules`."""

    def splits() -> Iterator[Split]:
        from sklearn.model_selection import StratifiedKFold

        data = load_graphs("NCI1")
        graphs, y = list(data.graphs), np.asarray(data.y)
        folds = StratifiedKFold(molecules.FOLDS, shuffle=True, random_state=molecules.SEED)
        for learn, test in folds.split(y, y):
            yield Split(rows_of(graphs, learn), y[learn], rows_of(graphs, test), y[test])

    kernel = molecules.refined(3)[2]
    learners = on_landmarks(kernel, molecules.PASSES, molecules.SEED, sizes=BUDGETS)
    learners["budget, project"] = budgets(learners[EXACT][""], "project")
    learners["budget, bpa"] = budgets(learners[EXACT][""], "bpa", hypothesis="last")
    return Problem(f"NCI1, 10 folds, {molecules.PASSES} passes, {kernel}", splits, learners)


def trec() -> Problem:
    """Questions by their parse trees: the kernel over partial trees of `experiments.questions`."""

    def splits() -> Iterator[Split]:
        data = load_questions()
        yield Split(data.X, data.y, data.X_test, data.y_test)

    learners = on_landmarks(questions.TREE, questions.PASSES, questions.SEED, sizes=(250, 500, 1000, 2000))
    return Problem(f"TREC, {questions.PASSES} passes, {questions.TREE}", splits, learners)


def on_landmarks(kernel: Kernel, passes: int, seed: int, sizes: Sequence[int]) -> dict[str, dict[str, Any]]:
    """Return the exact PA-I, the same on landmarks, and the second-order rule, which needs weights."""

    def make(method: Any, **more: Any) -> Any:
        return lambda text: method(
            kernel=kernel, representation=text, passes=passes, random_state=seed, **{**MEAN, **more}
        )

    return {
        EXACT: {"": make(PassiveAggressive)("dual")},
        "PA-I, Nystrom": sized(make(PassiveAggressive), "Nystrom({})", sizes),
        "Arow, Nystrom": sized(make(Arow, r=0.01), "Nystrom({})", sizes),
    }


PROBLEMS: dict[str, Callable[[], Problem]] = {"mnist": mnist, "a9a": a9a, "nci1": nci1, "trec": trec}
PARTS = tuple(PROBLEMS)


def measured(learner: Any, split: Split, label: str = "") -> Point:
    """Return the test error of a learner, and what it costs."""
    started = perf_counter()
    learner.fit(split.X, split.y)
    seconds = perf_counter() - started
    times = []
    for _ in range(PREDICTIONS):
        started = perf_counter()
        predicted = learner.predict(split.X_test)
        times.append(perf_counter() - started)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bounded.model"
        learner.save(path, resumable=False)
        size = path.stat().st_size
    error = float(np.mean(predicted != split.y_test))
    return Point(label, error, seconds, size, 1e6 * min(times) / len(split.y_test))


def mean(points: Sequence[Point]) -> Point:
    """Return the mean over several splits."""
    figures = np.mean([point[1:] for point in points], axis=0)
    return Point(points[0].label, figures[0], figures[1], int(figures[2]), figures[3])


def run(problem: Problem, rows: int | None = None, show: Show = iter) -> dict[str, list[Point]]:
    """Measure all learners; on the first split alone, and this many rows of both its parts, if given."""
    from sklearn.base import clone

    splits = list(problem.splits())
    if rows is not None:
        splits = [some(splits[0], rows)]
    found: dict[str, list[Point]] = {way: [] for way in problem.learners}
    todo = [(way, label, each) for way, sizes in problem.learners.items() for label, each in sizes.items()]
    _warm(problem, splits[0])
    for way, label, learner in show(todo):
        found[way].append(mean([measured(clone(learner), split, label) for split in splits]))
    return found


def some(split: Split, rows: int) -> Split:
    """Return at most this many examples to learn from and to test on, from everywhere."""
    learn, test = (np.linspace(0, len(y) - 1, min(rows, len(y)), dtype=int) for y in (split.y, split.y_test))
    return Split(rows_of(split.X, learn), split.y[learn], rows_of(split.X_test, test), split.y_test[test])


def _warm(problem: Problem, split: Split) -> None:
    """Let each way learn from a few examples: nobody waits a second time for what is compiled."""
    from sklearn.base import clone

    few = some(split, 600)
    for sizes in problem.learners.values():
        first = clone(next(iter(sizes.values()))).set_params(passes=1)
        with catch_warnings():
            simplefilter("ignore")  # there are fewer examples than landmarks
            first.fit(few.X, few.y)


def table(title: str, found: Mapping[str, Sequence[Point]]) -> Table:
    """Lay the figures out; prediction is also shown as how many times as fast as the exact model."""
    out = Table(title=title, title_justify="left")
    out.add_column("way")
    for column in ("size", "error", "s to learn", "model", "µs a prediction", "x exact"):
        out.add_column(column, justify="right")
    exact = found[EXACT][0].microseconds if EXACT in found else float("nan")
    for way, points in found.items():
        for point in points:
            out.add_row(
                way,
                point.label,
                f"{100 * point.error:.2f} %",
                f"{point.seconds:.2f}",
                f"{point.bytes / 1e6:.2f} MB",
                f"{point.microseconds:.1f}",
                f"{exact / point.microseconds:.1f}",
            )
    return out


def comparisons(name: str, found: Mapping[str, Sequence[Point]]) -> list[Comparison]:
    """Set the test errors beside published ones, where there are some."""
    rows = []
    for way, points in found.items():
        for point in points:
            what = ", ".join(filter(None, (name, way, point.label)))
            error = Comparison(f"{what}: test error", 100 * point.error)
            beside = PUBLISHED.get((name, way, point.label))
            if beside is not None:
                error = error._replace(published=beside, reason=LINEAR_SVM, source=BENCHMARK)
            rows.append(error)
    return rows


def fewer(problem: Problem) -> Problem:
    """Return the smallest size of each way, and one pass, to see whether it runs."""
    from sklearn.base import clone

    smallest = {
        way: {label: clone(each).set_params(passes=1) for label, each in list(sizes.items())[:1]}
        for way, sizes in problem.learners.items()
    }
    return problem._replace(learners=smallest)


def reproduce(asked: Asked) -> Outcome:
    """Measure errors, times and sizes of all ways on each data set."""

    def one(name: str) -> Outcome:
        problem = fewer(PROBLEMS[name]()) if asked.quick else PROBLEMS[name]()
        found = run(problem, QUICK if asked.quick else None, lambda todo: asked.show(todo, name))
        return Outcome(
            comparisons(name, found),
            [table(problem.title, found)],
            {f"bounded {name}": partial(draw_trade_offs, found, problem.title)},
            figures={way: [point._asdict() for point in points] for way, points in found.items()},
        )

    return joined(asked.chosen(PARTS), one)
