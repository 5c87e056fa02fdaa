"""Our learners as they come, the ones that we recommend, and the grids that their best is chosen from."""

from collections.abc import Iterator
from functools import partial
from itertools import product
from typing import Any, NamedTuple, Self

from sklearn.base import BaseEstimator
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import kerneltron
from benchmarks.defaults.command_line import CommandLine
from benchmarks.defaults.evaluating import Make
from benchmarks.defaults.sets import STREAMS, STRUCTURES, TABLES, TEXT, DataSet
from kerneltron import SVM, LogisticRegression, PassiveAggressive, Perceptron
from kerneltron.kernels import Gaussian, Kernel, propose_sigma
from kerneltron.kernels.grammar import parse
from kerneltron.learning.methods import METHODS

KERNEL_MACHINE = 'SVM(kernel="gaussian")'
LINEAR = "LogisticRegression()"
TRAIN = "kerneltron train"
STRUCTURED = 'SVM(kernel="auto")'
NAMED = "SVM(kernel=...)"

# The learners that we recommend first, by kind of data; the table judges by them.
RECOMMENDED = {TABLES: KERNEL_MACHINE, STREAMS: LINEAR, TEXT: TRAIN, STRUCTURES: STRUCTURED}
# Those that are compared with linear peers.
RECOMMENDED_LINEAR = {TABLES: LINEAR, STREAMS: LINEAR, TEXT: TRAIN}
# Those that are compared with SVC.
MACHINES = {TABLES: KERNEL_MACHINE, STRUCTURES: STRUCTURED}
PASSES = (1, 2, 5, 10, 20)
# What was recommended in the place of a learner when the figures before were taken.
FORMERLY = {STRUCTURED: NAMED}


class WithProposedWidth(BaseEstimator):  # type: ignore[misc]
    """SVM with a Gaussian kernel whose width is a multiple of the one that `propose_sigma` proposes."""

    def __init__(self, factor: float = 1.0, C: float = 1.0) -> None:
        self.factor, self.C = factor, C

    def fit(self, X: Any, y: Any) -> Self:
        """Look for the width, and learn."""
        kernel = Gaussian(self.factor * propose_sigma(X))
        self.machine = SVM(kernel=kernel, C=self.C).fit(X, y)
        self.classes_ = self.machine.classes_
        return self

    def predict(self, X: Any) -> Any:
        """Return the labels of rows."""
        return self.machine.predict(X)


def kernel_machine() -> Any:
    """Return the machine with kernel="gaussian" where the library knows it, else with the proposed width."""
    try:
        parse("gaussian")
    except ValueError:
        return WithProposedWidth()
    return SVM(kernel="gaussian")


class RunningScale:
    """A learner of a stream whose rows are scaled by the means and deviations of the rows so far."""

    def __init__(self, learner: Any) -> None:
        self.learner, self.scaler = learner, StandardScaler()

    def partial_fit(self, X: Any, y: Any, classes: Any) -> Self:
        """Learn from rows."""
        self.learner.partial_fit(self.scaler.partial_fit(X).transform(X), y, classes=classes)
        return self

    def predict(self, X: Any) -> Any:
        """Return the labels of rows; the first ones are not scaled."""
        return self.learner.predict(self.scaler.transform(X))


class Candidate(NamedTuple):
    """A setting to choose from."""

    name: str
    make: Make
    is_linear: bool


def defaults(data: DataSet) -> dict[str, Make]:
    """Return each learner as it comes, by what a user types."""
    if data.kind == TEXT:
        streaming = [name for name in METHODS if name not in ("logistic", "svm")]
        others = {f"--learner {name}": partial(CommandLine, "--learner", name) for name in streaming}
        return {TRAIN: CommandLine, **others}
    if data.kind == STRUCTURES:
        return {
            STRUCTURED: partial(SVM, kernel="auto"),
            NAMED: lambda kernel: SVM(kernel=kernel),
            "PassiveAggressive(kernel=...)": lambda kernel: PassiveAggressive(kernel=kernel),
            "Perceptron(kernel=...)": lambda kernel: Perceptron(kernel=kernel),
        }
    estimators = {f"{entry.estimator}()": getattr(kerneltron, entry.estimator) for entry in METHODS.values()}
    if data.kind == STREAMS:
        del estimators["SVM()"]  # in primal form it needs all rows at once
        return estimators
    return {KERNEL_MACHINE: kernel_machine, **estimators}


