"""What a smaller error costs: time to learn, size of the model, time to predict."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from kerneltron.plots.style import LINES, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Point(NamedTuple):
    """A learner of some size: its test error, and what it costs."""

    label: str  # its size, or empty
    error: float
    seconds: float  # to learn
    bytes: int
    microseconds: float  # to predict one example of many


PANELS = {
    "seconds": "seconds to learn",
    "bytes": "bytes of the model that predicts",
    "microseconds": "microseconds per prediction",
}


def draw_trade_offs(curves: Mapping[str, Sequence[Point]], title: str) -> "Figure":
    """Draw the error against each cost, one curve per way to learn, with a point for each size.

    Parameters
    ----------
    curves
        The points of each way, by its name; a way with a single point is drawn as a star.
    title
        Of the whole picture.

    Returns
    -------
    The figure; `figure.savefig(path)` saves it.
    """
    from matplotlib.ticker import FuncFormatter

    figure = new_figure((12, 4.2))
    figure.suptitle(title)
    panels = figure.subplots(1, len(PANELS), sharey=True)
    for axes, (cost, label) in zip(panels, PANELS.items(), strict=True):
        for number, (name, points) in enumerate(curves.items()):
            colour = LINES[number % len(LINES)]
            costs, errors = [getattr(point, cost) for point in points], [100 * p.error for p in points]
            is_one = len(points) == 1
            style = "--" if number >= len(LINES) else "-"
            size = 13 if is_one else 5
            axes.plot(costs, errors, style, marker="*" if is_one else "o", ms=size, color=colour, label=name)
            for x, y, point in zip(costs, errors, points, strict=True):
                axes.annotate(
                    point.label, (x, y), (3, 4), textcoords="offset points", fontsize=6.5, color=colour
                )
        axes.set(xscale="log", yscale="log", xlabel=label)
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axes.yaxis.set_minor_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axes.tick_params(labelsize="small", which="both")
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(alpha=0.2, which="both")
    panels[0].set_ylabel("test error in %")
    panels[0].legend(fontsize="small", frameon=False, handlelength=3)
    return figure
