"""What workers do. These functions run there; results stay there until another worker asks for them."""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, TypeVar

from kerneltron.cluster.carried import Carried
from kerneltron.cluster.connecting import VERSIONS, check_versions
from kerneltron.cluster.errors import ShardError
from kerneltron.cluster.mixable import is_behind_scaler
from kerneltron.cluster.open_shard import OpenShard
from kerneltron.cluster.reports import Part, Report, ShardSummary
from kerneltron.cluster.shard import Shard
from kerneltron.jobs.merging import united
from kerneltron.learning.calibration import Calibration
from kerneltron.learning.learner import Learner
from kerneltron.learning.progressive import Tally
from kerneltron.models import merging
from kerneltron.models.deltas import Term, added
from kerneltron.models.rescaling import with_scaler
from kerneltron.models.scaled import Scaled
from kerneltron.scaling import column_scaler
from kerneltron.scaling.column_scaler import ColumnScaler
from kerneltron.stream.names import NameIndex
from kerneltron.training.combining import go_on

Task = TypeVar("Task", bound=Callable[..., Any])


def _names_shard(task: Task) -> Task:
    """Return a task whose errors name the shard, its first argument, and the worker."""

    @wraps(task)
    def telling(opened: OpenShard, *more: Any) -> Any:
        try:
            return task(opened, *more)
        except (ValueError, TypeError, NotImplementedError, OSError, MemoryError) as error:
            words = str(error) or type(error).__name__
            if isinstance(error, MemoryError):
                words = f"memory does not suffice. {error}"
            raise ShardError(f"{opened.shard} on worker {_worker()}: {words}") from None

    return telling  # type: ignore[return-value]


def open_shard(plan: Any, shard: Shard, data: Any, topic: str, versions: dict[str, str]) -> OpenShard:
    """Return a shard that is ready to be read; `topic` is where to tell how it comes on.

    Workers that came later were not asked for their versions yet.
    """
    check_versions(versions, dict(VERSIONS), _worker())
    opened: OpenShard = plan.opened(shard, data, topic)
    return opened


@_names_shard
def look(opened: OpenShard) -> ShardSummary:
    """Read a shard, and say which classes it has."""
    return opened.look()._replace(worker=_worker())


@_names_shard
def begin(
    opened: OpenShard, learner: Learner, classes: list[Any], scalers: Sequence[ColumnScaler]
) -> Carried:
    """Return a learner that has a model for these classes, and knows nothing but the scales of all shards."""
    begun = opened.begin(learner.shell(), classes)
    return Carried(on_scale(begun, scalers) if scalers else begun)


def on_scale(learner: Learner, scalers: Sequence[ColumnScaler]) -> Learner:
    """Return a learner that predicts the same, whose scaler has counted the rows of all shards."""
    on_one = learner.shell()
    if is_behind_scaler(learner):
        known = [] if learner.scaler is None else [learner.scaler]
        on_one.scaler = column_scaler.joined([*known, *scalers])
        return on_one
    assert isinstance(learner.model, Scaled)
    on_one.model = with_scaler(learner.model, column_scaler.joined([learner.model.scaler, *scalers]))
    return on_one


def restart_average(base: Carried) -> Carried:
    """Return a learner whose hypothesis knows that the first round is over."""
    learner = base.learner.copy()
    learner.restart_average()
    return Carried(learner)


def lean(base: Carried) -> Carried:
    """Return a learner to go on from, without the sums of all vectors so far: these stay with the mix."""
    learner = base.learner.shell()
    learner.model = merging.to_go_on_from(learner.model)
    return Carried(learner)


@_names_shard
def learn(opened: OpenShard, base: Carried, number: int) -> Part:
    """Learn from a shard, going on from `base`."""
    part = opened.learn(base.learner, number)
    return part._replace(report=part.report._replace(worker=_worker()))


def report_of(part: Part) -> Report:
    """Return what the client is told of a part."""
    return part.report


def learner_of(part: Part) -> Carried:
    """Return the learner of the only shard."""
    assert part.learner is not None
    return Carried(part.learner)


def add(parts: Sequence[Part | Term], shares: Sequence[float], kept: Sequence[float]) -> Term:
    """Return the sum of what several shards have learned."""
    return added(_terms(parts, shares, kept))


def mix(
    base: Carried,
    parts: Sequence[Part | Term],
    shares: Sequence[float],
    kept: Sequence[float],
    mistakes: int,
    calibrations: Sequence[Calibration | None],
) -> Carried:
    """Return the learner that has gained what all shards have."""
    return Carried(go_on(base.learner, _terms(parts, shares, kept), mistakes, calibrations))


@_names_shard
def validate(opened: OpenShard, mixed: Carried) -> Tally:
    """Return how a learner does on what a shard holds out."""
    return opened.validate(mixed.learner)


@_names_shard
def names_of(opened: OpenShard) -> NameIndex:
    """Return the names of features of a shard."""
    index: NameIndex = opened.names()
    return index


def unite(indices: Sequence[NameIndex]) -> NameIndex:
    """Return the names of several shards."""
    index = united(indices[0].hashing, indices)
    assert index is not None
    return index


def _terms(parts: Sequence[Part | Term], shares: Sequence[float], kept: Sequence[float]) -> list[Term]:
    return [
        part if isinstance(part, Term) else Term(part.delta, share, of_kept)  # type: ignore[arg-type]
        for part, share, of_kept in zip(parts, shares, kept, strict=True)
    ]


def _worker() -> str:
    from distributed import get_worker

    return str(get_worker().address)
