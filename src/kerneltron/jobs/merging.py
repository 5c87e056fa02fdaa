"""The weighted mix of trained models of streams: classes and names are united."""

from collections.abc import Sequence
from copy import copy
from functools import reduce
from typing import Any

import numpy as np

from kerneltron._types import Floats
from kerneltron.learning.classes import origins_of_columns
from kerneltron.learning.learner import Learner
from kerneltron.learning.parameters import parameters_of
from kerneltron.learning.stream_model import StreamModel
from kerneltron.models import merging
from kerneltron.stream.hashing import Hashing
from kerneltron.stream.names import NameIndex


def merge(models: Sequence[StreamModel], weights: Sequence[float] | None = None) -> StreamModel:
    """Return one model whose scores are the weighted mean of the scores of all.

    A class that a model does not know has the score there with which it would begin if it came now: the mean
    of the others, which is 0 for two classes (see `models.late`). Two classes share a vector, so a model of
    two that meets a third class elsewhere has w and -w for its own. Classes are closed if those of all are.

    Parameters
    ----------
    models
        With the same hash settings, learner and parameters. The way of reading is that of the first.
    weights
        What each model counts, in proportion; by default the number of examples that it has learned from.

    Raises
    ------
    ValueError
        The models differ; the message says in what.
    """
    if not models:
        raise ValueError("there is nothing to merge: name at least one model.")
    for other in models[1:]:
        _check(models[0], other)
    learners = [model.learner for model in models]
    known = [np.array(learner.classes) for learner in learners]
    classes = reduce(np.union1d, known)
    columns = [origins_of_columns(own, classes) for own in known]
    mixed = copy(learners[0])
    mixed.model = merging.merge([learner.model for learner in learners], columns, shares(models, weights))
    mixed.classes, mixed.is_closed = classes, all(learner.is_closed for learner in learners)
    mixed.mistakes = _mistakes(learners)
    mixed.validation_scores = mixed.best_pass = None  # of one training, not of several
    names = united(models[0].hashing, [model.names for model in models if model.names is not None])
    examples = sum(model.examples for model in models)
    return StreamModel(mixed, models[0].hashing, models[0].format, names, examples)


def shares(models: Sequence[StreamModel], weights: Sequence[float] | None) -> Floats:
    """Return what each model counts: numbers that sum to 1."""
    given = np.array([model.examples for model in models] if weights is None else weights, np.float64)
    if given.size != len(models):
        raise ValueError(f"there are {given.size} weights for {len(models)} models: give one for each.")
    if not (np.isfinite(given) & (given >= 0)).all():
        raise ValueError(f"weights={given.tolist()} must be finite and at least 0.")
    if weights is None and not given.any():
        given += 1.0
    if not given.any():
        raise ValueError("all weights are 0: at least one model must count.")
    return np.asarray(given / given.sum())


def _check(first: StreamModel, other: StreamModel) -> None:
    """Raise a ValueError that says in what two models differ."""
    found = first.hashing.differences(other.hashing)
    if found:
        raise ValueError(f"models with different hash settings cannot be merged: {'; '.join(found)}.")
    kinds = [model.learner.name for model in (first, other)]
    if kinds[0] != kinds[1]:
        raise ValueError(f"models of different learners cannot be merged: {kinds[0]} and {kinds[1]}.")
    found = [
        f"{name}={a!r} and {name}={b!r}"
        for name, a, b in (
            (name, getattr(first.learner.method, name), getattr(other.learner.method, name))
            for name, about in parameters_of(first.learner.method).items()
            if not (about.of_training or about.mixes or name == "kernel")
        )
        if a != b
    ]
    if found:
        raise ValueError(f"models with different parameters cannot be merged: {'; '.join(found)}.")
    ways: list[dict[str, Any]] = [model.format.to_json() for model in (first, other)]
    if ways[0]["name"] == ways[1]["name"] and ways[0] != ways[1]:
        raise ValueError(
            f"models that read their columns differently cannot be merged: {ways[0]} and {ways[1]}. Train "
            "them with the same `roles` options."
        )


def _mistakes(learners: Sequence[Learner]) -> Any:
    """Return the mistakes of all, pass by pass."""
    own = [learner.mistakes for learner in learners if learner.mistakes is not None]
    total = np.zeros(max(len(counts) for counts in own), np.int64)
    for counts in own:
        total[: len(counts)] += counts
    return total


def united(hashing: Hashing, indices: Sequence[NameIndex]) -> NameIndex | None:
    """Return all names, with counts added; None if no model kept any."""
    if not indices:
        return None
    all_keys = np.concatenate([index.keys for index in indices])
    keys, firsts, which = np.unique(all_keys, return_index=True, return_inverse=True)
    counts = np.zeros(keys.size, np.int64)
    np.add.at(counts, which, np.concatenate([index.counts for index in indices]))
    texts = [text for index in indices for text in index.texts]
    return NameIndex(hashing, keys, counts, [texts[first] for first in firsts.tolist()])
