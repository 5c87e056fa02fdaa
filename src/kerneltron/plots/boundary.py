"""Where a learner of two features decides what."""

from typing import TYPE_CHECKING, Any

import numpy as np

from kerneltron._types import Anything, Floats, Integers

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# The colours of Okabe and Ito, which people with any colour vision tell apart.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#999999")
MARKERS = "os^Dv<>p"
INK = "#222222"
SHADES = (0.14, 0.26, 0.38)  # how strong the colour of a side is: the surer, the stronger
POINTS = 300  # of the grid along each side


def boundary(
    learner: Any, X: Any, y: Any, *, axes: "Axes | None" = None, title: str = "", legend: bool = True
) -> "Figure":
    """Draw what a fitted learner says about the plane, and the examples that it learned from.

    With two classes, the solid line is where the score is 0, a side is darker where the score is further
    from it than those of a third and of two thirds of the examples, and the dashed lines are where the score
    is that of the nearest example, unless some are on the wrong side. Rings, in dual form, are the
    remembered examples.

    Parameters
    ----------
    learner
        A fitted classifier of two features.
    X, y
        The examples that it was fitted on.
    axes
        Where to draw; None makes a new figure.
    title
        Of the panel.
    legend
        Whether to say what the signs mean.

    Returns
    -------
    The figure; `figure.savefig(path)` saves it.

    Examples
    --------
    >>> from kerneltron import Perceptron
    >>> from kerneltron.datasets.shapes import circle
    >>> from kerneltron.plots.boundary import boundary
    >>> X, y, *_ = circle(100, seed=0)
    >>> learner = Perceptron(kernel="Gaussian(1.0)", passes=10, random_state=0).fit(X, y)
    >>> len(boundary(learner, X, y, title="A circle").axes)
    1
    """
    points, labels = np.asarray(X, float), np.asarray(y)
    if points.ndim != 2 or points.shape[1] != 2:
        raise ValueError(
            f"A plane has two features, but X has the shape {points.shape}: fit a learner on two columns, or "
            "on a projection such as scikit-learn's PCA(2), and hand over the same."
        )
    if axes is None:
        from matplotlib.figure import Figure

        axes = Figure(figsize=(4.4, 4.6), layout="constrained", dpi=150).add_subplot()
    remembered = _remembered(learner, len(points))
    across, up = _grid(points)
    grid = np.column_stack([across.ravel(), up.ravel()])
    if hasattr(X, "iloc"):  # a data frame: a learner that knows names asks for them
        grid = type(X)(grid, columns=X.columns)
    scores = np.asarray(learner.decision_function(grid))
    if scores.ndim == 1:
        own = np.asarray(learner.decision_function(X))
        signs = np.where(labels == learner.classes_[-1], 1, -1)
        _draw_sides(axes, (across, up, scores.reshape(across.shape)), own, float(np.min(signs * own)))
    else:
        _draw_regions(axes, across, up, scores.argmax(axis=1).reshape(across.shape))
    _draw_points(axes, points, labels, learner.classes_, remembered)
    _finish(axes, across, up, title)
    if legend:
        axes.legend(
            loc="upper center", bbox_to_anchor=(0.5, 0), ncols=4, fontsize="x-small", frameon=False,
            handletextpad=0.2, columnspacing=1.0,
        )  # fmt: skip
    figure: Figure = axes.figure.get_figure(root=True)
    return figure


def _remembered(learner: Any, examples: int) -> Integers:
    """Return which examples the learner remembers: none in primal form."""
    support = np.asarray(getattr(learner, "support_", ()), int)
    if support.size and support.max() >= examples:
        raise ValueError(
            f"The learner remembers example {support.max()}, but X has {examples}: hand over the examples "
            "that it was fitted on."
        )
    return support


def _grid(points: Floats) -> tuple[Floats, Floats]:
    """Return the coordinates of points that cover the examples and some space around them."""
    low, high = points.min(axis=0), points.max(axis=0)
    space = np.maximum(0.06 * (high - low), 1e-9)
    sides = [np.linspace(low[k] - space[k], high[k] + space[k], POINTS) for k in range(2)]
    across, up = np.meshgrid(*sides)
    return across, up


def _draw_sides(axes: "Axes", field: tuple[Floats, Floats, Floats], own: Floats, margin: float) -> None:
    """Shade the two sides by how sure the learner is, and draw the lines between them."""
    across, up, scores = field
    limit = float(np.abs(scores).max()) or 1.0
    steps = np.unique(np.clip(np.quantile(np.abs(own), [1 / 3, 2 / 3]), 1e-6 * limit, 0.99 * limit))
    levels = np.concatenate([[-2 * limit], -steps[::-1], [0.0], steps, [2 * limit]])
    shades = SHADES[: steps.size + 1]
    colours = [(COLOURS[0], shade) for shade in shades[::-1]] + [(COLOURS[1], shade) for shade in shades]
    axes.contourf(across, up, scores, levels=levels, colors=colours)
    if scores.min() < 0 < scores.max():
        axes.contour(across, up, scores, levels=[0.0], colors=INK, linewidths=1.4)
    if 0 < margin < limit:
        lines: dict[str, Any] = {"colors": INK, "linewidths": 0.6, "linestyles": "dashed", "alpha": 0.8}
        axes.contour(across, up, scores, levels=[-margin, margin], **lines)


def _draw_regions(axes: "Axes", across: Floats, up: Floats, codes: Integers) -> None:
    """Shade the region of each class, and draw the lines between them."""
    for code in np.unique(codes):
        inside = (codes == code).astype(float)
        axes.contourf(across, up, inside, levels=[0.5, 1.5], colors=[(colour(code), SHADES[1])])
        if inside.min() == 0:
            axes.contour(across, up, inside, levels=[0.5], colors=INK, linewidths=0.8)


def _draw_points(axes: "Axes", points: Floats, labels: Anything, classes: Anything, ringed: Integers) -> None:
    for code, label in enumerate(classes):
        mine = points[labels == label]
        axes.scatter(
            mine[:, 0], mine[:, 1], s=14, color=colour(code), marker=MARKERS[code % len(MARKERS)],
            edgecolors="white", linewidths=0.4, label=str(label), zorder=3,
        )  # fmt: skip
    if ringed.size:
        rings = points[ringed]
        axes.scatter(
            rings[:, 0], rings[:, 1], s=48, facecolors="none", edgecolors=INK, linewidths=0.9,
            label="remembered", zorder=4,
        )  # fmt: skip


def _finish(axes: "Axes", across: Floats, up: Floats, title: str) -> None:
    axes.set_xlim(across.min(), across.max())
    axes.set_ylim(up.min(), up.max())
    ratio = np.ptp(across) / np.ptp(up)
    axes.set_aspect("equal" if 1 / 4 < ratio < 4 else "auto")  # units that differ much say nothing together
    axes.set_xticks([])
    axes.set_yticks([])
    for side in axes.spines.values():
        side.set_color("#BBBBBB")
    if title:
        axes.set_title(title, fontsize="medium")


def colour(code: int) -> str:
    """Return the colour of a class."""
    return COLOURS[code % len(COLOURS)]
