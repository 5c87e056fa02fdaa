"""The Gaussian kernel has infinitely many features: with some of them it is nearly there."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from math import comb, factorial
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from kerneltron._types import Floats
from kerneltron.plots.style import COLOURS, INK, figure_of, finish_chart, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from kerneltron.kernels import Gaussian

DRAWN = (0, 1, 2, 4, 8)  # degrees of the curves
STYLES = (":", "-.", "--", (0, (6, 2)), (0, (1, 1)))
LEAST = 1e-16  # errors below are those of rounding


def features(X: Any, sigma: float, degree: int) -> Floats:
    """Return the features of a Gaussian up to a degree: one column per monomial of the entries of x.

    With x in units of sigma, exp(-||x||^2 / 2) x_1^a x_2^b ... / sqrt(a! b! ...) for all a + b + ... up to
    the degree. Their inner product is exp(-||x||^2 / 2 - ||z||^2 / 2) times the Taylor series of exp(<x, z>)
    up to the degree; for all degrees together it is exp(-||x - z||^2 / 2).

    Examples
    --------
    >>> features([[1.0]], sigma=1.0, degree=2).round(3)
    array([[0.607, 0.607, 0.429]])
    """
    X = np.asarray(X, float) / sigma
    fall = np.exp(-np.sum(X**2, axis=1) / 2)
    found = []
    for size in range(degree + 1):
        for monomial in combinations_with_replacement(range(X.shape[1]), size):
            powers = np.bincount(np.array(monomial, int), minlength=X.shape[1])
            scale = np.prod([float(factorial(power)) for power in powers])
            found.append(fall * np.prod(X**powers, axis=1) / np.sqrt(scale))
    return np.column_stack(found)


@dataclass(kw_only=True, eq=False, repr=False)
class ExpansionDisplay:
    """A Gaussian beside the inner products of its first features, and how fast the error falls.

    On the left, the similarity of x to one number z, by the features up to some degrees. On the right, the
    largest error over all pairs of the examples: at the degree D at most r^(2D + 2) / (D + 1)!, where r sigma
    is the length of the longest example. The number of features grows like a power of the degree, and the
    error falls faster than any.

    Parameters
    ----------
    x
        Numbers, the horizontal axis of the left panel.
    z
        The number that they are compared with.
    exact
        Their similarity to z.
    curves
        The same by the features up to a degree, by degree.
    errors
        The largest error over all pairs of the examples, by degree.
    bounds
        What it does not exceed, by degree.
    columns
        Number of columns of the examples.

    Attributes
    ----------
    axes_, figure_
        Where it was drawn: two panels.

    Examples
    --------
    >>> from kerneltron.kernels import Gaussian
    >>> from kerneltron.plots import ExpansionDisplay
    >>> display = ExpansionDisplay.from_kernel(Gaussian(1.0), [[1.0, 0.0], [0.0, 2.0]], degrees=[0, 4, 12])
    >>> [f"{error:.0e}" for error in display.errors.values()]
    ['1e+00', '4e-01', '3e-04']
    """

    x: Floats
    z: float
    exact: Floats
    curves: dict[int, Floats]
    errors: dict[int, float]
    bounds: dict[int, float]
    columns: int
    axes_: "Sequence[Axes]" = field(init=False)
    figure_: "Figure" = field(init=False)

    @classmethod
    def from_kernel(
        cls,
        kernel: "Gaussian",
        X: Any,
        *,
        degrees: Sequence[int] = range(17),
        ax: "Sequence[Axes] | None" = None,
    ) -> Self:
        """Expand a Gaussian, and compare with it on some examples.

        Parameters
        ----------
        kernel
            A `Gaussian` over the features as they are given.
        X
            Examples of a few columns: there are C(columns + degree, degree) features.
        degrees
            The degrees of the right panel.
        ax
            Two axes to draw in; None makes a new figure.
        """
        X, sigma = np.asarray(X, float), float(kernel.sigma)
        if kernel.over is not None:
            raise ValueError(f"{kernel!r} is over other features: expand Gaussian({sigma:g}) in these.")
        exact = np.asarray(kernel(X))
        reach = float(np.sum((X / sigma) ** 2, axis=1).max())
        errors = {D: float(np.abs(_products(X, X, sigma, D) - exact).max()) for D in degrees}
        bounds = {D: reach ** (D + 1) / factorial(D + 1) for D in degrees}
        x, z = np.linspace(-3 * sigma, 5 * sigma, 200), 1.5 * sigma
        line, point = x[:, None], np.array([[z]])
        return cls(
            x=x,
            z=z,
            exact=np.asarray(kernel(line, point))[:, 0],
            curves={D: _products(line, point, sigma, D)[:, 0] for D in DRAWN},
            errors=errors,
            bounds=bounds,
            columns=X.shape[1],
        ).plot(ax)

    def plot(self, ax: "Sequence[Axes] | None" = None) -> Self:
        """Draw it.

        Parameters
        ----------
        ax
            As for `from_kernel`.
        """
        self.axes_ = left, right = new_figure((9.6, 3.9)).subplots(1, 2) if ax is None else ax
        self.figure_ = figure_of(left)
        self._draw_curves(left)
        self._draw_errors(right)
        return self

    def _draw_curves(self, ax: "Axes") -> None:
        ax.plot(self.x, self.exact, color=INK, linewidth=2.2, label="all")
        for number, (degree, values) in enumerate(self.curves.items()):
            look: dict[str, Any] = {"color": COLOURS[number], "linestyle": STYLES[number % len(STYLES)]}
            ax.plot(self.x, values, linewidth=1.5, label=f"{degree}", **look)
        ax.set_title(f"similarity to z = {self.z:g}, by features up to a degree", fontsize="medium")
        ax.set_xlabel("x")
        low = float(min(values.min() for values in self.curves.values()))
        ax.set_ylim(max(low, -0.35), 1.1)
        ax.legend(title="degree", fontsize="small", title_fontsize="small", frameon=False, handlelength=3)
        finish_chart(ax)

    def _draw_errors(self, ax: "Axes") -> None:
        degrees = list(self.errors)
        found = [max(error, LEAST) for error in self.errors.values()]
        bounds = [max(bound, LEAST) for bound in self.bounds.values()]
        ax.plot(degrees, bounds, color=COLOURS[5], linestyle="--", label="at most")
        ax.plot(degrees, found, "o-", color=COLOURS[0], markersize=4, label="found")
        ax.set_yscale("log")
        ax.set_title("largest error over all pairs of examples", fontsize="medium")
        ticks = degrees[:: max(1, len(degrees) // 6)]
        counts = [comb(self.columns + degree, degree) for degree in ticks]
        ax.set_xticks(ticks, [f"{degree}\n{count:,}" for degree, count in zip(ticks, counts, strict=True)])
        ax.set_xlabel("degree, and number of features")
        ax.legend(fontsize="small", frameon=False)
        finish_chart(ax)


def _products(X: Floats, Z: Floats, sigma: float, degree: int) -> Floats:
    return np.asarray(features(X, sigma, degree) @ features(Z, sigma, degree).T)
