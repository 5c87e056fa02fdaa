"""Primal weights: how they begin, what vectors they stand for, how their columns are rearranged."""

from typing import Any

import numpy as np

from kerneltron._types import Floats, Integers, Weights
from kerneltron.engine.declared import declared
from kerneltron.models import late, positive
from kerneltron.models.late import LATE, ColumnOrigin, Start

BY_FEATURE = ("v", "u", "negative", "kept")  # the arrays with one entry per feature and class
SCALARS = ("scale", "mass", "norm", "clock", "updates")  # those with one entry per class
BLOCK = 512  # rows converted to double precision at a time


def blank(rule: Any, features: int, columns: int, dtype: Any, averaging: bool) -> Weights:
    """Return the weights that `rule` begins with."""
    size = features * columns
    v = np.zeros(size, dtype)
    about = declared(rule)
    keeps = about.keeps(rule)
    first = Weights(
        v=v,
        u=np.zeros(size if averaging else 0),
        negative=np.zeros(0, dtype),
        kept=np.zeros(0) if keeps is None else np.full(size, keeps.first),
        scale=np.ones(columns),
        mass=np.zeros(columns),
        norm=np.zeros(columns),
        drift=np.zeros(columns if about.reads_norm else 0),
        clock=np.zeros(columns, np.int64),
        updates=np.zeros(columns, np.int64),
    )
    return positive.begun(rule, first) if about.is_multiplicative else first


def copy(weights: Weights) -> Weights:
    """Return a deep copy."""
    return Weights._make(array.copy() for array in weights)


def unmoved(weights: Weights, rule: Any) -> Weights:
    """Return weights of the same shape that are 0 and have seen nothing."""
    blanks = {name: np.zeros_like(array) for name, array in weights._asdict().items()}
    keeps = declared(rule).keeps(rule)
    if keeps is not None:
        blanks["kept"][:] = keeps.first
    return Weights(**{**blanks, "scale": np.ones_like(weights.scale)})


def current(weights: Weights) -> Floats:
    """Return the vectors w_c as they are now, in the columns of a matrix whose last row is the constant."""
    w = weights.v.reshape(-1, weights.scale.size) * weights.scale.astype(weights.v.dtype)
    if weights.negative.size:
        w -= weights.negative.reshape(w.shape)
    return w


def average(weights: Weights) -> Floats:
    """Return the mean of all vectors that the w_c have been after each example, laid out as in `current`."""
    columns = weights.scale.size
    mean = np.empty((weights.v.size // columns, columns), weights.v.dtype)
    v, u = weights.v.reshape(mean.shape), weights.u.reshape(mean.shape)
    negative = weights.negative.reshape(-1, columns)
    ticks = np.maximum(weights.clock, 1)
    # In pieces: no temporary may be as large as the weights.
    for start in range(0, len(mean), BLOCK):
        part = slice(start, start + BLOCK)
        w = v[part].astype(np.float64)
        if weights.negative.size:
            w -= negative[part]
        mean[part] = (weights.mass * w - u[part]) / ticks
    return mean


def settle(weights: Weights) -> None:
    """Let the vectors have been all along what they are now: what comes from here on adds to their mean."""
    columns = weights.scale.size
    v, u = weights.v.reshape(-1, columns), weights.u.reshape(-1, columns)
    # A v - u, the sum of all vectors, is then as many times scale v as there were examples.
    np.multiply(v, weights.mass - weights.clock * weights.scale, out=u)


def measure(weights: Weights) -> None:
    """Recompute ||w_c||^2, which the loops follow from update to update, with rounding."""
    columns = weights.scale.size
    v = weights.v.reshape(-1, columns)
    weights.norm[:] = 0.0
    for start in range(0, len(v), BLOCK):
        weights.norm[:] += np.square(v[start : start + BLOCK], dtype=np.float64).sum(axis=0)
    weights.norm[:] *= weights.scale**2
    weights.drift[:] = 0.0


def regroup(weights: Weights, rule: Any, column_origins: list[ColumnOrigin], begins: Start) -> Weights:
    """Return weights whose column k comes from `column_origins[k]`: an old one times its sign, or a late one.

    `begins` is for a late class, whose last weight is that of the constant feature: see `models.late`.
    """
    known = {
        origin: _column(weights, rule, origin, len(column_origins))
        for origin in column_origins
        if origin != LATE
    }
    if LATE in column_origins:
        known[LATE] = late.column(rule, list(known.values()), begins)
    parts = [known[origin] for origin in column_origins]
    matrices = {name: np.stack([getattr(p, name) for p in parts], axis=-1) for name in Weights._fields}
    return Weights(**{name: np.ascontiguousarray(m).reshape(-1) for name, m in matrices.items()})


def widened(weights: Weights, rule: Any, features: int) -> Weights:
    """Return weights with this many further features, of weight 0, before the constant one."""
    columns, keeps = weights.scale.size, declared(rule).keeps(rule)
    first = {"kept": keeps.first} if keeps is not None else {}
    arrays = {}
    for name in BY_FEATURE:
        array = getattr(weights, name)
        if array.size:
            new = np.full(features * columns, first.get(name, 0.0), array.dtype)
            arrays[name] = np.concatenate([array[:-columns], new, array[-columns:]])
    return weights._replace(**arrays)


def narrowed(weights: Weights, width: int) -> Weights:
    """Return the weights of the first `width` features and the constant one; the norm stays as it was."""
    columns = weights.scale.size
    arrays = {name: getattr(weights, name) for name in BY_FEATURE}
    kept = {
        name: np.concatenate([array[: width * columns], array[-columns:]])
        for name, array in arrays.items()
        if array.size
    }
    return weights._replace(**kept)


def at(weights: Weights, features: Integers) -> Weights:
    """Return the weights of some features and of the constant one; the norm stays as it was."""
    columns = weights.scale.size
    arrays = {name: getattr(weights, name).reshape(-1, columns) for name in BY_FEATURE}
    places = np.append(features, weights.v.size // columns - 1)
    some = {name: array[places].reshape(-1) for name, array in arrays.items() if array.size}
    return weights._replace(**some)


def _column(weights: Weights, rule: Any, origin: ColumnOrigin, columns: int) -> Weights:
    """Return one of the columns, or its opposite, of which `columns` there will be."""
    c, sign = origin
    arrays = {name: getattr(weights, name)[c :: weights.scale.size] for name in BY_FEATURE}
    scalars = {name: getattr(weights, name)[c] for name in SCALARS}
    one = Weights(**arrays, **scalars, drift=weights.drift[c :: weights.scale.size])
    if sign > 0:
        return one
    if declared(rule).is_multiplicative:
        fresh = blank(rule, one.v.size, 1, one.v.dtype, one.u.size > 0)
        return positive.opposite(one, columns, fresh._replace(**{n: getattr(fresh, n)[0] for n in SCALARS}))
    return one._replace(v=-one.v, u=-one.u)
