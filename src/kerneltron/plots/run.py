"""The run of an online learner in the plane, visit by visit, with the proof that it ends."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from kerneltron._types import Floats, Integers
from kerneltron.plots.animation import frame_of, save_frames
from kerneltron.plots.examples import points_of
from kerneltron.plots.style import (
    COLOURS,
    INK,
    colour,
    figure_of,
    finish_plane,
    given_or_new,
    marker,
    new_figure,
)
from kerneltron.plots.visits import Visit, visit_all

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TARGET = COLOURS[2]  # of u
SPACE = 0.1  # around all that is drawn, as a part of what it spans
FAINT = 0.25  # of examples that were not visited yet
SIZE = (5.4, 5.8)
AHEAD = 18  # points from the tip of an arrow to its name: beyond the ring of an example that it ends at


@dataclass(kw_only=True, eq=False, repr=False)
class RunDisplay:
    """A run as frames: before the first visit, and one for each visit.

    A frame shows the example (a ring), the vector before (dashed) and after it (solid), what was added to it
    (dotted), and the line that the vector before stood for. With a unit vector u, the green band holds no
    example: it is 2 gamma wide. Below the title stand both lemmas of the proof, after each mistake:
    <v_k, u> >= k gamma, for each mistake adds y <x, u> >= gamma; and ||v_k||^2 <= k R^2, for it adds
    2 y <v, x> + ||x||^2, and y <v, x> <= 0 where there is a mistake.

    Parameters
    ----------
    X
        Examples of two features.
    signs
        Their labels as -1 and +1.
    visits
        What happened, in order.
    u
        A vector that separates the examples, of any length; None leaves the proof out.

    Attributes
    ----------
    mistakes
        The frames that show a mistake.
    margin, radius
        gamma and R; the margin is NaN without u.
    ax_, figure_
        Where it was drawn.

    Examples
    --------
    >>> from kerneltron import Perceptron
    >>> from kerneltron.datasets.shapes import ten_points
    >>> from kerneltron.plots import RunDisplay
    >>> X, y, _, truth, _ = ten_points()
    >>> display = RunDisplay.from_estimator(Perceptron(fit_intercept=False), X, y, u=truth.w)
    >>> display.mistakes
    array([1, 7])
    >>> print(display.caption(7))
    Visit 7, mistake 2: v2 = v1 - x7
    """

    X: Floats
    signs: Integers
    visits: Sequence[Visit]
    u: Floats | None = None
    ax_: "Axes" = field(init=False)
    figure_: "Figure" = field(init=False)

    def __post_init__(self) -> None:
        self.mistakes: Integers = 1 + np.flatnonzero([visit.is_mistake for visit in self.visits])
        self.radius = float(np.linalg.norm(self.X, axis=1).max())
        self.margin = float("nan")
        if self.u is not None:
            self.u = np.asarray(self.u, float) / np.linalg.norm(self.u)
            self.margin = float(np.min(self.signs * (self.X @ self.u)))

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        passes: int = 1,
        order: Any = None,
        u: Any = None,
        frame: int = -1,
        ax: "Axes | None" = None,
    ) -> Self:
        """Let a clone of a learner visit the rows one by one, and draw a frame.

        Parameters
        ----------
        estimator
            One of our classifiers, linear and without a constant feature: `fit_intercept=False`.
        X, y
            Examples of two features and two labels.
        passes
            How often to visit all of them.
        order
            The numbers of the rows, from 0, in the order in which a pass visits them; None is their own. Rows
            that are left out are drawn, but not visited. Their names stay: x1 is always the first row.
        u
            A vector that separates them, such as the truth of a generator.
        frame
            Which one to draw: 0 is before the first visit, -1 the last.
        ax
            Where to draw; None makes a new figure.
        """
        X, y = points_of(X, y, classes=2)
        if not estimator.method_type.is_additive() or getattr(estimator, "init_scale", False):
            raise ValueError(
                f"The proof follows vectors that begin as 0 and to which examples are added, unlike those of "
                f"{estimator!r}: take a Perceptron, for example."
            )
        if estimator.get_params().get("fit_intercept", False):
            raise ValueError(
                "The vector of a learner with a constant feature has a third entry, which the plane has no "
                "room for: set fit_intercept=False."
            )
        signs = np.where(y == np.unique(y)[1], 1, -1)
        visits = list(visit_all(estimator, X, y, np.tile(_checked(order, len(X)), passes)))
        return cls(X=X, signs=signs, visits=visits, u=u).plot(ax, frame=frame)

    def caption(self, frame: int) -> str:
        """Return in one sentence what happens in a frame."""
        if frame == 0:
            return "Before the first visit: v0 = 0"
        visit = self.visits[frame - 1]
        k = int(np.searchsorted(self.mistakes, frame, side="right"))
        if not visit.is_mistake:
            moved = "stays" if np.array_equal(visit.before, visit.after) else "moves, for its margin is thin"
            return f"Visit {frame}, right: v{k} {moved}"
        sign = "+" if self.signs[visit.example] > 0 else "-"
        start = "" if k == 1 and sign == "+" else f"v{k - 1} {sign} " if k > 1 else sign
        return f"Visit {frame}, mistake {k}: v{k} = {start}x{visit.example + 1}"

    def lemmas(self, frame: int) -> str:
        """Return both lemmas as they stand after a frame; empty without u, and before the first mistake."""
        k = int(np.searchsorted(self.mistakes, frame, side="right"))
        if self.u is None or k == 0:
            return ""
        v = self.visits[frame - 1].after
        times, least, most = "" if k == 1 else k, k * self.margin, k * self.radius**2
        return (
            rf"$\langle v_{{{k}}}, u\rangle$ = {v @ self.u:.2f} $\geq$ ${times}\gamma$ = {least:.2f},   "
            rf"$\|v_{{{k}}}\|^2$ = {v @ v:.2f} $\leq$ ${times}R^2$ = {most:.2f}"
        )

    def plot(self, ax: "Axes | None" = None, *, frame: int = -1, title: str = "") -> Self:
        """Draw a frame.

        Parameters
        ----------
        ax, frame
            As for `from_estimator`.
        title
            Of the panel; empty is the caption of the frame.
        """
        frames = len(self.visits) + 1
        if not -frames <= frame < frames:
            raise ValueError(f"There is no frame {frame}: they are numbered from 0 to {frames - 1}.")
        frame %= frames
        self.ax_ = ax = given_or_new(ax, SIZE)
        self.figure_ = figure_of(ax)
        self._set_limits(ax)
        self._draw_target(ax)
        self._draw_examples(ax, frame)
        if frame:
            self._draw_visit(ax, self.visits[frame - 1])
        finish_plane(ax)
        # Always two lines, so that frames of an animation do not jump.
        ax.set_title(f"{title or self.caption(frame)}\n{self.lemmas(frame) or ' '}", fontsize="small")
        return self

    def save(self, path: str | os.PathLike[str], *, seconds: float = 1.0) -> None:
        """Save all frames as an animation.

        Parameters
        ----------
        path
            A file that ends with .gif, or with .html: a page with buttons, which needs no other file.
        seconds
            How long a frame is shown.
        """
        frames = []
        for number in range(len(self.visits) + 1):
            figure = new_figure(SIZE)
            self.plot(figure.add_subplot(), frame=number)
            frames.append(frame_of(figure, self.caption(number)))
        save_frames(frames, path, title="An online run", seconds=seconds)

    def _set_limits(self, ax: "Axes") -> None:
        """Make room for all examples and vectors, the same in all frames."""
        vectors = [visit.after for visit in self.visits]
        drawn = np.concatenate([self.X, np.zeros((1, 2)), *([vectors] if vectors else [])])
        low, high = drawn.min(axis=0), drawn.max(axis=0)
        space = SPACE * (high - low).max()
        ax.set_xlim(low[0] - space, high[0] + space)
        ax.set_ylim(low[1] - space, high[1] + space)
        ax.set_aspect("equal")

    def _draw_target(self, ax: "Axes") -> None:
        ax.plot(0, 0, "+", color=INK, markersize=8)
        if self.u is None:
            return
        ends = _across(self.u, 4 * self.radius)
        if self.margin > 0:
            corners = np.concatenate([ends + self.margin * self.u, ends[::-1] - self.margin * self.u])
            ax.fill(corners[:, 0], corners[:, 1], color=TARGET, alpha=0.18, linewidth=0)
        _draw_arrow(ax, np.zeros(2), self.u, TARGET, "solid", "")
        beside = 11 * np.array([-self.u[1], self.u[0]])  # points; ahead of its tip may be that of v
        ax.annotate(
            "u", tuple(0.9 * self.u), tuple(beside), textcoords="offset points", color=TARGET, weight="bold",
            ha="center", va="center",
        )  # fmt: skip

    def _draw_examples(self, ax: "Axes", frame: int) -> None:
        visited = {visit.example for visit in self.visits[:frame]}
        for example, (x, sign) in enumerate(zip(self.X, self.signs, strict=True)):
            code = int(sign > 0)
            alpha = 1.0 if example in visited else FAINT
            look: dict[str, Any] = {"s": 42, "color": colour(code), "marker": marker(code), "alpha": alpha}
            ax.scatter(*x, zorder=3, **look)
            ax.annotate(
                f"x{example + 1}", x, (6, -10), textcoords="offset points", fontsize="small", color=INK,
                alpha=max(alpha, 0.6),
            )  # fmt: skip

    def _draw_visit(self, ax: "Axes", visit: Visit) -> None:
        x = self.X[visit.example]
        ring: dict[str, Any] = {"s": 190, "facecolors": "none", "edgecolors": INK, "linewidths": 1.6}
        ax.scatter(*x, zorder=4, **ring)
        if visit.before.any():
            line = _across(visit.before, 4 * self.radius)
            ax.plot(line[:, 0], line[:, 1], color="0.6", linewidth=1, scalex=False, scaley=False)
        if np.array_equal(visit.before, visit.after):
            _draw_arrow(ax, np.zeros(2), visit.after, INK, "solid", "v")
            return
        _draw_arrow(ax, np.zeros(2), visit.before, "0.45", "dashed", "before")
        code = int(self.signs[visit.example] > 0)
        _draw_arrow(ax, visit.before, visit.after, colour(code), "dotted", "")
        _draw_arrow(ax, np.zeros(2), visit.after, INK, "solid", "after")


def _checked(order: Any, count: int) -> Integers:
    """Return the numbers of rows; raise where there are no such rows."""
    rows = np.arange(count) if order is None else np.asarray(order)
    if rows.ndim != 1 or rows.dtype.kind not in "iu" or not np.isin(rows, np.arange(count)).all():
        raise ValueError(
            f"order={order!r} is not an order of visits: give numbers of rows, from 0 to {count - 1}."
        )
    return rows


def _across(vector: Floats, reach: float) -> Floats:
    """Return two far ends of the line through the origin that a vector is upright on."""
    along = np.array([-vector[1], vector[0]]) / np.linalg.norm(vector)
    return np.array([-reach * along, reach * along])


def _draw_arrow(ax: "Axes", start: Floats, end: Floats, ink: str, style: str, name: str) -> None:
    """Draw an arrow with its name at the tip; a vector of length 0 has none."""
    if np.array_equal(start, end):
        return
    look: dict[str, Any] = {"arrowstyle": "-|>", "color": ink, "linestyle": style, "linewidth": 1.6}
    ax.annotate("", tuple(end), tuple(start), arrowprops=look | {"shrinkA": 0, "shrinkB": 0}, zorder=5)
    if name:
        ahead = AHEAD * (end - start) / np.linalg.norm(end - start)
        ax.annotate(
            name, tuple(end), tuple(ahead), textcoords="offset points", fontsize="small", color=ink,
            ha="center", va="center", weight="bold",
        )  # fmt: skip
