"""Published numbers and ours as a picture: one line for each of them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kerneltron.experiments.experiment import Comparison
from kerneltron.plots.style import COLOURS, PALE, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_beside(comparisons: Sequence[Comparison], title: str, axis: str) -> "Figure":
    """Draw ours, with its standard deviation, and the published number where there is one.

    Parameters
    ----------
    comparisons
        From top to bottom; all of one unit.
    title
        Of the whole picture.
    axis
        What the numbers are.

    Returns
    -------
    The figure; `figure.savefig(path)` saves it.
    """
    figure = new_figure((7.5, 1.3 + 0.3 * len(comparisons)))
    axes = figure.add_subplot()
    places = range(len(comparisons))
    ours, spreads = [each.ours for each in comparisons], [each.spread or 0.0 for each in comparisons]
    axes.errorbar(ours, places, xerr=spreads, fmt="o", color=COLOURS[0], capsize=3, label="ours")
    known = [(each.published, place) for place, each in enumerate(comparisons) if each.published is not None]
    if known:
        axes.plot(*zip(*known, strict=True), "D", color=COLOURS[1], markersize=8, zorder=1, label="published")
    axes.set_yticks(places, [each.what for each in comparisons])
    axes.set_ylim(len(comparisons) - 0.5, -0.5)
    axes.set_xlabel(axis)
    axes.set_title(title)
    axes.grid(axis="x", color=PALE, alpha=0.5)
    axes.spines[["top", "right"]].set_visible(False)
    figure.legend(loc="outside lower right", ncols=2, frameon=False, fontsize="small")
    return figure
