"""Margins of examples in two shards: averaged once by share, and mixed in rounds."""

from typing import TYPE_CHECKING, Any

from kerneltron._types import Floats
from kerneltron.plots.style import COLOURS, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NAMES = ("shard 1, example 1", "shard 1, example 2", "shard 2, example 1", "shard 2, example 2")


def draw_counter_example(shares: Floats, once: Floats, mixed: Floats) -> "Figure":
    """Draw the margins of four examples; those that are not above 0 are mistakes.

    Parameters
    ----------
    shares
        Of the first shard.
    once
        One row per share, one column per example.
    mixed
        One row per round.

    Returns
    -------
    The figure; `figure.savefig(path)` saves it.
    """
    figure = new_figure((9.0, 3.6))
    left, right = figure.subplots(1, 2)
    rounds = range(1, len(mixed) + 1)
    for number, name in enumerate(NAMES):
        style: dict[str, Any] = {"color": COLOURS[number // 2], "linestyle": "-" if number % 2 else "--"}
        style |= {"label": name, "linewidth": 1.4 if number // 2 else 3.4}  # mixed, they lie upon each other
        left.plot(shares, once[:, number], **style)
        right.plot(rounds, mixed[:, number], marker="o", markersize=4, **style)
    left.set(title="Averaged once, in the end", xlabel="share of shard 1", ylabel="margin")
    right.set(title="Mixed in every round", xlabel="round", xticks=list(rounds))
    for axes in (left, right):
        low = axes.get_ylim()[0]
        axes.axhspan(min(low, -0.2), 0.0, color="0.92", zorder=0)
        axes.axhline(0.0, color="0.4", linewidth=0.8)
        axes.set_ylim(bottom=min(low, -0.2))
    left.annotate("mistakes", (0.42, 0.03), xycoords="axes fraction", color="0.4")
    right.legend(fontsize=8)  # where there is room
    return figure
