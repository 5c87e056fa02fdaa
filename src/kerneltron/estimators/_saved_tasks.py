"""Many tasks as contents of a file: the learner, and what its tasks have learned together or apart."""

from typing import Any

import numpy as np

from kerneltron.estimators._tasks import ANSWERS, Apart, Together
from kerneltron.estimators.classifier import Classifier
from kerneltron.estimators.making import fitted
from kerneltron.estimators.many_tasks import ManyTasks, can_learn_tasks
from kerneltron.files import states
from kerneltron.files.contents import Contents, ModelFileError
from kerneltron.learning.learner import Learner
from kerneltron.learning.methods import estimator_names
from kerneltron.learning.space import Space
from kerneltron.learning.state import allowed
from kerneltron.models.dual_form import DualForm


def state(tasks: ManyTasks, resumable: bool = True) -> Contents:
    """Return what is to be saved of many tasks."""
    known = estimator_names()
    if not isinstance(tasks.learner, Classifier) or type(tasks.learner).__name__ not in known:
        raise ValueError(f"learner={tasks.learner!r} cannot be saved: it is not one of {', '.join(known)}.")
    header = {"kind": "ManyTasks", "exclude_own_column": bool(tasks.exclude_own_column)}
    contents = Contents(header, {}).with_part("learner", Learner(tasks.learner._method()).state())
    header = {"n_tasks_": tasks.n_tasks_, "streaming": bool(tasks._streaming)}
    contents = Contents({**contents.header, **header}, {**contents.tensors, "mistakes_": tasks.mistakes_})
    contents = contents.with_part("worker", tasks._asked.state())
    if isinstance(tasks._tasks, Together):
        return contents.with_part("model_", states.state(tasks._tasks.model, resumable))
    there = {m: learner for m, learner in enumerate(tasks._tasks.learners) if learner is not None}
    contents.header["tasks"] = list(there)
    for m, learner in there.items():
        contents = contents.with_part(f"task{m}", learner.state(resumable))
    return contents


def restore(contents: Contents) -> ManyTasks:
    """Return the tasks; raise unless all that they learned fits together."""
    asked = _learner(contents.part("learner"))
    tasks = ManyTasks(fitted(asked), contents.truth("exclude_own_column"))
    if "n_tasks_" not in contents.header:
        return tasks
    tasks.n_tasks_ = contents.whole("n_tasks_", 1)
    tasks._streaming = contents.truth("streaming")
    tasks.mistakes_ = contents.array("mistakes_", np.int64, (None, tasks.n_tasks_))
    if not tasks.mistakes_.size:
        raise ModelFileError("there is no pass whose mistakes were counted")
    tasks._asked = asked = _learner(contents.part("worker"))
    if asked.inputs is not None:
        tasks.n_features_in_ = asked.inputs
    if asked.input_names is not None:
        tasks.feature_names_in_ = asked.input_names
    tasks._tasks = _together(contents, asked) if "model_" in contents.header else _apart(contents, asked)
    if tasks._tasks.count != tasks.n_tasks_:
        raise ModelFileError(f"{tasks._tasks.count} vectors do not fit {tasks.n_tasks_} tasks")
    return tasks


def _learner(contents: Contents) -> Learner:
    learner = Learner.restore(contents)
    if not can_learn_tasks(type(learner.method)):
        raise ModelFileError(f"{learner.name} cannot learn many tasks")
    return learner


def _together(contents: Contents, asked: Learner) -> Together:
    form = contents.part("model_").text("form", ("dual", "without", "budgeted"))
    may = allowed(type(asked.method))
    # Tasks have clocks of their own and, without their own columns, rows of their own.
    whole = may._replace(forms=(form,), one_clock=False, moves=may.moves and form != "without")
    model = states.restore(contents.part("model_"), whole)
    assert isinstance(model, DualForm)
    inputs = asked.inputs or 0
    if form == "without" and model.columns > inputs:
        raise ModelFileError(f"{model.columns} tasks do not each have a column of their own among {inputs}")
    if asked.space is None:
        raise ModelFileError("the tasks have no form, which those with a kernel have")
    asked.space = Space(model.kernel, *asked.space[1:])
    learner = asked.shell()
    learner.model = model
    return Together(learner)


def _apart(contents: Contents, asked: Learner) -> Apart:
    form = Apart(asked, contents.whole("n_tasks_", 1, contents.tensors["mistakes_"].shape[1]))
    for m in contents.items("tasks"):
        if not isinstance(m, int) or not 0 <= m < form.count:
            raise ModelFileError(f"{str(m)[:20]} is not one of {form.count} tasks")
        learner: Any = _learner(contents.part(f"task{m}"))
        if not learner.has_model or learner.known != ANSWERS.tolist():
            raise ModelFileError(f"task {m} has not learned to tell -1 from +1")
        form.learners[m] = learner
    return form
