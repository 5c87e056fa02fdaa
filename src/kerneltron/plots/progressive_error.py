"""The error of a learner along a stream, each example predicted before it is learned from."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from kerneltron._types import Anything, Floats
from kerneltron.plots.style import COLOURS, INK, LEAST, figure_of, finish_chart, given_or_new

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@dataclass(kw_only=True, eq=False, repr=False)
class ProgressiveErrorDisplay:
    """The share of wrong predictions among all examples so far, and among the last ones.

    Parameters
    ----------
    is_wrong
        Of each example in the order of the stream: whether it was predicted wrongly.
    window
        How many examples the recent error is taken over; all of them, if there are fewer.
    least
        The error that nobody can beat, if it is known.

    Attributes
    ----------
    ax_, figure_
        Where it was drawn.

    Examples
    --------
    >>> from kerneltron import Perceptron
    >>> from kerneltron.datasets import noisy_logistic
    >>> from kerneltron.plots import ProgressiveErrorDisplay
    >>> X, y, least, *_ = noisy_logistic(2000, d=5, scale=5.0, seed=0)
    >>> display = ProgressiveErrorDisplay.from_estimator(Perceptron(), X, y, window=200, least=least)
    >>> f"{display.so_far[-1]:.2f}", len(display.recent)
    ('0.12', 1801)
    """

    is_wrong: Anything
    window: int = 100
    least: float | None = None
    ax_: "Axes" = field(init=False)
    figure_: "Figure" = field(init=False)

    def __post_init__(self) -> None:
        self.is_wrong = np.asarray(self.is_wrong, bool)
        if self.window < 1:
            raise ValueError(
                f"window={self.window} must be at least 1: the examples that are counted together."
            )
        if not self.is_wrong.size:
            raise ValueError("There are no examples, so there is nothing to draw: hand over at least one.")
        self.window = min(self.window, self.is_wrong.size)

    @property
    def so_far(self) -> Floats:
        """The share of errors up to and with each example."""
        return np.cumsum(self.is_wrong) / np.arange(1, self.is_wrong.size + 1)

    @property
    def recent(self) -> Floats:
        """The share of errors in each window, by its last example."""
        sums = np.concatenate([[0], np.cumsum(self.is_wrong)])
        return np.asarray((sums[self.window :] - sums[: -self.window]) / self.window)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        window: int = 100,
        least: float | None = None,
        ax: "Axes | None" = None,
        title: str = "",
    ) -> Self:
        """Learn from the rows once, in their order, with a clone of a learner of ours, and draw its errors.

        Parameters
        ----------
        estimator
            One of our classifiers; it stays as it is, fitted or not.
        X, y
            The examples in the order of the stream.
        window, least
            As for the class.
        ax
            Where to draw; None makes a new figure.
        title
            Of the panel.
        """
        from sklearn.base import clone

        classes = np.unique(y)
        scores = clone(estimator).partial_fit_predict(X, y)
        codes = scores.argmax(axis=1) if scores.ndim > 1 else (scores > 0).astype(int)
        return cls(is_wrong=classes[codes] != np.asarray(y), window=window, least=least).plot(ax, title=title)

    def plot(self, ax: "Axes | None" = None, *, title: str = "") -> Self:
        """Draw it.

        Parameters
        ----------
        ax, title
            As for `from_estimator`.
        """
        self.ax_ = ax = given_or_new(ax, (5.6, 4.2))
        self.figure_ = figure_of(ax)
        count = self.is_wrong.size
        recent: dict[str, Any] = {"color": COLOURS[4], "linewidth": 1.0, "label": f"the last {self.window:,}"}
        ax.plot(range(self.window, count + 1), 100 * self.recent, **recent)
        ax.plot(range(1, count + 1), 100 * self.so_far, color=COLOURS[0], linewidth=1.8, label="all so far")
        if self.least is not None:
            ax.axhline(100 * self.least, color=INK, linestyle=":", label=LEAST)
        ax.set_ylim(0, min(100.0, 130 * float(self.recent.max()) + 2))
        ax.set_xlim(0, count)
        ax.set_xlabel("examples seen")
        ax.set_ylabel("progressive error in %")
        ax.xaxis.set_major_formatter("{x:,.0f}")
        ax.legend(frameon=False, fontsize="small")
        finish_chart(ax)
        if title:
            ax.set_title(title, fontsize="medium")
        return self
