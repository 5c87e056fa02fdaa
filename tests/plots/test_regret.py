"""Pictures of regret show the curves that they were given."""

import numpy as np
from matplotlib.figure import Figure

from kerneltron import LogisticRegression
from kerneltron.datasets.generators import noisy_logistic
from kerneltron.plots.regret import RegretDisplay
from kerneltron.theory.hindsight import best_in_hindsight
from kerneltron.theory.regret import regret, scores_before


def test_curves_and_the_bound_are_drawn_where_they_are():
    t = np.arange(1, 1001)
    curves = {"fast": np.sqrt(t), "slow": t - 3.0}
    ax = RegretDisplay(curves, bound=2.0 * t, title="streams", is_logarithmic=True).plot().ax_
    fast, slow, bound = ax.lines
    np.testing.assert_allclose(fast.get_ydata(), np.sqrt(fast.get_xdata()))
    assert slow.get_xdata()[0] == 4  # what is not above 0 has no place
    assert slow.get_xdata()[-1] == 1000
    np.testing.assert_allclose(bound.get_ydata(), 2 * bound.get_xdata())
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["fast", "slow", "bound"]
    assert (ax.get_xscale(), ax.get_xlabel(), ax.get_title()) == ("log", "examples", "streams")


def test_regret_below_zero_is_drawn_on_a_plain_axis():
    curve = np.array([1.0, -2.0, -4.0])
    ax = RegretDisplay({"drift": curve}, axes=("passes", "loss")).plot().ax_
    assert ax.lines[0].get_ydata().tolist() == curve.tolist()
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_yscale()) == ("passes", "loss", "linear")


def test_the_regret_of_a_learner_is_that_of_the_theory():
    X, y, *_ = noisy_logistic(200, d=3, scale=2.0, seed=0)
    ax = Figure().add_subplot()
    learner = LogisticRegression(fit_intercept=False)
    display = RegretDisplay.from_estimator(learner, X, y, radius=4.0, ax=ax)
    assert display.ax_ is ax
    assert not hasattr(learner, "classes_")  # a clone has learned
    best = best_in_hindsight(X, y, radius=4.0)
    expected = regret(scores_before(LogisticRegression(fit_intercept=False), X, y), X @ best.vector, y)
    np.testing.assert_array_equal(display.curves["LogisticRegression"], expected)
    assert display.ax_.lines[0].get_ydata()[-1] == expected[-1]
