"""A shard as a worker has it: ready to be learned from again and again."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from copy import copy
from threading import Lock
from typing import Any

from kerneltron.cluster.reports import Look, Part, Sign
from kerneltron.cluster.shard import Shard
from kerneltron.learning.learner import Learner
from kerneltron.learning.progressive import Tally
from kerneltron.models import merging


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
    """

    def __init__(self, plan: Any, shard: Shard, data: Any = None) -> None:
        self.plan, self.shard, self.data = plan, shard, data
        self.lock = Lock()  # a worker that was thought dead may be at it still

    def __reduce__(self) -> Any:
        return type(self), (self.plan, self.shard, self.data)

    @abstractmethod
    def look(self) -> Look:
        """Read all, and say which classes there are."""

    @abstractmethod
    def begin(self, learner: Learner, classes: list[Any]) -> Learner:
        """Return a learner that knows these classes, and has a model; a map is chosen by first examples."""

    @abstractmethod
    def learn(self, base: Learner, number: int, tell: Callable[[Sign], None]) -> Part:
        """Make a pass that goes on from `base`, which is not changed."""

    @abstractmethod
    def validate(self, learner: Learner) -> Tally:
        """Return how a learner does on what this shard holds out."""

    def own(self, base: Learner) -> Learner:
        """Return a copy of a learner to go on with; for a mix, sums of vectors begin anew."""
        if self.plan.is_only:
            return base.copy()
        learner = copy(base)
        learner.model = merging.to_go_on_from(base.model, own=True)
        return learner

    def names(self) -> Any:
        """Return the names of features, where they are kept."""
        return None
