"""Error against what was spent on learning: passes, examples, or anything that grows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from kerneltron.plots.style import INK, LINES, MARKERS, figure_of, finish_chart, given_or_new

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TICKS = (0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 70)  # in %
FEWEST = 3  # of these; a narrower range has ticks of its own


@dataclass(kw_only=True, eq=False, repr=False)
class LearningCurvesDisplay:
    """One curve for each learner, kernel or hypothesis, on logarithmic axes.

    Parameters
    ----------
    at
        Where errors were measured, above 0: numbers of passes or of examples.
    curves
        For each learner, its errors there, as fractions.
    of
        What `at` counts.
    least
        The error that nobody can beat, as a dotted line; None or 0, which has no logarithm, draws none.

    Attributes
    ----------
    ax_, figure_
        Where it was drawn.

    Examples
    --------
    >>> from kerneltron.plots import LearningCurvesDisplay
    >>> display = LearningCurvesDisplay(at=[1, 2, 4], curves={"linear": [0.05, 0.04, 0.03]}).plot()
    >>> [label.get_text() for label in display.ax_.get_yticklabels()]
    ['3 %', '4 %', '5 %']
    """

    at: Sequence[float]
    curves: Mapping[str, Sequence[float]]
    of: str = "passes"
    least: float | None = None
    ax_: "Axes" = field(init=False)
    figure_: "Figure" = field(init=False)

    def __post_init__(self) -> None:
        for name, errors in self.curves.items():
            if len(errors) != len(self.at):
                raise ValueError(
                    f"{name!r} has {len(errors)} errors, but there are {len(self.at)} numbers of {self.of}: "
                    "give one for each."
                )

    def plot(self, ax: "Axes | None" = None, *, title: str = "") -> Self:
        """Draw it.

        Parameters
        ----------
        ax
            Where to draw; None makes a new figure.
        title
            Of the panel.
        """
        self.ax_ = ax = given_or_new(ax, (5.2, 4.2))
        self.figure_ = figure_of(ax)
        for number, (name, errors) in enumerate(self.curves.items()):
            again, place = divmod(number, len(LINES))
            look: dict[str, Any] = {"color": LINES[place], "marker": MARKERS[number % len(MARKERS)]}
            percent = [100 * error for error in errors]
            ax.plot(self.at, percent, linestyle="--" if again else "-", markersize=3.5, label=name, **look)
        if self.least:
            ax.axhline(100 * self.least, color=INK, linestyle=":", label="nobody can do better")
        self._set_ticks(ax)
        ax.set_xlabel(self.of)
        ax.set_ylabel("test error")
        ax.legend(fontsize="small", frameon=False, handlelength=2.6)
        finish_chart(ax)
        if title:
            ax.set_title(title, fontsize="medium")
        return self

    def _set_ticks(self, ax: "Axes") -> None:
        ax.set_xscale("log")
        ax.set_yscale("log")
        ax.set_xticks(list(self.at), [f"{value:,g}" for value in self.at])
        ax.set_xticks([], minor=True)
        low, high = ax.get_ylim()
        ticks = [tick for tick in TICKS if low <= tick <= high]
        if len(ticks) < FEWEST:
            from matplotlib.ticker import MaxNLocator

            ticks = [tick for tick in MaxNLocator(5).tick_values(low, high) if low <= tick <= high]
        ax.set_yticks(ticks, [f"{tick:g} %" for tick in ticks])
        ax.set_yticks([], minor=True)