def with_passes(data: DataSet, passes: int) -> Make | None:
    """Return the linear learner that we recommend with a number of passes; None where there is none."""
    if data.kind == TEXT:
        return partial(CommandLine, "--passes", str(passes))
    return partial(LogisticRegression, passes=passes) if data.kind == TABLES else None


def grid(data: DataSet) -> list[Candidate]:
    """Return the settings that the best is chosen from; the first one is the recommended default."""
    grids = {TABLES: _tables, STREAMS: _streams, TEXT: _texts, STRUCTURES: _structures}
    first = RECOMMENDED[data.kind]
    is_linear = first == RECOMMENDED_LINEAR.get(data.kind)
    return [Candidate(first, defaults(data)[first], is_linear), *grids[data.kind](data)]


def _tables(data: DataSet) -> Iterator[Candidate]:
    yield Candidate(LINEAR, LogisticRegression, True)
    for is_scaled, rate, passes in product((False, True), (0.05, 0.5), (1, 10)):
        learner = LogisticRegression(learning_rate=rate, passes=passes)
        yield _perhaps_scaled(
            f"LogisticRegression(learning_rate={rate}, passes={passes})", learner, is_scaled, True
        )
    for is_scaled, C in product((False, True), (0.01, 1.0)):
        learner = PassiveAggressive(C=C, passes=10)
        yield _perhaps_scaled(f"PassiveAggressive(C={C}, passes=10)", learner, is_scaled, True)
    for is_scaled, factor, C in product((False, True), (1.0, 0.5, 0.25), (1.0, 10.0)):
        machine = WithProposedWidth(factor, C=C)
        yield _perhaps_scaled(f"SVM(Gaussian({factor} sigma), C={C})", machine, is_scaled, False)


def _perhaps_scaled(name: str, learner: Any, is_scaled: bool, is_linear: bool) -> Candidate:
    if is_scaled:
        return Candidate(f"{name}, scaled", lambda: make_pipeline(StandardScaler(), learner), is_linear)
    return Candidate(name, lambda: learner, is_linear)


def _streams(data: DataSet) -> Iterator[Candidate]:
    learners: dict[str, Make] = {
        f"LogisticRegression(learning_rate={rate}, hypothesis={hypothesis!r})": partial(
            LogisticRegression, learning_rate=rate, hypothesis=hypothesis
        )
        for rate, hypothesis in product((0.05, 0.5), ("average", "last"))
    }
    learners |= {
        f"PassiveAggressive(C={C}, hypothesis={hypothesis!r})": partial(
            PassiveAggressive, C=C, hypothesis=hypothesis
        )
        for C, hypothesis in product((0.01, 1.0), ("average", "last"))
    }
    for name, make in learners.items():
        yield Candidate(name, make, True)
        yield Candidate(f"{name}, scaled", lambda make=make: RunningScale(make()), True)


def _texts(data: DataSet) -> Iterator[Candidate]:
    rows = (
        ("--learning-rate", "0.1"),
        ("--binary", "--normalize", "--learning-rate", "0.5"),
        ("--binary", "--normalize", "--learning-rate", "2"),
        ("--binary", "--normalize", "--learner", "passive-aggressive"),
    )
    for options, ngrams, passes in product(rows, ("1", "2"), ("1", "5")):
        words = (*options, "--ngrams", ngrams, "--passes", passes)
        yield Candidate(" ".join(words), partial(CommandLine, *words), True)


def _structures(data: DataSet) -> Iterator[Candidate]:
    for kernel, C in product(data.kernels, (1.0, 10.0)):
        yield Candidate(f"SVM({kernel}, C={C:g})", _machine(kernel, C), False)


def _machine(kernel: Kernel, C: float) -> Make:
    return lambda: SVM(kernel=kernel, C=C)
