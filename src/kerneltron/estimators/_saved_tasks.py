"""Many tasks as contents of a file: the learner, and what its tasks have learned together or apart."""

from typing import Any

import numpy as np

import kerneltron.learning.state as learners
from kerneltron.estimators._additive import AdditiveClassifier
from kerneltron.estimators._tasks import Apart, Together
from kerneltron.estimators.many_tasks import ManyTasks
from kerneltron.estimators.mira import Mira
from kerneltron.files import states
from kerneltron.files.contents import Contents, ModelFileError
from kerneltron.learning.methods import METHODS
from kerneltron.models.dual import Dual

LEARNERS = tuple(estimator for _, estimator in METHODS.values())
TOGETHER = ("average", "last", "vote")  # hypotheses of tasks in one model; a clock is drawn from only alone
BY_COLUMN = ("average", "last")  # where each task has a kernel of its own


def state(tasks: ManyTasks, resumable: bool = True) -> Contents:
    """Return what is to be saved of many tasks, learned or not."""
    if not isinstance(tasks.learner, AdditiveClassifier) or type(tasks.learner).__name__ not in LEARNERS:
        raise ValueError(f"learner={tasks.learner!r} cannot be saved: it is none of {', '.join(LEARNERS)}.")
    header = {"kind": "ManyTasks", "exclude_own_column": bool(tasks.exclude_own_column)}
    contents = Contents(header, {}).with_part("learner", _unfitted(tasks.learner))
    if "n_tasks_" not in vars(tasks):
        return contents
    header = {"n_tasks_": tasks.n_tasks_, "streaming": bool(tasks._streaming)}
    contents = Contents({**contents.header, **header}, {**contents.tensors, "mistakes_": tasks.mistakes_})
    contents = contents.with_part("worker", learners.state(tasks._worker))
    if isinstance(tasks._form, Together):
        return contents.with_part("model_", states.state(tasks._form.model, resumable))
    there = {m: learner for m, learner in enumerate(tasks._form.learners) if learner is not None}
    contents.header["tasks"] = list(there)
    for m, learner in there.items():
        contents = contents.with_part(f"task{m}", learners.state(learner, resumable))
    return contents


def _unfitted(learner: AdditiveClassifier) -> Contents:
    """Return the contents of the parameters alone: what the given learner has learned is not looked at."""
    contents = learners.state(type(learner)(**learner.get_params(deep=False)))
    assert "model_" not in contents.header
    return contents


def restore(contents: Contents) -> ManyTasks:
    """Return the tasks; raise unless all that they learned fits together."""
    tasks = ManyTasks(_learner(contents.part("learner")), contents.truth("exclude_own_column"))
    if "n_tasks_" not in contents.header:
        return tasks
    there: dict[str, Any] = tasks.__dict__
    there["n_tasks_"] = contents.whole("n_tasks_", 1)
    there["_streaming"] = contents.truth("streaming")
    there["mistakes_"] = contents.array("mistakes_", np.int64, (None, tasks.n_tasks_))
    if not tasks.mistakes_.size:
        raise ModelFileError("there is no pass whose mistakes were counted")
    worker = there["_worker"] = _learner(contents.part("worker"), fitted=True)
    there["_form"] = _together(contents, worker) if "model_" in contents.header else _apart(contents, worker)
    columns = tasks._form.model.columns if isinstance(tasks._form, Together) else len(tasks._form.learners)
    if columns != tasks.n_tasks_:
        raise ModelFileError(f"{columns} vectors do not fit {tasks.n_tasks_} tasks")
    return tasks


def _learner(contents: Contents, fitted: bool = False) -> AdditiveClassifier:
    import kerneltron

    kind = getattr(kerneltron, contents.text("kind", LEARNERS))
    if not issubclass(kind, AdditiveClassifier) or (fitted and kind is Mira):
        raise ModelFileError(f"{kind.__name__} cannot learn many tasks")
    learner: AdditiveClassifier = learners.restore(contents, kind)
    return learner


def _together(contents: Contents, worker: AdditiveClassifier) -> Together:
    form = contents.part("model_").text("form", ("dual", "without"))
    hypotheses = BY_COLUMN if form == "without" else TOGETHER
    allowed = learners.ALLOWED[learners.name_of(worker)]._replace(forms=(form,), hypotheses=hypotheses)
    model = states.restore(contents.part("model_"), allowed)
    assert isinstance(model, Dual)
    inputs = vars(worker).get("n_features_in_", 0)
    if form == "without" and model.columns > inputs:
        raise ModelFileError(f"{model.columns} tasks do not each have a column of their own among {inputs}")
    worker.kernel_ = model.kernel
    return Together(worker, model)


def _apart(contents: Contents, worker: AdditiveClassifier) -> Apart:
    form = Apart(worker, contents.whole("n_tasks_", 1, contents.tensors["mistakes_"].shape[1]))
    for m in contents.items("tasks"):
        if not isinstance(m, int) or not 0 <= m < len(form.learners):
            raise ModelFileError(f"{str(m)[:20]} is none of {len(form.learners)} tasks")
        learner: Any = _learner(contents.part(f"task{m}"), fitted=True)
        if "model_" not in vars(learner) or learner.classes_.tolist() != [-1, 1]:
            raise ModelFileError(f"task {m} has not learned to tell -1 from +1")
        form.learners[m] = learner
    return form
