"""Calls with one row: `partial_fit` beside its aim, `predict` beside `SVC`, `predictor()` beside bare NumPy.

Wall time, since a call is shorter than what clocks of CPU time can tell; the median of many calls, and the
best of several turns, in which the contestants alternate.
"""

from collections.abc import Callable, Iterable
from functools import partial
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
from sklearn.svm import SVC

from benchmarks.compare import longer
from benchmarks.measure import Timings
from benchmarks.settings import Settings
from benchmarks.table import Row, Target
from kerneltron import SVM, Arow, LogisticRegression, PassiveAggressive, Pegasos, Perceptron
from kerneltron.kernels import Gaussian

CALLS = 100  # of one turn
REMEMBERED = 1000  # examples, about
COLUMNS, MANY_COLUMNS = 20, 1000
SIGMA = 3.0
PRIMAL, DUAL = Target("at most", 150.0), Target("at most", 250.0)  # microseconds
LINEAR = Target("at most", 10.0)
NO_LONGER, BARE = Target("at most", 1.0), Target("at most", 3.0)

Call = Callable[[], object]


def one_call(settings: Settings) -> list[Row]:
    """Measure single calls."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(4 * REMEMBERED, COLUMNS))
    y = (X[:, 0] * X[:, 1] > 0).astype(int)
    turns = max(5, settings.repeats)
    return [
        *_learning(X, y, turns),
        *_predicting(X, y, turns),
        _linear(rng, turns),
        _kernel(X, y, turns),
        _mapped(X, y, turns),
    ]


def _learning(X: Any, y: Any, turns: int) -> Iterable[Row]:
    """Call `partial_fit` with existing classes."""
    for make in (LogisticRegression, Perceptron, PassiveAggressive, Arow, Pegasos):
        learner = make(random_state=0).partial_fit(X[:100], y[:100])
        yield _micro(
            f"{make.__name__}(), partial_fit of a row", _best_of(_rows(learner, X, y, turns)), PRIMAL
        )
    for make in (Perceptron, PassiveAggressive):
        learner = make(kernel=Gaussian(SIGMA), random_state=0)
        first, step = 0, 50
        while first == 0 or len(learner.support_) < 0.9 * REMEMBERED:
            learner.partial_fit(X[first : first + step], y[first : first + step])
            first += step
        seconds = _best_of(_rows(learner, X, y, turns, CALLS // turns, first))
        count = len(learner.support_)
        yield _micro(f"{make.__name__}, Gaussian kernel, {count:,} remembered", seconds, DUAL)


def _rows(learner: Any, X: Any, y: Any, turns: int, calls: int = CALLS, first: int = 100) -> list[list[Call]]:
    """Return turns of calls, each with a row of its own."""
    places = iter(range(first, len(X)))
    return [
        [
            partial(learner.partial_fit, X[i : i + 1], y[i : i + 1])
            for i, _ in zip(places, range(calls), strict=False)
        ]
        for _ in range(turns)
    ]


def _predicting(X: Any, y: Any, turns: int) -> Iterable[Row]:
    """Call `predict` and `predict_proba` with remembered examples, beside SVC."""
    some, row = slice(int(1.4 * REMEMBERED)), X[-1:]
    ours = SVM(kernel=Gaussian(SIGMA), random_state=0).fit(X[some], y[some])
    peer = SVC(gamma=0.5 / SIGMA**2).fit(X[some], y[some])
    likely = SVC(gamma=0.5 / SIGMA**2, probability=True).fit(X[some], y[some])
    mine, theirs = f"{len(ours.support_):,} remembered", f"SVC, {peer.n_support_.sum():,}"
    for name, other in (("predict", peer), ("predict_proba", likely)):
        contestants: dict[str, Call] = {
            f"{name} of a row, {mine}": partial(getattr(ours, name), row),
            theirs: partial(getattr(other, name), row),
        }
        yield _beside(contestants, turns, NO_LONGER)


def _linear(rng: Any, turns: int) -> Row:
    X = rng.normal(size=(REMEMBERED, MANY_COLUMNS))
    predictor = LogisticRegression(random_state=0, passes=1).fit(X, X[:, 0] > 0).predictor()
    seconds = _best_of([[partial(predictor, X[0])] * CALLS for _ in range(turns)])
    return _micro(f"predictor(), a row of {MANY_COLUMNS:,} columns, weights", seconds, LINEAR)


def _kernel(X: Any, y: Any, turns: int) -> Row:
    some, x = slice(int(1.2 * REMEMBERED)), X[-1]
    learner = SVM(kernel=Gaussian(SIGMA), random_state=0).fit(X[some], y[some])
    V, a = learner.support_vectors_, learner.dual_coef_[0].copy()
    squares = (V * V).sum(axis=1)

    def bare() -> Any:
        return np.exp((2 * (V @ x) - squares - x @ x) / (2 * SIGMA**2)) @ a

    contestants: dict[str, Call] = {
        f"predictor(), {len(a):,} remembered": partial(learner.predictor(), x),
        "bare NumPy": bare,
    }
    return _beside(contestants, turns, BARE)


def _mapped(X: Any, y: Any, turns: int) -> Row:
    x, W = X[-1], np.random.default_rng(0).normal(size=(COLUMNS, REMEMBERED // 2))
    chosen: dict[str, Any] = {"kernel": Gaussian(SIGMA), "representation": f"RandomFourier({REMEMBERED})"}
    learner = LogisticRegression(random_state=0, passes=1, **chosen).fit(X[:REMEMBERED], y[:REMEMBERED])
    w = np.ones(REMEMBERED)

    def bare() -> Any:
        z = x @ W
        return np.concatenate([np.cos(z), np.sin(z)]) @ w

    name = f"predictor(), {REMEMBERED:,} random features"
    return _beside({name: partial(learner.predictor(), x), "bare NumPy": bare}, turns, BARE)


def _best_of(turns: Iterable[Iterable[Call]]) -> float:
    """Return the least median, over turns, of the seconds that a call takes."""
    return min(median(_seconds(call) for call in turn) for turn in turns)


def _seconds(call: Call) -> float:
    start = perf_counter()
    call()
    return perf_counter() - start


def _micro(title: str, seconds: float, target: Target) -> Row:
    figure = 1e6 * seconds
    return Row(title, "the aim", f"{figure:.0f} us", "", figure, "us", {"seconds": seconds}, target)


def _beside(contestants: dict[str, Call], turns: int, target: Target) -> Row:
    """Measure two in turns; the times that the table shows are those of 1,000 calls."""
    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(turns):
        for name, call in contestants.items():
            seconds[name].append(1000 * median(_seconds(call) for _ in range(CALLS)))
    ours, theirs = contestants
    return longer(Timings(seconds), ours, theirs, target)
