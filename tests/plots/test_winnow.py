"""The picture of mistakes against attributes."""

from kerneltron.plots.winnow import GrowthDisplay, draw_winnow


def test_points_are_means_and_bars_reach_from_the_fewest_to_the_most():
    display = GrowthDisplay([16, 64], {"one": [[1, 3, 8], [5, 5, 5]]}, {"a bound": lambda n: 2.0 * n}).plot()
    points, curve = display.ax_.get_lines()[0], display.ax_.get_lines()[-1]
    assert list(points.get_ydata()) == [4, 5]
    (_, _, bars), *_ = display.ax_.containers
    segments = bars[0].get_segments()
    assert segments[0][:, 1].tolist() == [1, 8]
    assert list(curve.get_ydata()) == [32, 128]
    assert (display.ax_.get_xscale(), display.ax_.get_yscale()) == ("log", "log")
    assert display.figure_ is display.ax_.figure


def test_both_problems_have_the_same_scale():
    few = GrowthDisplay([16, 32], {"one": [[10], [10_000]]})
    figure = draw_winnow(few, GrowthDisplay([16, 32], {"one": [[1], [2]]}), 4)
    left, right = figure.axes
    assert left.get_ylim() == right.get_ylim()
    assert left.get_ylim()[0] < 1
    assert left.get_ylim()[1] > 10_000
