"""Weights for rows on another scale: what a model says of an example stays as it was.

A column that was scaled to (x - c) f and is scaled to (x - c') f' from now on has

    w f (x - c) = w' f' (x - c') + w f (c' - c)        with w' = w f / f'

so weights are multiplied by f / f', and the constant feature takes what is left over. That is linear in w,
and holds for averages too. What rules keep for each weight are sums of squares of what was learned from
(AdaGrad's gradients, AROW's precisions): these are multiplied by (f' / f)^2.
"""

import numpy as np

from kerneltron._types import Floats
from kerneltron.models.model import Model
from kerneltron.models.primal import Primal
from kerneltron.models.weights import measure

Scales = tuple[Floats, Floats]  # c and f of each column


def rescaled(model: Model, before: Scales, after: Scales) -> Model:
    """Return a model that says of rows scaled `after` what `model` says of rows scaled as `before`.

    Where the scales are the same it is the model itself; else it must have a weight for each column.
    """
    if all(np.array_equal(old, new) for old, new in zip(before, after, strict=True)):
        return model
    if not isinstance(model, Primal) or model.form != "primal" or not model.hypothesis.follows_weights:
        raise ValueError(
            "models that scale their columns differently can be merged only where each column has a weight: "
            "train them without a kernel, by `hypothesis='average'` or `hypothesis='last'`."
        )
    ratio, shift = before[1] / after[1], before[1] * (after[0] - before[0])
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
        other.weights.kept.reshape(-1, columns)[:-1] *= ratio[:, None] ** -2.0
    if other.weights.v.size:
        measure(other.weights)
    return other
