"""Separators, runs, mistakes and lemmas: the numbers that are drawn are those of the theorems."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kerneltron import PassiveAggressive, Perceptron, Winnow
from kerneltron.datasets import separable
from kerneltron.datasets.shapes import ten_points
from kerneltron.plots import (
    LemmasDisplay,
    MistakesDisplay,
    ProgressiveErrorDisplay,
    RunDisplay,
    SeparatorDisplay,
)

PLAIN = Perceptron(fit_intercept=False)


# -- separators ------------------------------------------------------------------------------------------


@settings(max_examples=30, deadline=None)
@given(st.floats(0, 2 * np.pi), st.floats(0.1, 3.0))
def test_the_width_of_a_line_is_the_distance_of_the_nearest_example(angle, length):
    X, y, *_ = separable(20, d=2, margin=0.3, seed=1)
    w = length * np.array([np.cos(angle), np.sin(angle)])
    display = SeparatorDisplay(X=X, y=y, w=w)
    distances = y * (X @ w) / length
    assert display.width == pytest.approx(distances.min())
    assert display.width <= 0.3 + 1e-9  # that of the truth, which none exceeds
    assert display.bound == (np.inf if display.width <= 0 else pytest.approx((1 / display.width) ** 2))
    assert distances[display.nearest] == pytest.approx(display.width, abs=2e-3)


def test_the_band_is_drawn_as_wide_as_it_is_and_the_nearest_are_ringed():
    X, y, *_ = ten_points()
    w = X[0] - X[6]
    ax = SeparatorDisplay(X=X, y=y, w=w).plot().ax_
    (band,) = ax.patches
    heights = band.get_xy() @ w / np.linalg.norm(w)
    np.testing.assert_allclose(np.abs(heights), np.min(y * (X @ w)) / np.linalg.norm(w))
    rings = next(drawn for drawn in ax.collections if drawn.get_label() == "nearest")
    np.testing.assert_array_equal(rings.get_offsets(), X[[6]])


def test_an_offset_counts_as_a_constant_feature():
    X, y = np.array([[3.0, 0.0], [1.0, 0.0]]), np.array(["right", "left"])
    display = SeparatorDisplay(X=X, y=y, w=[1.0, 0.0], b=-2.0)
    assert display.width == 1.0
    assert (display.radius, display.margin) == pytest.approx((np.sqrt(9 + 1), 1 / np.sqrt(1 + 4)))
    assert display.bound == pytest.approx(50)
    title = display.plot().ax_.get_title()
    assert "nearest example 1.00 away" in title
    assert r"with a constant feature $\gamma$ = 0.45, $(R/\gamma)^2$ = 50" in title


def test_a_line_that_does_not_separate_says_so():
    X, y, *_ = ten_points()
    display = SeparatorDisplay(X=X, y=y, w=X[6] - X[0]).plot()
    assert display.bound == np.inf
    assert "does not separate" in display.ax_.get_title()
    assert not display.ax_.patches


def test_separators_refuse_what_is_not_a_plane():
    X, y, *_ = separable(10, d=5, margin=0.1, seed=0)
    with pytest.raises(ValueError, match=r"shape \(10, 5\): fit a learner on 2 columns"):
        SeparatorDisplay(X=X, y=y, w=np.ones(5))
    with pytest.raises(ValueError, match="w is 0"):
        SeparatorDisplay(X=X[:, :2], y=y, w=[0.0, 0.0])


# -- the run ---------------------------------------------------------------------------------------------


def test_a_run_of_ten_points_has_two_mistakes_and_keeps_both_lemmas():
    X, y, _, truth, _ = ten_points()
    display = RunDisplay.from_estimator(PLAIN, X, y, passes=2, u=truth.w)
    assert display.mistakes.tolist() == [1, 7]
    assert len(display.visits) == 20
    np.testing.assert_allclose(display.visits[-1].after, X[0] - X[6])
    assert display.caption(1) == "Visit 1, mistake 1: v1 = x1"
    assert display.caption(3) == "Visit 3, right: v1 stays"
    assert display.margin == pytest.approx(0.5357, abs=1e-4)
    numbers = [float(each) for each in re.findall(r"= (-?[\d.]+)", display.lemmas(7))]
    v, u = X[0] - X[6], truth.w / np.linalg.norm(truth.w)
    expected = [v @ u, 2 * display.margin, v @ v, 2 * np.max(np.sum(X**2, axis=1))]
    assert numbers == pytest.approx(expected, abs=0.006)


def test_frames_add_up_and_a_margin_moves_what_is_right():
    X, y, *_ = ten_points()
    display = RunDisplay.from_estimator(PassiveAggressive(fit_intercept=False, scale=False, passes=1), X, y)
    for one, other in zip(display.visits, display.visits[1:], strict=False):
        np.testing.assert_array_equal(one.after, other.before)
    moved = [
        number
        for number, visit in enumerate(display.visits, 1)
        if not visit.is_mistake and not np.array_equal(visit.before, visit.after)
    ]
    assert moved
    assert "its margin is thin" in display.caption(moved[0])


def test_arrows_are_the_vectors_before_and_after():
    X, y, *_ = ten_points()
    ax = RunDisplay.from_estimator(PLAIN, X, y, frame=7).ax_
    arrows = [(*text.xyann, *text.xy) for text in ax.texts if text.arrow_patch is not None]
    x1, v2 = X[0].tolist(), (X[0] - X[6]).tolist()
    np.testing.assert_allclose(arrows, [[0, 0, *x1], [*x1, *v2], [0, 0, *v2]], atol=1e-12)


def test_points_keep_their_names_in_any_order_of_visits():
    X, y, *_ = ten_points()
    display = RunDisplay.from_estimator(PLAIN, X, y, order=[2, 8], passes=2)
    assert [visit.example for visit in display.visits] == [2, 8, 2, 8]
    assert [display.caption(frame).split(": ")[1] for frame in (1, 2)] == ["v1 = x3", "v2 = v1 + x9"]
    np.testing.assert_allclose(display.visits[1].after, X[2] + X[8])
    names = {text.get_text(): text.xy for text in display.ax_.texts if text.get_text().startswith("x")}
    np.testing.assert_array_equal([names[f"x{row}"] for row in range(1, 11)], X)
    for order in ([10], [-1], [0.5], [[0]]):
        with pytest.raises(ValueError, match="numbers of rows, from 0 to 9"):
            RunDisplay.from_estimator(PLAIN, X, y, order=order)


@pytest.mark.slow
def test_a_run_is_saved_as_a_gif_and_as_a_page(tmp_path):
    from PIL import Image

    X, y, *_ = ten_points()
    display = RunDisplay.from_estimator(PLAIN, X[:3], y[:3])
    display.save(tmp_path / "run.gif", seconds=0.5)
    with Image.open(tmp_path / "run.gif") as image:
        assert (image.n_frames, image.info["duration"]) == (4, 500)
    display.save(tmp_path / "run.HTML")
    page = (tmp_path / "run.HTML").read_text()
    assert page.count("data:image/png;base64,") == 4
    assert 'alt="Visit 1, mistake 1: v1 = x1"' in page
    assert "http" not in page  # it needs nothing else
    with pytest.raises(ValueError, match=r"neither .gif nor .html.*figure_\.savefig"):
        display.save(tmp_path / "run.mp4")


def test_runs_say_what_they_cannot_draw():
    X, y, *_ = ten_points()
    with pytest.raises(ValueError, match="fit_intercept=False"):
        RunDisplay.from_estimator(Perceptron(), X, y)
    with pytest.raises(ValueError, match=r"shape \(10, 3\)"):
        RunDisplay.from_estimator(PLAIN, np.ones((10, 3)), y)
    with pytest.raises(ValueError, match="begin as 0 and to which examples are added"):
        RunDisplay.from_estimator(Winnow(), np.abs(X), y)
    with pytest.raises(ValueError, match="shows 2 classes, but y holds 10 labels"):
        RunDisplay.from_estimator(PLAIN, X, np.arange(10))
    with pytest.raises(ValueError, match="no frame 11: they are numbered from 0 to 10"):
        RunDisplay.from_estimator(PLAIN, X, y, frame=11)


# -- mistakes, lemmas, progressive error -----------------------------------------------------------------


def test_mistakes_rise_below_their_bound():
    display = MistakesDisplay(mistakes=[0, 3, 4], visits=8, bound=5.0, examples=4).plot()
    assert display.counts.tolist() == [1, 1, 1, 2, 3, 3, 3, 3]
    steps, pass_end, bound = display.ax_.lines
    assert steps.get_ydata()[-1] == 3
    assert pass_end.get_xdata()[0] == 4
    assert bound.get_ydata()[0] == 5
    with pytest.raises(ValueError, match="Of 4 visits, the last is 3"):
        MistakesDisplay(mistakes=[4], visits=4, bound=5.0)


@pytest.mark.parametrize(("bound", "text"), [(np.inf, "no bound is known"), (1e6, "1,000,000, far above")])
def test_a_bound_that_is_far_away_is_written_and_not_drawn(bound, text):
    ax = MistakesDisplay(mistakes=[0], visits=4, bound=bound).plot().ax_
    assert len(ax.lines) == 1
    assert any(text in each.get_text() for each in ax.texts)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1000), st.floats(0.05, 0.5))
def test_the_lemmas_hold_of_every_run_of_the_perceptron(seed, margin):
    X, y, _, truth, _ = separable(40, d=3, margin=margin, seed=seed)
    w, projections, squares = np.zeros(3), [], []
    for x, sign in zip(X[::-1], y[::-1], strict=True):
        if sign * (x @ w) <= 0:
            w = w + sign * x
            projections.append(w @ truth.w)
            squares.append(w @ w)
    assert LemmasDisplay(projections=projections, squares=squares, margin=margin, radius=1.0).hold
    assert not LemmasDisplay(projections=projections, squares=squares, margin=margin, radius=0.01).hold


def test_lemmas_are_drawn_between_their_lines():
    ax = LemmasDisplay(projections=[0.5, 0.9], squares=[1.0, 1.5], margin=0.4, radius=1.0).plot().ax_
    upper, length, along, lower = (line.get_ydata() for line in ax.lines)
    assert upper[-1] == pytest.approx(np.sqrt(2))
    np.testing.assert_allclose(length, [0, 1, np.sqrt(1.5)])
    np.testing.assert_allclose(along, [0, 0.5, 0.9])
    assert lower[-1] == 0.8
    with pytest.raises(ValueError, match="1 projections and 2 squares"):
        LemmasDisplay(projections=[0.5], squares=[1.0, 1.5], margin=0.4, radius=1.0)


def test_progressive_error_is_that_of_predictions_before_learning():
    X, y, *_ = separable(60, d=2, margin=0.1, seed=0)
    X, y = X[::-1], y[::-1]
    learner, wrong = Perceptron(), []
    learner.partial_fit(X[:1], y[:1], classes=[-1, 1])
    for x, label in zip(X[1:], y[1:], strict=True):
        wrong.append(learner.predict([x])[0] != label)
        learner.partial_fit([x], [label])
    display = ProgressiveErrorDisplay.from_estimator(Perceptron(), X, y, window=10, least=0.0)
    np.testing.assert_array_equal(display.is_wrong[1:], wrong)
    assert display.recent[0] == display.is_wrong[:10].mean()
    assert display.recent[-1] == display.is_wrong[-10:].mean()
    assert display.so_far[-1] == display.is_wrong.mean()
    recent, so_far, least = display.ax_.lines
    np.testing.assert_allclose(recent.get_ydata(), 100 * display.recent)
    np.testing.assert_allclose(so_far.get_ydata(), 100 * display.so_far)
    assert least.get_ydata()[0] == 0
    whole = ProgressiveErrorDisplay.from_estimator(Perceptron(), X, y)  # fewer than the usual window
    assert (whole.window, whole.recent.tolist()) == (60, [display.so_far[-1]])
    with pytest.raises(ValueError, match="window=0 must be at least 1"):
        ProgressiveErrorDisplay.from_estimator(Perceptron(), X, y, window=0)
    with pytest.raises(ValueError, match="no examples"):
        ProgressiveErrorDisplay(is_wrong=[])


def test_certificates_are_drawn_with_their_own_numbers():
    X, y, *_ = ten_points()
    learner = Perceptron(shuffle=False, fit_intercept=False, passes=3).fit(X, y)
    certificate = learner.certificate(X, y)
    mistakes = MistakesDisplay.from_certificate(certificate)
    assert mistakes.mistakes.tolist() == [0, 6]
    assert (mistakes.visits, mistakes.examples, mistakes.bound) == (30, 10, certificate.bound)
    lemmas = LemmasDisplay.from_certificate(certificate)
    assert lemmas.hold
    np.testing.assert_array_equal(lemmas.projections, LemmasDisplay.from_estimator(learner, X, y).projections)
    assert MistakesDisplay.from_estimator(learner, X, y).bound == certificate.bound
    np.testing.assert_allclose(lemmas.squares, [X[0] @ X[0], np.sum((X[0] - X[6]) ** 2)])
    other = PassiveAggressive(shuffle=False, passes=2, scale=False).fit(X, y).certificate(X, y)
    with pytest.raises(ValueError, match="no lemmas, which are about the perceptron"):
        LemmasDisplay.from_certificate(other)
