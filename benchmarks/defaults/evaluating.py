"""What a learner makes of a set: which test rows it gets wrong, its probabilities, and its time.

`errors_of` does so for a candidate on all sets of a kind, and `leaving_out` chooses among several.
"""

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from inspect import Parameter, signature
from time import process_time
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table
from threadpoolctl import threadpool_limits

from benchmarks.defaults import probabilities, sets
from benchmarks.defaults.judging import Wrong, standard_error
from benchmarks.defaults.sets import DataSet
from kerneltron.datasets import Split

Make = Callable[..., Any]  # returns a learner with fit and predict; structures hand it their kernel


class Outcome(NamedTuple):
    """What a learner made of a set; probabilities are judged where it has some."""

    wrong: Wrong
    log_loss: float | None
    calibration: float | None  # the expected calibration error
    seconds: float  # of CPU time to learn, over all splits

    @property
    def error(self) -> float:
        """The mean error over splits."""
        return self.wrong.mean

    @property
    def standard_error(self) -> float:
        """That of the error."""
        return standard_error(self.wrong)


class _Answers(NamedTuple):
    labels: NDArray[Any]
    probabilities: NDArray[Any] | None  # a column for each class
    classes: Any
    seconds: float


def outcome_of(make: Make, data: DataSet) -> Outcome:
    """Learn from each split and test."""
    with quiet_and_repeatable():
        found = [_answers(made(make, data), split, data) for split in data.splits]
    wrong = Wrong(
        [answers.labels != split.y_test for answers, split in zip(found, data.splits, strict=True)],
        len(data.splits[0].y),
    )
    seconds = sum(answers.seconds for answers in found)
    if any(answers.probabilities is None for answers in found):
        return Outcome(wrong, None, None, seconds)
    likely = [
        probabilities.Predicted.of(answers.probabilities, answers.classes, split.y_test)
        for answers, split in zip(found, data.splits, strict=True)
    ]
    return Outcome(wrong, probabilities.log_loss(likely), probabilities.calibration(likely), seconds)


def made(make: Make, data: DataSet) -> Any:
    """Return a learner; one for structures is handed the kernel of the set, if it asks."""
    asks = [each for each in signature(make).parameters.values() if each.default is Parameter.empty]
    return make(data.kernels[0]) if data.kernels and asks else make()


def errors_of(
    make: Make,
    kind: str = sets.TABLES,
    *,
    on_test: bool = False,
    quick: bool = False,
    names: Sequence[str] | None = None,
) -> dict[str, Outcome]:
    """Return what a candidate makes of each set of a kind, on held-out training rows.

    Parameters
    ----------
    make
        Returns a new learner each time, without arguments; for structures it may take the kernel of the set.
    kind
        "tables", "streams", "text" or "structures".
    on_test
        Learn from all training rows, and count the errors on the test rows: not for choosing.
    quick
        With few rows, to see whether it runs.
    names
        These sets alone.
    """
    return {
        data.name: outcome_of(make, data if on_test else sets.held_out(data))
        for data in sets.available(kind, quick, names)
    }


def leaving_out(candidates: Mapping[str, Mapping[str, Outcome]]) -> dict[str, tuple[str, float]]:
    """Choose on all sets but one, for each one; return the choice and its error there over the least.

    Parameters
    ----------
    candidates
        What `errors_of` returns, by the name of the candidate. The chosen one has the least mean of log
        errors over the sets that it is chosen on (with half an error added, so that none is 0).
    """
    names = list(candidates)
    logs = np.array([[log_error(outcome) for outcome in each.values()] for each in candidates.values()])
    found = {}
    for place, left_out in enumerate(candidates[names[0]]):
        best = int(np.delete(logs, place, axis=1).mean(axis=1).argmin())
        found[left_out] = (names[best], float(np.exp(logs[best, place] - logs[:, place].min())))
    return found


def log_error(outcome: Outcome) -> float:
    """Return the logarithm of the error, with half a row more, so that it is never that of 0."""
    rows = sum(len(some) for some in outcome.wrong.by_split)
    return float(np.log(outcome.error + 0.5 / rows))


def show(found: Mapping[str, Outcome]) -> None:
    """Print what `errors_of` returns."""
    table = Table("set", "error", "log-loss", "calibration", "seconds")
    for name, outcome in found.items():
        error = f"{100 * outcome.error:.2f} ± {100 * outcome.standard_error:.2f} %"
        likely = ["" if value is None else f"{value:.4f}" for value in outcome[1:3]]
        table.add_row(name, error, *likely, f"{outcome.seconds:.2f}")
    Console().print(table)


@contextmanager
def quiet_and_repeatable() -> Iterator[None]:
    """Learn in one thread, without warnings, and with the same random numbers each time.

    Learners as they are constructed have `random_state=None`, which draws from NumPy's global state.
    """
    before = np.random.get_state()  # noqa: NPY002
    np.random.seed(0)  # noqa: NPY002
    try:
        with threadpool_limits(1), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # lbfgs that has not converged is what a user gets
            yield
    finally:
        np.random.set_state(before)  # noqa: NPY002


def _answers(learner: Any, split: Split, data: DataSet) -> _Answers:
    if data.kind == sets.STREAMS:
        return _progressive(learner, split)
    start = process_time()
    learner.fit(split.X, split.y)
    seconds = process_time() - start
    likely = learner.predict_proba(split.X_test) if hasattr(learner, "predict_proba") else None
    return _Answers(np.asarray(learner.predict(split.X_test)), likely, learner.classes_, seconds)


def _progressive(learner: Any, split: Split) -> _Answers:
    """Predict each row before it is learned from; those of the test part count."""
    classes, labels, likely = np.unique(split.y), [], []
    has_probabilities = hasattr(learner, "predict_proba")
    start = process_time()
    for x, y in _one_by_one(split.X, split.y):
        learner.partial_fit(x, y, classes=classes)
    for x, y in _one_by_one(split.X_test, split.y_test):
        labels.append(learner.predict(x)[0])
        if has_probabilities:
            likely.append(learner.predict_proba(x)[0])
        learner.partial_fit(x, y, classes=classes)
    seconds = process_time() - start
    return _Answers(np.array(labels), np.array(likely) if has_probabilities else None, classes, seconds)


def _one_by_one(X: Any, y: Any) -> Iterator[tuple[Any, Any]]:
    return ((X[place : place + 1], y[place : place + 1]) for place in range(len(y)))
