"""Kernels, features and remembered examples: what is drawn is what was computed."""

from math import comb, factorial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from kerneltron import Hasher, LogisticRegression, Perceptron
from kerneltron.datasets import load_digits
from kerneltron.datasets.shapes import circle, xor
from kerneltron.explaining.explanations import Explanation, Feature
from kerneltron.kernels import Gaussian, Linear
from kerneltron.plots import (
    ExpansionDisplay,
    GramDisplay,
    LearningCurvesDisplay,
    LiftDisplay,
    SupportImagesDisplay,
    WeightsDisplay,
)
from kerneltron.plots.ends import spread
from kerneltron.plots.expansion import features
from kerneltron.plots.style import LEAST

REMARK = "Above 0 speaks for spam, below 0 for ham."

# -- Gram matrices ---------------------------------------------------------------------------------------


def test_gram_matrices_are_sorted_by_label():
    X, y, *_ = circle(30)
    kernel = Gaussian(1.0)
    display = GramDisplay.from_kernel(kernel, X, y)
    inside, outside = X[y == 1], X[y == -1]
    together = np.concatenate([outside, inside])
    np.testing.assert_allclose(display.sorted, kernel(together))
    image = display.ax_.images[0]
    np.testing.assert_array_equal(image.get_array(), display.sorted)
    assert image.get_clim() == (0, pytest.approx(1))
    assert [text.get_text() for text in display.ax_.get_xticklabels()] == ["-1", "1"]
    assert display.ax_.lines[0].get_ydata()[0] == len(outside) - 0.5


def test_a_gaussian_goes_from_the_identity_to_all_ones():
    X, y, *_ = circle(30)
    np.testing.assert_allclose(GramDisplay.from_kernel(Gaussian(1e-4), X, y).sorted, np.eye(30), atol=1e-9)
    np.testing.assert_allclose(
        GramDisplay.from_kernel(Gaussian(1e4), X, y).sorted, np.ones((30, 30)), atol=1e-6
    )


def test_negative_values_are_drawn_and_strange_matrices_refused():
    display = GramDisplay.from_kernel(Linear(), [[1.0], [-2.0]])
    assert display.ax_.images[0].get_clim() == (-2, 4)
    assert display.order.tolist() == [0, 1]
    with pytest.raises(ValueError, match=r"shape \(2, 3\)"):
        GramDisplay(K=np.ones((2, 3)))
    with pytest.raises(ValueError, match="there are 3 labels"):
        GramDisplay(K=np.ones((2, 2)), y=np.arange(3))


# -- the Gaussian, expanded ------------------------------------------------------------------------------

entries = st.floats(-2, 2)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(entries, entries), min_size=2, max_size=5), st.floats(0.7, 3), st.integers(0, 8))
def test_features_of_a_gaussian_multiply_to_its_taylor_series(points, sigma, degree):
    X = np.array(points)
    found = features(X, sigma, degree)
    assert found.shape == (len(X), comb(2 + degree, degree))
    products = X @ X.T / sigma**2
    series = sum(products**k / factorial(k) for k in range(degree + 1))
    falls = np.exp(-np.sum(X**2, axis=1) / (2 * sigma**2))
    np.testing.assert_allclose(found @ found.T, falls[:, None] * series * falls, atol=1e-9)
    reach = np.sum(X**2, axis=1).max() / sigma**2
    bound = reach ** (degree + 1) / factorial(degree + 1)
    np.testing.assert_allclose(found @ found.T, Gaussian(sigma)(X), rtol=0, atol=bound + 1e-9)


def test_the_error_falls_with_the_degree_and_both_panels_show_it():
    X, *_ = circle(20)
    display = ExpansionDisplay.from_kernel(Gaussian(1.0), X, degrees=range(0, 26, 5))
    errors = list(display.errors.values())
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < 1e-9
    assert all(error <= display.bounds[degree] + 1e-12 for degree, error in display.errors.items())
    left, right = display.axes_
    np.testing.assert_allclose(left.lines[0].get_ydata(), Gaussian(1.0)(display.x[:, None], [[1.5]])[:, 0])
    assert np.abs(display.curves[8] - display.exact).max() < np.abs(display.curves[4] - display.exact).max()
    np.testing.assert_allclose(right.lines[1].get_ydata(), errors)
    assert right.get_xticklabels()[-1].get_text() == f"25\n{comb(27, 25):,}"
    with pytest.raises(ValueError, match="over other features"):
        ExpansionDisplay.from_kernel(Gaussian(1.0, Linear()), X)


