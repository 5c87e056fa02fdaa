"""Where a learner of two features decides what, how sure it is, and which examples it remembers."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from kerneltron._types import Anything, Floats, Integers
from kerneltron.plots.examples import dense, points_of
from kerneltron.plots.learners import check_fitted
from kerneltron.plots.style import (
    COLOURS,
    INK,
    colour,
    draw_classes,
    figure_of,
    finish_plane,
    given_or_new,
    legend_below,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SHADES = (0.14, 0.26, 0.38)  # how strong the colour of a side is: the surer, the stronger
BAND = "#FFFFFF"  # of the margin: nothing is in there
POINTS = 300  # of the grid along each side
STYLES = ("dashed", "solid")  # of rings that speak for the first of two classes, and for the second
SMALLEST, LARGEST = 24, 190  # areas of the rings around remembered examples, by weight
MANY = 40  # examples, or rings: more of them are drawn smaller, so as not to hide each other


class Remembered(NamedTuple):
    """The examples that a learner in dual form remembers; there are none in primal form."""

    points: Floats
    coefficients: Floats  # one row per column of scores; none where many vectors vote


@dataclass(kw_only=True, eq=False, repr=False)
class BoundaryDisplay:
    """What a learner of two features says about the plane, and the examples that it learned from.

    With two classes, the solid line is where the score is 0. The white band along it is the thick separator:
    it ends at the dashed lines, where the score is that of the nearest example, and there is none where some
    examples are on the wrong side. A side is darker where the score is further from 0 than those of a third
    and of two thirds of the examples. Rings, in dual form, are the remembered examples: the area of a ring is
    its |coefficient|, a solid one speaks for the second class, a dashed one for the first, and each is filled
    with the colour of its side. With more classes, each has its region.

    Parameters
    ----------
    across, up
        Coordinates of a grid, as `numpy.meshgrid` returns them.
    scores
        What the learner says at each point of the grid: a score each or, with more than two classes, the
        place of the highest one.
    X, y
        The examples.
    classes
        The labels, sorted.
    own
        The scores of the examples; empty with more than two classes.
    remembered
        What the learner remembers.
    margin
        The score at which the band ends; 0 draws none.

    Attributes
    ----------
    ax_, figure_
        Where it was drawn; `figure_.savefig(path)` saves it.

    Examples
    --------
    >>> from kerneltron import Perceptron
    >>> from kerneltron.datasets.shapes import circle
    >>> from kerneltron.plots import BoundaryDisplay
    >>> X, y, *_ = circle(100, seed=0)
    >>> learner = Perceptron(kernel="Gaussian(1.0)", passes=10, random_state=0).fit(X, y)
    >>> display = BoundaryDisplay.from_estimator(learner, X, y, title="A circle")
    >>> len(display.remembered.points) == learner.support_.size, display.margin > 0
    (True, True)
    """

    across: Floats
    up: Floats
    scores: Anything
    X: Floats
    y: Anything
    classes: Anything
    own: Floats
    remembered: Remembered
    margin: float = 0.0
    ax_: "Axes" = field(init=False)
    figure_: "Figure" = field(init=False)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        margin: float | None = None,
        ax: "Axes | None" = None,
        title: str = "",
        legend: bool = True,
    ) -> Self:
        """Ask a fitted classifier about the plane, and draw what it says.

        Parameters
        ----------
        estimator
            A fitted classifier of two features with a `decision_function`; not only of ours.
        X, y
            The examples that it was fitted on.
        margin
            The score at which the band ends, such as 1 for a support vector machine; None is the score of the
            nearest example, if none is on the wrong side.
        ax
            Where to draw; None makes a new figure.
        title
            Of the panel.
        legend
            Whether to say what the signs mean.
        """
        points, labels = points_of(X, y)
        check_fitted(estimator, labels)
        across, up = _grid(points)
        grid: Any = np.column_stack([across.ravel(), up.ravel()])
        if hasattr(X, "iloc"):  # a data frame: a learner that knows names asks for them
            grid = type(X)(grid, columns=X.columns)
        scores, own = np.asarray(estimator.decision_function(grid)), np.empty(0)
        if scores.ndim > 1:
            scores = scores.argmax(axis=1)
        else:
            own = np.asarray(estimator.decision_function(X))
            nearest = float(np.min(np.where(labels == estimator.classes_[-1], own, -own)))
            margin = max(0.0, nearest) if margin is None else margin
        return cls(
            across=across,
            up=up,
            scores=scores.reshape(across.shape),
            X=points,
            y=labels,
            classes=np.asarray(estimator.classes_),
            own=own,
            remembered=_remembered(estimator, points),
            margin=margin or 0.0,
        ).plot(ax, title=title, legend=legend)

    def plot(self, ax: "Axes | None" = None, *, title: str = "", legend: bool = True) -> Self:
        """Draw it.

        Parameters
        ----------
        ax, title, legend
            As for `from_estimator`.
        """
        self.ax_ = ax = given_or_new(ax)
        self.figure_ = figure_of(ax)
        if self.own.size:
            self._draw_sides(ax)
        else:
            self._draw_regions(ax)
        draw_classes(ax, self.X, self.y, self.classes, size=20 if len(self.X) > MANY else 36)
        self._draw_rings(ax)
        ax.set_xlim(self.across.min(), self.across.max())
        ax.set_ylim(self.up.min(), self.up.max())
        ratio = np.ptp(self.across) / np.ptp(self.up)
        ax.set_aspect("equal" if 1 / 4 < ratio < 4 else "auto")  # units that differ much say nothing together
        finish_plane(ax)
        if title:
            ax.set_title(title, fontsize="medium")
        if legend:
            has_weights = self.remembered.coefficients.size > 0
            legend_below(ax, title="area of a ring: weight of the example" if has_weights else "")
        return self

    def _draw_sides(self, ax: "Axes") -> None:
        """Shade the two sides by how sure the learner is, and draw the line between them with its band."""
        field_ = (self.across, self.up, self.scores)
        limit = float(np.abs(self.scores).max()) or 1.0
        steps = np.unique(np.clip(np.quantile(np.abs(self.own), [1 / 3, 2 / 3]), 1e-6 * limit, 0.99 * limit))
        levels = np.concatenate([[-2 * limit], -steps[::-1], [0.0], steps, [2 * limit]])
        shades = SHADES[: steps.size + 1]
        colours = [(COLOURS[0], shade) for shade in shades[::-1]] + [(COLOURS[1], shade) for shade in shades]
        ax.contourf(*field_, levels=levels, colors=colours)
        if 0 < self.margin < limit:
            edges = [-self.margin, self.margin]
            ax.contourf(*field_, levels=edges, colors=[BAND])
            ax.contour(*field_, levels=edges, colors=INK, linewidths=0.7, linestyles="dashed")
        if self.scores.min() < 0 < self.scores.max():
            ax.contour(*field_, levels=[0.0], colors=INK, linewidths=1.4)

    def _draw_regions(self, ax: "Axes") -> None:
        """Shade the region of each class, and draw the lines between them."""
        for code in np.unique(self.scores):
            inside = (self.scores == code).astype(float)
            ax.contourf(self.across, self.up, inside, levels=[0.5, 1.5], colors=[(colour(code), SHADES[1])])
            if inside.min() == 0:
                ax.contour(self.across, self.up, inside, levels=[0.5], colors=INK, linewidths=0.8)

    def _draw_rings(self, ax: "Axes") -> None:
        points, coefficients = self.remembered
        if not len(points):
            return
        strongest = np.abs(coefficients).max(axis=0) if len(coefficients) else np.ones(len(points))
        largest = LARGEST / 2 if len(points) > MANY else LARGEST
        areas = SMALLEST + (largest - SMALLEST) * strongest / strongest.max()
        kinds: list[tuple[Any, Any, str, str]] = [(slice(None), "none", "solid", "remembered")]
        if len(coefficients) == 1:
            kinds = [
                (side * coefficients[0] > 0, (colour(code), 0.3), style, f"remembered, for {label}")
                for code, (side, style, label) in enumerate(zip((-1, 1), STYLES, self.classes, strict=True))
            ]
        for chosen, filling, style, label in kinds:
            if len(points[chosen]):
                ax.scatter(
                    points[chosen, 0], points[chosen, 1], s=areas[chosen], facecolors=filling, edgecolors=INK,
                    linewidths=0.9, linestyle=style, label=label, zorder=4,
                )  # fmt: skip


def _grid(points: Floats) -> tuple[Floats, Floats]:
    """Return the coordinates of points that cover the examples and some space around them."""
    low, high = points.min(axis=0), points.max(axis=0)
    space = np.maximum(0.06 * (high - low), 1e-9)
    sides = [np.linspace(low[k] - space[k], high[k] + space[k], POINTS) for k in range(2)]
    across, up = np.meshgrid(*sides)
    return across, up


def _remembered(estimator: Any, examples: Floats) -> Remembered:
    """Return what a learner remembers; raise where that is not among the examples."""
    support: Integers = np.asarray(getattr(estimator, "support_", ()), int)
    if not support.size:
        return Remembered(np.empty((0, 2)), np.empty((1, 0)))
    points = dense(estimator.support_vectors_)
    kept = support >= 0  # others were merged, and are nobody's
    if support.max() >= len(examples) or not np.allclose(examples[support[kept]], points[kept], atol=1e-6):
        raise ValueError(
            f"The learner remembers {kept.sum()} examples that are not in X, which has {len(examples)} rows: "
            "hand over the examples that it was fitted on."
        )
    coefficients = getattr(estimator, "dual_coef_", np.empty((0, len(points))))
    return Remembered(points, np.asarray(coefficients, float))
