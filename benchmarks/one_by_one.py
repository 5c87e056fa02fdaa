"""River's learners, which take one example at a time as a dict, on a part of the same rows."""

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from benchmarks.compare import Work, faster
from benchmarks.measure import take_turns
from benchmarks.problem import Problem, sparse_problem
from benchmarks.settings import Settings
from benchmarks.table import Row
from kerneltron import LogisticRegression, Perceptron

COUNT = 3000

Contestant = Callable[[Problem], object]


def river(settings: Settings) -> list[Row]:
    """Set our `fit` beside river's `learn_one` on the same rows; making the dicts is not counted."""
    if find_spec("river") is None:
        return [Row("examples a second", "river", "", "not installed: pip install river", None, "", {})]
    from river import linear_model

    problem = sparse_problem(settings.rows).head(COUNT)
    dicts = [_as_dict(problem.X, i) for i in range(COUNT)]
    contestants = {
        "Perceptron, last": _fit(Perceptron(hypothesis="last", random_state=0)),
        "LogisticRegression, last": _fit(
            LogisticRegression(hypothesis="last", passes=1, scale=False, random_state=0)
        ),
        "river's Perceptron": _learn_each(linear_model.Perceptron, dicts),
        "river's LogisticRegression": _learn_each(linear_model.LogisticRegression, dicts),
    }
    for contestant in contestants.values():
        contestant(problem)
    timings, work = take_turns(contestants, problem.anew, settings.repeats), Work(COUNT, "rows")
    return [
        faster(timings, f"{name}, last", f"river's {name}", work)
        for name in ("Perceptron", "LogisticRegression")
    ]


def _fit(learner: Any) -> Contestant:
    return lambda problem: learner.fit(problem.X, problem.two)


def _learn_each(make: Callable[[], Any], dicts: list[dict[int, float]]) -> Contestant:
    def run(problem: Problem) -> object:
        learner = make()
        for x, y in zip(dicts, problem.two.tolist(), strict=True):
            learner.learn_one(x, y)
        return learner

    return run


def _as_dict(X: Any, i: int) -> dict[int, float]:
    row = slice(X.indptr[i], X.indptr[i + 1])
    return dict(zip(X.indices[row].tolist(), X.data[row].tolist(), strict=True))
