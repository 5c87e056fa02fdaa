"""The two lemmas behind the mistake bound, after every mistake of a run."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from kerneltron._types import Floats
from kerneltron.plots.learners import check_single
from kerneltron.plots.style import COLOURS, INK, figure_of, finish_chart, given_or_new

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@dataclass(kw_only=True, eq=False, repr=False)
class LemmasDisplay:
    """Why mistakes come to an end: <v_k, u> grows with k, and ||v_k|| only with sqrt(k).

    After k mistakes <v_k, u> >= k gamma and ||v_k||^2 <= k R^2. As <v_k, u> <= ||v_k||, the curve of ||v_k||
    lies between k gamma and sqrt(k) R, and these meet at k = (R / gamma)^2, beyond which no mistake can be.

    Parameters
    ----------
    projections
        <v_k, u> after the mistakes k = 1, 2, ..., for a unit vector u.
    squares
        ||v_k||^2 after the same.
    margin
        gamma, the least y <u, x>.
    radius
        R, the largest ||x||.

    Attributes
    ----------
    ax_, figure_
        Where it was drawn.

    Examples
    --------
    >>> from kerneltron.plots import LemmasDisplay
    >>> display = LemmasDisplay(projections=[0.6, 1.3], squares=[1.0, 1.7], margin=0.5, radius=1.0)
    >>> display.hold, LemmasDisplay(projections=[0.4], squares=[1.0], margin=0.5, radius=1.0).hold
    (True, False)
    """

    projections: Floats
    squares: Floats
    margin: float
    radius: float
    ax_: "Axes" = field(init=False)
    figure_: "Figure" = field(init=False)

    def __post_init__(self) -> None:
        self.projections = np.asarray(self.projections, float)
        self.squares = np.asarray(self.squares, float)
        if self.projections.shape != self.squares.shape or self.projections.ndim != 1:
            raise ValueError(
                f"There are {self.projections.size} projections and {self.squares.size} squares: give one of "
                "each for every mistake."
            )

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, *, ax: "Axes | None" = None, title: str = ""
    ) -> Self:
        """Draw the lemmas of the run that a learner made, by its certificate.

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
        """Draw the lemmas of a run, from what `learner.certificate(X, y)` returns.

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
        lemmas = certificate.lemmas
        if lemmas is None:
            raise ValueError(
                "This certificate has no lemmas, which are about the perceptron where a bound is known"
                f"{': ' + certificate.reason if certificate.reason else ''}."
            )
        # Updates of examples that were right by too thin a margin may add more than R^2 to the length.
        radius = float(np.sqrt(lemmas.radius**2 + lemmas.thick))
        return cls(
            projections=lemmas.projections, squares=lemmas.squares, margin=lemmas.margin, radius=radius
        ).plot(ax, title=title)

    @property
    def hold(self) -> bool:
        """Return whether both lemmas hold after every mistake, but for rounding."""
        k = np.arange(1, self.projections.size + 1)
        grows = self.projections >= k * self.margin * (1 - 1e-9)
        is_short = self.squares <= k * self.radius**2 * (1 + 1e-9)
        return bool(grows.all() and is_short.all())

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
        count = self.projections.size
        k = np.arange(count + 1)
        fine = np.linspace(0, count, 200)
        lower: dict[str, Any] = {"color": COLOURS[0], "linestyle": "--", "linewidth": 1.2}
        upper: dict[str, Any] = {"color": COLOURS[5], "linestyle": "--", "linewidth": 1.2}
        ax.plot(fine, np.sqrt(fine) * self.radius, label=r"at most $\sqrt{k}\,R$", **upper)
        ax.plot(k, np.sqrt([0.0, *self.squares]), color=INK, linewidth=1.6, label=r"$\|v_k\|$")
        along = r"$\langle v_k, u\rangle$"
        ax.plot(k, [0.0, *self.projections], color=COLOURS[0], marker="o", markersize=3, label=along)
        ax.plot(fine, fine * self.margin, label=r"at least $k\,\gamma$", **lower)
        ax.set_xlabel("mistakes k")
        ax.set_ylabel("length")
        ax.locator_params(axis="x", integer=True)
        ax.set_xlim(0, max(1, count))
        ax.set_ylim(bottom=0)
        ax.legend(frameon=False, fontsize="small")
        finish_chart(ax)
        if title:
            ax.set_title(title, fontsize="medium")
        return self
