"""How many mistakes learners make, against the number of attributes."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Self

import numpy as np

from kerneltron.plots.style import colour, figure_of, finish_chart, given_or_new, marker, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Counts = Sequence[Sequence[float]]


class GrowthDisplay:
    """Mistakes by the number of attributes, on two logarithmic axes: a straight line is a power.

    Parameters
    ----------
    attributes
        The numbers of attributes.
    mistakes
        For each learner and number of attributes, the mistakes of several runs: the points are their means,
        the bars reach from the fewest to the most.
    curves
        Further curves, such as fits and bounds, by what they are called.

    Attributes
    ----------
    ax_ : the axes, after `plot`
    figure_ : the figure that they belong to

    Examples
    --------
    >>> from kerneltron.plots.winnow import GrowthDisplay
    >>> shown = GrowthDisplay([16, 64], {"Winnow": [[25, 27], [46, 47]]}).plot()
    >>> shown.ax_.get_xlabel()
    'attributes n'
    """

    ax_: "Axes"
    figure_: "Figure"

    def __init__(
        self,
        attributes: Sequence[int],
        mistakes: Mapping[str, Counts],
        curves: Mapping[str, Callable[[int], float]] | None = None,
    ) -> None:
        self.attributes = attributes
        self.mistakes = mistakes
        self.curves = curves or {}

    def plot(self, ax: "Axes | None" = None) -> Self:
        """Draw into the given axes, or into a figure of its own."""
        ax = given_or_new(ax, (5.2, 4.2))
        for number, (learner, counts) in enumerate(self.mistakes.items()):
            means = [float(np.mean(runs)) for runs in counts]
            reach = [
                [mean - min(runs) for mean, runs in zip(means, counts, strict=True)],
                [max(runs) - mean for mean, runs in zip(means, counts, strict=True)],
            ]
            ax.errorbar(
                self.attributes, means, reach, fmt=marker(number), color=colour(number), markersize=6,
                capsize=3, label=learner,
            )  # fmt: skip
        for style, (name, curve) in zip(("-", "--", ":"), self.curves.items(), strict=False):
            ax.plot(
                self.attributes, [curve(n) for n in self.attributes], style, color="0.35", lw=1.2, label=name
            )
        self._label(ax)
        self.ax_, self.figure_ = ax, figure_of(ax)
        return self

    def _label(self, ax: "Axes") -> None:
        ax.set_xscale("log", base=2)
        ax.set_yscale("log")
        shown = self.attributes[:: 2 if len(self.attributes) > 6 else 1]
        ax.set_xticks(shown, [f"{n:,}" for n in shown])
        ax.set_xlabel("attributes n")
        ax.set_ylabel("mistakes")
        finish_chart(ax)
        ax.legend(frameon=False, loc="upper left")


def draw_winnow(few: GrowthDisplay, all_: GrowthDisplay, relevant: int) -> "Figure":
    """Draw both problems side by side, with the same scale of mistakes.

    Parameters
    ----------
    few
        Where few attributes are relevant.
    all_
        Where all of them are relevant.
    relevant
        How many the few are.
    """
    figure = new_figure((10.4, 4.6))
    left, right = figure.subplots(1, 2, sharey=True)
    few.plot(left)
    all_.plot(right)
    left.set_title(f"{relevant} attributes matter, the others are noise")
    right.set_title("all attributes matter, three are there at a time")
    low, high = left.get_ylim()
    left.set_ylim(low, 8 * high)  # room for the legends
    right.yaxis.set_tick_params(labelleft=True)
    return figure
