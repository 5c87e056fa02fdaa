"""Pictures of games and of bounds show the numbers that they were given."""

import numpy as np

from kerneltron.plots.dimensions import DimensionsDisplay
from kerneltron.plots.games import GamesDisplay, WorstCases
from kerneltron.plots.style import new_figure

CLASSES = {"conjunctions, n = 3": WorstCases(28, 3, 4, 4), "decision lists, n = 3": WorstCases(96, 4, 5, 6)}


def drawn(ax):
    """Return the heights of the points of each name in the legend."""
    return {line.get_label(): list(line.get_ydata()) for line in ax.lines}


def test_games_draw_four_numbers_of_each_class_in_order():
    display = GamesDisplay(CLASSES).plot()
    found = drawn(display.ax_)
    assert found == display.series
    assert found["halving"] == [4, 6]
    np.testing.assert_allclose(found["log2 of the class's size"], np.log2([28, 96]))
    assert (np.diff(list(found.values()), axis=0) >= 0).all()
    names = [label.get_text().replace("\n", " ") for label in display.ax_.get_xticklabels()]
    assert names == list(CLASSES)


def test_growth_draws_mistakes_below_their_bound_in_given_axes():
    figure = new_figure((4, 3))
    ax = figure.add_subplot()
    display = DimensionsDisplay([10, 100], [13, 14], [400, 500], "dimensions", is_logarithmic=True).plot(ax)
    assert display.ax_ is ax
    assert display.figure_ is figure
    assert drawn(ax) == {"bound": [400, 500], "mistakes": [13, 14]}
    assert (ax.get_xscale(), ax.get_yscale(), ax.get_xlabel()) == ("log", "log", "dimensions")
    assert ax.get_ylim()[0] <= 13
    assert ax.get_ylim()[1] >= 500
