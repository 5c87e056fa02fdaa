"""Two ways to learn many tasks: together, in dual form, and side by side, in primal form."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from math import ceil
from typing import Any

import numpy as np
from sklearn.utils.validation import _num_samples

from kerneltron._types import Floats, Integers, Visits
from kerneltron._validate import rows_of
from kerneltron.estimators._input import data_of
from kerneltron.estimators._task_labels import dense, labelled
from kerneltron.learning.examples import Examples, Tasks
from kerneltron.learning.learner import Learner
from kerneltron.learning.method import Method
from kerneltron.learning.pass_report import PassReport
from kerneltron.learning.space import STREAM, Space
from kerneltron.models.dual_form import DualForm
from kerneltron.models.model import Model
from kerneltron.models.optimality import UNKNOWN, Optimality
from kerneltron.training.arrays import Arrays, Stretch
from kerneltron.training.pass_plan import ONCE, plan_of
from kerneltron.training.progress import progress
from kerneltron.training.trainer import Trainer

AfterPass = Callable[[PassReport], object]
ANSWERS = np.array([-1, 1])


def make_passes(learner: Learner, X: Any, tasks: Tasks, seed: int, after_pass: AfterPass) -> Integers:
    """Make a learner's passes over all examples; return the mistakes, by pass and task."""
    method = learner.method
    plan = plan_of(method, seed)
    columns = int(tasks.Y.shape[1])
    trainer = Trainer(learner, Arrays(X, tasks, concludes=False), plan)
    with progress(f"{columns} tasks", ceil(plan.passes * tasks.size), method.verbose > 0) as advance:

        def all_tasks(visited: int, missed: Any) -> None:
            advance(visited, int(np.sum(missed)))

        trainer.after_pass, trainer.advance = after_pass, all_tasks
        trainer.run()
    return np.array([np.broadcast_to(report.mistakes, columns) for report in trainer.reports])


class SideBySide:
    """Models of one column each that visit the same examples, each those that it has labels for."""

    blocks = 16
    reshuffles = False
    rule = None  # each model has its own

    def __init__(self, models: Sequence[Model | None]) -> None:
        self.models = models

    @property
    def is_busy(self) -> bool:
        """Whether the models hold rows."""
        return any(model.is_busy for model in self._there())

    def read(self, X: Any) -> Any:
        """Make rows ready once for all models with the same delta, which gives rows further columns."""
        rows: dict[float, Any] = {}
        for model in self._there():
            if model.delta not in rows:
                rows[model.delta] = model.read(X)
        return rows

    @contextmanager
    def visiting(self, rows: Any, undo: bool = True) -> Iterator[None]:
        """Let all models begin with the rows that the next visits belong to, and finish in the end."""
        with ExitStack() as stack:
            for model in self._there():
                stack.enter_context(model.visiting(rows[model.delta], undo))
            yield

    def learn(self, visits: Visits, **wanted: bool) -> tuple[Integers, None]:
        """Visit some rows; return the mistakes of each task. There is nothing more to be wanted."""
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

    def restart_average(self) -> None:
        """Let the hypotheses of all models know that the first pass is over."""
        for model in self._there():
            model.restart_average()

    def freeze_scales(self) -> None:
        """Tell all models that they have visited the rows of this call before."""
        for model in self._there():
            model.freeze_scales()

    def expect(self, passes: float) -> None:
        """Tell all models how many passes follow."""
        for model in self._there():
            model.expect(passes)

    def look_at(self, visits: Visits) -> None:
        """Nothing: no task chooses among its examples."""

    def due(self, chosen: Integers | None) -> Integers | None:
        """Return all that are chosen: tasks differ in what is worth a visit."""
        return chosen

    def optimality(self, is_last: bool) -> Optimality:
        """Return nothing: no task says how far it is from an optimum."""
        return UNKNOWN

    def _there(self) -> list[Model]:
        return [model for model in self.models if model is not None]


def _visit_once(learner: Learner, X: Any, examples: Examples) -> Any:
    """Visit some rows once, in the given order; return the mistakes."""
    trainer = Trainer(learner, Stretch(X, examples), ONCE)
    with trainer.opened():
        return trainer.go_on()


