"""Curves of error against the number of passes, one panel for each problem."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from kerneltron.plots.learning_curves import LearningCurvesDisplay
from kerneltron.plots.style import new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_errors(
    passes: Sequence[float], panels: Mapping[str, Mapping[str, Sequence[float]]], title: str, columns: int = 2
) -> "Figure":
    """Draw one panel for each problem and one curve for each learner.

    Parameters
    ----------
    passes
        The numbers of passes, the horizontal axis.
    panels
        For each problem, the errors of each learner after these passes.
    title
        Of the whole picture.
    columns
        How many panels stand side by side.

    Returns
    -------
    The figure; `figure.savefig(path)` saves it.
    """
    rows = -(-len(panels) // columns)
    figure = new_figure((6.0 * columns, 0.4 + 3.8 * rows))
    figure.suptitle(title)
    places = figure.subplots(rows, columns, squeeze=False).ravel()
    for axes in places[len(panels) :]:
        axes.remove()
    for axes, (name, curves) in zip(places, panels.items(), strict=False):
        LearningCurvesDisplay(at=passes, curves=curves).plot(axes, title=name)
    return figure
