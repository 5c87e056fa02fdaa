"""A training on a stream, as a `Job` describes it, done by a cluster."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from kerneltron.cluster.mixable import check_mixable, scales_columns
from kerneltron.cluster.planning import shards_of
from kerneltron.cluster.shard import Shard
from kerneltron.cluster.stream_shard import StreamPlan
from kerneltron.cluster.training import ClusterTraining, MixOptions
from kerneltron.jobs.job import Job
from kerneltron.learning.learner import Learner


def training_for(
    job: Job, client: Any, mix_options: MixOptions, count: int | None = None, otherwise: int = 1
) -> ClusterTraining:
    """Return the training of a job on a cluster, not yet begun.

    Parameters
    ----------
    job
        Its passes are rounds.
    client
        Dask's.
    mix_options
        How models are mixed.
    count, otherwise
        How many shards: see `planning.shards_of`.
    """
    found = shards_of([str(name) for name in job.sources], job.format, count, otherwise)
    return _training(replace(job, format=found.format), client, mix_options, found.shards)


def training_on(
    job: Job, client: Any, mix_options: MixOptions, names: Sequence[str], data: Sequence[Any], text_of: Any
) -> ClusterTraining:
    """Return the training of a job on partitions of a Dask collection, whose texts `text_of` makes."""
    shards = [Shard(number, name) for number, name in enumerate(names)]
    return _training(job, client, mix_options, shards, data, text_of)


def _training(
    job: Job,
    client: Any,
    mix_options: MixOptions,
    shards: Sequence[Shard],
    data: Sequence[Any] = (),
    text_of: Any = None,
) -> ClusterTraining:
    learner = job.learner
    check_mixable(learner, len(shards))
    if job.classes:
        meant = np.array(sorted({job.format.label(label) for label in job.classes}), "U")
        learner.meet(meant, meant)
    told = replace(
        job,
        learner=_without_model(learner),
        sources=(),
        classes=[*job.classes, *learner.known],
        threads=1,
        before=None,
    )
    are_several = len(shards) > 1
    scales = are_several and scales_columns(learner)
    looks_first = are_several and (not learner.is_closed or learner.scaler is not None or scales)
    plan = StreamPlan(told, looks_first, not are_several, text_of, scales)
    training = ClusterTraining(client, learner, plan, shards, job.plan(), mix_options, data)
    training.keeps_names = job.keep_names
    return training


def _without_model(learner: Learner) -> Learner:
    """Return a learner that has the method and the classes of another, but has learned nothing."""
    blank = Learner(learner.method, learner.inputs)
    blank.target = learner.target
    if learner.scaler is not None:
        blank.scaler = learner.scaler.blank()
    return blank
