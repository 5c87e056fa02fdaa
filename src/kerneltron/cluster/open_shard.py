"""A shard as a worker has it: ready to be learned from again and again."""

from abc import ABC, abstractmethod
from threading import Lock
from time import monotonic
from typing import Any

from kerneltron.cluster.reports import Part, ShardSummary
from kerneltron.cluster.shard import Shard
from kerneltron.learning.learner import Learner
from kerneltron.learning.progressive import Tally
from kerneltron.models import merging

INTERVAL = 0.25  # seconds between signs of life


class OpenShard(ABC):
    """What stays on a worker between the rounds. Moved to another one, it begins anew there, from the plan.

    Parameters
    ----------
    plan
        What all shards of a training have in common.
    shard
        Which part of the examples it is.
    data
        The partition of a Dask collection, where the shard is one.
    topic
        Under which signs of life are sent.
    """

    def __init__(self, plan: Any, shard: Shard, data: Any = None, topic: str = "") -> None:
        self.plan, self.shard, self.data, self.topic = plan, shard, data, topic
        self._told = monotonic()
        self.lock = Lock()  # a worker that was thought dead may be at it still

    def __reduce__(self) -> Any:
        return type(self), (self.plan, self.shard, self.data, self.topic)

    def tell(self, number: int, progress: Tally, share: float | None) -> None:
        """Send a sign of life, if the last one was some time ago.

        Parameters
        ----------
        number
            The round, from 0.
        progress
            Of this round.
        share
            Which part of the work lies behind, if that is known.
        """
        if monotonic() - self._told > INTERVAL:
            self._told = monotonic()
            from distributed import get_worker

            get_worker().log_event(self.topic, (self.shard.number, number, tuple(progress), share))

    @abstractmethod
    def look(self) -> ShardSummary:
        """Read all, and say which classes there are."""

    @abstractmethod
    def begin(self, learner: Learner, classes: list[Any]) -> Learner:
        """Return a learner that knows these classes, and has a model; a map is chosen by first examples."""

    @abstractmethod
    def learn(self, base: Learner, number: int) -> Part:
        """Make a pass that goes on from `base`, which is not changed."""

    @abstractmethod
    def validate(self, learner: Learner) -> Tally:
        """Return how a learner does on what this shard holds out."""

    def own(self, base: Learner) -> Learner:
        """Return a copy of a learner to go on with; for a mix, sums of vectors begin anew."""
        if self.plan.is_only:
            return base.copy()
        learner = base.shell()
        learner.model = merging.to_go_on_from(base.model, own=True)
        return learner

    def names(self) -> Any:
        """Return the names of features, where they are kept."""
        return None
