"""The weighted mix of models: vectors are mixed, clocks and AdaGrad's squares add up.

With shares a_i that sum to 1, w = sum_i a_i w_i and the average is sum_i a_i average_i, so scores are the
mix of scores. Winnow's weights are mixed in the same way and stay positive; a geometric mean would not mix
scores. Learning can go on: the scale is 1, the mass is the clock T, and u = T (w - average).
"""

from collections.abc import Iterator, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any

import numpy as np

from kerneltron._types import Floats, Weights
from kerneltron.engine.columns import UNKNOWN
from kerneltron.engine.multiplicative import WinnowRule
from kerneltron.models.hypotheses import Random
from kerneltron.models.late import Source, are_late, beginning, rearranged
from kerneltron.models.model import Model
from kerneltron.models.primal import Primal
from kerneltron.models.weights import BY_FEATURE, measure

if TYPE_CHECKING:
    from kerneltron.models.dual import Dual

PIECE = 2**16  # rows of weights that are mixed at a time, in double precision


def merge(models: Sequence[Model], sources: Sequence[list[Source]], shares: Floats) -> Model:
    """Return the mix of models that are alike but for what they have learned; these are not changed.

    If one of them only predicts, so does the mix. In dual form it remembers the examples of all.

    Parameters
    ----------
    models
        Of the same form, rule, hypothesis and so on: see `differences`.
    sources
        For each model, where the columns of the mix come from among its own. A class that it does not know
        has the score there with which it would begin if it came now: see `models.late`.
    shares
        What each model counts; they sum to 1.

    Examples
    --------
    >>> from kerneltron.engine.rules.perceptron import PerceptronRule
    >>> def model(weight):
    ...     made = Primal(PerceptronRule(1.0, 0.0), 1, 1, dtype="f8", bias=1.0, hypothesis="last")
    ...     made.weights.v[0] = weight
    ...     return made
    >>> one = [(0, 1.0)]
    >>> merge([model(4.0), model(8.0)], [one, one], np.array([0.75, 0.25])).scores(np.array([[1.0]]))
    array([[5.]])
    """
    _check(models, sources)
    if isinstance(models[0], Primal):
        return _merge_primal(models, sources, shares)  # type: ignore[arg-type]
    return _merge_dual(models, sources, shares)  # type: ignore[arg-type]


def differences(first: Model, other: Model) -> list[str]:
    """Say in words what keeps two models from being mixed."""
    return [
        f"{name} {a} and {b}"
        for name, a, b in (
            ("form", first.form, other.form),
            ("rule", first.rule, other.rule),
            ("hypothesis", first.kind, other.kind),
            ("constant feature", first.bias, other.bias),
            ("delta", first.delta, other.delta),
            ("kernel", _kernel(first), _kernel(other)),
            ("precision", first.dtype, other.dtype),
            ("number of columns", first.inputs, other.inputs),
        )
        if a != b
    ]


def _check(models: Sequence[Model], sources: Sequence[list[Source]]) -> None:
    for model, columns in zip(models, sources, strict=True):
        found = differences(models[0], model)
        if found:
            raise ValueError(f"models that differ cannot be merged: {'; '.join(found)}.")
        if model.kind == "vote":
            raise ValueError(
                "a vote of many vectors cannot be merged: train the models with hypothesis='average'."
            )
        if isinstance(model.rule, WinnowRule) and columns != [(c, 1.0) for c in range(model.columns)]:
            raise ValueError(
                "Winnow's weights for a class say nothing about those of another, so its models can be "
                "merged only if they know the same classes: announce all classes to each of them."
            )


def _kernel(model: Any) -> Any:
    """Return the kernel of a model and how wide its rows are, as far as it has one."""
    return model.map.source if model.form == "mapped" else getattr(model, "kernel", None)


