"""Checkpoints beside a model file, while it is trained."""

import os
from typing import Any

from kerneltron.methods import checkpoint
from kerneltron.models import files
from kerneltron.training.streaming import StreamTraining

ENDING = ".checkpoint"


class Checkpoints:
    """The checkpoint of a training: written now and then, taken up again, removed when all is done.

    Parameters
    ----------
    model
        Name of the model file.
    every
        Examples after which the next one is written; None writes none.
    options
        All that the result depends on: a restart must share it.
    """

    def __init__(self, model: str, every: int | None, options: dict[str, Any]) -> None:
        self.path, self.every, self.options = model + ENDING, every, options
        self._last = 0

    @property
    def is_there(self) -> bool:
        """Tell whether there is one on the disk."""
        return os.path.exists(self.path)

    def begin(self, training: StreamTraining, resume: bool) -> None:
        """Take a training to where it was, if it shall `resume`; raise if one is there and it shall not."""
        if not self.is_there:
            return
        if not resume:
            raise ValueError(
                f"there is {self.path}, of a training that did not end: go on with it by --resume, or "
                "remove it."
            )

        def restore(contents: files.Contents) -> None:
            checkpoint.restore(contents, training, self.options)

        files.restored(self.path, restore)
        self._last = training.progress.examples

    def after_window(self, training: StreamTraining) -> None:
        """Write one if it is time."""
        if self.every is not None and training.progress.examples - self._last >= self.every:
            files.write(self.path, checkpoint.state(training, self.options))
            self._last = training.progress.examples

    def advice(self) -> str:
        """Say to a user whose training was interrupted how to go on."""
        if self.is_there:
            return f"{self.path} is there: the same command with --resume goes on from it."
        return "There is no checkpoint: --checkpoint-every writes some."

    def end(self) -> None:
        """Remove it: the model itself is on the disk."""
        if self.is_there:
            os.remove(self.path)
