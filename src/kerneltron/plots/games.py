"""What a concept class costs at worst: four numbers, each at most the next."""

from collections.abc import Mapping
from math import log2
from textwrap import fill
from typing import TYPE_CHECKING, NamedTuple

from kerneltron.plots.style import COLOURS, INK, figure_of, finish_chart, given_or_new

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SIZE = (6.4, 3.8)
NAME_WIDTH = 14  # letters of a line below the axis
STYLES = (("s", COLOURS[0]), ("o", COLOURS[1]), ("^", COLOURS[2]), ("_", INK))


class WorstCases(NamedTuple):
    """Numbers of a concept class."""

    size: int
    vc_dimension: int
    optimal: int  # mistakes of the best learner
    halving: int  # mistakes of halving

    @property
    def log_size(self) -> float:
        """log2 |C|, which no number is above."""
        return log2(self.size)


class GamesDisplay:
    """VC dimension, worst-case mistakes and log2 |C| of each class, side by side.

    Parameters
    ----------
    classes
        The numbers, by the name of the class.

    Attributes
    ----------
    ax_, figure_
        Where it was drawn.

    Examples
    --------
    >>> GamesDisplay({"lists": WorstCases(96, 4, 5, 6)}).plot().ax_.get_ylabel()
    'mistakes'
    """

    def __init__(self, classes: Mapping[str, WorstCases]) -> None:
        self.classes = classes
        self.ax_: Axes
        self.figure_: Figure

    @property
    def series(self) -> dict[str, list[float]]:
        """What is drawn, one number per class."""
        each = self.classes.values()
        return {
            "VC dimension": [found.vc_dimension for found in each],
            "best learner": [found.optimal for found in each],
            "halving": [found.halving for found in each],
            "log2 of the class's size": [found.log_size for found in each],
        }

    def plot(self, ax: "Axes | None" = None) -> "GamesDisplay":
        """Draw it, in axes that are given or in new ones."""
        ax = given_or_new(ax, SIZE)
        places = range(len(self.classes))
        shifts = (-0.24, -0.08, 0.08, 0.24)
        for (name, values), (marker, colour), shift in zip(self.series.items(), STYLES, shifts, strict=True):
            across = [place + shift for place in places]
            ax.vlines(across, 0, values, color=colour, linewidth=1.2)
            ax.plot(across, values, marker, color=colour, label=name)
        ax.set_xticks(list(places), [fill(name, NAME_WIDTH) for name in self.classes], fontsize="small")
        ax.set_ylim(bottom=0)
        ax.set_ylabel("mistakes")
        ax.legend(frameon=False, fontsize="small", loc="upper left")
        finish_chart(ax)
        self.ax_, self.figure_ = ax, figure_of(ax)
        return self
