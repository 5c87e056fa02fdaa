"""Errors along a stream: one panel for each learner, with the others in its background."""

from collections.abc import Mapping, Sequence
from math import ceil
from typing import TYPE_CHECKING

from kerneltron.plots.style import COLOURS, LEAST, finish_chart, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

OTHERS = "0.85"  # grey


def draw_progress(
    curves: Mapping[str, Sequence[float]],
    window: int,
    change: int,
    title: str,
    columns: int = 4,
    least: float | None = None,
) -> "Figure":
    """Draw the error of each window of a stream, one panel for each learner.

    Parameters
    ----------
    curves
        For each learner, the share of errors in each window, predicted before learning.
    window
        Examples in a window.
    change
        The number of examples after which the rule changed: an upright line.
    title
        Of the whole picture.
    columns
        How many panels stand side by side.
    least
        The error that nobody can beat, as a dotted line; None draws none.

    Returns
    -------
    The figure; `figure.savefig(path)` saves it.
    """
    rows = ceil(len(curves) / columns)
    figure = new_figure((3.0 * columns, 0.6 + 2.3 * rows))
    figure.suptitle(title)
    places = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False).ravel()
    for axes, name in zip(places, curves, strict=False):
        for other in curves:
            if other != name:
                _draw_curve(axes, curves[other], window, OTHERS, 0.8)
        _draw_curve(axes, curves[name], window, COLOURS[0], 1.8)
        axes.axvline(change, color="0.4", linewidth=0.8, linestyle="--")
        if least is not None:
            axes.axhline(100 * least, color="0.4", linewidth=0.8, linestyle=":")
        axes.set_title(name, fontsize="medium")
        axes.set_ylim(bottom=0)
        axes.locator_params(axis="x", nbins=4)
        axes.xaxis.set_major_formatter("{x:,.0f}")
        finish_chart(axes)
    for axes in places[len(curves) :]:
        axes.remove()
    marks = "dashed: the rule changes" + ("" if least is None else f"; dotted: {LEAST}")
    figure.supxlabel(f"examples seen ({marks})", fontsize="small")
    figure.supylabel("progressive error in %", fontsize="small")
    return figure


def _draw_curve(axes: "Axes", errors: Sequence[float], window: int, colour: str, width: float) -> None:
    middles = [(number + 0.5) * window for number in range(len(errors))]
    axes.plot(middles, [100 * error for error in errors], color=colour, linewidth=width)
