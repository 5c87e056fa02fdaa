"""Decision boundaries in the plane: what is drawn is what the learner says."""

import numpy as np
import pytest

from kerneltron import SVM, Perceptron
from kerneltron.datasets.shapes import circle, ellipse_points, ten_points, xor
from kerneltron.kernels import Gaussian, Polynomial
from kerneltron.plots import BoundaryDisplay

AS_GIVEN = {"shuffle": False, "fit_intercept": False, "hypothesis": "last", "passes": 4}


def labels_in_legend(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def rings(ax, label):
    return next(drawn for drawn in ax.collections if drawn.get_label() == f"remembered, for {label}")


def test_sides_band_and_remembered_examples_are_drawn(tmp_path):
    X, y, *_ = circle(100)
    learner = Perceptron(kernel=Gaussian(1.0), passes=20, random_state=0).fit(X, y)
    display = BoundaryDisplay.from_estimator(learner, X, y, title="A circle")
    ax = display.ax_
    assert ax.get_title() == "A circle"
    assert ax.get_aspect() == 1
    assert labels_in_legend(ax) == ["-1", "1", "remembered, for -1", "remembered, for 1"]
    assert ax.get_legend().get_title().get_text() == "area of a ring: weight of the example"
    assert display.margin == np.min(y * learner.decision_function(X)) > 0
    assert len(ax.collections) == 8  # sides, band, its edges, zero line, two classes, two kinds of rings
    display.figure_.savefig(tmp_path / "circle.png")


def test_the_zero_line_is_where_the_score_is_zero():
    X, y, *_ = ten_points()
    learner = Perceptron(**AS_GIVEN).fit(X, y)
    ax = BoundaryDisplay.from_estimator(learner, X, y).ax_
    line = ax.collections[3].get_paths()[0].vertices
    np.testing.assert_allclose(learner.decision_function(line), 0, atol=1e-6)
    np.testing.assert_allclose(line @ (X[0] - X[6]), 0, atol=1e-6)


def test_rings_are_as_large_as_the_coefficients_and_tell_the_sign():
    X, y, *_ = circle(100)
    learner = Perceptron(kernel=Gaussian(1.0), passes=20, random_state=0).fit(X, y)
    ax = BoundaryDisplay.from_estimator(learner, X, y).ax_
    areas = {}
    for label, sign in ((-1, -1), (1, 1)):
        drawn = rings(ax, label)
        mine = sign * learner.dual_coef_[0] > 0
        np.testing.assert_array_equal(drawn.get_offsets(), X[learner.support_[mine]])
        areas |= dict(zip(learner.support_[mine].tolist(), drawn.get_sizes().tolist(), strict=True))
    by_weight = np.argsort(np.abs(learner.dual_coef_[0]), kind="stable")
    drawn = [areas[example] for example in learner.support_[by_weight].tolist()]
    assert drawn == sorted(drawn)
    assert drawn[0] < drawn[-1]


def test_of_ten_points_two_enter_and_of_the_ellipse_three():
    X, y, *_ = ten_points()
    learner = Perceptron(representation="dual", **AS_GIVEN).fit(X, y)
    assert learner.support_.tolist() == [0, 6]
    assert learner.dual_coef_.tolist() == [[1, -1]]
    assert learner.mistakes_.tolist() == [2, 0, 0, 0]
    primal = Perceptron(representation="primal", **AS_GIVEN).fit(X, y)
    np.testing.assert_allclose(primal.coef_[0], X[0] - X[6])

    X, y, _, truth, _ = ellipse_points()
    learner = Perceptron(kernel=Polynomial(2), representation="dual", **AS_GIVEN).fit(X, y)
    assert learner.support_.size == 3
    assert learner.mistakes_.tolist() == [3, 0, 0, 0]
    assert np.linalg.eigvalsh(truth.A).max() < 0  # an ellipse, not a hyperbola
    anywhere = np.random.default_rng(0).uniform(-3, 3, (200, 2))
    np.testing.assert_array_equal(learner.predict(anywhere), truth.predict(anywhere))


def test_the_band_of_a_machine_ends_where_it_is_told():
    X, y, *_ = ten_points()
    learner = SVM(representation="dual", C=100.0).fit(X, y)
    display = BoundaryDisplay.from_estimator(learner, X, y, margin=1.0)
    edges = display.ax_.collections[2]
    np.testing.assert_array_equal(edges.levels, [-1, 1])
    for path in edges.get_paths():
        np.testing.assert_allclose(np.abs(learner.decision_function(path.vertices)), 1, atol=1e-3)


def test_regions_of_many_classes_in_given_axes():
    from matplotlib.figure import Figure

    rng = np.random.default_rng(0)
    y = np.repeat(["a", "b", "c"], 30)
    X = np.repeat([[0.0, 0.0], [4.0, 0.0], [0.0, 90.0]], 30, axis=0) + rng.normal(size=(90, 2))
    learner = Perceptron(passes=20, random_state=0).fit(X, y)
    figure = Figure()
    first, second = figure.subplots(1, 2)
    display = BoundaryDisplay.from_estimator(learner, X, y, ax=second)
    assert (display.ax_, display.figure_) == (second, figure)
    assert labels_in_legend(second) == ["a", "b", "c"]
    assert second.get_aspect() == "auto"  # the units differ too much
    assert not first.collections
    grid = np.column_stack([display.across.ravel(), display.up.ravel()])
    np.testing.assert_array_equal(learner.classes_[display.scores.ravel()], learner.predict(grid))


def test_data_frames_get_their_names_back():
    pandas = pytest.importorskip("pandas")
    X, y, *_ = xor(50)
    frame = pandas.DataFrame(X, columns=["height", "width"])
    learner = Perceptron(passes=5, random_state=0).fit(frame, y)
    ax = BoundaryDisplay.from_estimator(learner, frame, y, legend=False).ax_  # a warning would be an error
    assert ax.get_legend() is None


def test_a_learner_that_knows_nothing_but_one_label_is_drawn():
    X = np.array([[1.0, 1.0], [1.0, 1.0]])
    learner = Perceptron(passes=1).fit(X, [0, 1])
    assert BoundaryDisplay.from_estimator(learner, X, [0, 1]).margin == 0


def test_sparse_rows_votes_and_machines_of_others_are_drawn():
    from scipy.sparse import csr_matrix
    from sklearn.svm import SVC

    X, y, *_ = circle(60)
    dense = Perceptron(kernel=Gaussian(1.0), random_state=0).fit(X, y)
    sparse = Perceptron(kernel=Gaussian(1.0), random_state=0).fit(csr_matrix(X), y)
    drawn = BoundaryDisplay.from_estimator(sparse, csr_matrix(X), y)
    np.testing.assert_allclose(drawn.remembered.points, X[dense.support_])
    vote = Perceptron(kernel=Gaussian(1.0), hypothesis="vote", random_state=0).fit(X, y)
    drawn = BoundaryDisplay.from_estimator(vote, X, y)  # many vectors: no coefficients, equal rings
    assert labels_in_legend(drawn.ax_)[2:] == ["remembered"]
    assert drawn.ax_.get_legend().get_title().get_text() == ""
    assert len(set(drawn.ax_.collections[-1].get_sizes())) == 1
    other = SVC(C=10.0).fit(X, y)
    drawn = BoundaryDisplay.from_estimator(other, X, y, margin=1.0)
    np.testing.assert_array_equal(drawn.remembered.coefficients, other.dual_coef_)


def test_merged_examples_are_where_they_were_moved_to():
    X, y, *_ = circle(80)
    learner = Perceptron(kernel=Gaussian(1.0), budget=6, when_full="merge", passes=5, random_state=0).fit(
        X, y
    )
    drawn = BoundaryDisplay.from_estimator(learner, X, y)
    assert -1 in learner.support_
    np.testing.assert_allclose(drawn.remembered.points, learner.support_vectors_)


def test_what_cannot_be_drawn_is_said():
    X, y, *_ = xor(50)
    wide = np.column_stack([X, X, X[:, :1]])
    with pytest.raises(
        ValueError, match=r"shows 2 features, but X has the shape \(50, 5\): fit .* 2 columns"
    ):
        BoundaryDisplay.from_estimator(Perceptron().fit(wide, y), wide, y)
    with pytest.raises(ValueError, match=r"50 rows, but y has the shape \(9,\)"):
        BoundaryDisplay.from_estimator(Perceptron().fit(X, y), X, y[:9])
    learner = Perceptron(kernel=Polynomial(2), representation="dual", random_state=0).fit(X, y)
    for others in (slice(2), slice(None, None, -1)):
        with pytest.raises(ValueError, match="hand over the examples that it was fitted on"):
            BoundaryDisplay.from_estimator(learner, X[others], y[others])
