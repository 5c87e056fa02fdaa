"""Weights: all of them to go on learning, or the vectors that predict and the clocks."""

from typing import Any

import numpy as np

from kerneltron._types import Weights
from kerneltron.engine.columns import UNKNOWN
from kerneltron.engine.declared import declared
from kerneltron.files.contents import Contents, ModelFileError
from kerneltron.models.weights import BY_FEATURE, blank

COUNTS = ("clock", "updates")
LATEST = 2**62  # tick of a clock: there must be more to come


def state(weights: Weights, rule: Any) -> Contents:
    """Return the contents of weights; arrays that are not kept are left out.

    What the rule keeps for each weight stands under the name that the rule has for it.
    """
    names = _names(rule)
    return Contents({}, {names[key]: array for key, array in weights._asdict().items() if array.size})


def restore(contents: Contents, rule: Any, columns: int, averaging: bool) -> Weights:
    """Return the weights; raise unless they are like those that `rule` begins with, in types and shapes."""
    size = contents.array("v", (np.float32, np.float64), (None,)) if "v" in contents.tensors else np.empty(0)
    if size.size % columns:
        raise ModelFileError(f"{size.size} weights do not make {columns} vectors")
    first = blank(rule, size.size // columns, columns, size.dtype, averaging)
    names = _names(rule)
    arrays = {key: _array(contents, key, names[key], array) for key, array in first._asdict().items()}
    weights = Weights(**arrays)
    if not (weights.scale > 0).all():
        raise ModelFileError("a scale is not positive")
    _check_counts(weights)
    return weights


def _names(rule: Any) -> dict[str, str]:
    """Return the names of the tensors by those of the arrays."""
    keeps = declared(rule).keeps(rule)
    names = {name: name for name in Weights._fields}
    return names if keeps is None else {**names, "kept": keeps.name}


def _array(contents: Contents, key: str, name: str, expected: Any) -> Any:
    if not expected.size:
        return expected
    if key == "kept":  # AdaGrad's are of single precision in older files
        return contents.array(name, (np.float32, np.float64), expected.shape).astype(np.float64, copy=False)
    if name == "drift" and name not in contents.tensors:  # as in older files
        return np.full(expected.shape, UNKNOWN)  # the norm is computed anew before it is read
    return contents.array(name, expected.dtype, expected.shape)


def counts(weights: Weights) -> Contents:
    """Return the contents of weights of which only the clocks and the numbers of updates are kept."""
    return Contents({}, {name: getattr(weights, name) for name in COUNTS})


def restore_counts(contents: Contents, columns: int, dtype: Any) -> Weights:
    """Return weights for no feature, which know how much they have seen and in which precision they were."""
    kept = {name: contents.array(name, np.int64, (columns,)) for name in COUNTS}
    none = dict.fromkeys(BY_FEATURE, np.empty(0, dtype))
    zeros = np.zeros(columns)
    ones, nothing = np.ones(columns), np.empty(0)
    weights = Weights(**none, **kept, scale=ones, mass=zeros, norm=zeros.copy(), drift=nothing)
    _check_counts(weights)
    return weights


def _check_counts(weights: Weights) -> None:
    for array in (weights.clock, weights.updates):
        if (array < 0).any() or (array > LATEST).any():
            raise ModelFileError("a clock is negative, or has no room to go on")
