"""Iterative parameter mixing: every round, each shard goes on from the mix of the round before."""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any, NamedTuple
from uuid import uuid4

import numpy as np

from kerneltron.cluster import tasks
from kerneltron.cluster.carried import Carried
from kerneltron.cluster.connecting import VERSIONS
from kerneltron.cluster.errors import ClusterError, ShardError
from kerneltron.cluster.mixable import is_behind_scaler
from kerneltron.cluster.mixing import check, shares
from kerneltron.cluster.placing import homes
from kerneltron.cluster.reports import Heartbeat, Report, ShardSummary
from kerneltron.cluster.shard import Shard
from kerneltron.cluster.waiting import LostError, Watch
from kerneltron.learning.label_types import joined as joined_labels
from kerneltron.learning.learner import Learner
from kerneltron.learning.progressive import Tally
from kerneltron.models.deltas import grouped
from kerneltron.stream.names import NameIndex
from kerneltron.stream.reader import Skipped
from kerneltron.training.pass_plan import PassPlan
from kerneltron.training.stopping import BestPass
from kerneltron.training.stream_batches import Findings, check_held_out

PATIENCE = 600.0  # seconds
SMALL = 1 << 21  # weights of a learner that the client fetches after each round: 24 MB
TRIES = 3  # how often a training begins again from what the client has, where workers lost all else


@dataclass
class MixOptions:
    """How models are mixed.

    Parameters
    ----------
    mix
        What each shard counts: see `mixing.shares`.
    squares
        Whether what a rule keeps for each weight (AdaGrad's sums of squares, AROW's precisions) is "added"
        up over shards, or "averaged" by their shares.
    patience
        Seconds without a sign of life after which the training ends with an error.
    """

    mix: str = "uniform"
    squares: str = "averaged"
    patience: float = PATIENCE


class Round(NamedTuple):
    """What one round did."""

    number: int  # from 1
    progress: Tally
    mistakes: int
    validation_score: float | None
    seconds: float
    mixing_seconds: float  # of these
    sent: int  # bytes that shards had to say
    reports: list[Report]


