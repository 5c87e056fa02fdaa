"""A training that was interrupted, as contents of a file: how far it came, and all that it knew then."""

from typing import Any

from kerneltron.methods import saving
from kerneltron.methods.online import OnlineMethod
from kerneltron.methods.streamed import Streamed
from kerneltron.models.contents import Contents, ModelFileError
from kerneltron.training.progressive import Tally
from kerneltron.training.streaming import StreamTraining

KIND = "checkpoint"


def state(training: StreamTraining, options: dict[str, Any]) -> Contents:
    """Return what is to be saved of a training; `options` are those that a restart must share."""
    header: dict[str, Any] = {
        "kind": KIND,
        "options": options,
        "number": training.number,
        "windows": training.windows,
        "progress": list(training.progress),
        "unlabelled": training.unlabelled,
        "validation": training.validation,
        "best_pass": training.best_pass,
        "has_best": training.best is not None,
    }
    contents = Contents(header, {}).with_part("learner", saving.state(training.learner.method))
    if training.best is not None:
        contents = contents.with_part("best", saving.state(training.best.method))
    return contents


def restore(contents: Contents, training: StreamTraining, options: dict[str, Any]) -> None:
    """Take a training, which must not have begun, to where `contents` say; refuse other options."""
    contents.text("kind", [KIND])
    before = contents.part("options").header
    for name in sorted({*before, *options}):
        if before.get(name) != options.get(name):
            raise ModelFileError(
                f"the training was begun with {name}={before.get(name)!r}, not {options.get(name)!r}: repeat "
                "the same command to go on, or remove the checkpoint to start anew"
            )
    width = training.learner.width
    kind = type(training.learner.method)
    training.learner = Streamed(_method(contents.part("learner"), kind), width)
    training.number, training.windows = contents.whole("number"), contents.whole("windows")
    training.progress = Tally(*contents.items("progress"))
    training.unlabelled = contents.whole("unlabelled")
    training.validation = contents.items("validation")
    training.best_pass = contents.whole("best_pass")
    if contents.truth("has_best"):
        training.best = Streamed(_method(contents.part("best"), kind), width)


def _method(contents: Contents, kind: type[OnlineMethod]) -> OnlineMethod:
    return saving.restore(contents, kind)
