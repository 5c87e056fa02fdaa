"""From sources to a model: all that a training on a stream is made of."""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from kerneltron.files.values import encode
from kerneltron.jobs.choosing import Chosen
from kerneltron.jobs.class_labels import ClassLabels
from kerneltron.jobs.continuing import as_requested
from kerneltron.jobs.merging import united
from kerneltron.learning.learner import Learner
from kerneltron.learning.parameters import saved_values
from kerneltron.learning.stream_model import StreamModel
from kerneltron.maps.text import described
from kerneltron.models.hypotheses import hypothesis
from kerneltron.stream.addresses import is_address
from kerneltron.stream.chunks import RECORD_LIMIT
from kerneltron.stream.formats.format import Format
from kerneltron.stream.hashing import Hashing
from kerneltron.stream.names import NameIndex, Names
from kerneltron.stream.origins import Origin, file_of
from kerneltron.stream.reader import THREADS, Reader, Wanted
from kerneltron.stream.sources import ends_of, size_of
from kerneltron.training import windows
from kerneltron.training.pass_plan import PassPlan, plan_of
from kerneltron.training.streaming import StreamTraining

# Bytes of examples that passes nobody asked for may keep on the disk, 1 KB of text taking some 2.7 KB. One
# pass over more than that has seen enough.
ROOM = 2 << 30


@dataclass
class Job:
    """A training that is to be done.

    Parameters
    ----------
    learner
        What is to learn, new or trained before.
    hashing, format
        How examples are read.
    sources
        Names of where they are, as `stream.sources.expand` returns them.
    classes
        All labels that will come, if they are known: others are faults.
    keep_names
        Whether to keep the names behind the slots.
    skip_faults
        Whether to leave bad lines out.
    record_limit
        The most MB that a record may have.
    folder
        Where the cache of later passes is put.
    threads
        How many parse: see `stream.reader.Reader`.
    before
        The model that goes on learning, if there is one.
    chosen
        What of the learner and the hashing was not given, but chosen.
    room
        The most bytes that the cache of later passes may take; where there are more, there is one pass.
    """

    learner: Learner
    hashing: Hashing
    format: Format
    sources: Sequence[Origin]
    classes: Sequence[str] = ()
    keep_names: bool = False
    skip_faults: bool = False
    record_limit: int = RECORD_LIMIT
    folder: str | None = None
    threads: int = THREADS
    before: StreamModel | None = None
    chosen: Chosen = field(default_factory=Chosen)
    room: int | None = None
    _names: Names | None = field(init=False, default=None)

    def reader(self) -> Reader:
        """Return the reader of the sources."""
        self._names = Names(self.hashing) if self.keep_names else None
        self.format.look_for(self.hashing.spaces())
        return Reader(
            self.sources,
            self.format,
            self.hashing,
            self._labels(),
            wanted=Wanted(digests=self.learner.method.early_stopping),
            skip_faults=self.skip_faults,
            watch=self._names.watch if self._names else None,
            record_limit=self.record_limit,
            threads=self.threads,
        )

    def training(self, select: Callable[[Reader], Any] = lambda reader: reader) -> StreamTraining:
        """Return the training, not yet begun; `select` may leave out examples of the reader."""
        self._check_sources()
        if self.classes:
            meant = {self.format.label(label) for label in self.classes}
            windows.meet(self.learner, meant, are_given=True)
        return StreamTraining(self.learner, select(self.reader()), self.plan(), self.folder, self.index)

    def _closed(self) -> list[str] | None:
        """Return all labels that may come; None where any may."""
        return self.learner.known if self.learner.is_closed else None

    def plan(self) -> PassPlan:
        """Return how to go over the stream."""
        method = self.learner.method
        seed: Any = method.random_state  # a number, on a stream
        plan = plan_of(method, int(seed))
        # How far an optimum over all examples is, a stream does not tell.
        return plan._replace(passes=int(method.passes), room=self.room, tolerance=0.0)

    def model(self, training: Any) -> StreamModel:
        """Return what a training, here or on a cluster, led to."""
        learned = training.learner
        if not learned.has_model:
            raise ValueError(f"there is no labelled example in {self._listed()}.")
        learned.target.check_enough(self._listed())
        self._warn_of_unmet(training.unmet)
        examples = training.progress.examples + (self.before.examples if self.before else 0)
        return StreamModel(learned, self.hashing, self.format, self._with_earlier(training.names), examples)

    def options(self) -> dict[str, Any]:
        """Return all that the model will depend on, as plain values."""
        method = self.learner.method
        return {
            **{
                name: encode(name, described(value))
                for name, value in saved_values(method).items()
                if name != "verbose"
            },
            **as_requested(self.hashing, self.learner).to_json(),
            "learner": self.learner.name,
            "sources": [[name, size_of(name), ends_of(name)] for name in map(file_of, self.sources)],
            "format": self.format.to_json(),
            "classes": sorted(self.classes),
            "names": self.keep_names,
            "skip_faults": self.skip_faults,
            # Checkpoints of older versions know no other limit than the usual one.
            **({"record_limit": self.record_limit} if self.record_limit != RECORD_LIMIT else {}),
            **({"scale": True} if self.learner.scaler is not None else {}),
            "examples_before": self.before.examples if self.before else 0,
        }

    def index(self) -> NameIndex | None:
        """Return the names that its reader has met, where they are kept."""
        return self._names.index() if self._names else None

    def _with_earlier(self, names: NameIndex | None) -> NameIndex | None:
        """Return the names of a training, and of those before."""
        earlier = [self.before.names] if self.before and self.before.names else []
        return united(self.hashing, [*earlier, names]) if names is not None else None

    def _listed(self) -> str:
        return ", ".join(map(str, self.sources))

    def _labels(self) -> ClassLabels:
        meant = [self.format.label(label) for label in self.classes]
        before = self.before.learner.known if self.before else []
        return ClassLabels(self.format.has_costs, [*meant, *before], self._closed())

    def _warn_of_unmet(self, unmet: Sequence[str]) -> None:
        """Warn of names that were said to matter, but never came: they may be misspelled."""
        if unmet:
            warnings.warn(
                f"{', '.join(map(repr, unmet))}: named by `cross` or `roles`, but no example has a namespace "
                "or column of this name. Is it misspelled?",
                stacklevel=2,
            )

    def _check_sources(self) -> None:
        if not hypothesis(self.learner.method.hypothesis).keeps_moves:
            return
        for name in map(file_of, self.sources):
            if size_of(name) is None and not is_address(name):
                raise ValueError(
                    "hypothesis='vote' remembers every example that moved a vector, and standard input may "
                    "never end: use `hypothesis='average'`, or save the input to a file."
                )
