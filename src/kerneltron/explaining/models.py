"""The mathematics of explanations: the largest weights, and a score as a sum of contributions.

A score is sum_j x_j w_j over features or, in dual form, sum_s alpha_s (k(x_s, x) + b^2) over remembered
examples; b is the constant feature, to which what a late class began with is counted.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kerneltron._types import Floats, Integers
from kerneltron._validate import is_sparse
from kerneltron.engine.declared import declared
from kerneltron.explaining.explanations import Comparison, Contribution, Explanation, Feature, Support
from kerneltron.models.model import Model
from kerneltron.models.primal import Primal

if TYPE_CHECKING:
    from kerneltron.models.dual_form import DualForm

CONSTANT = "constant"  # what the constant feature is called in a row
COMMON = 3  # features that a comparison names
MERGED, SKETCH = "merged", "sketch"  # what stands in place of the number of an example
Naming = Callable[[int], str]


class Side(NamedTuple):
    """The vector that speaks for a class: a column, and the sign with which it does."""

    column: int
    sign: float
    label: Any


def sides(classes: Sequence[Any]) -> list[Side]:
    """Return the side of each class; two share a column, and so does a first one alone.

    Examples
    --------
    >>> sides(["ham", "spam"])
    [Side(column=0, sign=-1.0, label='ham'), Side(column=0, sign=1.0, label='spam')]
    """
    if len(classes) > 2:
        return [Side(column, 1.0, label) for column, label in enumerate(classes)]
    return [Side(0, 1.0 if code == 1 else -1.0, label) for code, label in enumerate(classes)]


def side_of(classes: Sequence[Any], label: Any) -> Side:
    """Return the side of one class; raise a ValueError if it is not known."""
    for side in sides(classes):
        if side.label == label:
            return side
    raise ValueError(f"there is no class {label!r}: choose one of {', '.join(map(str, classes))}.")


def sides_shown(classes: Sequence[Any], label: Any) -> list[Side]:
    """Return the sides whose weights are to be listed: that of one class or, for None, one per column."""
    if label is not None:
        return [side_of(classes, label)]
    return sides(classes) if len(classes) > 2 else sides(classes)[-1:]


def with_weights(model: Model) -> Model:
    """Return the model; raise a ValueError if no single vector predicts."""
    if model.hypothesis.keeps_moves:
        raise ValueError(
            f"a {model.hypothesis.name} of many vectors has no single one, so nothing has a weight to "
            "explain: train with hypothesis='average'."
        )
    return model


def start_of(model: Model) -> float:
    """Return the weight that features begin with: 0, but 1 for Winnow unless it is balanced."""
    return 1.0 if declared(model.rule).is_multiplicative and not model.rule.balanced else 0.0


def strongest(strength: Floats, top: int) -> Iterator[tuple[int, int]]:
    """Yield the places (row, column) of the `top` largest entries, the largest first, without those of 0.

    In linear time: a matrix may have 2^24 rows.
    """
    flat = strength.reshape(-1)
    places = np.flatnonzero(flat)
    if top < places.size:  # values are parted 10 times as fast as their places
        least = np.partition(flat[places], places.size - top)[places.size - top]
        places = np.flatnonzero(flat >= least)
    for place in places[np.argsort(-flat[places], kind="stable")][:top].tolist():
        yield divmod(place, strength.shape[1])


def weights_shown(model: Model, shown: Sequence[Side]) -> Floats:
    """Return what predicts: one column per side that is shown, one row per feature, the constant one last."""
    vectors = model.vectors()
    columns, signs = [side.column for side in shown], [side.sign for side in shown]
    if columns == list(range(vectors.shape[1])) and min(signs) > 0:
        return vectors
    return vectors[:, columns] * np.array(signs, vectors.dtype)


def constants_of(model: Model, weights: Floats, shown: Sequence[Side]) -> dict[Any, float]:
    """Return the weight of the constant feature for each class that is shown."""
    if not model.bias:
        return {}
    return {side.label: float(weights[-1, k]) for k, side in enumerate(shown)}


def reading_signs(classes: Sequence[Any], shown: Sequence[Side]) -> tuple[str, ...]:
    """Say what signs mean where two classes share a column."""
    if len(classes) != 2:
        return ()
    label = shown[0].label
    other = next(name for name in classes if name != label)
    return (f"Above 0 speaks for {label}, below 0 for {other}.",)


def explain_weights(
    model: Primal,
    classes: Sequence[Any],
    naming: Naming,
    top: int,
    label: Any = None,
    has_name: Callable[[int], bool] | None = None,
) -> Explanation:
    """List the strongest weights of features; `has_name` tells which have a name, None that none has."""
    shown = sides_shown(classes, label)
    weights = weights_shown(with_weights(model), shown)
    strength = np.abs(weights[:-1] - start_of(model) * np.array([side.sign for side in shown], weights.dtype))
    rows = [
        Feature(naming(feature), float(weights[feature, k]), shown[k].label)
        for feature, k in strongest(strength, top)
    ]
    covered = None if has_name is None else coverage(strength, has_name)
    return Explanation(rows, covered, constants_of(model, weights, shown), reading_signs(classes, shown))


def coverage(strength: Floats, has_name: Callable[[int], bool]) -> float:
    """Return which part of the strength of all features, one row each, belongs to those that have a name."""
    by_feature = strength.sum(axis=1, dtype=np.float64)
    total = float(by_feature.sum())
    places = np.flatnonzero(by_feature)
    named = np.fromiter(map(has_name, places.tolist()), np.bool_, places.size)
    return float(by_feature[places[named]].sum()) / total if total else 1.0


def explain_support(model: "DualForm", classes: Sequence[Any], top: int, label: Any = None) -> Explanation:
    """List the remembered examples with the largest coefficients."""
    shown = sides_shown(classes, label)
    slots, coefficients = with_weights(model).support()  # type: ignore[attr-defined]
    mine = coefficients[:, [side.column for side in shown]] * np.array([side.sign for side in shown])
    rows = [
        Support(_named(model, slots[place]), float(mine[place, k]), shown[k].label)
        for place, k in strongest(np.abs(mine), top)
    ]
    remarks = ["Examples are numbered from 0, as they came."]
    if any(row.example == MERGED for row in rows):
        remarks.append("Merged ones are made of several: see support_vectors_.")
    if model.features:
        remarks.append(f"What was dropped lives on in {model.features:,} random features.")
    return Explanation(rows, None, {}, (*reading_signs(classes, shown), *remarks))


def _named(model: "DualForm", slot: Any) -> int | str:
    """Return the number of a remembered example, or that it was made of several."""
    from kerneltron.models.support_set import NO_ORIGIN

    origin = int(model.remembered.origins[slot])
    return MERGED if origin == NO_ORIGIN else origin


def contributions(model: Primal, x: Any, side: Side, naming: Naming) -> list[Contribution]:
    """Return what each feature of the one row x adds to the score of a class, the constant one too."""
    row = model._mapped(model.read(x)) if model.form == "mapped" else x  # type: ignore[attr-defined]
    places, values = _entries(row)
    vector = side.sign * with_weights(model).vectors()[:, side.column].astype(np.float64)
    rows = [
        Contribution(naming(place), value, weight := float(vector[place]), value * weight)
        for place, value in zip(places.tolist(), values.tolist(), strict=True)
    ]
    return [*rows, *constant_row(model, float(vector[-1]))]


def constant_row(model: Model, weight: float) -> list[Contribution]:
    """Return the row of the constant feature, if there is one."""
    return [Contribution(CONSTANT, float(model.bias), weight, model.bias * weight)] if model.bias else []


def comparisons(model: "DualForm", x: Any, side: Side, naming: Naming, top: int | None) -> list[Comparison]:
    """Return what each remembered example adds to the score of a class; the first `top` name features."""
    slots, coefficients = with_weights(model).support()  # type: ignore[attr-defined]
    alpha = side.sign * coefficients[:, side.column]
    pack, kernel = model.read(x), np.zeros(slots.size)
    for part, support in model.remembered.pieces(slots, 1024):
        kernel[part] = model.values.block(pack, support)[0]
    rows = [
        Comparison(_named(model, slot), float(a), float(k), float(a * k))
        for slot, a, k in zip(slots.tolist(), alpha, kernel, strict=True)
    ]
    largest = np.argsort(-np.abs(alpha * kernel), kind="stable")[:top]
    for place in largest.tolist():
        rows[place] = rows[place]._replace(common=_common(model, int(slots[place]), x, naming))
    if model.features:
        lives_on = side.sign * float(model.beside(pack)[0, side.column])
        rows.append(Comparison(SKETCH, 1.0, lives_on, lives_on))
    if model.bias:
        offset, constant = side.sign * float(model.offsets()[side.column]), float(model.bias**2)
        total = float(alpha.sum()) + offset / constant
        rows.append(Comparison(None, total, constant, constant * total))
    return rows


def largest_first(rows: Sequence[Any], top: int | None) -> tuple[list[Any], float, int]:
    """Return the rows with the largest contributions, the sum of the others, and how many these are."""
    ordered = sorted(rows, key=lambda row: -abs(row.contribution))
    shown = ordered if top is None else ordered[:top]
    hidden = ordered[len(shown) :]
    return shown, float(sum(row.contribution for row in hidden)), len(hidden)


def named_features(phi: Any, naming: Naming) -> Naming:
    """Return how the features of an explicit map are called, if its inputs are called so."""
    features: list[Any] = []

    def name(place: int) -> str:
        if not features:
            features.extend(phi.features())
        return _spelled(features[place], naming)

    return name


def inputs_of(feature: Any) -> list[int]:
    """Return the inputs that a feature of an explicit map is made of.

    Examples
    --------
    >>> inputs_of((0, 0, 3)), inputs_of(((2, True), (5, False)))
    ([0, 0, 3], [2, 5])
    """
    if isinstance(feature, tuple):
        return [place for part in feature for place in inputs_of(part)]
    is_number = isinstance(feature, int | np.integer) and not isinstance(feature, bool)
    return [int(feature)] if is_number else []


def _spelled(feature: Any, naming: Naming) -> str:
    """Write the name of a feature, a number or nested tuples of them and of truth values."""
    if isinstance(feature, int | np.integer) and not isinstance(feature, bool):
        return naming(int(feature))
    if isinstance(feature, tuple) and len(feature) == 2 and isinstance(feature[1], bool):
        return f"{'' if feature[1] else 'not '}{naming(feature[0])}"
    if isinstance(feature, tuple) and all(isinstance(part, int | tuple) for part in feature):
        return "*".join(_spelled(part, naming) for part in feature) or "1"
    return str(feature)


def _entries(row: Any) -> tuple[Integers, Floats]:
    """Return places and values of the entries of a matrix of one row that are not 0."""
    if is_sparse(row):
        there = row.tocsr()
        places, values = there.indices, there.data
    else:
        places = np.flatnonzero(row[0])
        values = np.asarray(row[0])[places]
    return places, values.astype(np.float64)


def _common(model: "DualForm", slot: int, x: Any, naming: Naming) -> tuple[str, ...]:
    """Name the features that x and a remembered example have in common, by |x_j z_j|."""
    from kerneltron.kernels.vectors import KEY, vectors

    (_, pack), *_ = model.remembered.pieces(np.array([slot]), 1)
    if KEY not in pack.parts or not hasattr(x, "shape"):
        return ()
    places, values = _entries(x)
    there = vectors(pack).X[[0]][:, places]
    shared = np.abs(values * np.asarray(there.toarray() if is_sparse(there) else there)[0])
    best = np.argsort(-shared, kind="stable")[:COMMON]
    return tuple(naming(int(places[j])) for j in best.tolist() if shared[j] > 0.0)
