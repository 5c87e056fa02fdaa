"""Test errors of last, random, average and vote, by the number of passes."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Self

import numpy as np

from kerneltron.plots.style import INK, colour, figure_of, finish_chart, given_or_new, marker, panels

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

STYLES = ("-", "--", "-.", ":")


class HypothesesDisplay:
    """The error of each hypothesis, on logarithmic axes; bands are a standard deviation wide on both sides.

    Parameters
    ----------
    passes
        The numbers of passes.
    errors
        For each hypothesis and number of passes, the errors of several runs.
    least
        The error that nobody can beat, drawn as a level line; None if it is not known.

    Attributes
    ----------
    ax_ : the axes, after `plot`
    figure_ : the figure that they belong to

    Examples
    --------
    >>> from kerneltron.plots.hypotheses import HypothesesDisplay
    >>> shown = HypothesesDisplay([1, 10], {"last": [[0.3], [0.2]], "vote": [[0.2], [0.1]]}).plot()
    >>> [text.get_text() for text in shown.ax_.get_legend().get_texts()]
    ['last', 'vote']
    """

    ax_: "Axes"
    figure_: "Figure"

    def __init__(
        self,
        passes: Sequence[float],
        errors: Mapping[str, Sequence[Sequence[float]]],
        *,
        least: float | None = None,
    ) -> None:
        self.passes = passes
        self.errors = errors
        self.least = least

    def plot(self, ax: "Axes | None" = None) -> Self:
        """Draw into the given axes, or into a figure of its own."""
        ax = given_or_new(ax, (4.6, 3.8))
        for number, (name, runs) in enumerate(self.errors.items()):
            means, spread = 100 * np.mean(runs, axis=1), 100 * np.std(runs, axis=1)
            low = np.maximum(means - spread, 0.5 * means)  # a band that reaches 0 has no end on this scale
            ax.fill_between(self.passes, low, means + spread, color=colour(number), alpha=0.15, lw=0)
            ax.plot(
                self.passes, means, STYLES[number % len(STYLES)], marker=marker(number), color=colour(number),
                markersize=5, label=name,
            )  # fmt: skip
        if self.least is not None:
            ax.axhline(100 * self.least, color=INK, lw=1, ls=":")
        self._label(ax)
        self.ax_, self.figure_ = ax, figure_of(ax)
        return self

    def _label(self, ax: "Axes") -> None:
        from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

        ax.set_xscale("log")
        ax.set_yscale("log")
        ax.set_xticks(self.passes, [f"{value:g}" for value in self.passes])
        ax.set_xticks([], minor=True)
        ax.yaxis.set_major_locator(LogLocator(subs=(1, 1.5, 2, 3, 4, 5, 7)))
        ax.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
        ax.yaxis.set_minor_formatter(NullFormatter())
        ax.set_xlabel("passes")
        ax.set_ylabel("test error in %")
        finish_chart(ax)
        ax.legend(frameon=False, fontsize="small", handlelength=2.6)


def draw_hypotheses(displays: "Mapping[str, HypothesesDisplay]", columns: int = 3) -> "Figure":
    """Draw one panel per problem, under its name.

    Parameters
    ----------
    displays
        What is shown of each problem.
    columns
        How many stand side by side.
    """
    figure, places = panels(len(displays), columns, (4.4, 3.7))
    for ax, (name, display) in zip(places, displays.items(), strict=True):
        display.plot(ax).ax_.set_title(name, fontsize="medium")
    return figure
