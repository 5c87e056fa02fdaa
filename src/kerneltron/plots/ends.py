"""Names at the ends of curves, where a legend of many would have to be searched."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from kerneltron._types import Floats
from kerneltron.plots.style import INK

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

GAP = 0.062  # of the height of the axes, between the middles of two names
BESIDE = 1.06  # where the signs before the names are, in widths of the axes


def label_ends(ax: "Axes", lines: "Sequence[Line2D]") -> None:
    """Write the label of each line beside its last point, with its sign, and a thin line between them.

    Parameters
    ----------
    ax
        With the limits and scales that it will have.
    lines
        The curves.
    """
    to_fractions = ax.transScale + ax.transLimits
    ends = [(float(line.get_xdata()[-1]), float(line.get_ydata()[-1])) for line in lines]  # type: ignore[index,arg-type]
    heights = spread(np.array([to_fractions.transform(end)[1] for end in ends]), GAP)
    for line, end, height in zip(lines, ends, heights, strict=True):
        place = (BESIDE, float(height))
        look: dict[str, Any] = {"color": line.get_color(), "clip_on": False}
        leader: dict[str, Any] = {
            "arrowstyle": "-",
            "linestyle": line.get_linestyle(),
            "shrinkA": 0,
            "shrinkB": 0,
        }
        outside: dict[str, Any] = {"textcoords": "axes fraction", "annotation_clip": False}
        ax.annotate("", end, place, arrowprops=leader | look, **outside)
        ax.annotate(
            str(line.get_label()), place, (6, 0), xycoords="axes fraction", textcoords="offset points",
            va="center", fontsize="small", color=INK,
        )  # fmt: skip
        sign: Any = line.get_marker()
        if sign not in ("", "None"):
            ax.scatter(*place, s=16, marker=sign, transform=ax.transAxes, **look)


def spread(heights: Floats, gap: float) -> Floats:
    """Return heights from 0 to 1, a gap apart at least, in the same order, as near to the given as can be.

    Where there are too many for that, they go on above 1.

    Examples
    --------
    >>> spread(np.array([0.5, 0.52, 0.9]), gap=0.1).round(2)
    array([0.46, 0.56, 0.9 ])
    """
    order = np.argsort(heights, kind="stable")
    steps = gap * np.arange(len(heights))
    # Heights that keep the gap are, less their steps, a rising sequence: the nearest is found by pooling.
    pools: list[list[float]] = []
    for value in heights[order] - steps:
        pools.append([float(value)])
        while len(pools) > 1 and np.mean(pools[-2]) > np.mean(pools[-1]):
            pools[-2:] = [pools[-2] + pools[-1]]
    pooled = np.array([float(np.mean(pool)) for pool in pools for _ in pool])
    out = np.empty(len(heights))
    out[order] = np.clip(pooled, 0, max(0, 1 - steps[-1])) + steps
    return out
