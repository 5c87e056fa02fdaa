"""How often thumbs are told wrong, by who tells them."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Self

from kerneltron.plots.style import INK, colour, figure_of, finish_chart, given_or_new, panels

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


class RatingsDisplay:
    """A bar for each who tells thumbs; a line where nobody can be better.

    Parameters
    ----------
    errors
        The share of wrong thumbs, by who tells them.
    least
        The error that nobody can beat; None if it is not known.
    ours
        Who of them is drawn in another colour.
    leaked
        Who of them has seen the answers, and is hatched.

    Attributes
    ----------
    ax_ : the axes, after `plot`
    figure_ : the figure that they belong to

    Examples
    --------
    >>> from kerneltron.plots.ratings import RatingsDisplay
    >>> shown = RatingsDisplay({"film mean": 0.36, "learned": 0.23}, least=0.16, ours="learned").plot()
    >>> shown.ax_.get_xlabel()
    'wrong thumbs in %'
    """

    ax_: "Axes"
    figure_: "Figure"

    def __init__(
        self, errors: Mapping[str, float], *, least: float | None = None, ours: str = "", leaked: str = ""
    ) -> None:
        self.errors = errors
        self.least = least
        self.ours = ours
        self.leaked = leaked

    def plot(self, ax: "Axes | None" = None) -> Self:
        """Draw into the given axes, or into a figure of its own."""
        ax = given_or_new(ax, (5.6, 3.0))
        for place, (who, error) in enumerate(self.errors.items()):
            bar = ax.barh(place, 100 * error, 0.65, color=colour(1 if who == self.ours else 0))[0]
            if who == self.leaked:
                bar.set(facecolor="white", edgecolor=colour(5), hatch="//")
            ax.text(100 * error + 0.5, place, f"{100 * error:.1f}", va="center")
        ax.set_yticks(range(len(self.errors)), list(self.errors))
        ax.invert_yaxis()
        if self.least is not None:
            ax.axvline(100 * self.least, color=INK, ls=":", lw=1.4)
            ax.text(
                100 * self.least, -0.55, f"who knows all tastes: {100 * self.least:.1f}",
                ha="center", va="bottom", fontsize="small",
            )  # fmt: skip
        ax.set_xlabel("wrong thumbs in %")
        finish_chart(ax)
        ax.grid(visible=False, axis="y")
        self.ax_, self.figure_ = ax, figure_of(ax)
        return self


def draw_ratings(displays: "Mapping[str, RatingsDisplay]", columns: int = 2) -> "Figure":
    """Draw one panel per source and rule, under its name, all with the same scale.

    Parameters
    ----------
    displays
        What the panels show.
    columns
        How many stand side by side.
    """
    figure, places = panels(len(displays), columns, (5.4, 3.4), sharex=True)
    for ax, (name, display) in zip(places, displays.items(), strict=True):
        display.plot(ax).ax_.set_title(name, pad=18)
    return figure
