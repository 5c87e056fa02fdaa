"""Curves of error against the number of passes."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Colours of Okabe and Ito, which people with any colour vision tell apart; then they come again, dashed.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7")
TICKS = (0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70)  # in %


def draw_errors(
    passes: Sequence[float], panels: Mapping[str, Mapping[str, Sequence[float]]], title: str, columns: int = 2
) -> "Figure":
    """Draw one panel for each problem and one curve for each learner.

    Parameters
    ----------
    passes
        The numbers of passes, the horizontal axis.
    panels
        For each problem, the errors of each learner after these passes.
    title
        Of the whole picture.
    columns
        How many panels stand side by side.

    Returns
    -------
    The figure; `figure.savefig(path)` saves it.
    """
    from matplotlib.figure import Figure

    rows = -(-len(panels) // columns)
    figure = Figure(figsize=(5.2 * columns, 0.4 + 3.8 * rows), layout="constrained", dpi=90)
    figure.suptitle(title)
    places = figure.subplots(rows, columns, squeeze=False).ravel()
    for axes in places[len(panels) :]:
        axes.remove()
    for axes, (name, curves) in zip(places, panels.items(), strict=False):
        _draw_curves(axes, passes, curves)
        axes.set_title(name, fontsize="medium")
        axes.legend(fontsize="x-small", frameon=False, handlelength=2.6)
    return figure


def _draw_curves(axes: "Axes", passes: Sequence[float], curves: Mapping[str, Sequence[float]]) -> None:
    for number, (learner, errors) in enumerate(curves.items()):
        again, colour = divmod(number, len(COLOURS))
        axes.plot(
            passes,
            [100 * error for error in errors],
            color=COLOURS[colour],
            linestyle="--" if again else "-",
            marker="s" if again else "o",
            markersize=3.5,
            label=learner,
        )
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xticks(passes, [f"{value:g}" for value in passes])
    axes.set_xticks([], minor=True)
    low, high = axes.get_ylim()
    ticks = [tick for tick in TICKS if low <= tick <= high]
    axes.set_yticks(ticks, [f"{tick:g} %" for tick in ticks])
    axes.set_yticks([], minor=True)
    axes.set_xlabel("passes")
    axes.set_ylabel("test error")
    axes.grid(alpha=0.3)
