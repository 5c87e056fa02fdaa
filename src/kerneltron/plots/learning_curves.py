"""Error against what was spent on learning: passes, examples, or anything that grows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from kerneltron.plots.ends import label_ends
from kerneltron.plots.style import INK, LEAST, LINES, MARKERS, figure_of, finish_chart, given_or_new

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

TICKS = (0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 70)  # in %
PASSES = (1, 2, 4, 8)
MANY = 4  # curves: the names of more stand at their ends
FEWEST = 3  # of these; a narrower range has ticks of its own


@dataclass(kw_only=True, eq=False, repr=False)
class LearningCurvesDisplay:
    """One curve for each learner, kernel or hypothesis, on logarithmic axes.

    Where an error is 0, the upright axis is a plain one.

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

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        X_test: Any,
        y_test: Any,
        *,
        passes: Sequence[float] = PASSES,
        ax: "Axes | None" = None,
        title: str = "",
    ) -> Self:
        """Fit a clone of a learner once for each number of passes, and draw its errors on other examples.

        Parameters
        ----------
        estimator
            One of our classifiers; it stays as it is, fitted or not.
        X, y
            The examples to learn from.
        X_test, y_test
            Those to measure on.
        passes
            How often to visit all examples, one number for each fit.
        ax
            Where to draw; None makes a new figure.
        title
            Of the panel.
        """
        from sklearn.base import clone

        fits = (clone(estimator).set_params(passes=number).fit(X, y) for number in passes)
        errors = [1.0 - float(fitted.score(X_test, y_test)) for fitted in fits]
        return cls(at=passes, curves={type(estimator).__name__: errors}).plot(ax, title=title)

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
        lines: list[Line2D] = []
        for number, (name, errors) in enumerate(self.curves.items()):
            again, place = divmod(number, len(LINES))
            look: dict[str, Any] = {"color": LINES[place], "marker": MARKERS[number % len(MARKERS)]}
            percent = [100 * error for error in errors]
            look |= {"linestyle": "--" if again else "-", "markersize": 3.5, "label": name}
            lines += ax.plot(self.at, percent, **look)
        others = []
        if self.least:
            others = [ax.axhline(100 * self.least, color=INK, linestyle=":", label=LEAST)]
        self._set_ticks(ax)
        ax.set_xlabel(self.of)
        ax.set_ylabel("test error")
        if len(lines) > MANY:
            label_ends(ax, lines)
            lines = []
        if explained := lines + others:
            ax.legend(handles=explained, fontsize="small", frameon=False, handlelength=2.6)
        finish_chart(ax)
        if title:
            ax.set_title(title, fontsize="medium")
        return self

    def _set_ticks(self, ax: "Axes") -> None:
        ax.set_xscale("log")
        ax.set_xticks(list(self.at), [f"{value:,g}" for value in self.at])
        ax.set_xticks([], minor=True)
        errors = [error for curve in self.curves.values() for error in curve]
        if min(errors, default=0.0) <= 0:  # which has no logarithm
            ax.set_ylim(0, 105 * max(errors, default=0.0) or 1.0)
            ax.yaxis.set_major_formatter("{x:g} %")
            return
        ax.set_yscale("log")
        low, high = ax.get_ylim()
        ticks = [tick for tick in TICKS if low <= tick <= high]
        if len(ticks) < FEWEST:
            from matplotlib.ticker import MaxNLocator

            ticks = [tick for tick in MaxNLocator(5).tick_values(low, high) if low <= tick <= high]
        ax.set_yticks(ticks, [f"{tick:g} %" for tick in ticks])
        ax.set_yticks([], minor=True)
