"""A training that may be interrupted: how far it came and all that it knew then, beside the model file."""

import os
from math import isfinite
from typing import Any

import numpy as np

from kerneltron.files import format as files
from kerneltron.files.contents import Contents, ModelFileError
from kerneltron.kernels.parameters import is_number
from kerneltron.learning.learner import Learner
from kerneltron.learning.progressive import Tally

ENDING = ".checkpoint"
KIND = "checkpoint"


def state(training: Any, options: dict[str, Any]) -> Contents:
    """Return what is to be saved of a training, here or on a cluster.

    `options` are those that a restart must share.
    """
    header: dict[str, Any] = {
        "kind": KIND,
        "options": options,
        "number": training.number,
        "windows": training.batches_done,
        "visits": training.visits,
        "progress": list(training.progress),
        "unlabelled": training.findings.unlabelled,
        "validation": training.best.scores,
        "best_pass": training.best.number,
        "has_best": training.best.best is not None,
        "late": training.findings.late,
    }
    if training.number:
        header["first_pass"] = list(training.first_pass)
    tensors = {"introduced": np.array(training.findings.introduced, np.int64)} if training.visits else {}
    contents = Contents(header, tensors).with_part("learner", training.learner.state())
    if training.best.best is not None:
        contents = contents.with_part("best", training.best.best.state())
    return contents


def restore(contents: Contents, training: Any, options: dict[str, Any]) -> None:
    """Take a training, which must not have begun, to where `contents` say; refuse other options."""
    contents.text("kind", [KIND])
    before = contents.part("options").header
    for name in sorted({*before, *options}):
        if before.get(name) != options.get(name):
            raise ModelFileError(
                f"the training was begun with {name}={before.get(name)!r}, not {options.get(name)!r}: repeat "
                "the same command to go on, or remove the checkpoint to start anew"
            )
    learner = _learner(contents.part("learner"), training.learner)
    best = _learner(contents.part("best"), training.learner) if contents.truth("has_best") else None
    validation = [_finite("validation", score) for score in contents.items("validation")]
    best_pass = contents.whole("best_pass", int(best is not None), len(validation) if best else 0)
    windows, visits = (
        contents.whole("windows"),
        contents.whole("visits") if "visits" in contents.header else 0,
    )
    if (windows or visits) and not (learner.mistakes is not None and learner.mistakes.size):
        raise ModelFileError("it says that a pass has begun, whose mistakes it does not count")
    training.number = contents.whole("number", 0, int(training.plan.passes))
    training.batches_done, training.visits = windows, visits
    training.findings.unlabelled = contents.whole("unlabelled")
    training.progress = _progress(contents.items("progress"))
    if "first_pass" in contents.header:  # of a training that an older version began, it is not known
        training.first_pass = _progress(contents.items("first_pass"))
    if "late" in contents.header:  # older versions kept neither these nor the rows that introduced them
        training.findings.late = _late(contents.part("late").header)
    if "introduced" in contents.tensors:
        training.findings.introduced = contents.array("introduced", np.int64, (None,)).tolist()
    training.learner = learner
    training.best.scores, training.best.best, training.best.number = validation, best, best_pass


def _learner(contents: Contents, begun: Learner) -> Learner:
    """Return a learner such as `begun`; raise unless it has the same slots: the loops do not check."""
    contents.text("kind", (begun.name,))
    learner = Learner.restore(contents)
    learner.method = begun.method
    if learner.has_model and learner.inputs != begun.inputs:
        raise ModelFileError(
            f"it is for {learner.inputs} slots, and the examples are hashed to {begun.inputs:,}"
        )
    learner.inputs = begun.inputs
    if learner.classes is not None and learner.classes.dtype.kind not in "UO":
        raise ModelFileError("the classes of a stream are text, and these are not")
    return learner


def _progress(sums: list[Any]) -> Tally:
    if len(sums) != len(Tally._fields) or not isinstance(sums[0], int):
        raise ModelFileError("the progress is not a number of examples and three sums over them")
    return Tally(sums[0], *(_finite("progress", value) for value in sums[1:]))


def _late(places: dict[str, Any]) -> dict[str, str]:
    if not all(isinstance(place, str) for place in places.values()):
        raise ModelFileError("the places of classes that came late are not text")
    return places


def _finite(name: str, value: Any) -> float:
    if not is_number(value) or not isfinite(value):
        raise ModelFileError(f"{name!r} in the header holds {str(value)[:60]}, which is not a number")
    return float(value)


class Checkpoints:
    """The checkpoint of a training: written now and then, taken up again, removed when all is done.

    Parameters
    ----------
    model
        Name of the model file.
    every
        Examples after which the next one is written; None writes none. Where examples are remembered
        it is written at the end of a window, see `streaming.StreamTraining.every`.
    options
        All that the result depends on: a restart must share it.
    each_pass
        Whether to write one after each pass, or round of a cluster.
    """

    def __init__(
        self, model: str, every: int | None, options: dict[str, Any], each_pass: bool = False
    ) -> None:
        self.path, self.every, self.options, self.each_pass = model + ENDING, every, options, each_pass
        self._last = self._passes = 0

    @classmethod
    def at(cls, path: str | os.PathLike[str], options: dict[str, Any], each_pass: bool) -> "Checkpoints":
        """Return a checkpoint under a name of its own."""
        made = cls("", None, options, each_pass)
        made.path = os.fspath(path)
        return made

    @property
    def is_there(self) -> bool:
        """Return whether there is one on the disk."""
        return os.path.exists(self.path)

    def options_before(self) -> dict[str, Any]:
        """Return the options of the training that the checkpoint is of."""
        header: dict[str, Any] = files.restored(self.path, lambda contents: contents.part("options").header)
        return header

    @classmethod
    def options_at(cls, model: str) -> dict[str, Any] | None:
        """Return the options of a training of which a checkpoint is left beside its model file, if one is."""
        checkpoint = cls(model, None, {})
        return checkpoint.options_before() if checkpoint.is_there else None

    def begin(self, training: Any, resume: bool) -> None:
        """Take a training to where it was if it is to `resume`; otherwise raise if there is a checkpoint."""
        training.every = self.every
        if not self.is_there:
            return
        if not resume:
            raise ValueError(
                f"there is {self.path}, of a training that did not end: go on with it by `resume`, or "
                "remove it."
            )
        files.restored(self.path, lambda contents: restore(contents, training, self.options))
        self._last, self._passes = training.progress.examples, training.number

    def write_when_due(self, training: Any) -> None:
        """Write one if it is time; to be called whenever the state could be saved."""
        is_due = self.every is not None and training.progress.examples - self._last >= self.every
        if is_due or (self.each_pass and training.number > self._passes):
            files.write(self.path, state(training, self.options))
            self._last, self._passes = training.progress.examples, training.number

    def advice(self) -> str:
        """Say to a user whose training was interrupted how to go on."""
        if self.is_there:
            return f"{self.path} is there: the same command with `resume` goes on from it."
        if self.each_pass or self.every is not None:
            return "There is no checkpoint yet."
        return "There is no checkpoint: `every` or `checkpoint` writes some."

    def end(self) -> None:
        """Remove it: the model itself is on the disk."""
        if self.is_there:
            os.remove(self.path)
