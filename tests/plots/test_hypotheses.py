"""The picture of hypotheses by passes."""

import numpy as np

from kerneltron.plots.hypotheses import HypothesesDisplay, draw_hypotheses

ERRORS = {"last": [[0.3, 0.1], [0.2, 0.2]], "average": [[0.1, 0.1], [0.05, 0.05]]}


def test_lines_are_means_in_percent():
    shown = HypothesesDisplay([1, 10], ERRORS, least=0.04).plot()
    last, average, level = shown.ax_.get_lines()
    np.testing.assert_allclose(last.get_ydata().astype(float), [20, 20])
    np.testing.assert_allclose(average.get_ydata().astype(float), [10, 5])
    assert level.get_ydata()[0] == 4
    assert last.get_linestyle() != average.get_linestyle()
    bands = [band.get_paths()[0].vertices[:, 1] for band in shown.ax_.collections]
    assert (bands[0].min(), bands[0].max()) == (10, 30)


def test_a_problem_that_was_solved_has_a_band_all_the_same():
    shown = HypothesesDisplay([1, 10], {"vote": [[0.2, 0.0], [0.0, 0.0]]}).plot()
    assert shown.ax_.collections[0].get_paths()[0].vertices[:, 1].min() >= 0


def test_each_problem_has_a_panel_under_its_name():
    figure = draw_hypotheses(
        {name: HypothesesDisplay([1, 10], ERRORS) for name in ("one", "two", "three", "four")}
    )
    assert [axes.get_title() for axes in figure.axes] == ["one", "two", "three", "four"]
