"""Learners in primal form beside scikit-learn's SGDClassifier: one pass, the average, ten classes.

The whole `fit` is timed on both sides, with the checks of the input and the shuffling.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from sklearn.linear_model import SGDClassifier

from benchmarks.compare import Work, faster, longer
from benchmarks.measure import Timings, take_turns
from benchmarks.problem import Problem, dense_problem, sparse_problem
from benchmarks.settings import Settings
from benchmarks.table import Row, Target
from kerneltron import LogisticRegression, PassiveAggressive, Perceptron

L2 = 1e-6
PLAIN: dict[str, Any] = {"l2": L2, "passes": 1, "scale": False}  # one pass over rows as they are

DENSE: tuple[tuple[str, Callable[..., Any], dict[str, Any], str], ...] = (
    ("Perceptron", Perceptron, {}, "perceptron"),
    ("PassiveAggressive", PassiveAggressive, {"passes": 1, "scale": False}, "hinge"),
    ("LogisticRegression", LogisticRegression, {**PLAIN, "schedule": "inverse"}, "log_loss"),
    ("LogisticRegression, AdaGrad", LogisticRegression, PLAIN, "log_loss"),
    ("LogisticRegression, AdaGrad, scaled columns", LogisticRegression, {"l2": L2, "passes": 1}, "log_loss"),
)

Contestant = Callable[[Problem], object]


def perceptron(settings: Settings) -> list[Row]:
    """Set Perceptron beside SGDClassifier(loss="perceptron")."""
    return _one_pass(settings, Perceptron, {}, {"loss": "perceptron"})


def logistic_regression(settings: Settings) -> list[Row]:
    """Set LogisticRegression beside SGDClassifier(loss="log_loss"), the same algorithm with the same L2."""
    ours, theirs = {**PLAIN, "schedule": "inverse"}, {"loss": "log_loss", "alpha": L2}
    return _one_pass(settings, LogisticRegression, ours, theirs)


def adaptive(settings: Settings) -> list[Row]:
    """Set LogisticRegression, with AdaGrad's steps, beside SGDClassifier with plain ones."""
    problem = sparse_problem(settings.rows)
    last, average, peer = "AdaGrad, last", "AdaGrad, average", "SGDClassifier, log_loss"
    contestants = {
        last: _two(lambda: LogisticRegression(hypothesis="last", random_state=0, **PLAIN)),
        average: _two(lambda: LogisticRegression(random_state=0, **PLAIN)),
        peer: _two(lambda: _peer(loss="log_loss", alpha=L2)),
    }
    timings, work = _race(contestants, problem, settings.repeats), Work(problem.X.nnz, "non-zeros")
    return [faster(timings, last, peer, work), faster(timings, average, peer, work)]


def dense(settings: Settings) -> list[Row]:
    """Set the two beside each other on dense rows of 784 numbers in ten classes."""
    problem = dense_problem(settings.dense_rows)
    ours, theirs = "Perceptron, last, dense, ten classes", "SGDClassifier, perceptron"
    contestants = {
        ours: _ten(lambda: Perceptron(hypothesis="last", random_state=0)),
        theirs: _ten(lambda: _peer(loss="perceptron")),
    }
    timings, work = _race(contestants, problem, settings.repeats), Work(problem.X.shape[0], "rows")
    return [faster(timings, ours, theirs, work)]


def dense_widths(settings: Settings) -> list[Row]:
    """Set learners on dense rows of several widths beside SGDClassifier, all of them with averages."""
    rows = []
    for width in (20, 50, 200, 1000):
        problem = dense_problem(min(settings.dense_rows, 20_000_000 // width), width)
        for ways, classes in ((_two, "two"), (_ten, "ten")):
            for name, learner, parameters, loss in DENSE:
                ours, theirs = (
                    f"{name}, {width} columns, {classes} classes",
                    f"SGDClassifier, {loss}, average",
                )
                contestants = {
                    ours: ways(partial(learner, random_state=0, **parameters)),
                    theirs: ways(partial(_peer, average=True, loss=loss)),
                }
                timings = _race(contestants, problem, settings.repeats)
                work = Work(problem.X.shape[0], "rows")
                rows.append(faster(timings, ours, theirs, work, Target("at least", 1.0)))
    return rows


def _one_pass(
    settings: Settings, learner: Callable[..., Any], ours: dict[str, Any], theirs: dict[str, Any]
) -> list[Row]:
    problem = sparse_problem(settings.rows)
    last, average = f"{learner.__name__}, last", f"{learner.__name__}, average"
    peer, averaging_peer = f"SGDClassifier, {theirs['loss']}", f"SGDClassifier, {theirs['loss']}, average"
    ten_last, ten_average = f"{last}, ten classes", f"{average}, ten classes"

    def make(hypothesis: str) -> Callable[[], Any]:
        return lambda: learner(hypothesis=hypothesis, random_state=0, **ours)

    one = {last: _two(make("last")), average: _two(make("average"))}
    peers = {peer: _two(lambda: _peer(**theirs)), averaging_peer: _two(lambda: _peer(average=True, **theirs))}
    ten = {ten_last: _ten(make("last")), ten_average: _ten(make("average"))}
    # Ten classes take seconds: a race of their own leaves time for more turns of the others.
    quick = _race(one | peers, problem, 2 * settings.repeats)
    slow = _race(one | ten, problem, settings.repeats)
    work = Work(problem.X.nnz, "non-zeros")
    return [
        faster(quick, last, peer, work, Target("at least", 1.3, aim=2.0)),
        faster(quick, average, peer, work),
        faster(quick, average, averaging_peer, work),
        longer(quick, average, last, Target("at most", 1.4)),
        longer(slow, ten_last, last, Target("below", 6.0)),
        longer(slow, ten_average, average),
    ]


def _race(contestants: dict[str, Contestant], problem: Problem, repeats: int) -> Timings:
    warming = problem.head(1000)
    for contestant in contestants.values():  # so that no turn compiles or loads anything
        contestant(warming)
    return take_turns(contestants, problem.anew, repeats)


def _two(make: Callable[[], Any]) -> Contestant:
    return lambda problem: make().fit(problem.X, problem.two)


def _ten(make: Callable[[], Any]) -> Contestant:
    return lambda problem: make().fit(problem.X, problem.ten)


def _peer(**parameters: Any) -> Any:
    return SGDClassifier(max_iter=1, tol=None, shuffle=True, random_state=0, **parameters)
