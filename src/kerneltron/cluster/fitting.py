"""`cluster.fit`: learn on a cluster, from Python."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from kerneltron.cluster import collections
from kerneltron.cluster.connecting import check_installed, check_workers, cores, local, workers_of
from kerneltron.cluster.mixable import check_mixable, scales_columns
from kerneltron.cluster.shard import Shard
from kerneltron.cluster.training import PATIENCE, ClusterTraining, Way
from kerneltron.jobs.job import Job
from kerneltron.learning.checkpoints import Checkpoints
from kerneltron.learning.learner import Learner
from kerneltron.learning.method import Method
from kerneltron.learning.pass_plan import PassPlan
from kerneltron.stream.declared import Declared
from kerneltron.stream.formats.finding import format_for
from kerneltron.stream.hashing import Hashing
from kerneltron.stream.sources import expand


def fit(
    learner: Any,
    shards: Any,
    client: Any = None,
    rounds: int | None = None,
    mix: str = "uniform",
    *,
    squares: str = "averaged",
    count: int | None = None,
    classes: Sequence[Any] = (),
    names: bool = False,
    format: str | None = None,
    label: str | None = None,
    roles: Mapping[str, str] | None = None,
    skip_faults: bool = False,
    checkpoint: str | os.PathLike[str] | None = None,
    resume: bool = False,
    cache: str | None = None,
    patience: float = PATIENCE,
    callback: Callable[[ClusterTraining], object] | None = None,
) -> Any:
    """Learn from shards side by side, by iterative parameter mixing; return a fitted learner.

    In each round every shard makes a pass that goes on from the mix of the round before, and the mix of what
    they learned is w = sum_i a_i w_i. On separable data, all rounds and shards together make at most
    S R^2 / gamma^2 mistakes with S shards and uniform shares. Examples are read by workers; neither the
    scheduler nor the client ever sees one, but for the first lines of a file, which tell its format. The same
    shards, seed, rounds and mix give the same bytes, whatever the number of workers and whichever of them
    died. One shard is serial training, to the byte.

    Parameters
    ----------
    learner
        A classifier of kerneltron, or a pipeline of a `Hasher` and one. It is not changed.
    shards
        Names of files, patterns or addresses; a Dask bag of lines or dicts; a Dask data frame with a column
        of labels; or a pair (X, y) of Dask arrays.
    client
        Dask's client. None: the current one or, if there is none, as many processes on this machine as it has
        processors; a script must then have the usual `if __name__ == "__main__":`.
    rounds
        None: the `passes` of the learner.
    mix
        What each shard counts: "uniform", or by the weight of its "examples", or by its "mistakes" in the
        round.
    squares
        Whether sums of squared gradients (and AROW's precisions) are "averaged" over shards, or "added" up.
    count
        How many shards files are grouped or cut into. None: one per file; a single plain file is cut into
        as many as there are workers. Dask's collections have one per partition.
    classes
        All labels, if they are known. Else shards are read once before the first round to find them.
    names
        Keep the names of features, for `explain`.
    format, label, roles, skip_faults
        How files are read, as the command line has it.
    checkpoint, resume
        A file that is written after each round, and removed in the end; with `resume`, where to go on from.
    cache
        A folder of workers in which the parsed examples of later rounds are kept.
    patience
        Seconds without a sign of life after which an error is raised.
    callback
        Called after each round with the training: its `rounds` tell what each did.

    Returns
    -------
    For arrays the classifier, fitted; else a pipeline of a `Hasher` and a classifier, as `kerneltron.load`
    returns it.

    References
    ----------
    McDonald, Hall and Mann, Distributed training strategies for the structured perceptron, NAACL 2010.
    """
    check_installed()
    way = Way(mix, squares, patience)
    with _client(client) as found:
        if collections.are_rows(shards):
            of_files = {
                "count": count,
                "names": names,
                "format": format,
                "label": label,
                "roles": roles,
                "skip_faults": skip_faults,
                "checkpoint": checkpoint,
                "resume": resume,
                "cache": cache,
            }
            for name in (name for name, value in of_files.items() if value):
                raise TypeError(f"{name} is about files and text, and these are arrays: leave it out.")
            return _fit_rows(learner, shards, found, rounds, way, callback, classes)
        declared = Declared(format, label, (), dict(roles or {}))
        job = _job(learner, rounds)
        job.classes, job.keep_names, job.skip_faults = [str(each) for each in classes], names, skip_faults
        job.folder = cache
        training = _training(job, shards, found, way, count, declared)
        saved = None
        if checkpoint is not None:
            saved = Checkpoints.at(checkpoint, {**job.options(), **training.options()}, each_pass=True)
            saved.begin(training, resume)
        training.run(_watching(saved, callback))
        model = job.model(training)
        if saved is not None:
            saved.end()
    from kerneltron.estimators._saved_pipelines import restore_stream

    return restore_stream(model.contents())


@contextmanager
def _client(client: Any) -> Iterator[Any]:
    if client is None:
        from distributed import default_client

        try:
            client = default_client()
        except ValueError:
            with local(cores()) as started:
                yield started
            return
    check_workers(client)
    yield client


def _method_of(classifier: Any, rounds: int | None) -> Method:
    """Return the method of a classifier, with a pass for each round and a seed that all workers share."""
    method: Method = classifier._method()
    changes: dict[str, Any] = {"callback": None}
    if rounds is not None:
        changes["passes"] = rounds
    if not isinstance(method.random_state, int):
        changes["random_state"] = method.seed()
    changed = replace(method, **changes)
    changed.check()
    if changed.passes != int(changed.passes):
        raise ValueError(f"passes={changed.passes!r}: rounds are whole, give `rounds`.")
    return changed


def _classifier_and_hashing(learner: Any) -> tuple[Any, Hashing | None]:
    from kerneltron.estimators.classifier import Classifier
    from kerneltron.features.hasher import Hasher

    if isinstance(learner, Classifier):
        return learner, None
    steps = [step for _, step in getattr(learner, "steps", [])]
    if len(steps) == 2 and isinstance(steps[0], Hasher) and isinstance(steps[1], Classifier):
        return steps[1], steps[0].hashing
    raise TypeError(
        f"{type(learner).__name__} cannot learn on a cluster: give a classifier of kerneltron, or a pipeline "
        "of a Hasher and one."
    )


def _job(learner: Any, rounds: int | None) -> Job:
    from kerneltron.stream.formats.vowpal import Vowpal

    classifier, hashing = _classifier_and_hashing(learner)
    method = _method_of(classifier, rounds)
    method.check_streaming()
    hashing = hashing or Hashing(signed=not method.non_negative_only)
    return Job(Learner(method, hashing.slots), hashing, Vowpal(), [])


def _training(
    job: Job, shards: Any, client: Any, way: Way, count: int | None, declared: Declared
) -> ClusterTraining:
    from kerneltron.cluster.stream_training import training_for, training_on

    if not collections.is_collection(shards):
        given = [shards] if isinstance(shards, str | os.PathLike) else list(shards)
        job.sources = expand([os.fspath(name) for name in given])
        job.format = format_for(job.sources, declared)
        return training_for(job, client, way, count, otherwise=workers_of(client))
    found = collections.partitions(shards)
    data = collections.computed(client, found.data)
    job.sources = [f"{type(shards).__name__.lower()} of {len(data)} partitions"]
    job.format = client.submit(collections.settled, data[0], declared, pure=False).result(way.patience)
    return training_on(job, client, way, found.names, data, collections.text_of)


def _fit_rows(
    classifier: Any,
    arrays: tuple[Any, Any],
    client: Any,
    rounds: int | None,
    way: Way,
    callback: Callable[[ClusterTraining], object] | None,
    classes: Sequence[Any],
) -> Any:
    from sklearn.base import clone

    from kerneltron.cluster.row_shard import RowPlan

    _, hashing = _classifier_and_hashing(classifier)
    if hashing is not None:
        raise TypeError("arrays hold numbers, which need no Hasher: give the classifier alone.")
    method = _method_of(classifier, rounds)
    method.check_streaming()
    seed = method.seed()
    found = collections.pairs(*arrays)
    learner = Learner(method, int(arrays[0].shape[1]))
    check_mixable(learner, len(found.data))
    if len(classes):
        learner.meet(np.asarray(classes), classes)
    asked = clone(classifier).set_params(
        passes=method.passes, random_state=method.random_state, callback=None
    )
    number = len(found.data)
    scales = number > 1 and scales_columns(learner)
    looks_first = scales or not len(classes)
    shard_plan = RowPlan(asked, seed, number == 1, number, looks_first, scales)
    shards = [Shard(number, name) for number, name in enumerate(found.names)]
    plan = PassPlan(
        int(method.passes),
        seed,
        method.validation_fraction if method.early_stopping else 0.0,
        method.patience,
    )
    data = collections.computed(client, found.data)
    training = ClusterTraining(client, learner, shard_plan, shards, plan, way, data)
    training.run(_watching(None, callback))
    fitted = clone(classifier)
    learner = training.learner
    fitted.hold(learner)
    return fitted


def _watching(
    saved: Checkpoints | None, callback: Callable[[ClusterTraining], object] | None
) -> Callable[[ClusterTraining], None]:
    """Return what is to be called while a training goes on."""
    told = 0

    def watch(training: ClusterTraining) -> None:
        nonlocal told
        if saved is not None:
            saved.write_when_due(training)
        if callback is not None and len(training.rounds) > told:
            told = len(training.rounds)
            callback(training)

    return watch
