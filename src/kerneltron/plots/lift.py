"""Points that no line separates, lifted to a third dimension, where a plane does."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from kerneltron._types import Anything, Floats
from kerneltron.plots.examples import points_of
from kerneltron.plots.learners import check_fitted, plane_of
from kerneltron.plots.style import COLOURS, draw_classes, figure_of, given_or_new

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PLANE = COLOURS[2]
POINTS = 40  # of the plane along each side
ANGLES = (16, -58)  # degrees above the ground, and around


@dataclass(kw_only=True, eq=False, repr=False)
class LiftDisplay:
    """Examples of three features and the plane <w, x> + b = 0.

    Parameters
    ----------
    X, y
        Examples of three features, such as x1, x2 and x1 x2, and their labels.
    w, b
        The plane.
    names
        What the features are called.

    Attributes
    ----------
    ax_, figure_
        Where it was drawn; given axes must have been made with `projection="3d"`.

    Examples
    --------
    >>> import numpy as np
    >>> from kerneltron import Perceptron
    >>> from kerneltron.datasets.shapes import xor
    >>> from kerneltron.plots import LiftDisplay
    >>> X, y, *_ = xor(100)
    >>> lifted = np.column_stack([X, X[:, 0] * X[:, 1]])
    >>> learner = Perceptron(passes=50, random_state=0).fit(lifted, y)
    >>> LiftDisplay.from_estimator(learner, lifted, y, names=("x1", "x2", "x1 x2")).errors
    0
    """

    X: Floats
    y: Anything
    w: Floats
    b: float = 0.0
    names: tuple[str, str, str] = ("x1", "x2", "x3")
    ax_: "Axes" = field(init=False)
    figure_: "Figure" = field(init=False)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        names: tuple[str, str, str] = ("x1", "x2", "x3"),
        ax: "Axes | None" = None,
        title: str = "",
    ) -> Self:
        """Draw the plane of a fitted linear classifier of two classes.

        Parameters
        ----------
        estimator
            A classifier with `coef_` and `intercept_`, fitted on three columns.
        X, y
            These columns, and labels.
        names
            What the columns are called.
        ax
            Where to draw, with three dimensions; None makes a new figure.
        title
            Of the panel.
        """
        X, y = points_of(X, y, columns=3, classes=2)
        check_fitted(estimator, y)
        w, b = plane_of(estimator, columns=3)
        return cls(X=X, y=y, w=w, b=b, names=names).plot(ax, title=title)

    @property
    def errors(self) -> int:
        """How many examples are on the wrong side of the plane."""
        signs = np.where(self.y == np.unique(self.y)[-1], 1, -1)
        return int(np.sum(signs * (self.X @ self.w + self.b) <= 0))

    def surface(self) -> tuple[Floats, Floats, Floats]:
        """Return points of the plane within the box of the examples, as three grids; NaN outside."""
        solved = int(np.abs(self.w).argmax())  # the axis along which the plane is least steep
        others = [axis for axis in range(3) if axis != solved]
        low, high = self.X.min(axis=0), self.X.max(axis=0)
        grids: list[Any] = [None, None, None]
        grids[others[0]], grids[others[1]] = np.meshgrid(
            *(np.linspace(low[axis], high[axis], POINTS) for axis in others)
        )
        height = -(self.b + sum(self.w[axis] * grids[axis] for axis in others)) / self.w[solved]
        grids[solved] = np.where((height >= low[solved]) & (height <= high[solved]), height, np.nan)
        return grids[0], grids[1], grids[2]

    def plot(self, ax: "Axes | None" = None, *, title: str = "") -> Self:
        """Draw it.

        Parameters
        ----------
        ax, title
            As for `from_estimator`.
        """
        space: Any = given_or_new(ax, (5.0, 4.8), projection="3d")
        if space.name != "3d":
            raise ValueError(
                "These axes have two dimensions, but the plane needs three: make them with "
                "`figure.add_subplot(projection='3d')`."
            )
        self.ax_, self.figure_ = space, figure_of(space)
        space.plot_surface(*self.surface(), color=PLANE, alpha=0.35, linewidth=0)
        draw_classes(space, self.X, self.y, np.unique(self.y), size=26)
        setters = (space.set_xlabel, space.set_ylabel, space.set_zlabel)
        for name, set_label in zip(self.names, setters, strict=True):
            set_label(name, fontsize="medium", labelpad=-8)
        for axis in (space.xaxis, space.yaxis, space.zaxis):
            axis.set_ticklabels([])
        space.view_init(*ANGLES)
        space.legend(fontsize="small", frameon=False, loc="upper left")
        if title:
            space.set_title(title, fontsize="medium")
        return self