def _merge_primal(models: Sequence[Primal], sources: Sequence[list[Source]], shares: Floats) -> Primal:
    merged = copy(models[0])
    merged.hypothesis = models[0].hypothesis.copy()
    merged._weights = _weights(models, sources, shares, [])
    _settle(merged, models, sources, shares, [])
    return merged


def _merge_dual(models: Sequence["Dual"], sources: Sequence[list[Source]], shares: Floats) -> "Dual":
    merged = models[0].copy()
    for model in models[1:]:
        merged.origins = np.append(merged.origins, merged.seen + model.origins)
        merged.seen += model.seen
        for pack in model.memory.packs:
            merged.memory.append(pack)
    counts = [model.count for model in models]
    merged._recall = merged._recall._replace(
        weights=_weights(models, sources, shares, counts),
        counts=np.array([sum(counts), 0]),
        constant=_constants(models, sources, shares),
    )
    merged._recall.weights.drift[:] = UNKNOWN  # the norm follows from the kernel
    _settle(merged, models, sources, shares, counts)
    return merged


def _constants(models: Sequence["Dual"], sources: Sequence[list[Source]], shares: Floats) -> Floats:
    """Return the mix of what late classes of models in dual form began with."""
    columns = len(sources[0])
    if any(model.only_predicts for model in models):
        return np.zeros((2, columns))
    mixed = _mixed(
        [_regrouped(model, own).constants for model, own in zip(models, sources, strict=True)], shares
    )
    return np.stack([mixed.v, mixed.u if mixed.u.size else np.zeros(columns)])


def _settle(
    merged: Model,
    models: Sequence[Model],
    sources: Sequence[list[Source]],
    shares: Floats,
    counts: Sequence[int],
) -> None:
    """Give a model the vectors that do not follow from its weights."""
    merged.only_predicts = any(model.only_predicts for model in models)
    merged._vectors = merged._offsets = None
    if merged.only_predicts or isinstance(merged.hypothesis, Random):
        merged._vectors = _vectors(models, sources, shares, counts)
        if merged.constants is not None:
            merged._offsets = _offsets(models, sources, shares)
    if isinstance(merged.hypothesis, Random):
        merged.hypothesis.drawn = merged._vectors
        merged.hypothesis.drawn_offsets = None if merged._offsets is None else merged._offsets[None]
        merged.hypothesis.seen = sum(model.hypothesis.seen for model in models)  # type: ignore[attr-defined]


def _vectors(
    models: Sequence[Model], sources: Sequence[list[Source]], shares: Floats, counts: Sequence[int]
) -> Floats:
    """Return the mix of what predicts; `counts` are the examples that each remembers, if they do."""
    total, first = np.zeros(0), 0
    for i, (model, columns, share) in enumerate(zip(models, sources, shares, strict=True)):
        own = model._coefficients() if counts else model.vectors()  # type: ignore[attr-defined]
        own = rearranged(own, columns, 0.0 if counts else _added_to_late(model))
        if not total.size:
            total = np.zeros((sum(counts) if counts else len(own), len(columns)))
        total[first : first + len(own)] += share * own
        first += counts[i] if counts else 0
    return total.astype(models[0].vectors().dtype)


def _offsets(models: Sequence[Any], sources: Sequence[list[Source]], shares: Floats) -> Floats:
    """Return the mix of what is added to all scores of models in dual form."""
    own = [
        share * rearranged(model.offsets()[None], columns, _added_to_late(model))[0]
        for model, columns, share in zip(models, sources, shares, strict=True)
    ]
    return np.asarray(np.sum(own, axis=0))


def _added_to_late(model: Model) -> float:
    """Return what the constant feature adds to the score of a class that a model does not know."""
    return model.hypothesis.added(beginning(model.rule, model.bias, model.ticks))


def _regrouped(model: Any, columns: list[Source]) -> Any:
    """Return a copy of a model with other columns."""
    regrouped = model.copy()
    regrouped.regroup(columns)
    return regrouped


