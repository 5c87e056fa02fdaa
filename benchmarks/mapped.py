"""Learners in the features of maps, on MNIST: beside pipelines of scikit-learn, and transform and fit."""

import tracemalloc
from typing import Any

import numpy as np
from sklearn.kernel_approximation import Nystroem, RBFSampler
from sklearn.linear_model import SGDClassifier
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

from benchmarks.compare import Work, faster, longer
from benchmarks.digits import digits
from benchmarks.measure import take_turns, with_slow_ones
from benchmarks.settings import Settings
from benchmarks.table import Row, Target
from kerneltron import Perceptron
from kerneltron.features import Nystrom, RandomFourier
from kerneltron.kernels import Gaussian

SIGMA, COMPONENTS, LANDMARKS, PASSES = 5.0, 1000, 1000, 10
KERNEL = Gaussian(SIGMA)
GAMMA = 1 / (2 * SIGMA**2)
FEW = 6000  # rows that SVC learns from
SINGLE = 200  # rows that are predicted one by one


def mapped(settings: Settings) -> list[Row]:
    """Measure training, transforming, mapping on the fly, and predicting one row."""
    data = digits(settings.dense_rows)
    return [
        *kitchen_sinks(data, settings),
        transforming(data, settings),
        *on_the_fly(data, settings),
        one_row(data, settings),
    ]


def sinks(passes: int) -> Any:
    """Return an averaged perceptron in random Fourier features."""
    return Perceptron(kernel=KERNEL, representation=RandomFourier(COMPONENTS), passes=passes, random_state=0)


def kitchen_sinks(data: Any, settings: Settings) -> list[Row]:
    """Set an averaged perceptron on random features, end to end, beside the pipeline of scikit-learn."""
    ours = f"RandomFourier({COMPONENTS}) and Perceptron, {PASSES} passes, ten classes"
    mapping = f"Perceptron in RandomFourier({COMPONENTS}), mapped anew in each of {PASSES} passes"
    theirs = "RBFSampler and SGDClassifier(loss='perceptron', average=True)"

    def other() -> Any:
        perceptron = SGDClassifier(
            loss="perceptron",
            average=True,
            max_iter=PASSES,
            tol=None,
            learning_rate="constant",
            eta0=1.0,
            random_state=0,
        )
        return make_pipeline(RBFSampler(gamma=GAMMA, n_components=COMPONENTS, random_state=0), perceptron)

    sinks(1).fit(data.X[:2000], data.y[:2000])

    def mine() -> Any:
        features = RandomFourier(COMPONENTS, kernel=KERNEL, random_state=0)
        return make_pipeline(features, Perceptron(passes=PASSES, random_state=0))

    quick = {
        ours: lambda X: mine().fit(X, data.y),
        mapping: lambda X: sinks(PASSES).fit(X, data.y),
    }
    slow = {theirs: lambda X: other().fit(X, data.y)}
    timings = with_slow_ones(quick, slow, lambda: data.X, max(1, settings.repeats // 2))
    work = Work(PASSES * len(data.X), "visits")
    return [
        faster(timings, ours, theirs, work, Target("at least", 3.0)),
        faster(timings, mapping, theirs, work),
    ]


def transforming(data: Any, settings: Settings) -> Row:
    """Set `Nystrom.transform` beside that of scikit-learn, with as many landmarks."""
    rows = data.X[:10_000]
    ours, theirs = f"Nystrom({LANDMARKS}).transform", "Nystroem.transform"
    mine = Nystrom(LANDMARKS, kernel=KERNEL, random_state=0).fit(data.X)
    other = Nystroem(gamma=GAMMA, n_components=LANDMARKS, random_state=0).fit(data.X)
    contestants = {ours: mine.transform, theirs: other.transform}
    timings = take_turns(contestants, lambda: rows, settings.repeats)
    return faster(timings, ours, theirs, Work(len(rows), "rows"), Target("at least", 1.0))


def on_the_fly(data: Any, settings: Settings) -> list[Row]:
    """Set one pass that maps blocks as it goes beside transform and fit, in time and in memory."""
    ours, theirs = "one pass, mapped on the fly", "transform, then one pass"

    def before(X: Any) -> object:
        rows = RandomFourier(COMPONENTS, kernel=KERNEL, random_state=0).fit(X).transform(X)
        return Perceptron(random_state=0).fit(rows, data.y)

    def now(X: Any) -> object:
        return sinks(1).fit(X, data.y)

    timings = take_turns({ours: now, theirs: before}, lambda: data.X, settings.repeats)
    mine, other = peak(now, data.X), peak(before, data.X)
    return [
        longer(timings, ours, theirs, Target("at most", 1.3)),
        Row(
            f"memory of {ours}",
            theirs,
            f"{mine / 1e6:.0f} MB",
            f"{other / 1e6:.0f} MB",
            other / mine,
            "times less",
            {"bytes": [mine, other]},
            Target("at least", 2.0),
        ),
    ]


def peak(work: Any, X: Any) -> int:
    """Return the most bytes that are allocated meanwhile."""
    tracemalloc.start()
    try:
        work(X)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def one_row(data: Any, settings: Settings) -> Row:
    """Predict rows one by one, beside SVC."""
    ours, theirs = f"{SINGLE} single rows, RandomFourier({COMPONENTS})", "SVC"
    mine = sinks(1).fit(data.X[:FEW], data.y[:FEW])
    other = SVC(gamma=GAMMA).fit(data.X[:FEW], data.y[:FEW])
    rows = np.ascontiguousarray(data.X_test[:SINGLE])

    def single(learned: Any) -> Any:
        return lambda X: [learned.predict(X[i : i + 1]) for i in range(len(X))]

    timings = take_turns({ours: single(mine), theirs: single(other)}, lambda: rows, settings.repeats)
    return longer(timings, ours, theirs, Target("at most", 1.5))
