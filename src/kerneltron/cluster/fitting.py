"""`cluster.fit`: learn on a cluster, from Python."""

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from kerneltron.cluster import collections
from kerneltron.cluster.connecting import check_installed, check_workers, cores, local, workers_of
from kerneltron.cluster.mixable import check_mixable, is_behind_scaler, scales_columns
from kerneltron.cluster.shard import Shard
from kerneltron.cluster.training import PATIENCE, ClusterTraining, MixOptions
from kerneltron.jobs.job import Job
from kerneltron.jobs.new_job import new_job
from kerneltron.learning.learner import Learner
from kerneltron.learning.method import Method
from kerneltron.learning.parameters import names_of
from kerneltron.stream.declared import Declared
from kerneltron.stream.formats.finding import format_for
from kerneltron.stream.formats.format import Format
from kerneltron.stream.hashing import Hashing
from kerneltron.stream.looking import FirstLook, first_look
from kerneltron.stream.sources import expand
from kerneltron.training.checkpoints import Checkpoints
from kerneltron.training.pass_plan import plan_of


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
    text: bool | None = None,
    scale: bool | None = None,
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

    From files and text it learns as `kerneltron train` does: parameters of the learner and of the `Hasher`
    that are at their defaults are taken as they suit what comes first (texts, numbers, or other data), and
    stand in the pipeline that is returned; `verbose=1` prints them. Any other value stays as it is.

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
        None: the `passes` of the learner; of files and text, where these are at their default, as many as
        suit what comes first.
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
    format, label, roles, text, scale, skip_faults
        How files and text are read, as the command line has it: `text` and `scale` are its `--text` and
        `--scale`.
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
    mix_options = MixOptions(mix, squares, patience)
    with _client(client) as found:
        if collections.are_rows(shards):
            of_files = {
                "count": count,
                "names": names,
                "format": format,
                "label": label,
                "roles": roles,
                "text": text is not None,
                "scale": scale is not None,
                "skip_faults": skip_faults,
                "checkpoint": checkpoint,
                "resume": resume,
                "cache": cache,
            }
            for name in (name for name, value in of_files.items() if value):
                raise TypeError(f"{name} is about files and text, and these are arrays: leave it out.")
            return _fit_rows(learner, shards, found, rounds, mix_options, callback, classes)
        given = _given(learner, rounds)
        declared = Declared(format, label, (), {**given.roles, **dict(roles or {})})
        examples = _examples(shards, declared, found, patience)
        saved = None if checkpoint is None else Checkpoints.at(checkpoint, {}, each_pass=True)
        job = new_job(
            given.name,
            given.parameters,
            given.words,
            examples.sources,
            examples.format,
            examples.look,
            text,
            given.scale if scale is None else scale,
            saved.options_before() if saved is not None and resume and saved.is_there else None,
        )
        if job.learner.method.verbose and job.chosen.settings:
            settings = ", ".join(f"{name}={value!r}" for name, value in job.chosen.settings.items())
            print(f"{given.name}: {settings} ({job.chosen.because})", file=sys.stderr)
        job.classes, job.keep_names, job.skip_faults = [str(each) for each in classes], names, skip_faults
        job.folder = cache
        training = _training(job, examples, found, mix_options, count)
        if saved is not None:
            saved.options = {**job.options(), **training.options()}
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


class _Given(NamedTuple):
    """What was given of a learner and a hasher: what differs from the defaults."""

    name: str
    parameters: dict[str, Any]
    words: dict[str, Any]
    roles: Mapping[str, str]
    scale: bool | None


