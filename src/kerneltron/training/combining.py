"""The algebra of learners: what several have learned, together, and what one has learned since another."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from kerneltron._types import Floats, Integers
from kerneltron.learning.calibration import Calibration
from kerneltron.learning.calibration import joined as joined_calibration
from kerneltron.learning.learner import Learner
from kerneltron.learning.parameters import parameters_of
from kerneltron.models import merging
from kerneltron.models.deltas import Term
from kerneltron.models.model import Model
from kerneltron.models.rescaling import rescaled
from kerneltron.scaling.column_scaler import ColumnScaler, joined


class Difference(NamedTuple):
    """What a learner has counted since it was as another one is."""

    examples: int
    updates: Integers  # one number per column
    mistakes: Integers  # one number per pass; the first may be a part of one


def difference(learner: Learner, base: Learner) -> Difference:
    """Return what `learner`, which went on from `base`, has counted since."""
    if learner.known != base.known:
        raise ValueError("classes came since: their columns cannot be compared.")
    now, before = learner.model, base.model
    return Difference(
        now.ticks - before.ticks,
        now.weights.updates - before.weights.updates,
        _padded(learner.mistakes, base.mistakes, np.subtract),
    )


def combine(
    parts: Sequence[Learner], shares: Floats, base: Learner | None = None, kept_shares: Floats | None = None
) -> Learner:
    """Return a learner whose vectors are the weighted means of those of all; these are not changed.

    Parameters
    ----------
    parts
        Learners of one method, with the same parameters as far as these are in what was learned.
    shares
        What each counts; they sum to 1.
    base
        The learner that all of them went on from: its past counts once. None if each began on its own. A
        single part is then returned as it is.
    kept_shares
        What counts of that which rules keep for each weight, such as sums of squares, since the base; None:
        all of it, added up.
    """
    if base is not None and len(parts) == 1:
        return parts[0]
    for other in parts[1:]:
        check_alike(parts[0], other)
    target = parts[0].target.united([part.target for part in parts[1:]])
    columns = [target.origins(part.target) for part in parts]
    before = None
    if base is not None:
        check_alike(parts[0], base)
        before = base.model.copy()
        before.regroup(target.origins(base.target))
    mixed = parts[0].shell()
    models = [part.model for part in parts]
    if mixed.scaler is not None:
        mixed.scaler = joined([_scaler(part) for part in parts], None if base is None else _scaler(base))
        models = [_on(mixed.scaler, part, part.model) for part in parts]
        before = None if base is None or before is None else _on(mixed.scaler, base, before)
    mixed.model = merging.combine(models, columns, shares, before, kept_shares)
    mixed.target = target
    mixed.mistakes = _mistakes(parts, base)
    known = None if base is None else base.calibration
    mixed.calibration = joined_calibration([part.calibration for part in parts], known)
    mixed.validation_scores = mixed.best_pass = None  # of one training, not of several
    return mixed


def go_on(
    base: Learner, terms: Sequence[Term], mistakes: int, calibrations: Sequence[Calibration | None]
) -> Learner:
    """Return a learner that has gained what terms say together in one more pass; `base` is not changed.

    This is `combine` where the parts have stayed elsewhere, and only what they have gained is here.

    Parameters
    ----------
    base
        The learner that all of them went on from.
    terms
        What their models have gained.
    mistakes
        Those that all made in this pass.
    calibrations
        Theirs.
    """
    mixed = base.shell()
    mixed.model = merging.go_on(base.model, terms)
    mixed.mistakes = np.append(np.zeros(0, np.int64) if base.mistakes is None else base.mistakes, mistakes)
    mixed.calibration = joined_calibration(calibrations, base.calibration)
    return mixed


def _on(scaler: ColumnScaler, learner: Learner, model: Model) -> Model:
    """Return a model of a learner that says the same of rows on another scale."""
    return rescaled(model, _scaler(learner).centres_and_factors(), scaler.centres_and_factors())


def _scaler(learner: Learner) -> ColumnScaler:
    assert learner.scaler is not None
    return learner.scaler


def check_alike(first: Learner, other: Learner) -> None:
    """Raise unless what both have learned can be mixed."""
    if (first.scaler is None) != (other.scaler is None):
        raise ValueError("models cannot be merged if some were trained with `scale` and others without it.")
    scalers = [each for each in (first.scaler, other.scaler) if each is not None]
    if len({scaler.unit_rows for scaler in scalers}) > 1:
        raise ValueError("models cannot be merged if some were trained with `normalize` and others without.")
    if first.name != other.name:
        raise ValueError(f"models of different learners cannot be merged: {first.name} and {other.name}.")
    found = [
        f"{name}={a!r} and {name}={b!r}"
        for name, a, b in (
            (name, getattr(first.method, name), getattr(other.method, name))
            for name, about in parameters_of(first.method).items()
            if not (about.of_training or about.mixes or name == "kernel")
        )
        if a != b
    ]
    if found:
        raise ValueError(f"models with different parameters cannot be merged: {'; '.join(found)}.")


def _mistakes(parts: Sequence[Learner], base: Learner | None) -> Integers:
    """Return the mistakes of all, pass by pass."""
    total: Integers = np.zeros(0, np.int64)
    for i, part in enumerate(parts):
        total = _padded(total, part.mistakes, np.add)
        if i and base is not None:
            total = _padded(total, base.mistakes, np.subtract)
    return total


def _padded(mine: Any, other: Any, operation: Any) -> Integers:
    """Return what an operation makes of two lists of counts, of which the shorter one ends in zeros."""
    lists = [np.zeros(0, np.int64) if counts is None else counts for counts in (mine, other)]
    length = max(counts.size for counts in lists)
    return np.asarray(operation(*(np.pad(counts, (0, length - counts.size)) for counts in lists)))