# -- curves ----------------------------------------------------------------------------------------------


def test_learning_curves_are_in_percent_and_tell_more_than_four_apart_without_colour():
    curves = {f"learner {number}": [0.3, 0.2 + number / 100] for number in range(6)}
    display = LearningCurvesDisplay(at=[1, 10], curves=curves, of="examples", least=0.1).plot()
    *lines, least = display.ax_.lines
    np.testing.assert_allclose([line.get_ydata() for line in lines], 100 * np.array(list(curves.values())))
    assert least.get_ydata()[0] == 10
    assert len({(line.get_marker(), line.get_linestyle()) for line in lines}) == 6
    assert [text.get_text() for text in display.ax_.get_legend().get_texts()] == [LEAST]
    assert [text.get_text() for text in display.ax_.texts if text.get_text()] == list(curves)
    assert display.ax_.get_xlabel() == "examples"
    with pytest.raises(ValueError, match="'few' has 1 errors, but there are 2 numbers of passes"):
        LearningCurvesDisplay(at=[1, 2], curves={"few": [0.1]})


@pytest.mark.parametrize(("errors", "top"), [([0.1, 0.0], 10.5), ([0.0, 0.0], 1.0)])
def test_an_error_of_nothing_is_drawn_on_a_plain_axis(errors, top):
    ax = LearningCurvesDisplay(at=[1, 2], curves={"learner": errors}).plot().ax_
    assert (ax.get_yscale(), *ax.get_ylim()) == ("linear", 0, top)
    np.testing.assert_allclose(ax.lines[0].get_ydata(), 100 * np.array(errors))


@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_names_at_the_ends_of_curves_do_not_overlap(heights):
    placed = spread(np.array(heights), gap=0.08)
    order = np.argsort(heights, kind="stable")
    assert np.all(np.diff(placed[order]) >= 0.08 - 1e-9)
    assert -1e-9 <= placed.min() <= placed.max() <= 1 + 1e-9
    spaced = np.linspace(0, 1, len(heights))
    np.testing.assert_allclose(spread(spaced, gap=0.08), spaced, atol=1e-9)  # as they are, if they can be


def test_learning_curves_of_a_learner_are_its_errors_after_so_many_passes():
    data = xor(200, margin=0.2)
    X, y, X_test, y_test = data.X[:100], data.y[:100], data.X[100:], data.y[100:]
    learner = Perceptron(kernel="Polynomial(2)", random_state=0)
    display = LearningCurvesDisplay.from_estimator(learner, X, y, X_test, y_test, passes=(0.1, 3))
    fits = [clone(learner).set_params(passes=passes).fit(X, y) for passes in (0.1, 3)]
    errors = [np.mean(fitted.predict(X_test) != y_test) for fitted in fits]
    assert errors[0] > errors[1]
    np.testing.assert_allclose(display.curves["Perceptron"], errors)
    assert not hasattr(learner, "classes_")


def test_a_kernel_may_be_given_as_its_text():
    X = np.array([[0.0], [1.0]])
    np.testing.assert_array_equal(GramDisplay.from_kernel("Gaussian(2.0)", X).K, Gaussian(2.0)(X))
    with pytest.raises(ValueError, match="Gaussian"):
        GramDisplay.from_kernel("Gausian(2.0)", X)


# -- planes ----------------------------------------------------------------------------------------------


def test_lifted_points_are_separated_by_the_plane_that_is_drawn():
    X, y, *_ = xor(80, margin=0.2)
    lifted = np.column_stack([X, X[:, 0] * X[:, 1]])
    learner = Perceptron(passes=100, random_state=0).fit(lifted, y)
    display = LiftDisplay.from_estimator(learner, lifted, y)
    assert display.errors == 0
    plane = np.stack([grid.ravel() for grid in display.surface()], axis=1)
    plane = plane[~np.isnan(plane).any(axis=1)]
    assert len(plane) > 100
    np.testing.assert_allclose(learner.decision_function(plane), 0, atol=1e-9)
    assert (plane >= lifted.min(axis=0) - 1e-9).all()
    assert (plane <= lifted.max(axis=0) + 1e-9).all()
    drawn = [points for points in display.ax_.collections if points.get_label() in ("-1", "1")]
    assert [len(points.get_offsets()) for points in drawn] == [(y == -1).sum(), (y == 1).sum()]
    flat = Perceptron(passes=20, random_state=0).fit(np.column_stack([X, 0 * X[:, 0]]), y)
    assert LiftDisplay(X=lifted, y=y, w=flat.coef_[0], b=flat.intercept_[0]).errors > 10
    with pytest.raises(ValueError, match=r"shape \(80, 2\): fit a learner on 3 columns"):
        LiftDisplay.from_estimator(learner, X, y)


