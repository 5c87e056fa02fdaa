"""What pictures share: colours and signs, and axes to draw in."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# The colours of Okabe and Ito, which people with any colour vision tell apart.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#999999")
MARKERS = "os^Dv<>p"
LINES = COLOURS[:4]  # of curves, for yellow lines are hardly seen; then they come again, dashed
INK = "#222222"
PALE = "#BBBBBB"  # what is there to hold on to, and not to be read
SIZE = (4.4, 4.4)  # inches
LEAST = "nobody can do better in the long run"  # on a few examples, some are lucky


def colour(code: int) -> str:
    """Return the colour of a class."""
    return COLOURS[code % len(COLOURS)]


def marker(code: int) -> str:
    """Return the sign of a class: colour is never the only one."""
    return MARKERS[code % len(MARKERS)]


def given_or_new(ax: "Axes | None", size: tuple[float, float] = SIZE, **options: Any) -> "Axes":
    """Return the axes, or new ones in a figure of their own; pyplot, which remembers figures, stays out."""
    axes: Axes = new_figure(size).add_subplot(**options) if ax is None else ax
    return axes


def new_figure(size: tuple[float, float]) -> "Figure":
    """Return an empty figure."""
    from matplotlib.figure import Figure

    return Figure(figsize=size, layout="constrained", dpi=150)


def panels(count: int, columns: int, size: tuple[float, float], **shared: Any) -> "tuple[Figure, list[Axes]]":
    """Return a figure with a number of panels, so many side by side, each of this size.

    `shared` are axes that they share, as for `Figure.subplots`.
    """
    rows = -(-count // columns)
    figure = new_figure((size[0] * columns, size[1] * rows))
    places = list(figure.subplots(rows, columns, squeeze=False, **shared).ravel())
    for ax in places[count:]:
        ax.remove()
    return figure, places[:count]


def figure_of(ax: "Axes") -> "Figure":
    """Return the whole figure that axes belong to."""
    figure: Figure = ax.figure.get_figure(root=True)
    return figure


def draw_classes(ax: "Axes", points: Any, labels: Any, classes: Any, size: float = 20) -> None:
    """Draw the points of each class with a colour and a sign of its own."""
    for code, label in enumerate(classes):
        mine = points[labels == label]
        look: dict[str, Any] = {"s": size, "color": colour(code), "marker": marker(code), "label": str(label)}
        ax.scatter(*mine.T, edgecolors="white", linewidths=0.4, zorder=3, **look)


def finish_plane(ax: "Axes") -> None:
    """Leave the ticks of a plane away, whose units mean nothing, and draw a thin frame."""
    ax.set_xticks([])
    ax.set_yticks([])
    for side in ax.spines.values():
        side.set_color(PALE)


def finish_chart(ax: "Axes") -> None:
    """Draw a chart as all of them are drawn: no frame above and to the right, a light grid."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(alpha=0.25)
    ax.tick_params(labelsize="small")


def legend_below(ax: "Axes", columns: int = 2, title: str = "") -> None:
    """Say below the axes what the signs mean."""
    ax.legend(
        loc="upper center", bbox_to_anchor=(0.5, 0), ncols=columns, fontsize="small", frameon=False,
        handletextpad=0.4, columnspacing=1.0, labelspacing=0.8, title=title or None, title_fontsize="small",
    )  # fmt: skip
