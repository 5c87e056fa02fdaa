"""The picture of training and test errors."""

import numpy as np

from kerneltron.plots.overfitting import OverfittingDisplay, draw_overfitting

CURVES = {"a kernel": ([[0.4, 0.2], [0.1, 0.1], [0.0, 0.0]], [[0.5, 0.4], [0.2, 0.2], [0.3, 0.4]])}


def test_lines_are_means_in_percent_and_the_ring_is_where_the_test_error_is_least():
    shown = OverfittingDisplay([1, 2, 3], CURVES, axis="degree", least=0.1).plot()
    test, training, ring, level = shown.ax_.get_lines()
    np.testing.assert_allclose(test.get_ydata().astype(float), [45, 20, 35])
    np.testing.assert_allclose(training.get_ydata().astype(float), [30, 10, 0])
    assert (float(ring.get_xdata()[0]), float(ring.get_ydata()[0])) == (1, 20)
    assert level.get_ydata()[0] == 10
    assert training.get_linestyle() == "--"
    assert shown.figure_.axes == [shown.ax_]


def test_all_panels_have_the_same_scale():
    display = OverfittingDisplay([1, 2, 3], CURVES, axis="degree")
    figure = draw_overfitting([display] * 4)
    assert len(figure.axes) == 4
    assert len({axes.get_ylim() for axes in figure.axes}) == 1
