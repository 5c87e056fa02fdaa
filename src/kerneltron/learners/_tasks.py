"""Two ways to learn many tasks: together, in dual form, and one after the other, in primal form."""

from collections.abc import Callable
from copy import deepcopy
from math import ceil
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import _num_samples

from kerneltron._types import Floats, Integers
from kerneltron._validate import rows_of
from kerneltron.learners._additive import AdditiveClassifier
from kerneltron.learners._task_labels import labelled
from kerneltron.models.dual import Dual
from kerneltron.training.examples import Tasks
from kerneltron.training.order import order
from kerneltron.training.passes import PassReport, Plan, train
from kerneltron.training.progress import progress

AfterPass = Callable[[PassReport], object]


class Together:
    """One model with a column per task: kernel evaluations are shared."""

    def __init__(self, learner: AdditiveClassifier, model: Dual) -> None:
        self.learner, self.model = learner, model

    def fit(self, X: Any, tasks: Tasks, seed: int, after_pass: AfterPass) -> Integers:
        """Make the learner's passes; return the mistakes, a row a pass and a column a task."""
        plan = Plan(self.learner.passes, seed if self.learner.shuffle else None)
        total = ceil(plan.passes * tasks.size)
        with progress(f"{self.model.columns} tasks", total, self.learner.verbose > 0) as advance:

            def all_tasks(visited: int, missed: Any) -> None:
                advance(visited, int(np.sum(missed)))

            rows = self.model.read(X)
            outcome = train(self.model, rows, tasks, plan, after_pass=after_pass, advance=all_tasks)
        columns = self.model.columns
        return np.array([np.broadcast_to(report.mistakes, columns) for report in outcome.reports])

    def stream(self, X: Any, tasks: Tasks) -> Integers:
        """Visit the examples once; return the mistakes of each task."""
        mistakes = np.zeros(self.model.columns, np.int64)
        self.model.begin(self.model.read(X))
        for chunk in order(tasks.size, 0, None, self.model.blocks):
            mistakes += self.model.learn(tasks.visits(chunk))[0]
        self.model.finish()
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
        """Fit the learners one after the other; return the mistakes, a row a pass and a column a task."""
        passes = ceil(self.learner.passes)
        mistakes = np.zeros((passes, len(self.learners)), np.int64)
        for m in range(len(self.learners)):
            rows, labels, weight = labelled(tasks, m)
            if np.unique(labels).size > 1:
                learner = self.learners[m] = clone(self.learner).set_params(random_state=seed)
                learner.fit(rows_of(X, rows), labels, weight)
                mistakes[: learner.mistakes_.size, m] = learner.mistakes_
            elif rows.size:  # one answer only, which `fit` refuses
                for number in range(passes):
                    mistakes[number, m] = self._visit(m, rows_of(X, rows), labels, weight)
        return mistakes

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
