"""Mistakes of a run as they come, and the bound that they never reach."""

from dataclasses import dataclass, field
from math import isfinite
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from kerneltron._types import Integers
from kerneltron.plots.learners import check_single
from kerneltron.plots.style import COLOURS, INK, figure_of, finish_chart, given_or_new

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FAR = 20  # times as many as there were mistakes: a bound beyond is written, for drawn it would hide them


@dataclass(kw_only=True, eq=False, repr=False)
class MistakesDisplay:
    """How many mistakes there were after each visit, below the number that cannot be exceeded.

    Parameters
    ----------
    mistakes
        The numbers of the visits, from 0, at which a mistake was made, rising.
    visits
        How many visits there were, over all passes.
    bound
        The most mistakes that the theorem allows; infinite draws none.
    examples
        How many there are, if an upright line is to part the passes.

    Attributes
    ----------
    ax_, figure_
        Where it was drawn.

    Examples
    --------
    >>> from kerneltron.plots import MistakesDisplay
    >>> MistakesDisplay(mistakes=[0, 6], visits=30, bound=19.0, examples=10).counts[[0, 5, 6, 29]]
    array([1, 1, 2, 2])
    """

    mistakes: Integers
    visits: int
    bound: float
    examples: int | None = None
    ax_: "Axes" = field(init=False)
    figure_: "Figure" = field(init=False)

    def __post_init__(self) -> None:
        self.mistakes = np.asarray(self.mistakes, int)
        if self.mistakes.size and not 0 <= self.mistakes.min() <= self.mistakes.max() < self.visits:
            raise ValueError(
                f"Of {self.visits} visits, the last is {self.visits - 1}, but mistakes were at visits from "
                f"{self.mistakes.min()} to {self.mistakes.max()}: give the numbers of visits, from 0."
            )

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, *, ax: "Axes | None" = None, title: str = ""
    ) -> Self:
        """Draw the mistakes of the run that a learner made, by its certificate.

        Parameters
        ----------
        estimator
            A fitted classifier of ours, of two classes.
        X, y
            The examples that it was fitted on, in their order.
        ax
            Where to draw; None makes a new figure.
        title
            Of the panel.
        """
        return cls.from_certificate(estimator.certificate(X, y), ax=ax, title=title)

    @classmethod
    def from_certificate(cls, certificate: Any, *, ax: "Axes | None" = None, title: str = "") -> Self:
        """Draw the mistakes of a run, from what `learner.certificate(X, y)` returns.

        Parameters
        ----------
        certificate
            Of two classes, or one of those of several, as in `learner.certificate(X, y)[0]`.
        ax
            Where to draw; None makes a new figure.
        title
            Of the panel.
        """
        check_single(certificate)
        return cls(
            mistakes=certificate.mistaken_at - 1,
            visits=certificate.visits,
            bound=certificate.bound,
            examples=certificate.first_pass[1],
        ).plot(ax, title=title)

    @property
    def counts(self) -> Integers:
        """The number of mistakes after each visit."""
        return np.cumsum(np.bincount(self.mistakes, minlength=self.visits))

    def plot(self, ax: "Axes | None" = None, *, title: str = "") -> Self:
        """Draw it.

        Parameters
        ----------
        ax
            Where to draw; None makes a new figure.
        title
            Of the panel.
        """
        self.ax_ = ax = given_or_new(ax, (5.6, 4.2))
        self.figure_ = figure_of(ax)
        counts = [0, *self.counts]
        ax.step(range(self.visits + 1), counts, where="post", color=COLOURS[0], linewidth=1.6)
        ax.annotate(
            f"{counts[-1]:,} mistakes", (self.visits, counts[-1]), (-4, 5), textcoords="offset points",
            ha="right", fontsize="small", color=COLOURS[0],
        )  # fmt: skip
        if self.examples:
            for end in range(self.examples, self.visits, self.examples):
                ax.axvline(end, color="0.7", linewidth=0.8, linestyle=":")
        self._draw_bound(ax, counts[-1])
        ax.set_xlim(0, self.visits)
        ax.set_xlabel("examples seen" + ("; dotted: a new pass" if self.examples else ""))
        ax.set_ylabel("mistakes")
        ax.xaxis.set_major_formatter("{x:,.0f}")
        finish_chart(ax)
        if title:
            ax.set_title(title, fontsize="medium")
        return self

    def _draw_bound(self, ax: "Axes", count: int) -> None:
        text = f"at most {self.bound:,.0f}"
        if not isfinite(self.bound):
            text = "no bound is known"
        elif self.bound > FAR * max(count, 1):
            text += ", far above"
        else:
            ax.axhline(self.bound, color=INK, linewidth=1.4, linestyle="--")
        ax.set_ylim(0, 1.2 * ax.get_ylim()[1])
        place = (0.98, min(self.bound, 0.92 * ax.get_ylim()[1]))
        ax.annotate(
            text, place, (0, 3), xycoords=("axes fraction", "data"), textcoords="offset points", ha="right",
            fontsize="small", color=INK,
        )  # fmt: skip
