"""The weighted mix of trained models of streams: classes and names are united."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from kerneltron._types import Floats
from kerneltron.jobs.continuing import as_requested
from kerneltron.learning.stream_model import StreamModel
from kerneltron.stream.hashing import Hashing
from kerneltron.stream.names import NameIndex
from kerneltron.training.combining import check_alike, combine


def merge(
    models: Sequence[StreamModel],
    weights: Sequence[float] | None = None,
    base: StreamModel | None = None,
    squares: str = "averaged",
) -> StreamModel:
    """Return one model whose vectors are the weighted mean of all; without a base, so are its scores.

    A class that a model does not know has the score there with which it would begin if it came now: the mean
    of the others, which is 0 for two classes (see `models.late`). Two classes share a vector, so a model of
    two that meets a third class elsewhere has w and -w for its own. Classes are closed if those of all are.

    Parameters
    ----------
    models
        With the same hash settings, learner and parameters. The way of reading is that of the first.
    weights
        What each model counts, in proportion; by default the number of examples that it has learned from.
    base
        The model that all of them went on from, if they did: what it had learned counts once, and the average
        is over all vectors of all models.
    squares
        Whether what they keep for each weight since the base, such as AdaGrad's sums, is "averaged"
        by what each counts, or "added" up.

    Raises
    ------
    ValueError
        The models differ; the message says in what.
    """
    if not models:
        raise ValueError("there is nothing to merge: name at least one model.")
    for other in [*models[1:], *([base] if base else [])]:
        _check(models[0], other)
    if base is not None:
        _check_base(models, base)
    before = None if base is None else base.learner
    counted = shares(models, weights, base)
    of_kept = counted if base is not None and squares == "averaged" else None
    mixed = combine([model.learner for model in models], counted, before, of_kept)
    names = united(models[0].hashing, [model.names for model in models if model.names is not None])
    examples = sum(model.examples for model in models)
    if base is not None:
        examples -= (len(models) - 1) * base.examples
        names = _once(names, base.names, sum(model.names is not None for model in models))
    return StreamModel(mixed, models[0].hashing, models[0].format, names, examples)


def _check_base(models: Sequence[StreamModel], base: StreamModel) -> None:
    """Raise unless models can have gone on from a base: they have seen at least what it had."""
    for number, model in enumerate(models, 1):
        has_fewer = model.examples < base.examples
        lacks_names = (
            model.names is not None
            and base.names is not None
            and not np.isin(base.names.keys, model.names.keys).all()
        )
        if has_fewer or lacks_names:
            raise ValueError(f"model {number} did not go on from the base, which has seen what it has not.")


def _once(names: NameIndex | None, of_base: NameIndex | None, models: int) -> NameIndex | None:
    """Return names without the counts that models have from their base, but for the first of them."""
    if names is None or of_base is None:
        return names
    counts = names.counts.copy()
    counts[np.searchsorted(names.keys, of_base.keys)] -= (models - 1) * of_base.counts
    return NameIndex(names.hashing, names.keys, counts, names.texts)


def shares(
    models: Sequence[StreamModel], weights: Sequence[float] | None, base: StreamModel | None = None
) -> Floats:
    """Return what each model counts: numbers that sum to 1."""
    before = 0 if base is None else base.examples
    learned = [model.examples - before for model in models]
    given = np.array(learned if weights is None else weights, np.float64)
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
    settings = [as_requested(model.hashing, model.learner) for model in (first, other)]
    found = settings[0].differences(settings[1])
    if found:
        raise ValueError(f"models with different hash settings cannot be merged: {'; '.join(found)}.")
    check_alike(first.learner, other.learner)
    ways: list[dict[str, Any]] = [model.format.to_json() for model in (first, other)]
    if ways[0]["name"] == ways[1]["name"] and ways[0] != ways[1]:
        raise ValueError(
            f"models that read their columns differently cannot be merged: {ways[0]} and {ways[1]}. Train "
            "them with the same `roles` options."
        )


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