def _weights(
    models: Sequence[Model], sources: Sequence[list[Source]], shares: Floats, counts: Sequence[int]
) -> Weights:
    """Return the mix of the weights; of models that only predict, clocks and numbers of updates."""
    if any(model.only_predicts for model in models):
        return _added([_counts(model, columns) for model, columns in zip(models, sources, strict=True)])
    weights = []
    for i, (model, columns) in enumerate(zip(models, sources, strict=True)):
        own = _regrouped(model, columns).weights
        weights.append(_placed(own, sum(counts[:i]), sum(counts)) if counts else own)
    return _mixed(weights, shares)


def _counts(model: Model, columns: list[Source]) -> Weights:
    """Return clocks and numbers of updates alone, in the columns of the mix."""
    old, weights, is_late = [column for column, _ in columns], model.weights, are_late(columns)
    clock, updates = (
        np.where(is_late, model.ticks, weights.clock[old]),
        np.where(is_late, 0, weights.updates[old]),
    )
    nothing = {name: getattr(weights, name)[:0] for name in BY_FEATURE}
    return weights._replace(**nothing, clock=clock, updates=updates)


def _placed(weights: Weights, first: int, count: int) -> Weights:
    """Return coefficients as those of examples `first` on among `count`."""
    columns = weights.scale.size
    arrays = {}
    for name in BY_FEATURE:
        array = getattr(weights, name)
        if array.size:
            arrays[name] = np.zeros(count * columns, array.dtype)
            arrays[name][first * columns : first * columns + array.size] = array
    if "v" not in arrays:  # it remembers nothing yet
        arrays = {"v": np.zeros(count * columns), "u": np.zeros(count * columns)}
    return weights._replace(**arrays)


def _added(weights: Sequence[Weights]) -> Weights:
    """Return weights whose clocks and numbers of updates are the sums, and whose scale is 1."""
    clock = np.sum([own.clock for own in weights], axis=0)
    updates = np.sum([own.updates for own in weights], axis=0)
    none = np.zeros(clock.size)
    return weights[0]._replace(
        scale=np.ones(clock.size),
        mass=clock.astype(np.float64),
        norm=none,
        drift=np.zeros_like(weights[0].drift),
        clock=clock,
        updates=updates,
    )


def _mixed(weights: Sequence[Weights], shares: Floats) -> Weights:
    """Return weights that stand for the mix of the vectors and of their averages."""
    merged = _added(weights)
    merged = merged._replace(**{name: np.empty_like(getattr(merged, name)) for name in BY_FEATURE})
    for part in _pieces(merged.v.size, merged.scale.size):
        _mix_piece(merged, weights, shares, part)
    measure(merged)
    return merged


def _mix_piece(merged: Weights, weights: Sequence[Weights], shares: Floats, part: slice) -> None:
    columns = merged.scale.size

    def piece(own: Weights, name: str) -> Any:
        array = getattr(own, name)
        return array[part].astype(np.float64).reshape(-1, columns) if array.size else 0.0

    def mix(of: Any) -> Any:
        return sum(share * of(own) for share, own in zip(shares, weights, strict=True))

    def average(own: Weights) -> Any:
        w = piece(own, "v") - piece(own, "negative")
        return (own.mass * w - piece(own, "u")) / np.maximum(own.clock, 1)

    merged.v[part] = mix(lambda own: own.scale * piece(own, "v")).reshape(-1)
    if merged.negative.size:
        merged.negative[part] = mix(lambda own: piece(own, "negative")).reshape(-1)
    if merged.squares.size:
        merged.squares[part] = sum(piece(own, "squares") for own in weights).reshape(-1)
    if merged.u.size:
        # From the weights as they were rounded: the average is then exact.
        now = piece(merged, "v") - piece(merged, "negative")
        merged.u[part] = (merged.mass * now - merged.clock * mix(average)).reshape(-1)


def _pieces(size: int, columns: int) -> Iterator[slice]:
    return (slice(first, first + PIECE * columns) for first in range(0, size, PIECE * columns))
