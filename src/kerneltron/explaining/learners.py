"""Explanations of learners: as a whole, and of the score of one example."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from kerneltron._types import Floats
from kerneltron.explaining.explanations import ExampleExplanation, Explanation
from kerneltron.explaining.models import (
    Naming,
    Side,
    comparisons,
    contributions,
    explain_support,
    explain_weights,
    largest_first,
    named_features,
    side_of,
    sides,
    with_weights,
)
from kerneltron.learning.learner import Learner
from kerneltron.models.model import Model
from kerneltron.models.primal import Primal

NAMELESS = "Features have no names: x0 is the first column of X."
SCALED = "Weights are for values on the scale that `scale` brings them to."


def explain_learner(learner: Learner, top: int, label: Any = None) -> Explanation:
    """List the strongest features of a learner or, in dual form, the strongest remembered examples."""
    model = with_weights(learner.model)
    if not isinstance(model, Primal):
        return explain_support(model, learner.known, top, label)  # type: ignore[arg-type]
    phi = None if learner.space is None else learner.space.map
    has_names = learner.input_names is not None and phi is None
    naming = _of_features(model, naming_of(learner))
    found = explain_weights(
        model, learner.known, naming, top, label, (lambda place: True) if has_names else None
    )
    remarks = [] if learner.scaler is None else [SCALED]
    if not has_names:
        remarks += [
            NAMELESS if phi is None else f"These are features of {phi.asked}, which approximate {phi.kernel}."
        ]
    return replace(found, remarks=(*found.remarks, *remarks))


def explain_row(
    learner: Learner, x: Any, top: int | None, label: Any = None, naming: Naming | None = None
) -> ExampleExplanation:
    """Say why the one example x has its score; `naming` says how inputs are called, if not by their names."""
    model = with_weights(learner.model)
    inputs = naming or naming_of(learner)
    scaled = learner.scaled(x)
    return explain_scores(
        learner, learner.scores(x), lambda side: rows_of_example(model, scaled, side, inputs, top), top, label
    )


def explain_scores(
    learner: Learner,
    scores: Floats,
    rows: Callable[[Side], Sequence[Any]],
    top: int | None,
    label: Any = None,
) -> ExampleExplanation:
    """Explain the scores of one example, one per column; `rows` are what makes up the score of a side."""
    classes = learner.known
    by_class = {side.label: float(side.sign * scores[0, side.column]) for side in sides(classes)}
    predicted = learner.labels(scores).tolist()[0]
    side = side_of(classes, predicted if label is None else label)
    shown, rest, hidden = largest_first(rows(side), top)
    chances = learner.probabilities(scores)[0].tolist() if learner.has_probabilities else []
    probabilities = dict(zip(classes, chances, strict=False))
    return ExampleExplanation(
        shown, rest, hidden, side.label, by_class[side.label], predicted, by_class, probabilities
    )


def rows_of_example(model: Model, x: Any, side: Side, inputs: Naming, top: int | None) -> Sequence[Any]:
    """Return what makes up the score of the one row x: features, or remembered examples."""
    if isinstance(model, Primal):
        return contributions(model, x, side, _of_features(model, inputs))
    return comparisons(model, x, side, inputs, top)  # type: ignore[arg-type]


def naming_of(learner: Learner) -> Naming:
    """Return how the columns of a learner are called."""
    names = learner.input_names
    return lambda place: f"x{place}" if names is None else str(names[place])


def _of_features(model: Model, inputs: Naming) -> Naming:
    phi = getattr(model, "map", None)
    return inputs if phi is None else named_features(phi, inputs)