class Together:
    """One model with one column per task: kernel evaluations are shared."""

    def __init__(self, learner: Learner) -> None:
        self.learner = learner

    @property
    def model(self) -> DualForm:
        """The model of all tasks."""
        model = self.learner.model
        assert isinstance(model, DualForm)
        return model

    @property
    def space(self) -> Space | None:
        """The space that all tasks learn in."""
        return self.learner.space

    @property
    def count(self) -> int:
        """Number of tasks."""
        return self.model.columns

    def fit(self, X: Any, tasks: Tasks, seed: int, after_pass: AfterPass) -> Integers:
        """Make the learner's passes; return the mistakes, one row per pass and one column per task."""
        return make_passes(self.learner, X, tasks, seed, after_pass)

    def stream(self, X: Any, tasks: Tasks) -> Integers:
        """Visit the examples once; return the mistakes of each task."""
        self.learner.is_streaming = True
        return np.asarray(np.zeros(self.count, np.int64) + _visit_once(self.learner, X, tasks))

    def scores(self, X: Any) -> Floats:
        """Return one score per example and task."""
        return self.learner.scores(X)

    def copy(self) -> "Together":
        """Return an independent copy."""
        return Together(self.learner.copy())


class Apart:
    """One learner per task, None as long as it had no labels: with weights there is nothing to share.

    `asked` is a learner that has not begun: its method, and the space that was found for all tasks.
    """

    def __init__(self, asked: Learner, tasks: int) -> None:
        self.asked = asked
        self.learners: list[Learner | None] = [None] * tasks

    @property
    def space(self) -> Space | None:
        """The space that was chosen for all tasks."""
        return self.asked.space

    @property
    def count(self) -> int:
        """Number of tasks."""
        return len(self.learners)

    def fit(self, X: Any, tasks: Tasks, seed: int, after_pass: AfterPass) -> Integers:
        """Make the passes with all tasks side by side; return the mistakes as `Together` does."""
        method = replace(self.asked.method, random_state=seed, callback=None)
        for m in range(self.count):
            rows, _, _ = labelled(tasks, m)
            if rows.size:
                labels = dense(tasks.Y[:, [m]]).ravel()
                self.learners[m] = self._begun(X, labels, rows, method, seed)
        together: Any = self.asked.shell()
        together.model = SideBySide([None if each is None else each.model for each in self.learners])
        mistakes = make_passes(together, X, tasks, seed, after_pass)
        for m, learner in enumerate(self.learners):
            if learner is not None:
                learner.mistakes = mistakes[:, m].copy()
        return mistakes

    def _begun(self, X: Any, labels: Any, rows: Integers, method: Method, seed: int) -> Learner:
        """Return a learner that knows which answers there are, and has labels in some rows."""
        learner = Learner(method, self.asked.inputs)
        learner.meet(labels[rows], ANSWERS)
        codes = np.searchsorted(ANSWERS, labels)
        learner.begin(data_of(learner, X, codes=codes, there=rows), seed, self.space)
        return learner

    def stream(self, X: Any, tasks: Tasks) -> Integers:
        """Visit the examples once; return the mistakes of each task."""
        mistakes = np.zeros(self.count, np.int64)
        for m in range(self.count):
            rows, labels, weight = labelled(tasks, m)
            if rows.size:
                mistakes[m] = self._visit(m, rows_of(X, rows), labels, weight)
        return mistakes

    def _visit(self, m: int, X: Any, labels: Any, weight: Any) -> int:
        learner = self.learners[m] or Learner(self.asked.method, self.asked.inputs)
        learner.method.check()  # it may come from a file
        learner.meet(labels, ANSWERS)
        if not learner.has_model:
            learner.begin(data_of(learner, X, STREAM), learner.method.seed(), self.space)
        learner.begin_stream()
        rows = X if learner.model.dtype == X.dtype else X.astype(learner.model.dtype)
        missed = _visit_once(learner, rows, learner.examples(labels, weight))
        self.learners[m] = learner
        return int(missed)

    def scores(self, X: Any) -> Floats:
        """Return one score per example and task, 0 for tasks that had no labels."""
        scores = np.zeros((_num_samples(X), self.count))
        for m, learner in enumerate(self.learners):
            if learner is not None:
                scores[:, m] = learner.scores(X)[:, 0]
        return scores

    def copy(self) -> "Apart":
        """Return an independent copy."""
        other = Apart(self.asked, self.count)
        other.learners = [None if learner is None else learner.copy() for learner in self.learners]
        return other
