"""What workers tell the client: counts, never examples."""

from typing import Any, NamedTuple

from kerneltron.learning.calibration import Calibration
from kerneltron.learning.learner import Learner
from kerneltron.learning.progressive import Tally
from kerneltron.models.deltas import Delta
from kerneltron.scaling.column_scaler import ColumnScaler


class ShardSummary(NamedTuple):
    """What a shard holds: how many labelled examples of each class."""

    shard: int
    counts: dict[Any, int]
    worker: str
    scaler: ColumnScaler | None = None  # that has counted its rows, where these are to be scaled


class Report(NamedTuple):
    """What one shard did in a round."""

    shard: int
    progress: Tally  # of this round
    mistakes: int
    labels: list[Any]  # of its examples
    unlabelled: int
    skipped: int
    first_skipped: list[Any]
    late: dict[str, str]
    unmet: list[str]  # namespaces that were looked for in vain
    seconds: float  # of the pass itself
    worker: str
    sent: int  # bytes of what it has to say about the model
    calibration: Calibration | None = None  # what it knows of probabilities


class Part(NamedTuple):
    """What a shard has learned in a round, and its report: a delta or, if it is the only one, all of it."""

    report: Report
    delta: Delta | None
    learner: Learner | None


class Heartbeat(NamedTuple):
    """A sign of life from the middle of a shard."""

    shard: int
    round: int
    progress: Tally
    share: float | None  # of the shard that lies behind, if it is known