# -- weights by name -------------------------------------------------------------------------------------


def test_bars_are_the_weights_and_names_say_what_shares_their_slot():
    rows = [
        Feature("free", 2.0, "spam", collisions=3),
        Feature("lunch", -1.5, "spam"),
        Feature("a" * 40, 0.5, "spam"),
    ]
    display = WeightsDisplay.from_explanation(Explanation(rows, remarks=(REMARK,)))
    assert display.names == ["free +3", "lunch", "a" * 27 + "…"]
    bars = display.ax_.patches
    assert [bar.get_width() for bar in bars] == [2.0, -1.5, 0.5]
    assert [bool(bar.get_hatch()) for bar in bars] == [False, True, False]
    assert [text.get_text() for text in display.ax_.get_yticklabels()] == display.names
    assert display.ax_.yaxis_inverted()  # the strongest is above
    assert display.ax_.get_xlabel() == "weight\nRight of 0 speaks for spam, left of it for ham."


def test_weights_of_hashed_features_are_those_of_a_pipeline():
    from sklearn.pipeline import make_pipeline

    texts = ["free prize now", "lunch at noon", "free entry prize", "see you at lunch"]
    pipeline = make_pipeline(Hasher(bits=6), LogisticRegression(random_state=0, passes=20))
    pipeline.fit(texts, ["spam", "ham", "spam", "ham"])
    display = WeightsDisplay.from_estimator(pipeline, top=5)
    assert [row.weight for row in display.rows] == [row.weight for row in pipeline[-1].explain(top=5).rows]
    coefficients = np.sort(np.abs(pipeline[-1].coef_[0]))[::-1]
    np.testing.assert_allclose(np.abs([row.weight for row in display.rows]), coefficients[:5])


def test_weights_of_several_classes_are_told_apart_and_dual_learners_have_none():
    data = load_digits()
    learner = Perceptron(random_state=0).fit(data.X[:200], data.y[:200])
    display = WeightsDisplay.from_estimator(learner, top=6)
    assert all(name.endswith(f"({row.label})") for name, row in zip(display.names, display.rows, strict=True))
    dual = Perceptron(kernel=Gaussian(2.0), random_state=0).fit(data.X[:200], data.y[:200])
    with pytest.raises(ValueError, match="dual form, has no weights"):
        WeightsDisplay.from_estimator(dual)


# -- support vectors as images ---------------------------------------------------------------------------


def test_the_strongest_remembered_examples_are_drawn_first():
    data = load_digits()
    learner = Perceptron(kernel=Gaussian(2.0), random_state=0).fit(data.X[:300], data.y[:300] == 9)
    display = SupportImagesDisplay.from_estimator(learner, (8, 8), top=10)
    assert display.label is True
    coefficients = learner.dual_coef_[0]
    order = np.argsort(-np.abs(coefficients), kind="stable")[:10]
    np.testing.assert_array_equal(display.coefficients, coefficients[order])
    np.testing.assert_array_equal(display.images.reshape(10, 64), data.X[learner.support_[order]])
    np.testing.assert_array_equal(display.axes_[3].images[0].get_array(), display.images[3])
    signs = [panel.get_title()[0] for panel in display.axes_[:10]]
    assert signs == ["+" if value > 0 else "-" for value in display.coefficients]
    other = SupportImagesDisplay.from_estimator(learner, (8, 8), top=10, label=False)
    np.testing.assert_array_equal(other.coefficients, -display.coefficients)


def test_one_of_several_classes_is_asked_for():
    data = load_digits()
    learner = Perceptron(kernel=Gaussian(2.0), random_state=0).fit(data.X[:300], data.y[:300])
    display = SupportImagesDisplay.from_estimator(learner, (8, 8), label=7, top=4)
    assert np.abs(display.coefficients).max() == np.abs(learner.dual_coef_[7]).max()
    with pytest.raises(ValueError, match="label=None is not one of the classes"):
        SupportImagesDisplay.from_estimator(learner, (8, 8))
    with pytest.raises(ValueError, match="nothing to show of 7"):
        SupportImagesDisplay.from_estimator(learner, (8, 8), label=7, top=0)
    with pytest.raises(ValueError, match="64 columns, which are not 28 x 28 pixels"):
        SupportImagesDisplay.from_estimator(learner, (28, 28), label=7)
