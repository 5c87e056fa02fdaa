"""Training and test error against how much a learner can express."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Self

import numpy as np

from kerneltron.plots.style import (
    INK,
    LEAST,
    colour,
    figure_of,
    finish_chart,
    given_or_new,
    marker,
    panels,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST = 0.55  # at the top of all panels that are drawn together: a little more than chance
Runs = Sequence[Sequence[float]]  # by value, and for each value by seed


class OverfittingDisplay:
    """Errors on training examples (dashed) and on new ones (solid); a ring is where the latter are least.

    Parameters
    ----------
    values
        What varies along the horizontal axis; it is drawn in this order, at equal distances.
    curves
        For each curve the training and the test errors, by value and seed. Bands are a standard deviation of
        the test errors wide on both sides.
    axis
        What the values are.
    least
        The error that nobody can beat, drawn as a level line; None if it is not known.

    Attributes
    ----------
    ax_ : the axes, after `plot`
    figure_ : the figure that they belong to

    Examples
    --------
    >>> from kerneltron.plots.overfitting import OverfittingDisplay
    >>> errors = [[0.4], [0.2], [0.0]], [[0.5], [0.25], [0.375]]
    >>> OverfittingDisplay([1, 2, 3], {"a kernel": errors}, axis="degree").plot().ax_.get_xlabel()
    'degree'
    """

    ax_: "Axes"
    figure_: "Figure"

    def __init__(
        self,
        values: Sequence[float],
        curves: Mapping[str, tuple[Runs, Runs]],
        *,
        axis: str,
        least: float | None = None,
    ) -> None:
        self.values = values
        self.curves = curves
        self.axis = axis
        self.least = least

    def plot(self, ax: "Axes | None" = None) -> Self:
        """Draw into the given axes, or into a figure of its own."""
        ax = given_or_new(ax, (5.2, 4.0))
        for number, (name, (training, test)) in enumerate(self.curves.items()):
            self._draw(ax, number, name, training, test)
        if self.least is not None:
            ax.axhline(100 * self.least, color=INK, lw=1, ls=":")
        ax.set_xticks(range(len(self.values)), [f"{value:,g}" for value in self.values])
        ax.set_ylim(bottom=-1)
        ax.set_xlabel(self.axis)
        ax.set_ylabel("error in %")
        finish_chart(ax)
        ax.legend(frameon=False, fontsize="small")
        self.ax_, self.figure_ = ax, figure_of(ax)
        return self

    def _draw(self, ax: "Axes", number: int, name: str, training: Runs, test: Runs) -> None:
        places, paint = np.arange(len(self.values)), colour(number)
        known, new = (100 * np.mean(runs, axis=1) for runs in (training, test))
        spread = 100 * np.std(test, axis=1)
        ax.fill_between(places, new - spread, new + spread, color=paint, alpha=0.15, lw=0)
        ax.plot(places, new, "-", marker=marker(number), color=paint, markersize=5, label=name)
        ax.plot(places, known, "--", color=paint, lw=1.4)
        best = int(np.argmin(new))
        ax.plot(best, new[best], "o", markersize=13, markerfacecolor="none", markeredgecolor=INK)


def draw_overfitting(displays: "Sequence[OverfittingDisplay]", columns: int = 3) -> "Figure":
    """Draw several panels with the same scale of errors.

    Parameters
    ----------
    displays
        What the panels show.
    columns
        How many stand side by side.
    """
    figure, places = panels(len(displays), columns, (4.6, 3.8))
    for ax, display in zip(places, displays, strict=True):
        display.plot(ax).ax_.set_ylim(-1, 100 * MOST)
    _explain(figure)
    return figure


def _explain(figure: "Figure") -> None:
    """Say what the signs mean."""
    from matplotlib.lines import Line2D

    signs = {
        "error on new examples": Line2D([], [], color=INK, marker="o", markersize=5),
        "error on training examples": Line2D([], [], color=INK, ls="--", lw=1.4),
        "least error on new examples": Line2D(
            [], [], ls="", marker="o", markersize=13, markerfacecolor="none", markeredgecolor=INK
        ),
        LEAST: Line2D([], [], color=INK, lw=1, ls=":"),
    }
    figure.legend(list(signs.values()), list(signs), loc="outside lower center", ncols=4, frameon=False)