def _given(learner: Any, rounds: int | None) -> _Given:
    """Return what was given, as the command line would have it."""
    classifier, hasher, scaler = _steps(learner)
    method = _method_of(classifier, rounds)
    defaults = {each.name: each.default for each in fields(method)}
    seed = {} if classifier.random_state is None else {"random_state": method.random_state}
    parameters = {
        name: getattr(method, name)
        for name in names_of(type(method))
        if name != "random_state" and not _are_same(getattr(method, name), defaults[name])
    }
    if rounds is not None:
        parameters["passes"] = method.passes
    scale = parameters.pop("scale", True if scaler is not None else None)
    words, roles = {}, {}
    if hasher is not None:
        usual = Hashing()
        words = {each.name: getattr(hasher.hashing, each.name) for each in fields(Hashing)}
        words = {name: value for name, value in words.items() if value != getattr(usual, name)}
        roles = dict(hasher.columns or {})
    if scaler is not None and scaler.unit_rows:
        words["normalize"] = True
    return _Given(method.name(), {**parameters, **seed}, words, roles, scale)


def _are_same(value: Any, default: Any) -> bool:
    """Return whether a parameter is at its default; 1 is not True."""
    return value is default or (type(value) is type(default) and bool(value == default))


def _steps(learner: Any) -> tuple[Any, Any, Any]:
    """Return a classifier, the hasher before it, and the scaler between them; None where there is none."""
    from kerneltron.estimators.classifier import Classifier
    from kerneltron.features.hasher import Hasher
    from kerneltron.features.scaler import Scaler

    if isinstance(learner, Classifier):
        return learner, None, None
    steps = [step for _, step in getattr(learner, "steps", [])]
    kinds = [Hasher, Scaler, Classifier] if len(steps) == 3 else [Hasher, Classifier]
    if len(steps) == len(kinds) and all(map(isinstance, steps, kinds)):
        return steps[-1], steps[0], steps[1] if len(steps) == 3 else None
    raise TypeError(
        f"{type(learner).__name__} cannot learn on a cluster: give a classifier of kerneltron, or a pipeline "
        "of a Hasher and one."
    )


class _Examples(NamedTuple):
    """Where the examples are, how they are read, and what looks at the first of them."""

    sources: list[str]
    format: Format
    look: Callable[[], FirstLook]
    partitions: tuple[list[str], list[Any]] | None = None  # names and futures


def _examples(shards: Any, declared: Declared, client: Any, patience: float) -> _Examples:
    if not collections.is_collection(shards):
        given = [shards] if isinstance(shards, str | os.PathLike) else list(shards)
        sources = expand([os.fspath(name) for name in given])
        look = partial(first_look, sources, format_for(sources, declared))
        return _Examples(sources, format_for(sources, declared), look)
    found = collections.partitions(shards)
    data = collections.computed(client, found.data)
    first = client.submit(collections.looked_at, data[0], declared, pure=False)
    format, seen = first.result(patience)
    sources = [f"{type(shards).__name__.lower()} of {len(data)} partitions"]
    return _Examples(sources, format, lambda: seen, (found.names, data))


def _training(
    job: Job, examples: _Examples, client: Any, mix_options: MixOptions, count: int | None
) -> ClusterTraining:
    from kerneltron.cluster.stream_training import training_for, training_on

    if examples.partitions is None:
        return training_for(job, client, mix_options, count, otherwise=workers_of(client))
    return training_on(job, client, mix_options, *examples.partitions, collections.text_of)


def _fit_rows(
    classifier: Any,
    arrays: tuple[Any, Any],
    client: Any,
    rounds: int | None,
    mix_options: MixOptions,
    callback: Callable[[ClusterTraining], object] | None,
    classes: Sequence[Any],
) -> Any:
    from sklearn.base import clone

    from kerneltron.cluster.row_shard import RowPlan

    _, hasher, _ = _steps(classifier)
    if hasher is not None:
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
    scales = number > 1 and (scales_columns(learner) or is_behind_scaler(learner))
    looks_first = scales or not len(classes)
    shard_plan = RowPlan(asked, seed, number == 1, number, looks_first, scales)
    shards = [Shard(number, name) for number, name in enumerate(found.names)]
    plan = plan_of(method, seed)._replace(passes=int(method.passes))
    data = collections.computed(client, found.data)
    training = ClusterTraining(client, learner, shard_plan, shards, plan, mix_options, data)
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
