"""Mistakes beside their bound, as something grows: the dimension, or the number of bits."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kerneltron.plots.style import COLOURS, figure_of, finish_chart, given_or_new

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SIZE = (4.6, 3.6)


class DimensionsDisplay:
    """Mistakes and their bound on a logarithmic axis.

    Parameters
    ----------
    sizes
        What grows.
    mistakes, bounds
        One number for each of them.
    name
        What the sizes are.
    is_logarithmic
        Whether sizes are drawn on a logarithmic axis, too.

    Attributes
    ----------
    ax_, figure_
        Where it was drawn.

    Examples
    --------
    >>> DimensionsDisplay([10, 100], [13, 13], [100, 100], "dimensions").plot().ax_.get_xlabel()
    'dimensions'
    """

    def __init__(
        self,
        sizes: Sequence[int],
        mistakes: Sequence[float],
        bounds: Sequence[float],
        name: str,
        is_logarithmic: bool = False,
    ) -> None:
        self.sizes, self.mistakes, self.bounds = sizes, mistakes, bounds
        self.name, self.is_logarithmic = name, is_logarithmic
        self.ax_: Axes
        self.figure_: Figure

    def plot(self, ax: "Axes | None" = None) -> "DimensionsDisplay":
        """Draw it, in axes that are given or in new ones."""
        ax = given_or_new(ax, SIZE)
        ax.plot(self.sizes, self.bounds, "s--", color=COLOURS[1], label="bound")
        ax.plot(self.sizes, self.mistakes, "o-", color=COLOURS[0], label="mistakes")
        ax.set_yscale("log")
        if self.is_logarithmic:
            ax.set_xscale("log")
        ax.set_ylim(1, 4 * max(self.bounds))
        ax.set_xlabel(self.name)
        ax.legend(frameon=False, fontsize="small", loc="upper left")
        finish_chart(ax)
        self.ax_, self.figure_ = ax, figure_of(ax)
        return self
