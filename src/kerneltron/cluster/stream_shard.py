"""A shard of a stream: files, parts of them, or text."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np

from kerneltron._types import Scaling
from kerneltron.cluster.open_shard import OpenShard
from kerneltron.cluster.reports import Part, Report, ShardSummary
from kerneltron.jobs.job import Job
from kerneltron.learning.learner import Learner
from kerneltron.learning.progressive import Tally
from kerneltron.models import merging
from kerneltron.scaling.column_scaler import ColumnScaler
from kerneltron.stream.chunks import lines_in
from kerneltron.stream.errors import BadLineError, Fault, InputError
from kerneltron.stream.origins import Span, Text
from kerneltron.training import windows
from kerneltron.training.stream_batches import Findings
from kerneltron.training.streaming import StreamTraining

LOOK = 1 << 22  # bytes


@dataclass
class StreamPlan:
    """What all shards of a stream have in common.

    Parameters
    ----------
    job
        How examples are read, without sources; its learner knows the method, and the classes if they are
        given.
    looks_first
        Whether all shards are read once, before the first round, as the classes are not known.
    is_only
        Whether there is one shard, whose learner is taken as it is.
    text_of
        Makes records of a partition of a Dask collection.
    scales
        Whether the columns of all shards are counted before the first round, as the model is to bring them to
        one scale.
    """

    job: Job
    looks_first: bool
    is_only: bool
    text_of: Callable[[Any], bytes] | None = None
    scales: bool = False

    def opened(self, shard: Any, data: Any, topic: str) -> "StreamShard":
        """Return a shard, ready to be read."""
        return StreamShard(self, shard, data, topic)

    def met(self, learner: Learner, classes: list[Any]) -> Learner:
        """Return a learner, which has learned before, that knows these classes too."""
        windows.meet(learner, classes)
        return learner


class StreamShard(OpenShard):
    """A shard that is read with our reader: once, and from then on from a cache on the worker's disk."""

    _training: StreamTraining | None = None
    _job: Job | None = None
    _total: int | None = None  # bytes, if they are known
    _fault: list[Fault] | None = None

    def __sizeof__(self) -> int:  # what moving it would cost, for Dask
        return 1 << 10 if self._training is None else 1 << 10 | self._training.batches.examples.size

    def look(self) -> ShardSummary:
        """Read all, and say which labels there are."""
        with self.lock:
            training = self._begun()
            scaler, counted = training.learner.scaler, None
            if self.plan.scales:
                scaler = self._blank_scaler()
                counted = partial(windows.count_visits, scaler)
            elif scaler is not None:
                counted = partial(windows.count, scaler)
            self._safely(lambda: training.batches.examples.read(counted))
            labels, counts = training.reader.labels, training.batches.examples.counts
            found = {
                name: int(counts[n]) for n, name in enumerate(labels.names) if n < counts.size and counts[n]
            }
            return ShardSummary(self.shard.number, found, "", scaler)

    def _blank_scaler(self) -> ColumnScaler:
        """Return what counts columns as the model will that is to scale them."""
        learner = self.plan.job.learner
        return ColumnScaler(learner.inputs or 0, Scaling(True, centres=learner.method.bias != 0.0))

    def begin(self, learner: Learner, classes: list[Any]) -> Learner:
        """Return a learner that knows these classes, and has a model."""
        window = None
        if learner.method.looks_at_examples:
            first = replace(self._new_job(), keep_names=False)
            window = self._safely(lambda: next(iter(first.reader().windows()), None))
        windows.meet(learner, classes, window=window)
        return learner

    def learn(self, base: Learner, number: int) -> Part:
        """Make a pass."""
        with self.lock:
            self.shard.check()
            if number == 0 and not self.plan.looks_first:
                self._training = None  # if this is not the first time, nothing may be read twice
            training = self._begun()
            training.learner, training.number = self.own(base), number
            training.batches_done = training.visits = 0
            training.progress = Tally()
            training.batches.findings = Findings(training.findings.unlabelled if number else 0)
            began = perf_counter()
            self._safely(lambda: self._make_pass(training))
            seconds, learner = perf_counter() - began, training.learner
            if not training.batches.examples.counts.any() or not learner.has_model:
                raise InputError("there is no labelled example to learn from: leave this shard out.")
            if self.plan.is_only and training.plan.held_out:
                # Held-out examples may have classes of their own.
                self._safely(lambda: training.batches.tally_held_out(learner))
            delta = None if self.plan.is_only else merging.delta(learner.model, base.model)
            report = self._report(training, learner, seconds)
            training.learner = base
            if delta is None:
                return Part(report, None, learner)
            return Part(report._replace(sent=delta.nbytes), delta, None)

    def _make_pass(self, training: StreamTraining) -> None:
        with training.opened():
            training.make_pass(self._tell)

    def validate(self, learner: Learner) -> Tally:
        """Return how a learner does on what is held out here."""
        with self.lock:
            training = self._begun()
            self._safely(training.batches.examples.read)
            return training.batches.tally_held_out(learner)

    def names(self) -> Any:
        """Return the names of the features of this shard."""
        with self.lock:
            self._safely(self._begun().batches.examples.read)
            assert self._job is not None
            return self._job.index()

    def _report(self, training: StreamTraining, learner: Learner, seconds: float) -> Report:
        skipped = training.reader.skipped
        assert learner.mistakes is not None
        labels, counts = training.reader.labels.names, training.batches.examples.counts
        return Report(
            shard=self.shard.number,
            progress=training.progress,
            mistakes=int(learner.mistakes[-1]),
            labels=[labels[n] for n in np.flatnonzero(counts).tolist()],
            unlabelled=training.findings.unlabelled,
            skipped=skipped.count,
            first_skipped=self._first_fault(skipped.first),
            late=training.findings.late,
            unmet=training.reader.format.unmet(),
            seconds=seconds,
            worker="",
            sent=0,
            calibration=learner.calibration,
        )

    def _begun(self) -> StreamTraining:
        if self._training is None:
            self._job = self._new_job()
            reader = self._job.reader()
            plan = self._job.plan()._replace(looks_first=self.plan.looks_first, room=None)
            self._training = training = StreamTraining(self._job.learner, reader, plan, self._job.folder)
            training.batches.examples.when_read = lambda: self._tell(training)
            self._total = reader.total()
        return self._training

    def _tell(self, training: StreamTraining) -> None:
        examples, share = training.batches.examples, None
        if examples.is_read:
            share = training.progress.examples / max(int(examples.counts.sum()), 1)
        elif self._total:
            share = examples.consumed / self._total
        self.tell(training.number, training.progress, share)

    def _new_job(self) -> Job:
        self.shard.check()
        origins = list(self.shard.origins)
        if self.plan.text_of is not None:
            origins = [Text(str(self.shard), self.plan.text_of(self.data))]
        # Shards of one process share the plan, and each counts the scales of its own examples.
        job: Job = replace(self.plan.job, sources=origins, learner=self.plan.job.learner.copy())
        return job

    def _safely(self, work: Callable[[], Any]) -> Any:
        """Do something that reads; where it fails, whatever was read is forgotten."""
        try:
            return work()
        except BadLineError as error:
            self._training = None
            raise BadLineError(self._placed(error.fault)) from None
        except BaseException:
            self._training = None
            raise

    def _first_fault(self, faults: list[Fault]) -> list[Fault]:
        """Return the first of the lines that were left out, placed once: lines before it must be counted."""
        if self._fault is None:
            self._fault = [self._placed(fault) for fault in faults[:1]]
        return self._fault

    def _placed(self, fault: Fault) -> Fault:
        """Return a fault with its line in the file, not in the part of it that was read."""
        for origin in self.shard.origins:
            if isinstance(origin, Span) and not origin.of_groups and origin.name == fault.source:
                return fault._replace(line=fault.line + _lines_before(origin))
        return fault


def _lines_before(span: Span) -> int:
    lines, left = 0, span.start
    with open(span.name, "rb") as file:
        while left and (text := file.read(min(LOOK, left))):
            lines, left = lines + lines_in(text), left - len(text)
    return lines
