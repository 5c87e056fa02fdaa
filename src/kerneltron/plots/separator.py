"""A straight line between two classes, as thick as the examples allow: the thicker, the better."""

from dataclasses import dataclass, field
from math import hypot
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from kerneltron._types import Anything, Floats, Integers
from kerneltron.plots.examples import points_of
from kerneltron.plots.learners import check_fitted, plane_of
from kerneltron.plots.style import INK, draw_classes, figure_of, finish_plane, given_or_new, legend_below
from kerneltron.theory.bounds import separable_bound

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BAND = "#009E73"  # bluish green of Okabe and Ito
SPACE = 0.08  # around the examples, as a part of what they span
TOUCHING = 1e-3  # of the radius: examples that are this much further away than the nearest are near too


@dataclass(kw_only=True, eq=False, repr=False)
class SeparatorDisplay:
    """The line <w, x> + b = 0 and the band around it that holds no example.

    The line is right wherever it separates; the thicker one is better, because it has a proof: the perceptron
    makes at most (R / gamma)^2 mistakes if a line has the margin gamma, and R is the length of the longest
    example. Rings are the examples that the band touches.

    Parameters
    ----------
    X, y
        Examples of two features and two labels.
    w
        A vector; the side it points to is that of the second label.
    b
        The offset. Where it is not 0, it is the weight of a constant feature, 1 in every example, that counts
        in R and gamma.

    Attributes
    ----------
    classes
        The labels, sorted.
    width
        Distance of the nearest example from the line, below 0 where one is on the wrong side.
    margin, radius
        gamma and R. The margin is the width, but for the offset: min y (<w, x> + b) / sqrt(||w||^2 + b^2).
    bound
        (R / gamma)^2: infinite where the line does not separate.
    nearest
        The numbers of the examples that the band touches.
    ax_, figure_
        Where it was drawn.

    Examples
    --------
    >>> from kerneltron.datasets.shapes import ten_points
    >>> from kerneltron.plots import SeparatorDisplay
    >>> X, y, *_ = ten_points()
    >>> display = SeparatorDisplay(X=X, y=y, w=X[0] - X[6])
    >>> round(display.width, 3), round(display.bound, 1), display.nearest
    (0.536, 19.0, array([6]))
    """

    X: Floats
    y: Anything
    w: Floats
    b: float = 0.0
    ax_: "Axes" = field(init=False)
    figure_: "Figure" = field(init=False)

    def __post_init__(self) -> None:
        self.X, self.y = points_of(self.X, self.y, classes=2)
        self.w, self.classes = np.asarray(self.w, float), np.unique(self.y)
        length = float(np.linalg.norm(self.w))
        if length == 0:
            raise ValueError("w is 0, which is no line: train until the learner has made a mistake.")
        heights = self._signs() * (self.X @ self.w + self.b)
        self.width = float(heights.min()) / length
        constant = 1.0 if self.b else 0.0
        self.radius = float(np.hypot(np.linalg.norm(self.X, axis=1), constant).max())
        self.margin = float(heights.min()) / hypot(length, self.b)
        self.bound = separable_bound(self.radius, self.margin)
        self.nearest: Integers = np.flatnonzero(heights / length - self.width <= TOUCHING * self.radius)

    def _signs(self) -> Integers:
        return np.where(self.y == self.classes[1], 1, -1)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, *, ax: "Axes | None" = None, title: str = ""
    ) -> Self:
        """Draw the line of a fitted linear classifier.

        Parameters
        ----------
        estimator
            A classifier with `coef_` and `intercept_`, ours in primal form or another.
        X, y
            Examples of two features and two labels.
        ax
            Where to draw; None makes a new figure.
        title
            Of the panel, above its figures.
        """
        points, labels = points_of(X, y, classes=2)
        check_fitted(estimator, labels)
        w, b = plane_of(estimator, columns=2)
        return cls(X=points, y=labels, w=w, b=b).plot(ax, title=title)

    def plot(self, ax: "Axes | None" = None, *, title: str = "") -> Self:
        """Draw it.

        Parameters
        ----------
        ax, title
            As for `from_estimator`.
        """
        self.ax_ = ax = given_or_new(ax)
        self.figure_ = figure_of(ax)
        low, high = self.X.min(axis=0), self.X.max(axis=0)
        space = SPACE * (high - low).max()
        ax.set_xlim(low[0] - space, high[0] + space)
        ax.set_ylim(low[1] - space, high[1] + space)
        ax.set_aspect("equal")
        self._draw_line(ax)
        draw_classes(ax, self.X, self.y, self.classes, size=36)
        if self.width > 0:
            look: dict[str, Any] = {"s": 130, "facecolors": "none", "edgecolors": INK, "label": "nearest"}
            ax.scatter(*self.X[self.nearest].T, zorder=4, **look)
        finish_plane(ax)
        ax.set_title("\n".join(filter(None, [title, self._figures()])), fontsize="medium")
        legend_below(ax, columns=3)
        return self

    def _draw_line(self, ax: "Axes") -> None:
        unit = self.w / np.linalg.norm(self.w)
        along, middle = np.array([-unit[1], unit[0]]), -self.b * unit / np.linalg.norm(self.w)
        reach = 3 * float(np.ptp(self.X, axis=0).max())  # beyond the axes on both sides
        ends = np.array([middle - reach * along, middle + reach * along])
        ax.plot(*ends.T, color=INK, linewidth=1.6, label="separator", scalex=False, scaley=False)
        if self.width <= 0:
            return
        corners = np.concatenate([ends + self.width * unit, ends[::-1] - self.width * unit])
        ax.fill(*corners.T, color=BAND, alpha=0.22, linewidth=0, label="margin")
        for side in (-1, 1):
            edge = ends + side * self.width * unit
            ax.plot(*edge.T, color=INK, linewidth=0.8, linestyle="--", scalex=False, scaley=False)

    def _figures(self) -> str:
        if self.width <= 0:
            return "does not separate"
        theorem = rf"$\gamma$ = {self.margin:.2f}, $(R/\gamma)^2$ = {self.bound:,.0f}"
        if not self.b:
            return theorem
        return f"nearest example {self.width:.2f} away;\nwith a constant feature {theorem}"
