"""Two ways to learn many tasks: together, in dual form, and one after the other, in primal form."""

from collections.abc import Callable, Sequence
from copy import deepcopy
from math import ceil
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import _num_samples

from kerneltron._types import Floats, Integers, Visits
from kerneltron._validate import rows_of
from kerneltron.estimators._additive import AdditiveClassifier
from kerneltron.estimators._task_labels import dense, labelled
from kerneltron.learning.examples import Tasks
from kerneltron.learning.order import order
from kerneltron.learning.passes import PassReport, Plan, train
from kerneltron.learning.progress import progress
from kerneltron.models.dual import Dual
from kerneltron.models.model import Model

AfterPass = Callable[[PassReport], object]
ANSWERS = np.array([-1, 1])


def make_passes(
    learner: AdditiveClassifier, model: Any, X: Any, tasks: Tasks, seed: int, after_pass: AfterPass
) -> Integers:
    """Make the learner's passes over all examples; return the mistakes, a row a pass and a column a task."""
    plan = Plan(learner.passes, seed if learner.shuffle else None)
    total = ceil(plan.passes * tasks.size)
    columns = int(tasks.Y.shape[1])
    with progress(f"{columns} tasks", total, learner.verbose > 0) as advance:

        def all_tasks(visited: int, missed: Any) -> None:
            advance(visited, int(np.sum(missed)))

        outcome = train(model, model.read(X), tasks, plan, after_pass=after_pass, advance=all_tasks)
    return np.array([np.broadcast_to(report.mistakes, columns) for report in outcome.reports])


class SideBySide:
    """Models of one column each that visit the same examples, each those that it has labels for."""

    blocks = 16

    def __init__(self, models: Sequence[Model | None]) -> None:
        self.models = models

    def read(self, X: Any) -> Any:
        """Make rows ready once for all models with the same delta, which gives rows further columns."""
        rows: dict[float, Any] = {}
        for model in self._there():
            if model.delta not in rows:
                rows[model.delta] = model.read(X)
        return rows

    def begin(self, rows: Any) -> None:
        """Take the rows that the next visits belong to."""
        for model in self._there():
            model.begin(rows[model.delta])

    def learn(self, visits: Visits) -> tuple[Integers, None]:
        """Visit some rows; return the mistakes of each task."""
        mistakes = np.zeros(len(self.models), np.int64)
        for m, model in enumerate(self.models):
            mine = np.flatnonzero(visits.codes[:, m])
            if model is not None and mine.size:
                codes = (visits.codes[mine, m] > 0).astype(np.int64)
                mistakes[m] = model.learn(Visits(visits.order[mine], codes, visits.importance[mine]))[0]
        return mistakes, None

    def measure(self) -> None:
        """Recompute what is kept by recursion, before another pass."""
        for model in self._there():
            model.measure()

    def finish(self) -> None:
        """Let go of the rows."""
        for model in self._there():
            model.finish()

    def _there(self) -> list[Model]:
        return [model for model in self.models if model is not None]


class Together:
    """One model with a column per task: kernel evaluations are shared."""

    def __init__(self, learner: AdditiveClassifier, model: Dual) -> None:
        self.learner, self.model = learner, model

    def fit(self, X: Any, tasks: Tasks, seed: int, after_pass: AfterPass) -> Integers:
        """Make the learner's passes; return the mistakes, a row a pass and a column a task."""
        return make_passes(self.learner, self.model, X, tasks, seed, after_pass)

    def stream(self, X: Any, tasks: Tasks) -> Integers:
        """Visit the examples once; return the mistakes of each task."""
        mistakes = np.zeros(self.model.columns, np.int64)
        with self.model.visiting(self.model.read(X)):
            for chunk in order(tasks.size, 0, None, self.model.blocks):
                mistakes += self.model.learn(tasks.visits(chunk))[0]
        return mistakes

    def scores(self, X: Any) -> Floats:
        """Return a score per example and task."""
        return self.model.scores(X)

    def copy(self) -> "Together":
        """Return a copy that goes its own way."""
        return Together(self.learner, self.model.copy())


class Apart:
    """A learner per task, None as long as it had no labels: with weights there is nothing to share."""

    def __init__(self, learner: AdditiveClassifier, tasks: int) -> None:
        self.learner = learner
        self.learners: list[Any] = [None] * tasks

    def fit(self, X: Any, tasks: Tasks, seed: int, after_pass: AfterPass) -> Integers:
        """Make the passes with all tasks side by side; return the mistakes as `Together` does."""
        for m in range(len(self.learners)):
            rows, _, _ = labelled(tasks, m)
            if rows.size:
                self.learners[m] = self._untrained(X, dense(tasks.Y[:, [m]]).ravel(), rows, seed)
        models = [None if learner is None else learner.model_ for learner in self.learners]
        mistakes = make_passes(self.learner, SideBySide(models), X, tasks, seed, after_pass)
        for m, learner in enumerate(self.learners):
            if learner is not None:
                learner.mistakes_, learner._streaming = mistakes[:, m].copy(), False
        return mistakes

    def _untrained(self, X: Any, labels: Any, rows: Integers, seed: int) -> AdditiveClassifier:
        """Return a learner that knows which answers there are, and has labels in some rows."""
        learner: AdditiveClassifier = clone(self.learner).set_params(random_state=seed, callback=None)
        learner.classes_, learner.n_features_in_ = ANSWERS.copy(), X.shape[1]
        learner.model_ = learner._new_model(X, labels, seed, rows)
        return learner

    def stream(self, X: Any, tasks: Tasks) -> Integers:
        """Visit the examples once; return the mistakes of each task."""
        mistakes = np.zeros(len(self.learners), np.int64)
        for m in range(len(self.learners)):
            rows, labels, weight = labelled(tasks, m)
            if rows.size:
                mistakes[m] = self._visit(m, rows_of(X, rows), labels, weight)
        return mistakes

    def scores(self, X: Any) -> Floats:
        """Return a score per example and task, 0 for tasks that had no labels."""
        scores = np.zeros((_num_samples(X), len(self.learners)))
        for m, learner in enumerate(self.learners):
            if learner is not None:
                scores[:, m] = learner.decision_function(X)
        return scores

    def copy(self) -> "Apart":
        """Return a copy that goes its own way."""
        other = Apart(self.learner, len(self.learners))
        other.learners = [deepcopy(learner) for learner in self.learners]
        return other

    def _visit(self, m: int, X: Any, labels: Any, weight: Any) -> int:
        learner = self.learners[m] = self.learners[m] or clone(self.learner)
        before = int(learner.mistakes_.sum()) if hasattr(learner, "mistakes_") else 0
        learner.partial_fit(X, labels, classes=[-1, 1], sample_weight=weight)
        return int(learner.mistakes_.sum()) - before
