"""A shard of rows in memory: one block of a Dask array."""

from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from kerneltron._matrices import as_rows
from kerneltron._types import Anything, Floats, Integers, Scaling
from kerneltron._validate import rows_of
from kerneltron.cluster.open_shard import OpenShard
from kerneltron.cluster.reports import Part, Report, ShardSummary
from kerneltron.estimators._input import data_of, read
from kerneltron.estimators._scaled_rows import scale_all
from kerneltron.estimators._splitting import split
from kerneltron.learning.label_types import joined
from kerneltron.learning.learner import Learner
from kerneltron.learning.progressive import Tally
from kerneltron.models import merging
from kerneltron.scaling.column_scaler import ColumnScaler
from kerneltron.stream.errors import InputError
from kerneltron.training.arrays import Arrays
from kerneltron.training.pass_plan import PassPlan
from kerneltron.training.trainer import Trainer


@dataclass
class RowPlan:
    """What all blocks of rows have in common.

    Parameters
    ----------
    estimator
        A classifier that is not fitted: it says how rows and labels are checked.
    seed
        Of the order of rows, of what is held out, and of whatever a learner draws.
    is_only
        Whether there is one shard, whose learner is taken as it is.
    shards
        How many there are.
    looks_first
        Whether all shards are looked at before the first round: for the classes, or for the scales.
    scales
        Whether the columns of all shards are counted then, as the model is to bring them to one scale.
    """

    estimator: Any
    seed: int
    is_only: bool
    shards: int
    looks_first: bool = True
    scales: bool = False

    def opened(self, shard: Any, data: Any, topic: str) -> "RowShard":
        """Return a shard, ready to be learned from."""
        return RowShard(self, shard, data, topic)


class ShardRows(Arrays):
    """The rows of a shard, whose progress is reported."""

    has_progress = True

    def weights(self, rows: Integers) -> Floats:
        """Return 1 for each row."""
        return np.ones(rows.size)


class RowShard(OpenShard):
    """A block of rows and one of labels, which stay in the worker's memory."""

    _checked: tuple[Any, Anything, Learner] | None = None

    def look(self) -> ShardSummary:
        """Say which labels there are."""
        with self.lock:
            labels, counts = np.unique(self._read()[1], return_counts=True)
            found = dict(zip(labels.tolist(), counts.tolist(), strict=True))
            return ShardSummary(self.shard.number, found, "", self._scaler() if self.plan.scales else None)

    def _scaler(self) -> ColumnScaler:
        """Count the columns of all rows to learn from."""
        X, y, learner = self._read()
        bias, chosen = learner.method.bias, self._parts(y)[0]
        scale_all(learner, X, chosen)
        if learner.scaler is not None:
            return learner.scaler
        scaler = ColumnScaler(X.shape[1], Scaling(True, centres=bias != 0.0))
        scaler.count_visits(as_rows(X, bias), np.arange(X.shape[0]) if chosen is None else chosen)
        return scaler

    def begin(self, learner: Learner, classes: list[Any]) -> Learner:
        """Return a learner that knows these classes, and has a model."""
        X, y, read_by = self._read()
        learner.inputs, learner.input_names = read_by.inputs, read_by.input_names
        learner.meet(joined(*(np.array([label]) for label in classes)))
        rows = learner.scaled(X, limits=True)
        if learner.scaler is None:  # one shard alone; several have looked first
            rows = scale_all(learner, X, self._parts(y)[0])
        data = data_of(learner, rows, at_least=X.shape[0] * self.plan.shards)
        learner.begin(data, self.plan.seed)
        return learner

    def learn(self, base: Learner, number: int) -> Part:
        """Make a pass."""
        with self.lock:
            X, y, _ = self._read()
            if not len(y):
                raise InputError("there is no example to learn from: leave this shard out.")
            learner = self.own(base) if base.has_model else self.begin(base.shell(), np.unique(y).tolist())
            seed = self.plan.seed if learner.method.shuffle else None
            plan = PassPlan(number + 1, seed, looks_first=self.plan.scales)
            rows = learner.scaled(X, limits=True)
            trainer = Trainer(learner, ShardRows(rows, learner.examples(y), self._parts(y)[0]), plan)
            trainer.number = number

            def advance(visited: int, mistakes: Any) -> None:
                self.tell(number, trainer.progress, trainer.progress.examples / len(y))

            trainer.advance = advance
            began = perf_counter()
            with trainer.opened():
                trainer.make_pass()
            seconds, done = perf_counter() - began, trainer.reports[0]
            report = Report(
                shard=self.shard.number,
                progress=trainer.progress,
                mistakes=int(done.mistakes),
                labels=np.unique(y).tolist(),
                unlabelled=0,
                skipped=0,
                first_skipped=[],
                late={},
                unmet=[],
                seconds=seconds,
                worker="",
                sent=0,
                calibration=learner.calibration,
            )
            if self.plan.is_only:
                return Part(report, None, learner)
            delta = merging.delta(learner.model, base.model)
            return Part(report._replace(sent=delta.nbytes), delta, None)

    def validate(self, learner: Learner) -> Tally:
        """Return how a learner does on what is held out here."""
        with self.lock:
            X, y, _ = self._read()
            held_out = self._parts(y)[1]
            assert held_out is not None
            scores, codes = learner.scores(rows_of(X, held_out)), learner.target.codes(y[held_out])
            return learner.target.tally(scores, codes, np.ones(held_out.size), logarithmic=False)

    def _parts(self, y: Anything) -> tuple[Integers | None, Integers | None]:
        """Return the rows to learn from, None for all, and those that are held out, if some are."""
        method = self.plan.estimator._method()
        if not method.early_stopping:
            return None, None
        training, held_out = split(y, method.validation_fraction, self.plan.seed)
        return training, held_out

    def _read(self) -> tuple[Any, Anything, Learner]:
        """Return rows and labels as learners take them, checked once."""
        if self._checked is None:
            from sklearn.base import clone

            estimator = clone(self.plan.estimator)
            learner = Learner(estimator._method())
            X, y = self.data
            self._checked = (*read(estimator, learner, X, y, reset=True), learner)
        return self._checked
