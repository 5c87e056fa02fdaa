"""What grows with the number of examples, and how fast."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from kerneltron.plots.style import LINES, MARKERS, figure_of, finish_chart, given_or_new

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@dataclass(kw_only=True, eq=False, repr=False)
class ScalingDisplay:
    """A cost against the number of examples, one curve per learner, on logarithmic axes: a power is a line.

    Parameters
    ----------
    curves
        For each learner, numbers of examples and the costs there, both above 0.
    exponents
        For each learner, the slope of its line, which the legend tells.
    of
        What the costs are.

    Attributes
    ----------
    ax_, figure_
        Where it was drawn.

    Examples
    --------
    >>> from kerneltron.plots.scaling import ScalingDisplay
    >>> curves = {"dual": ([100, 1000], [2.0, 20.0])}
    >>> display = ScalingDisplay(curves=curves, exponents={"dual": 1.0}, of="seconds").plot()
    >>> [text.get_text() for text in display.ax_.get_legend().get_texts()]
    ['dual: $n^{1.00}$']
    """

    curves: Mapping[str, tuple[Any, Any]]
    exponents: Mapping[str, float]
    of: str
    ax_: "Axes" = field(init=False)
    figure_: "Figure" = field(init=False)

    def __post_init__(self) -> None:
        for name, (examples, costs) in self.curves.items():
            if len(examples) != len(costs):
                raise ValueError(
                    f"{name!r} has {len(costs)} costs for {len(examples)} numbers of examples: give one cost "
                    "for each."
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
        self.ax_ = ax = given_or_new(ax, (4.8, 4.2))
        self.figure_ = figure_of(ax)
        for number, (name, (examples, costs)) in enumerate(self.curves.items()):
            look: dict[str, Any] = {
                "color": LINES[number % len(LINES)],
                "marker": MARKERS[number % len(MARKERS)],
            }
            ax.plot(
                examples, costs, markersize=3.5, label=f"{name}: $n^{{{self.exponents[name]:.2f}}}$", **look
            )
        ax.set(xscale="log", yscale="log", xlabel="examples", ylabel=self.of)
        ax.legend(fontsize="small", frameon=False)
        finish_chart(ax)
        if title:
            ax.set_title(title, fontsize="medium")
        return self
