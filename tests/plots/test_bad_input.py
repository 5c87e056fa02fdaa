"""What cannot be drawn is refused, with a sentence that says what was wrong and what to do."""

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.svm import SVC

from kerneltron import Perceptron
from kerneltron.datasets.shapes import ten_points
from kerneltron.plots import (
    BoundaryDisplay,
    LemmasDisplay,
    LiftDisplay,
    MistakesDisplay,
    SeparatorDisplay,
    SupportImagesDisplay,
    WeightsDisplay,
)

X, y, *_ = ten_points()
LIFTED = np.column_stack([X, X.prod(axis=1)])
LEARNER = Perceptron(random_state=0).fit(X, y)


@pytest.mark.parametrize(
    "draw",
    [
        lambda learner: BoundaryDisplay.from_estimator(learner, X, y),
        lambda learner: SeparatorDisplay.from_estimator(learner, X, y),
        lambda learner: LiftDisplay.from_estimator(learner, LIFTED, y),
        lambda learner: MistakesDisplay.from_estimator(learner, X, y),
        lambda learner: LemmasDisplay.from_estimator(learner, X, y),
        lambda learner: SupportImagesDisplay.from_estimator(learner, (1, 2)),
        WeightsDisplay.from_estimator,
    ],
)
def test_a_learner_that_has_learned_nothing_is_not_fitted(draw):
    with pytest.raises(NotFittedError, match="not fitted"):
        draw(Perceptron())


@pytest.mark.parametrize("display", [BoundaryDisplay, SeparatorDisplay])
@pytest.mark.parametrize("other", [SVC(kernel="linear"), Perceptron()])
def test_labels_that_the_learner_does_not_know_are_named(display, other):
    names = np.where(y > 0, "yes", "no")
    with pytest.raises(ValueError, match=r"does not know: 'no', 'yes'\. It was fitted on -1, 1"):
        display.from_estimator(other.fit(X, y), X, names)


@pytest.mark.parametrize(("value", "name"), [(np.nan, "NaN"), (np.inf, "infinity"), (-np.inf, "infinity")])
@pytest.mark.parametrize("display", [BoundaryDisplay, SeparatorDisplay])
def test_numbers_that_are_none_are_named_by_row_and_column(display, value, name):
    broken = X.copy()
    broken[7, 1] = value
    with pytest.raises(ValueError, match=rf"X contains {name} \(row 7, column 1\)"):
        display.from_estimator(LEARNER, broken, y)


@pytest.mark.parametrize("display", [BoundaryDisplay, SeparatorDisplay])
def test_no_examples_are_nothing_to_draw(display):
    with pytest.raises(ValueError, match="X has no rows"):
        display.from_estimator(LEARNER, X[:0], y[:0])


@pytest.mark.parametrize(
    "options",
    [
        {"kernel": "Gaussian(1.0)"},
        {"kernel": "Polynomial(2)", "representation": "primal"},
        {"hypothesis": "vote"},
    ],
)
def test_learners_without_a_line_are_sent_to_the_boundary(options):
    learner = Perceptron(**options)
    with pytest.raises(ValueError, match="with BoundaryDisplay"):
        SeparatorDisplay.from_estimator(learner.fit(X, y), X, y)
    with pytest.raises(ValueError, match="with BoundaryDisplay"):
        LiftDisplay.from_estimator(learner.fit(LIFTED, y), LIFTED, y)


def test_a_line_is_between_two_classes_only():
    thirds = np.arange(10) % 3
    learner = Perceptron().fit(X, thirds)
    two = thirds < 2
    with pytest.raises(ValueError, match=r"weights of the shape \(3, 2\)"):
        SeparatorDisplay.from_estimator(learner, X[two], thirds[two])
    for display in (MistakesDisplay, LemmasDisplay):
        with pytest.raises(
            ValueError, match=r"3 classes.*from_certificate\(learner\.certificate\(X, y\)\[0\]\)"
        ):
            display.from_estimator(learner, X, thirds)
    assert MistakesDisplay.from_certificate(learner.certificate(X, thirds)[0]).visits == 10


def test_a_plane_needs_three_dimensions():
    from matplotlib.figure import Figure

    learner = Perceptron().fit(LIFTED, y)
    with pytest.raises(ValueError, match="projection='3d'"):
        LiftDisplay.from_estimator(learner, LIFTED, y, ax=Figure().add_subplot())


def test_images_need_remembered_examples():
    with pytest.raises(ValueError, match="representation='dual'"):
        SupportImagesDisplay.from_estimator(LEARNER, (1, 2))
