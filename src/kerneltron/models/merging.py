"""The weighted mix of models: vectors are mixed; clocks, and what rules keep for each weight, add up.

With shares a_i that sum to 1, w = sum_i a_i w_i. Each part is what it has gained since a *base*, see
`models.deltas`: the model that all went on from, whose past counts once, or weights that have seen nothing.
Models that were trained apart from the start have the average sum_i a_i average_i, so scores are the mix of
scores. Winnow's weights are mixed in the same way and stay positive; a geometric mean would not mix scores.
Learning can go on: the scale is 1, the mass is the clock T, and u = T (w - average).

`combine` mixes whole models, of both forms. A cluster moves the deltas of models in primal form, and `go_on`
is the part of `combine` that is left to be done.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from kerneltron._types import Floats, Integers, Weights
from kerneltron.engine.columns import UNKNOWN
from kerneltron.engine.declared import declared
from kerneltron.maps.approximation import ApproximateMap
from kerneltron.models.deltas import Delta, Term, difference, mixed, sums_anew
from kerneltron.models.late import ColumnOrigin, are_late, beginning, rearranged
from kerneltron.models.model import Model
from kerneltron.models.primal import Primal
from kerneltron.models.rescaling import on_one_scale
from kerneltron.models.weights import BY_FEATURE, unmoved

if TYPE_CHECKING:
    from kerneltron.models.dual_form import DualForm


COUNTS = ("clock", "updates")


def combine(
    models: Sequence[Model],
    column_origins: Sequence[list[ColumnOrigin]],
    shares: Floats,
    base: Model | None = None,
    kept_shares: Floats | None = None,
) -> Model:
    """Return the mix of models that are alike but for what they have learned; these are not changed.

    If one of them only predicts, so does the mix. In dual form it remembers the examples of all.

    Parameters
    ----------
    models
        Of the same form, rule, hypothesis and so on: see `differences`.
    column_origins
        For each model, where the columns of the mix come from among its own. A class that it does not know
        has the score there with which it would begin if it came now: see `models.late`.
    shares
        What each model counts; they sum to 1.
    base
        The model that all of them went on from, with the columns of the mix; None if each began on its own.
    kept_shares
        What counts of that which rules keep for each weight, since the base; None: all of it, added up.

    Examples
    --------
    >>> from kerneltron.engine.rules.perceptron import PerceptronRule
    >>> def model(weight):
    ...     made = Primal(PerceptronRule(1.0, 0.0), 1, 1, dtype="f8", bias=1.0, hypothesis="last")
    ...     made.weights.v[0] = weight
    ...     return made
    >>> one = [(0, 1.0)]
    >>> combine([model(4.0), model(8.0)], [one, one], np.array([0.75, 0.25])).scores(np.array([[1.0]]))
    array([[5.]])
    """
    _check(models if base is None else [*models, base], column_origins)
    if base is not None and base.only_predicts:
        base.check_learning()
    if base is None:
        models = [_by_mean(model) for model in models]
    if isinstance(models[0], Primal):
        return _combine_primal(models, column_origins, shares, base, kept_shares)  # type: ignore[arg-type]
    return _combine_dual(models, column_origins, shares, base)  # type: ignore[arg-type]


def delta(model: Model, base: Model) -> Delta:
    """Return what a model in primal form has gained since it was as `base`, of the same columns, is."""
    return difference(model.weights, base.weights, model.rule)


def to_go_on_from(model: Model, own: bool = False) -> Model:
    """Return a model in primal form that learns as another does, whose averages begin now.

    It shares the weights with the other, unless they are its `own` and may be changed.
    """
    assert isinstance(model, Primal)
    return model.with_weights(sums_anew(model.weights, own))


def go_on(base: Model, terms: Sequence[Term]) -> Model:
    """Return a model in primal form that has gained what terms say together; `base` is not changed."""
    assert isinstance(base, Primal)
    return _mix_of(base, mixed(base.weights, terms))


def _mix_of(model: Primal, weights: Weights) -> Primal:
    """Return a model of its kind whose weights are a mix."""
    merged = model.with_weights(weights)
    merged.hypothesis.begin_mix()
    return merged


def differences(first: Model, other: Model) -> list[str]:
    """Say in words what keeps two models from being mixed."""
    return [
        f"{name} {a} and {b}"
        for name, a, b in (
            ("form", first.form, other.form),
            ("rule", first.rule, other.rule),
            ("hypothesis", first.hypothesis.name, other.hypothesis.name),
            ("constant feature", first.bias, other.bias),
            ("delta", first.delta, other.delta),
            ("kernel", first.learned_kernel, other.learned_kernel),
            ("map", _approximate(first), _approximate(other)),
            ("precision", first.dtype, other.dtype),
            ("number of columns", first.inputs, other.inputs),
        )
        if a != b
    ]


def _by_mean(model: Model) -> Model:
    """Return a model that says the same by the mean of its vectors: scores of the mix are mixed scores."""
    if model.only_predicts or not model.hypothesis.is_last:
        return model
    other = model.copy()
    other.restart_average()
    return other


def _approximate(model: Model) -> ApproximateMap | None:
    """Return the map of a model where more than its kernel belongs to it: what was drawn, or chosen."""
    return model.map if isinstance(model.map, ApproximateMap) else None


def _check(models: Sequence[Model], column_origins: Sequence[list[ColumnOrigin]]) -> None:
    for model in models:
        found = differences(models[0], model)
        if found:
            raise ValueError(f"models that differ cannot be merged: {'; '.join(found)}.")
    for model, columns in zip(models, column_origins, strict=False):
        if model.refuses_mixing:
            raise ValueError(model.refuses_mixing)
        if model.hypothesis.keeps_moves:
            raise ValueError(
                f"a {model.hypothesis.name} of many vectors cannot be merged: train the models with "
                "hypothesis='average'."
            )
        if declared(model.rule).is_multiplicative and not _are_own(columns, model):
            raise ValueError(
                "Winnow's weights for a class say nothing about those of another, so its models can be "
                "merged only if they know the same classes: announce all classes to each of them."
            )


def _combine_primal(
    models: Sequence[Primal],
    column_origins: Sequence[list[ColumnOrigin]],
    shares: Floats,
    base: Primal | None,
    kept_shares: Floats | None,
) -> Primal:
    if models[0].form == "scaled":
        models, base = on_one_scale(models, base)  # type: ignore[arg-type]
    merged = _mix_of(models[0], _weights(models, column_origins, shares, base, kept_shares=kept_shares))
    _settle(merged, models, column_origins, shares, base)
    return merged


def _combine_dual(
    models: Sequence["DualForm"],
    column_origins: Sequence[list[ColumnOrigin]],
    shares: Floats,
    base: "DualForm | None",
) -> "DualForm":
    merged = models[0].copy()
    places = merged.remembered.unite(
        [model.remembered for model in models[1:]], None if base is None else base.remembered
    )
    merged.learned.restore(
        _weights(models, column_origins, shares, base, places),
        _constants(models, column_origins, shares, base),
    )
    merged.weights.drift[:] = UNKNOWN  # the norm follows from the kernel
    _settle(merged, models, column_origins, shares, base, places)
    return merged


def _constants(
    models: Sequence["DualForm"],
    column_origins: Sequence[list[ColumnOrigin]],
    shares: Floats,
    base: "DualForm | None",
) -> Floats:
    """Return the mix of what late classes of models in dual form began with."""
    columns = len(column_origins[0])
    if any(model.only_predicts for model in models):
        return np.zeros((2, columns))
    own = [_regrouped(model, own).constants for model, own in zip(models, column_origins, strict=True)]
    mixed = _mixed(own, shares, models[0].rule, None if base is None else base.constants)
    return np.stack([mixed.v, mixed.u if mixed.u.size else np.zeros(columns)])


def _settle(
    merged: Model,
    models: Sequence[Model],
    column_origins: Sequence[list[ColumnOrigin]],
    shares: Floats,
    base: Model | None,
    places: Sequence[Integers] = (),
) -> None:
    """Give a model the vectors that do not follow from its weights."""
    merged.only_predicts = any(model.only_predicts for model in models)
    merged.forget_vectors()
    if merged.only_predicts or not merged.hypothesis.follows_weights:
        vectors = _vectors(models, column_origins, shares, places)
        offsets = None if merged.constants is None else _offsets(models, column_origins, shares)
        merged.predict_by(vectors, offsets)
        parts = [model.hypothesis for model in models]
        merged.hypothesis.become_mix(parts, None if base is None else base.hypothesis, vectors, offsets)


def _vectors(
    models: Sequence[Model],
    column_origins: Sequence[list[ColumnOrigin]],
    shares: Floats,
    places: Sequence[Integers],
) -> Floats:
    """Return the mix of what predicts; `places` are the slots of the examples that each remembers, if any."""
    total = np.zeros(0)
    for i, (model, columns, share) in enumerate(zip(models, column_origins, shares, strict=True)):
        own = model.all_coefficients() if places else model.vectors()  # type: ignore[attr-defined]
        own = rearranged(own, columns, 0.0 if places else _added_to_late(model))
        if not total.size:
            total = np.zeros((_slots(places) if places else len(own), len(columns)))
        total[places[i] if places else slice(None)] += share * own
    return total.astype(models[0].vectors().dtype)


def _slots(places: Sequence[Integers]) -> int:
    return 1 + max(int(own.max(initial=-1)) for own in places)


def _offsets(models: Sequence[Any], column_origins: Sequence[list[ColumnOrigin]], shares: Floats) -> Floats:
    """Return the mix of what is added to all scores of models in dual form."""
    own = [
        share * rearranged(model.offsets()[None], columns, _added_to_late(model))[0]
        for model, columns, share in zip(models, column_origins, shares, strict=True)
    ]
    return np.asarray(np.sum(own, axis=0))


def _added_to_late(model: Model) -> float:
    """Return what the constant feature adds to the score of a class that a model does not know."""
    return model.hypothesis.added(beginning(model.rule, model.bias, model.ticks))


def _regrouped(model: Any, columns: list[ColumnOrigin]) -> Any:
    """Return a model with other columns; the model itself, not to be changed, if they are its own."""
    if _are_own(columns, model):
        return model
    regrouped = model.copy()
    regrouped.regroup(columns)
    return regrouped


def _are_own(columns: list[ColumnOrigin], model: Model) -> bool:
    """Return whether columns are those of a model, in their order."""
    return columns == [(c, 1.0) for c in range(model.columns)]


def _weights(
    models: Sequence[Model],
    column_origins: Sequence[list[ColumnOrigin]],
    shares: Floats,
    base: Model | None,
    places: Sequence[Integers] = (),
    kept_shares: Floats | None = None,
) -> Weights:
    """Return the mix of the weights; of models that only predict, clocks and numbers of updates."""
    pairs = list(zip(models, column_origins, strict=True))
    before = None if base is None else base.weights
    if any(model.only_predicts for model in models):
        return _added([_counts(model, columns) for model, columns in pairs], before)
    weights = [_regrouped(model, columns).weights for model, columns in pairs]
    if places:
        weights = [_placed(own, where, places) for own, where in zip(weights, places, strict=True)]
        if before is not None:
            before = _placed(before, np.arange(before.v.size // before.scale.size), places)
    return _mixed(weights, shares, models[0].rule, before, kept_shares)


def _counts(model: Model, columns: list[ColumnOrigin]) -> Weights:
    """Return clocks and numbers of updates alone, in the columns of the mix."""
    old, weights, is_late = [column for column, _ in columns], model.weights, are_late(columns)
    clock, updates = (
        np.where(is_late, model.ticks, weights.clock[old]),
        np.where(is_late, 0, weights.updates[old]),
    )
    nothing = {name: getattr(weights, name)[:0] for name in BY_FEATURE}
    return weights._replace(**nothing, clock=clock, updates=updates)


def _placed(weights: Weights, where: Integers, places: Sequence[Integers]) -> Weights:
    """Return coefficients as those of the slots `where`, among all slots that `places` name."""
    columns, count = weights.scale.size, _slots(places)
    arrays = {}
    for name in BY_FEATURE:
        array = getattr(weights, name)
        if array.size:
            arrays[name] = np.zeros((count, columns), array.dtype)
            arrays[name][where] = array.reshape(-1, columns)
    if "v" not in arrays:  # it remembers nothing yet
        arrays = {"v": np.zeros(count * columns), "u": np.zeros(count * columns)}
    return weights._replace(**{name: array.reshape(-1) for name, array in arrays.items()})


def _added(weights: Sequence[Weights], base: Weights | None = None) -> Weights:
    """Return weights with the clocks and numbers of updates of all, and a scale of 1.

    What `base` has counted, if all went on from it, counts once.
    """
    clock, updates = (np.sum([own[name] for own in map(Weights._asdict, weights)], axis=0) for name in COUNTS)
    if base is not None:
        clock -= (len(weights) - 1) * base.clock
        updates -= (len(weights) - 1) * base.updates
    none = np.zeros(clock.size)
    return weights[0]._replace(
        scale=np.ones(clock.size),
        mass=clock.astype(np.float64),
        norm=none,
        drift=np.zeros_like(weights[0].drift),
        clock=clock,
        updates=updates,
    )


def _mixed(
    weights: Sequence[Weights],
    shares: Floats,
    rule: Any,
    base: Weights | None,
    kept_shares: Floats | None = None,
) -> Weights:
    """Return weights that stand for the mix of the vectors and of their averages."""
    of_kept = np.ones(len(weights)) if kept_shares is None else kept_shares
    if base is not None:
        base = _like(base, weights[0])
        terms = [
            Term(difference(own, base, rule), share, kept)
            for own, share, kept in zip(weights, shares, of_kept, strict=True)
        ]
        return mixed(base, terms)
    examples = np.sum([own.clock for own in weights], axis=0)  # averages are mixed by the shares
    base = unmoved(weights[0], rule)
    return mixed(
        base,
        [
            Term(difference(own, base, rule, exact=True), share, kept, share * examples)
            for own, share, kept in zip(weights, shares, of_kept, strict=True)
        ],
    )


def _like(base: Weights, other: Weights) -> Weights:
    """Return a base with the arrays that others have: one that remembers no example yet has none."""
    arrays = {name: getattr(other, name) for name in BY_FEATURE}
    return base._replace(
        **{
            name: np.zeros_like(array)
            for name, array in arrays.items()
            if array.size != getattr(base, name).size
        }
    )
