"""Curves of error against the number of passes."""

from collections.abc import Mapping, Sequence
from pathlib import Path


def draw_errors(
    passes: Sequence[float], panels: Mapping[str, Mapping[str, Sequence[float]]], title: str, path: Path
) -> None:
    """Save a picture with one panel for each problem and one curve for each learner.

    Parameters
    ----------
    passes
        The numbers of passes, the horizontal axis.
    panels
        For each problem, the errors of each learner after these passes.
    title
        Of the whole picture.
    path
        Where to save it; the ending says in which format.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5.2 * len(panels), 4.2), layout="constrained", dpi=150)
    figure.suptitle(title)
    places = figure.subplots(1, len(panels), squeeze=False)[0]
    for axes, (name, curves) in zip(places, panels.items(), strict=True):
        for learner, errors in curves.items():
            axes.plot(passes, [100 * error for error in errors], marker="o", markersize=3.5, label=learner)
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xticks(passes, [f"{value:g}" for value in passes])
        axes.set_xticks([], minor=True)
        low, high = axes.get_ylim()
        ticks = [tick for tick in (0.5, 1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70) if low <= tick <= high]
        axes.set_yticks(ticks, [f"{tick:g} %" for tick in ticks])
        axes.set_yticks([], minor=True)
        axes.set_title(name)
        axes.set_xlabel("passes")
        axes.grid(alpha=0.3)
    figure.axes[0].set_ylabel("test error")
    figure.axes[-1].legend(fontsize="small", frameon=False)
    figure.savefig(path)
