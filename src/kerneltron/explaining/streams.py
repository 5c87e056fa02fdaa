"""Explanations of models of streams: slots get the names of what was hashed into them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import sqrt
from typing import Any

import numpy as np

from kerneltron._types import Floats, Integers
from kerneltron.explaining.explanations import Contribution, ExampleExplanation, Explanation, Feature
from kerneltron.explaining.learners import SCALED, explain_learner, explain_scores, rows_of_example
from kerneltron.explaining.models import (
    Naming,
    Side,
    constant_row,
    constants_of,
    explain_support,
    explain_weights,
    inputs_of,
    named_features,
    reading_signs,
    sides_shown,
    start_of,
    strongest,
    weights_shown,
    with_weights,
)
from kerneltron.learning.stream_model import StreamModel
from kerneltron.maps.approximation import ApproximateMap
from kerneltron.models.model import Model
from kerneltron.models.primal import Primal
from kerneltron.scaling.column_scaler import ColumnScaler
from kerneltron.stream.chunks import Chunk
from kerneltron.stream.errors import BadLineError, InputError
from kerneltron.stream.hashing import Hashing
from kerneltron.stream.names import NameIndex
from kerneltron.stream.spelling import Spelled, Speller, as_chunk, keys_of, plain_text
from kerneltron.training import windows

OTHERS = 3  # names of a slot that a row shows beside the most frequent one
NAMELESS = "Names were not kept: train with `keep_names` to see them, or explain one example with `example`."


def explain_model(model: StreamModel, top: int = 20, label: str | None = None) -> Explanation:
    """List the strongest features of a model, one row per slot, with its most frequent name.

    A name's weight is sign(h) w[slot]; where features are hashed c times, it is the sum over its copies
    divided by sqrt(c), and the rows are names. A model in dual form lists remembered examples.
    """
    inner, classes = with_weights(model.learner.model), model.learner.known
    if not isinstance(inner, Primal):
        return explain_support(inner, classes, top, label)  # type: ignore[arg-type]
    found = _explain_primal(model, inner, top, label)
    if model.learner.scaler is None or SCALED in found.remarks:
        return found
    return replace(found, remarks=(*found.remarks, SCALED))


def _explain_primal(model: StreamModel, inner: Primal, top: int, label: str | None) -> Explanation:
    """List the strongest features of a model that has weights."""
    classes = model.learner.known
    if inner.form == "mapped":
        return _explain_mapped(model, inner, top, label)
    shown = sides_shown(classes, label)
    weights = weights_shown(inner, shown)
    start = start_of(inner) * np.array([side.sign for side in shown], weights.dtype)
    strength = np.abs(weights[:-1] - start)
    constants, remarks = constants_of(inner, weights, shown), reading_signs(classes, shown)
    index = model.names
    if index is None:
        rows = [_unnamed(slot, float(weights[slot, k]), shown[k]) for slot, k in strongest(strength, top)]
        return Explanation(rows, 0.0, constants, (*remarks, NAMELESS))
    slots, signs = keys_of(index.keys, model.hashing.recipe())
    named = np.zeros(len(strength), np.bool_)
    named[slots.reshape(-1)] = True
    total = float(strength.sum(dtype=np.float64))
    coverage = float(strength[named].sum(dtype=np.float64)) / total if total else 1.0
    if model.hashing.copies > 1:
        rows = _by_name(index, weights, slots, signs, shown, top)
    else:
        rows = _by_slot(index, weights, strength, slots[:, 0], shown, top)
    return Explanation(rows, coverage, constants, remarks)


def _explain_mapped(model: StreamModel, inner: Primal, top: int, label: str | None) -> Explanation:
    """List the strongest features of an explicit map: one has a name if all slots that it is made of have."""
    phi, index = inner.map, model.names
    if isinstance(phi, ApproximateMap):
        return explain_learner(model.learner, top, label)
    there: set[int] = set()
    if index is not None:
        there.update(keys_of(index.keys, model.hashing.recipe())[0].reshape(-1).tolist())
    features = list(phi.features())
    explanation = explain_weights(
        inner,
        model.learner.known,
        named_features(phi, most_frequent(index)),
        top,
        label,
        lambda place: there.issuperset(inputs_of(features[place])),
    )
    remarks = explanation.remarks if index is not None else (*explanation.remarks, NAMELESS)
    return replace(explanation, remarks=remarks)


def explain_examples(
    model: StreamModel, chunks: Iterable[Chunk], top: int | None = 20, label: str | None = None
) -> Iterator[ExampleExplanation]:
    """Explain examples that are written in the model's own format, one after the other.

    Names come from the examples themselves, so the model needs none.
    """
    speller = Speller(model.format, model.hashing)
    try:
        for chunk in chunks:
            for spelled in speller.examples(chunk):
                yield _explain_example(model, spelled, top, label)
    except BadLineError as error:
        raise InputError(
            f"{error.fault}. The model was trained on {model.format.name}: write examples in this format."
        ) from error


def explain_text(
    model: StreamModel, text: str, top: int | None = 20, label: str | None = None
) -> Iterator[ExampleExplanation]:
    """Explain examples that someone has typed: records of the model's format without a header.

    If that format has one column of text, anything else is taken for the value of this column: what cannot be
    read, or has a label that the model does not know.
    """
    plain = plain_text(model.format)
    if plain is not None and not _are_records(model, text):
        model, text = replace(model, format=plain), " ".join(text.split())
    return explain_examples(model, [as_chunk(model.format, text.encode(), "example")], top, label)


def _are_records(model: StreamModel, text: str) -> bool:
    known = {"", *model.learner.known}
    chunk = as_chunk(model.format, text.encode(), "example")
    try:
        return all(spelled.label in known for spelled in Speller(model.format, model.hashing).examples(chunk))
    except BadLineError:
        return False


def _explain_example(
    model: StreamModel, spelled: Spelled, top: int | None, label: str | None
) -> ExampleExplanation:
    learner = model.learner
    inner = with_weights(learner.model)

    def rows(side: Side) -> Sequence[Any]:
        if inner.form in ("primal", "scaled"):
            return word_by_word(inner, spelled, model.hashing, side, learner.scaler)
        x = learner.scaled(windows.matrix(learner, spelled.window))
        return rows_of_example(inner, x, side, _naming(spelled, model.hashing), top)

    return explain_scores(learner, windows.scores(learner, spelled.window), rows, top, label)


def word_by_word(
    model: Model, spelled: Spelled, hashing: Hashing, side: Side, scaler: ColumnScaler | None = None
) -> list[Contribution]:
    """Return what each name of an example adds to the score of a class, and the constant feature.

    Names that meet in a slot are told apart: each has its own sign and value there. With a `scaler`, values
    are those that it leads to; what it subtracts from a slot is shared by the names there.
    """
    recipe = hashing.recipe()
    keys, firsts, which = np.unique(spelled.items.keys, return_index=True, return_inverse=True)
    values: Floats = np.ones(keys.size)
    if not hashing.binary:
        values = np.bincount(which, spelled.items.values, keys.size).astype(np.float64)
    slots, signs = keys_of(keys, recipe)
    scaled = signs / sqrt(hashing.copies)
    _, place = np.unique(slots, return_inverse=True)
    row = np.bincount(place.reshape(-1), (values[:, None] * scaled).reshape(-1))
    if hashing.damped:  # names that meet in a slot share what is left there
        left = np.divide(np.log1p(np.abs(row)), np.abs(row), out=np.ones(row.shape), where=row != 0)
        row, left = row * left, left[place.reshape(slots.shape)]
        values, scaled = values * left[:, 0], scaled * left / left[:, :1]
    if hashing.normalize:
        values = values / (np.linalg.norm(row) or 1.0)
    vector = model.vectors()[:, side.column]
    weights = side.sign * (scaled * vector[slots]).sum(axis=1)
    added = values * weights
    if scaler is not None:
        values, added = _scaled(scaler, values, slots, scaled, side.sign * vector)
        if scaler.unit_rows:
            length = _scaled_length(scaler, np.unique(slots), row)
            values, added = values / length, added / length
        weights = np.divide(added, values, out=np.zeros_like(added), where=values != 0)
    rows = [
        Contribution(spelled.name(i), float(values[k]), float(weights[k]), float(added[k]))
        for k, i in sorted(enumerate(firsts.tolist()), key=lambda pair: pair[1])
    ]
    return [*rows, *constant_row(model, side.sign * float(vector[-1]))]


def _scaled(
    scaler: ColumnScaler, values: Floats, slots: Integers, signs: Floats, vector: Floats
) -> tuple[Floats, Floats]:
    """Return the scaled value of each name in the first of its slots, and what all of them add to a score."""
    centres, factors = scaler.centres_and_factors()
    _, place, names = np.unique(slots, return_inverse=True, return_counts=True)
    shares = centres[slots] / names[place].reshape(slots.shape)
    entries = (values[:, None] * signs - shares) * factors[slots]
    return np.sign(signs[:, 0]) * entries[:, 0], (entries * vector[slots]).sum(axis=1)


def _scaled_length(scaler: ColumnScaler, slots: Integers, row: Any) -> float:
    """Return the length of a row, whose entries stand in these slots, when it is scaled."""
    centres, factors = scaler.centres_and_factors()
    return float(np.linalg.norm((row - centres[slots]) * factors[slots])) or 1.0


def most_frequent(index: NameIndex | None) -> Naming:
    """Return how slots are called: by their most frequent name, if there is one."""

    def name(slot: int) -> str:
        names = index.of(slot) if index is not None else []
        return names[0].text if names else f"slot {slot}"

    return name


def _naming(spelled: Spelled, hashing: Hashing) -> Naming:
    """Return how slots are called: by the first name that an example has there."""
    slots, _ = keys_of(spelled.items.keys, hashing.recipe())
    names: dict[int, str] = {}
    for i, own in enumerate(slots.tolist()):
        for slot in own:
            if slot not in names:
                names[slot] = spelled.name(i)
    return lambda slot: names.get(slot, f"slot {slot}")


def _unnamed(slot: int, weight: float, side: Side) -> Feature:
    return Feature(f"slot {slot}", weight, side.label, slot=slot)


def _by_slot(
    index: NameIndex, weights: Floats, strength: Floats, slots: Integers, shown: list[Side], top: int
) -> list[Feature]:
    """Return a row for each of the strongest slots."""
    best = list(strongest(strength, top))
    sharing = _sharing(index, slots, [slot for slot, _ in best])
    rows = []
    for slot, k in best:
        weight, numbers = float(weights[slot, k]), sharing.get(slot, [])
        if numbers:
            rows.append(_named(index, numbers[0], numbers, slot, _sign(index, numbers[0]) * weight, shown[k]))
        else:
            rows.append(_unnamed(slot, weight, shown[k]))
    return rows


def _by_name(
    index: NameIndex, weights: Floats, slots: Integers, signs: Floats, shown: list[Side], top: int
) -> list[Feature]:
    """Return a row for each of the strongest names, which have several slots; the row tells of the first."""
    copies = slots.shape[1]
    mine = np.zeros((len(index), len(shown)))
    for copy in range(copies):
        mine += signs[:, copy, None] * weights[slots[:, copy]]
    mine /= sqrt(copies)
    best = list(strongest(np.abs(mine), top))
    sharing = _sharing(index, slots[:, 0], [int(slots[number, 0]) for number, _ in best])
    return [
        _named(index, number, sharing[slot], slot, float(mine[number, k]), shown[k])
        for number, k in best
        for slot in [int(slots[number, 0])]
    ]


def _sharing(index: NameIndex, slots: Integers, wanted: list[int]) -> dict[int, list[int]]:
    """Return the names in each wanted slot, the most frequent first."""
    there = np.flatnonzero(np.isin(slots, wanted))
    sharing: dict[int, list[int]] = {}
    for number in there[np.argsort(-index.counts[there].astype(np.int64), kind="stable")].tolist():
        sharing.setdefault(int(slots[number]), []).append(number)
    return sharing


def _named(
    index: NameIndex, number: int, sharing: list[int], slot: int, weight: float, side: Side
) -> Feature:
    others = tuple(_text(index, other) for other in sharing if other != number)
    count = int(index.counts[number])
    return Feature(_text(index, number), weight, side.label, count, slot, len(others), others[:OTHERS])


def _text(index: NameIndex, number: int) -> str:
    return index.texts[number].decode("utf-8", "replace")


def _sign(index: NameIndex, number: int) -> float:
    return -1.0 if index.hashing.signed and index.keys[number] >= 1 << 31 else 1.0
