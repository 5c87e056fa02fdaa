"""A stream whose rule changes half way: who notices, and who can still learn.

Run as `kerneltron reproduce drift`. Rows have four columns, drawn from the standard normal distribution. The
label is the sign of a saddle in the first two; half way the saddle is turned by 45 degrees, so that half of
what was learned is wrong from then on. One label in twenty is flipped, throughout. Every learner predicts a
row before it learns from it. The width of the kernel and the settings of the learners were set by hand on
another stream.
"""

from collections.abc import Callable, Mapping
from math import inf
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from rich.table import Table

from kerneltron import PassiveAggressive, Pegasos, Perceptron
from kerneltron._types import Floats, Integers
from kerneltron.experiments.experiment import Asked, Comparison, Outcome
from kerneltron.kernels import Gaussian
from kerneltron.plots.progress_of_error import draw_progress

COLUMNS, NOISE = 4, 0.05
ROWS, QUICK_ROWS, BUDGET = 40_000, 4000, 200
KERNEL = Gaussian(1.0)
WINDOW = 1000  # examples whose errors are counted together
AFTER = 2 * WINDOW  # examples after the change that have a column of the table
PIECE = 500  # rows of a call of partial_fit_predict


class Progress(NamedTuple):
    """The errors of a learner along the stream, and what it cost."""

    errors: list[float]  # of each window
    seconds: float
    remembered: int


def stream(rows: int, seed: int = 0) -> tuple[Floats, Integers]:
    """Return rows and labels; the rule changes after half of them."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, COLUMNS))
    half = rows // 2
    truth = X[:, 0] * X[:, 1] > 0
    truth[half:] = X[half:, 0] ** 2 > X[half:, 1] ** 2
    return X, (truth ^ (rng.random(rows) < NOISE)).astype(np.int64)


def learners(budget: int) -> dict[str, Any]:
    """Return those that are compared: without a budget, and with one, by what happens when it is spent."""

    def make(method: Callable[..., Any], **more: Any) -> Any:
        return method(
            kernel=KERNEL,
            representation="dual",
            fit_intercept=False,
            hypothesis="last",
            **more,
        )

    def budgeted(when_full: str, method: Callable[..., Any] = Perceptron, **more: Any) -> Any:
        return make(method, budget=budget, when_full=when_full, **more)

    return {
        "exact, PA-I": make(PassiveAggressive, C=0.3),
        "exact, Pegasos": make(Pegasos, l2=1e-3, learning_rate=inf),
        "stop": budgeted("stop", margin=1.0),
        "random": budgeted("random", margin=1.0),
        "forget": budgeted("forget", margin=1.0),
        "smallest": budgeted("smallest", margin=1.0),
        "bpa": budgeted("bpa", PassiveAggressive, C=0.3),
        "project": budgeted("project", PassiveAggressive, C=0.3),
        "merge": budgeted("merge", PassiveAggressive, C=0.3),
        "sketch": budgeted("sketch", PassiveAggressive, C=0.3),
    }


def follow(learner: Any, X: Floats, y: Integers) -> Progress:
    """Let a learner predict and learn, piece by piece."""
    started, missed = perf_counter(), []
    for first in range(0, len(y), PIECE):
        rows = slice(first, first + PIECE)
        scores = learner.partial_fit_predict(X[rows], y[rows])
        missed.append((scores > 0) != (y[rows] == 1))
    seconds = perf_counter() - started
    windows = np.concatenate(missed)[: len(y) // WINDOW * WINDOW].reshape(-1, WINDOW)
    return Progress(windows.mean(axis=1).tolist(), seconds, len(learner.dual_coef_.T))


def run(rows: int, some: Mapping[str, Any], asked: Asked) -> dict[str, Progress]:
    """Let all learners go along the same stream."""
    from sklearn.base import clone

    X, y = stream(rows, asked.seed)
    found = {}
    for name in asked.show(list(some), "Learners"):
        learner = clone(some[name]).set_params(random_state=asked.seed)
        follow(clone(learner), *stream(2 * PIECE))  # what is compiled is not counted
        found[name] = follow(learner, X, y)
    return found


def stages(errors: list[float]) -> tuple[float, float, float]:
    """Return the error in as many examples before the change, after it and at the end as `AFTER` says."""
    half, some = len(errors) // 2, AFTER // WINDOW
    parts = errors[half - some : half], errors[half : half + some], errors[-some:]
    before, after, end = (float(np.mean(part)) for part in parts)
    return before, after, end


def table(found: Mapping[str, Progress], rows: int) -> Table:
    """Lay the figures out."""
    title = f"Progressive error in % on {rows:,} examples; in the long run nobody can beat {100 * NOISE:g}"
    out = Table(title=title, title_justify="left")
    out.add_column("learner")
    for column in ("before", f"next {AFTER:,}", f"last {AFTER:,}", "seconds", "remembered"):
        out.add_column(column, justify="right")
    for name, progress in found.items():
        errors = (f"{100 * error:.1f}" for error in stages(progress.errors))
        out.add_row(name, *errors, f"{progress.seconds:.1f}", f"{progress.remembered:,}")
    return out


def reproduce(asked: Asked) -> Outcome:
    """Let all learners go along the stream, a short one if it has to be quick."""
    rows = QUICK_ROWS if asked.quick else ROWS
    found = run(rows, learners(BUDGET), asked)
    title = f"A rule that changes half way, learned with a budget of {BUDGET} or without one"
    curves = {name: progress.errors for name, progress in found.items()}
    return Outcome(
        comparisons=[
            Comparison(f"{name}, at the end", 100 * stages(progress.errors)[-1])
            for name, progress in found.items()
        ],
        tables=[table(found, rows)],
        pictures={
            "errors along the stream": lambda: draw_progress(
                curves, WINDOW, rows // 2, title, columns=5, least=NOISE
            )
        },
        notes=[
            "Nobody published these numbers: the stream is drawn here, and its rule is known.",
            f"No learner can be expected to err on less than {100 * NOISE:g} %: as many labels are flipped.",
        ],
        figures=found,
    )
