"""Regret along a stream."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from kerneltron._types import Anything, Floats
from kerneltron.plots.style import COLOURS, INK, figure_of, finish_chart, given_or_new
from kerneltron.theory.hindsight import best_in_hindsight
from kerneltron.theory.regret import regret, scores_before

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SIZE = (4.8, 3.8)
POINTS = 400  # of a curve that are drawn
STYLES = ("-", "--", "-.", ":", "-", "--", "-.", ":")


class RegretDisplay:
    """Regret of some learners after each example, or what else is lost after each pass.

    Parameters
    ----------
    curves
        One number per example, by the name of the learner; all of them as long.
    bound
        What one of them never exceeds; None for none.
    title, axes
        Of the panel, and of its two axes.
    is_logarithmic
        Whether both axes are logarithmic: t^p is a straight line of slope p there, and what is not above 0 is
        left out.

    Attributes
    ----------
    ax_, figure_
        Where it was drawn.

    Examples
    --------
    >>> display = RegretDisplay({"learner": np.array([1.0, 1.5, 1.75])}).plot()
    >>> display.ax_.get_ylabel()
    'regret'
    """

    def __init__(
        self,
        curves: Mapping[str, Floats],
        *,
        bound: Floats | None = None,
        title: str = "",
        axes: tuple[str, str] = ("examples", "regret"),
        is_logarithmic: bool = False,
    ) -> None:
        self.curves, self.bound, self.title, self.axes = curves, bound, title, axes
        self.is_logarithmic = is_logarithmic
        self.ax_: Axes
        self.figure_: Figure

    @classmethod
    def from_estimator(
        cls,
        learner: Any,
        X: Any,
        y: Anything,
        *,
        radius: float,
        loss: str = "logistic",
        ax: "Axes | None" = None,
        **options: Any,
    ) -> Self:
        """Let a clone of a learner go along a stream, and draw its regret against the best vector.

        Parameters
        ----------
        learner
            One of our classifiers, without an intercept; it stays as it is, fitted or not.
        X, y
            The stream, in its order, with labels -1 and 1.
        radius
            How long the best vector may be.
        loss
            "logistic" or "hinge".
        ax
            Where to draw; None makes a new figure.
        **options
            Of the display.
        """
        from sklearn.base import clone

        best = best_in_hindsight(X, y, loss=loss, radius=radius)
        scores, best_scores = scores_before(clone(learner), X, y), np.asarray(X) @ best.vector
        curve = regret(scores, best_scores, np.asarray(y), loss=loss)
        return cls({type(learner).__name__: curve}, **options).plot(ax)

    def plot(self, ax: "Axes | None" = None) -> Self:
        """Draw it, in axes that are given or in new ones."""
        ax = given_or_new(ax, SIZE)
        for colour, style, (name, curve) in zip(COLOURS, STYLES, self.curves.items(), strict=False):
            self._draw(ax, curve, color=colour, linestyle=style, label=name)
        if self.bound is not None:
            self._draw(ax, self.bound, color=INK, linestyle=(0, (1, 3)), label="bound")
        if self.is_logarithmic:
            ax.set_xscale("log")
            ax.set_yscale("log")
        else:
            ax.axhline(0, color=INK, linewidth=0.6)
        ax.set_xlabel(self.axes[0])
        ax.set_ylabel(self.axes[1])
        ax.set_title(self.title, fontsize="medium")
        ax.legend(frameon=False, fontsize="small")
        finish_chart(ax)
        self.ax_, self.figure_ = ax, figure_of(ax)
        return self

    def _draw(self, ax: "Axes", curve: Floats, **style: Any) -> None:
        """Draw a curve by few points, at equal distances on the axis."""
        last = len(curve)
        spaced = np.geomspace(1, last, POINTS) if self.is_logarithmic else np.linspace(1, last, POINTS)
        t = np.unique(spaced.round().astype(int))
        values = np.asarray(curve)[t - 1]
        seen = (values > 0) | (not self.is_logarithmic)
        ax.plot(t[seen], values[seen], linewidth=1.4, **style)
