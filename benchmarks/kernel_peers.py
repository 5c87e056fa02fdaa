"""Other people's kernel machines, with the kernel (1 + <x, z>)^4 on the same rows, 9 against the rest."""

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
from sklearn.svm import SVC

from benchmarks.compare import Work, faster, fewer_errors
from benchmarks.digits import Digits, digits
from benchmarks.dual import learner
from benchmarks.measure import with_slow_ones
from benchmarks.settings import Settings
from benchmarks.table import Row, Target

# Vowpal Wabbit compares every row with its whole support, one after the other: the whole file takes it some
# ten minutes. Which of the two errs less changes with the rows. On MNIST's first 6,000, 10,000, 20,000 and
# 60,000 ours made 1.81, 1.24, 1.02 and 0.65 % test errors, and it made 1.65, 1.37, 0.99 and 0.76 %.
# It drops coefficients below 1e-10, and k(x, x) reaches 1e8: with the default l2 it learns nothing. Of 1e5
# and 1e6, with one repair a row or five, these made the fewest test errors on 10,000 and on 20,000 rows.
KSVM = "--ksvm --kernel poly --degree 4 --l2 1e6 --reprocess 5 --quiet"


def svc(settings: Settings) -> list[Row]:
    """Set our fit beside that of scikit-learn's SVC, which is so long that it has one turn."""
    data = digits(settings.dense_rows)
    theirs = SVC(kernel="poly", degree=4, coef0=1.0, gamma=1.0, cache_size=500)
    return _beside(data, "SVC, degree 4", theirs, settings, Target("at least", 40.0), Target("at most", 0.0))


def vowpal_wabbit(settings: Settings) -> list[Row]:
    """Set our fit beside Vowpal Wabbit's --ksvm; making its examples is not counted."""
    if find_spec("vowpalwabbit") is None:
        how = "not installed: pip install vowpalwabbit"
        return [Row("a kernel machine, degree 4", "Vowpal Wabbit's --ksvm", "", how, None, "", {})]
    data = digits(settings.dense_rows)
    faster_than, fewer_than = Target("at least", 1.0), Target("below", 0.0)
    return _beside(data, "Vowpal Wabbit's --ksvm, degree 4", Ksvm(data), settings, faster_than, fewer_than)


def obvious_loop(settings: Settings) -> list[Row]:
    """Set our fit beside the loop that anyone would write with NumPy, which has one turn."""
    data = digits(settings.dense_rows)
    return [_loop(data, 10, settings, Target("at least", 30.0)), _loop(data, 1, settings, None)]


class Ksvm:
    """Vowpal Wabbit's kernel machine, with examples that it has read before it learns and predicts."""

    def __init__(self, data: Digits) -> None:
        self.workspace = import_module("vowpalwabbit").Workspace(KSVM)
        labels = np.where(data.nine, "1", "-1")
        self.training = [self._example(x, label) for x, label in zip(data.X, labels, strict=True)]
        self.test = [self._example(x, "") for x in data.X_test]

    def fit(self, X: Any, y: Any) -> None:
        """Learn from the rows that it has read, which are those of X."""
        for example in self.training:
            self.workspace.learn(example)

    def predict(self, X: Any) -> Any:
        """Return whether each row to test with is a nine."""
        return np.array([self.workspace.predict(example) > 0 for example in self.test])

    def _example(self, x: Any, label: str) -> Any:
        (places,) = np.nonzero(x)
        values = zip(places.tolist(), x[places].tolist(), strict=True)
        return self.workspace.parse(f"{label} | " + " ".join(f"{j}:{value:.7g}" for j, value in values))


def perceptron_loop(X: Any, y: Any, passes: int) -> int:
    """Learn example by example, remember every mistake as a row, and return their number."""
    support, alpha = np.empty((len(X), X.shape[1]), X.dtype), np.empty(len(X), X.dtype)
    count = 0
    for _ in range(passes):
        for x, label in zip(X, y, strict=True):
            if label * ((1 + support[:count] @ x) ** 4 @ alpha[:count]) <= 0:
                support[count], alpha[count] = x, label
                count += 1
    return count


def _beside(
    data: Digits, theirs: str, peer: Any, settings: Settings, speed: Target, errors: Target
) -> list[Row]:
    """Return the rows of speed and of test error; the peer has one turn."""
    ours = _title(10, data)
    mine = learner().fit(data.X[:2000], data.nine[:2000])  # so that no turn compiles or loads anything
    timings = with_slow_ones({ours: _fit(mine)}, {theirs: _fit(peer)}, lambda: data, settings.repeats)
    work = Work(len(data.X), "rows")
    return [
        faster(timings, ours, theirs, work, speed),
        fewer_errors(ours, theirs, data.error(mine), data.error(peer), errors),
    ]


def _fit(machine: Any) -> Callable[[Digits], object]:
    return lambda data: machine.fit(data.X, data.nine)


def _loop(data: Digits, passes: int, settings: Settings, target: Target | None) -> Row:
    ours, theirs = _title(passes, data), "an obvious loop with NumPy"
    signs = np.where(data.nine, np.float32(1), np.float32(-1))
    fit = _fit(learner(passes))
    fit(data.head(2000))
    loop: dict[str, Callable[[Digits], object]] = {
        theirs: lambda data: perceptron_loop(data.X, signs, passes)
    }
    timings = with_slow_ones({ours: fit}, loop, lambda: data, settings.repeats)
    return faster(timings, ours, theirs, Work(passes * len(data.X), "visits"), target)


def _title(passes: int, data: Digits) -> str:
    often = "one pass" if passes == 1 else f"{passes} passes"
    return f"Perceptron, degree 4, {often} over {len(data.X):,} rows"