class ClusterTraining:
    """Training of a learner on shards; it can be taken up again after any round.

    It has what `training.streaming.StreamTraining` has, as far as checkpoints and models ask for it.

    Parameters
    ----------
    client
        Dask's.
    learner
        What is to learn, new or trained before.
    shard_plan
        What workers are told: `stream_shard.StreamPlan` or `row_shard.RowPlan`.
    shards
        In the order of their numbers.
    plan
        Its passes are rounds.
    mix_options
        How models are mixed.
    data
        One future per shard, where shards are partitions of a Dask collection.
    """

    every: int | None = None  # for checkpoints, which are written after rounds
    batches_done = visits = 0

    def __init__(
        self,
        client: Any,
        learner: Learner,
        shard_plan: Any,
        shards: Sequence[Shard],
        plan: PassPlan,
        mix_options: MixOptions,
        data: Sequence[Any] = (),
    ) -> None:
        check(mix_options.mix, mix_options.squares)
        self.client, self.shard_plan, self.shards = client, shard_plan, shards
        self.plan, self.mix_options = plan, mix_options
        self.number, self.progress, self.findings = 0, Tally(), Findings()
        self.first_pass = Tally()
        self.best = BestPass(plan.patience)
        self.skipped = Skipped()
        self.unmet: list[str] = []
        self.rounds: list[Round] = []
        self.signs: dict[int, Heartbeat] = {}  # of the shards that are being learned from
        self.names: NameIndex | None = None
        self.keeps_names = False
        self._learner: Learner | None = learner
        self._base: Any = None  # where the learner is, on the cluster
        self._data = data
        self._job = uuid4().hex[:12]
        self._topic = f"kerneltron-{self._job}"  # of the events that tell how shards come on
        self._watch = Watch(client, mix_options.patience)

    @property
    def learner(self) -> Learner:
        """The learner as it is after the last round; it is fetched when it is first asked for."""
        if self._learner is None:
            self._learner = self._fetched(self._base).learner
        return self._learner

    @learner.setter
    def learner(self, learner: Learner) -> None:
        self._learner, self._base = learner, None

    def options(self) -> dict[str, Any]:
        """Return all that the model will depend on beside its job, as plain values."""
        return {
            "shards": [shard.name for shard in self.shards],
            "mix": self.mix_options.mix,
            "squares": self.mix_options.squares,
        }

    def run(self, when_savable: Callable[["ClusterTraining"], object] = lambda training: None) -> None:
        """Make all rounds that are left. `when_savable` is called after each, and now and then within."""
        self.client.subscribe_topic(self._topic, self._heard)
        try:
            self._run(when_savable)
        except LostError as error:
            raise ClusterError(f"results were lost with the workers that had them: {error}.") from None
        finally:
            self._let_go()
            if self.client.status == "running":
                self.client.unsubscribe_topic(self._topic)

    def _run(self, when_savable: Callable[["ClusterTraining"], object]) -> None:
        saved, is_open, tries = self._saved(), False, 0
        while not is_open or self._goes_on:
            try:
                if not is_open:
                    self._open()
                    self._begin()
                    is_open = True
                    continue
                self._round(when_savable)
                if self._weights <= SMALL:
                    _ = self.learner  # which costs little, and helps where all workers die
                when_savable(self)
            except LostError as error:
                tries += 1
                if tries > TRIES:
                    raise ClusterError(
                        f"the model was lost with its workers, {tries} times: {error}. Start more workers."
                    ) from None
                self._go_back(saved)
                is_open = False
                continue
            if self._learner is not None:
                saved = self._saved()
        if self.keeps_names:
            self.names = self._all_names()
        learner = self.learner  # while the cluster is there
        self.best.bring_back(learner, keeps_mistakes=False)

    @property
    def _goes_on(self) -> bool:
        """Whether there are rounds left."""
        return self.number < self.plan.passes and not self.best.is_enough

    # -- one round after the other -------------------------------------------------------------------

    def _open(self) -> None:
        data = self._data or [None] * len(self.shards)
        self._homes: list[str | None] = [None] * len(self.shards)
        self._place()
        self._opened = [
            self._submit(
                tasks.open_shard,
                self.shard_plan,
                shard,
                own,
                self._topic,
                VERSIONS,
                key=("open", shard.number),
                home=home,
            )
            for shard, own, home in zip(self.shards, data, self._homes, strict=True)
        ]

    def _place(self) -> None:
        """Give every shard a worker, of those that are there now."""
        self._homes = homes(self._homes, self._watch.look_for_workers())
        self._watch.homes = {home for home in self._homes if home is not None}

    def _begin(self) -> None:
        """Let the learner begin, with the classes of all shards; one shard meets them as they come."""
        learner, is_only = self.learner, len(self.shards) == 1
        looks = self._looks() if self.shard_plan.looks_first and not self.number else []
        classes = sorted({label for look in looks for label in look.counts} - set(learner.known))
        self._weights = _columns_for(learner, classes) * (learner.inputs or 0)
        scalers = [look.scaler for look in looks if look.scaler is not None]
        if scalers and (is_behind_scaler(learner) or learner.has_model):
            learner, scalers = tasks.on_scale(learner, scalers), []
            self.learner = learner
        if is_only or (learner.has_model and not classes):
            return
        if learner.has_model:
            self.learner = self.shard_plan.met(learner, classes)
            return
        begun = self._submit(
            tasks.begin, self._opened[0], learner, classes or learner.known, scalers, key=("begin", 0)
        )
        self._watch.wait({str(self.shards[0]): begun})
        self._base, self._learner = begun, None

    def _looks(self) -> list[ShardSummary]:
        looks: list[ShardSummary] = self._gathered(self._on_all(tasks.look, key=("look",)))
        for look in looks:
            if not look.counts:
                self._refuse(look, "there is no labelled example to learn from: leave this shard out.")
            if len(look.counts) == 1 and len(self.shards) > 1:
                self._refuse(
                    look,
                    f"all labels are {next(iter(look.counts))!r}, and a learner that sees one class alone "
                    "forgets the others. Shuffle the examples, so that each shard has all classes; if it is "
                    "meant to be so, name all classes with `classes`.",
                )
        return looks

    def _refuse(self, look: ShardSummary, why: str) -> None:
        raise ShardError(f"{self.shards[look.shard]} on worker {look.worker}: {why}")

    def _round(self, when_savable: Callable[["ClusterTraining"], object]) -> None:
        began, number = perf_counter(), self.number
        if self._base is None:
            self._base = self._planted(self.learner)
        if number == 1:
            self._base = self._submit(tasks.restart_average, self._base, key=("begun", number))
        base = start = self._base
        self.signs = {}
        if len(self.shards) > 1:
            start = self._submit(tasks.lean, base, key=("start", number))
        self._place()
        parts = self._on_all(tasks.learn, start, number, key=("learn", number))
        told = [
            self._submit(tasks.report_of, part, key=("report", number, n), home=home)
            for n, (part, home) in enumerate(zip(parts, self._homes, strict=True))
        ]
        reports: list[Report] = self._gathered(told, lambda: when_savable(self))
        learned = perf_counter()
        mixed = self._mixed(base, parts, reports)
        self._watch.wait({f"the mix of round {number + 1}": mixed})
        mixing = perf_counter() - learned
        progress = sum((report.progress for report in reports), Tally())
        score = self._validated(mixed, progress) if self.plan.held_out else None
        self._base, self._learner = mixed, None
        self._note(reports, progress)
        self.number += 1
        if score is not None:
            self.best.look(score, lambda: self.learner)
        sent = sum(report.sent for report in reports)
        mistakes = sum(report.mistakes for report in reports)
        seconds = perf_counter() - began
        self.rounds.append(Round(self.number, progress, mistakes, score, seconds, mixing, sent, reports))

    def _mixed(self, base: Any, parts: Sequence[Any], reports: Sequence[Report]) -> Any:
        """Return the future of the mix: sums are taken by workers, in a tree over the numbers of shards."""
        number = self.number
        if len(parts) == 1:
            return self._submit(tasks.learner_of, parts[0], key=("base", number + 1))
        share = shares(self.mix_options.mix, reports).tolist()
        kept = [1.0] * len(parts) if self.mix_options.squares == "added" else share
        made = 0

        def add(nodes: Sequence[Any]) -> Any:
            nonlocal made
            made += 1
            return self._submit(tasks.add, *_columns(nodes), key=("add", number, made)), 1.0, 1.0

        nodes = grouped(list(zip(parts, share, kept, strict=True)), add)
        mistakes = sum(report.mistakes for report in reports)
        known = [report.calibration for report in reports]
        return self._submit(tasks.mix, base, *_columns(nodes), mistakes, known, key=("base", number + 1))

    def _validated(self, mixed: Any, progress: Tally) -> float:
        tallies = self._gathered(self._on_all(tasks.validate, mixed, key=("validate", self.number)))
        total: Tally = sum(tallies, Tally())
        check_held_out(total, progress, self.plan)
        return 1.0 - total.error_rate

    def _note(self, reports: Sequence[Report], progress: Tally) -> None:
        self.progress += progress
        if not self.first_pass.examples:
            self.first_pass = progress
        if self.number == 0:
            self.findings.unlabelled = sum(report.unlabelled for report in reports)
        if self.rounds:  # later rounds of this run have nothing new to say
            return
        self.skipped = Skipped()
        for report in reports:
            self.skipped.count += report.skipped
            self.skipped.first += report.first_skipped
            self.findings.late |= report.late
            if len(report.labels) == 1 and len(reports) > 1:
                warnings.warn(
                    f"{self.shards[report.shard]} has examples of {report.labels[0]!r} alone: what it learns "
                    "pulls the mix to that class. Shuffle the examples over the shards.",
                    stacklevel=2,
                )
        unmet = [set(report.unmet) for report in reports]
        self.unmet = sorted(set.intersection(*unmet))

    def _all_names(self) -> NameIndex | None:
        nodes = self._on_all(tasks.names_of, key=("names",))
        made = 0

        def unite(some: Sequence[Any]) -> Any:
            nonlocal made
            made += 1
            return self._submit(tasks.unite, list(some), key=("unite", made))

        nodes = grouped(nodes, unite)
        if len(nodes) > 1:
            nodes = [unite(nodes)]
        self._watch.wait({"the names of features": nodes[0]})
        found: NameIndex = self._fetched(nodes[0])
        return found

    # -- what goes wrong -----------------------------------------------------------------------------

    def _saved(self) -> dict[str, Any]:
        """Return what the client has to begin again from, beside what workers have."""
        return {
            "number": self.number,
            "progress": self.progress,
            "rounds": len(self.rounds),
            "scores": list(self.best.scores),
            "best": (self.best.best, self.best.number),
            "learner": self._learner,
        }

    def _go_back(self, saved: dict[str, Any]) -> None:
        """Begin again from the last learner that the client has seen."""
        self.number, self.progress = saved["number"], saved["progress"]
        self.rounds = self.rounds[: saved["rounds"]]
        self.best.scores = list(saved["scores"])  # `saved` may be needed again
        self.best.best, self.best.number = saved["best"]
        self._job = uuid4().hex[:12]
        self.learner = saved["learner"]

    # -- Dask ----------------------------------------------------------------------------------------

    def _submit(
        self, task: Callable[..., Any], *arguments: Any, key: tuple[Any, ...], home: str | None = None
    ) -> Any:
        """Return the future of a task; at home if that is possible, else wherever there is a worker."""
        name = "-".join(map(str, ("kerneltron", self._job, *key)))
        where: dict[str, Any] = {} if home is None else {"workers": [home], "allow_other_workers": True}
        return self.client.submit(task, *arguments, key=name, pure=False, **where)

    def _on_all(self, task: Callable[..., Any], *arguments: Any, key: tuple[Any, ...]) -> list[Any]:
        """Return the futures of a task that every shard has."""
        return [
            self._submit(task, opened, *arguments, key=(*key, number), home=home)
            for number, (opened, home) in enumerate(zip(self._opened, self._homes, strict=True))
        ]

    def _gathered(self, futures: Sequence[Any], look: Callable[[], object] = lambda: None) -> list[Any]:
        """Return the results of one future per shard, when all are there."""
        names = map(str, self.shards)
        self._watch.wait(dict(zip(names, futures, strict=True)), look)
        found: list[Any] = self._watch.fetch(futures)
        return found

    def _planted(self, learner: Learner) -> Any:
        """Return a future of a learner that the client has: it goes to workers, past the scheduler."""
        return _directly(lambda direct: self._watch.send(Carried(learner), direct))

    def _fetched(self, future: Any) -> Any:
        return _directly(lambda direct: self._watch.fetch(future, direct))

    def _heard(self, event: tuple[float, Any]) -> None:
        self._watch.hear()
        shard, number, progress, share = event[1]
        self.signs[shard] = Heartbeat(shard, number, Tally(*progress), share)

    def _let_go(self) -> None:
        """Let workers forget all of this training."""
        self._opened, self._base, self._data = [], None, ()


def _columns_for(learner: Learner, classes: Sequence[Any]) -> int:
    """Return how many vectors a learner will need when it has met these truths, too."""
    groups = [np.array([label]) for label in [*learner.known, *classes]]
    if not groups:
        return learner.columns
    return learner.method.target_type()().meet(joined_labels(*groups)).target.columns


def _columns(nodes: Sequence[Any]) -> list[list[Any]]:
    return [list(column) for column in zip(*nodes, strict=True)]


def _directly(move: Callable[[bool | None], Any]) -> Any:
    """Move a model between the client and a worker or, where they do not reach each other, as Dask can."""
    try:
        return move(True)
    except ClusterError:
        raise
    except (OSError, TimeoutError):
        return move(None)
