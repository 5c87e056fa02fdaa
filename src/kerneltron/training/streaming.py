"""A training on a stream: a trainer over its windows, and what is asked of it while it goes on and after."""

from collections.abc import Callable
from pathlib import Path

from kerneltron.learning.learner import Learner
from kerneltron.stream.names import NameIndex
from kerneltron.stream.reader import Reader, Skipped
from kerneltron.training.pass_plan import PassPlan
from kerneltron.training.stream_batches import Findings, StreamBatches
from kerneltron.training.trainer import Trainer


class StreamTraining(Trainer):
    """A trainer over the windows of a stream; it can be taken up again where it was.

    Parameters
    ----------
    learner
        What learns.
    reader
        Of the examples.
    plan
        How to go over them.
    folder
        Where the cache of later passes is put.
    index
        Returns the names of features, where they are kept.
    """

    batches: StreamBatches

    def __init__(
        self,
        learner: Learner,
        reader: Reader,
        plan: PassPlan,
        folder: str | Path | None = None,
        index: Callable[[], NameIndex | None] = lambda: None,
    ) -> None:
        super().__init__(learner, StreamBatches(reader, plan, folder), plan)
        self.reader = reader
        self._index = index

    @property
    def names(self) -> NameIndex | None:
        """The names of features, where they are kept."""
        return self._index()

    @property
    def unmet(self) -> list[str]:
        """Namespaces that were looked for in vain."""
        return self.reader.format.unmet()

    @property
    def skipped(self) -> Skipped:
        """Bad lines that were left out."""
        return self.reader.skipped

    @property
    def consumed(self) -> int:
        """Bytes of input, in the first pass."""
        return self.batches.examples.consumed

    @property
    def findings(self) -> Findings:
        """What was found in the examples beside their truths."""
        return self.batches.findings
