"""Weights for rows on another scale: what a model says of an example stays as it was.

A column that was scaled to (x - c) f and is scaled to (x - c') f' from now on has

    w f (x - c) = w' f' (x - c') + w f (c' - c)        with w' = w f / f'

so weights are multiplied by f / f', and the constant feature takes what is left over. That is linear in w,
and holds for averages too. What rules keep for each weight are sums of squares of what was learned from
(AdaGrad's gradients, AROW's precisions): what came to their first value is multiplied by (f' / f)^2. A column
that says nothing has the factor 0.
"""

from collections.abc import Sequence

import numpy as np

from kerneltron._types import Floats
from kerneltron.engine.declared import declared
from kerneltron.models.model import Model
from kerneltron.models.primal import Primal
from kerneltron.models.scaled import Scaled
from kerneltron.models.weights import measure
from kerneltron.scaling.column_scaler import ColumnScaler, joined

Scales = tuple[Floats, Floats]  # c and f of each column


def rescaled(model: Model, before: Scales, after: Scales) -> Model:
    """Return a model that says of rows scaled `after` what `model` says of rows scaled as `before`.

    Where the scales are the same it is the model itself; else it must have a weight for each column.
    """
    if all(np.array_equal(old, new) for old, new in zip(before, after, strict=True)):
        return model
    if not isinstance(model, Primal) or model.form == "mapped" or not model.hypothesis.follows_weights:
        raise ValueError(
            "models that scale their columns differently can be merged only where each column has a weight: "
            "train them without a kernel, by `hypothesis='average'` or `hypothesis='last'`."
        )
    ratio = np.divide(before[1], after[1], out=np.zeros_like(after[1]), where=after[1] > 0)
    shift = before[1] * (after[0] - before[0])
    if model.bias == 0.0 and shift.any():
        raise ValueError(
            "models without a constant feature, which centre their columns differently, cannot be merged: "
            "train them with `fit_intercept`."
        )
    other = model.copy()
    columns, bias = model.columns, model.bias or 1.0
    arrays = [other.weights.v, other.weights.u, other.weights.negative]
    if model._vectors is not None:
        other._vectors = model._vectors.copy()
        arrays.append(other._vectors.reshape(-1))
    for array in arrays:
        if array.size:
            w = array.reshape(-1, columns)
            w[-1] += (shift @ w[:-1].astype(np.float64)) / bias
            w[:-1] *= ratio[:, None]
    if other.weights.kept.size:
        _rescale_kept(other, ratio)
    if other.weights.v.size:
        measure(other.weights)
    return other


def _rescale_kept(model: Primal, ratio: Floats) -> None:
    """Bring what a rule keeps for each weight to another scale, but for what it begins with."""
    keeps = declared(model.rule).keeps(model.rule)
    assert keeps is not None
    changes = np.flatnonzero(ratio > 0)
    kept = model.weights.kept.reshape(-1, model.columns)
    kept[changes] = keeps.first + (kept[changes] - keeps.first) * ratio[changes, None] ** -2.0


def on_one_scale(
    models: Sequence[Scaled], base: Scaled | None = None
) -> tuple[Sequence[Scaled], Scaled | None]:
    """Return models that say the same, of which each is on the scale of the rows of all.

    The rows of a base, which all have gone on from, count once. What only predicts is for rows as they are,
    and needs no scale.
    """
    if any(model.only_predicts for model in models):
        return models, base
    for model in models:
        if not model.hypothesis.follows_weights:
            raise ValueError(
                f"hypothesis={model.hypothesis.name!r} keeps a vector for scales that are no more, so that "
                "models which scale their columns cannot be merged: train them by `hypothesis='average'` or "
                "`hypothesis='last'`."
            )
    scaler = joined([model.scaler for model in models], None if base is None else base.scaler)
    moved = [with_scaler(model, scaler) for model in models]
    return moved, None if base is None else with_scaler(base, scaler)


def with_scaler(model: Scaled, scaler: ColumnScaler) -> Scaled:
    """Return a model that says what another says, and scales rows so from now on."""
    found = rescaled(model, model.scaler.centres_and_factors(), scaler.centres_and_factors())
    assert isinstance(found, Scaled)
    other = found.with_weights(found.weights)
    other.scaler = scaler.copy()
    return other
