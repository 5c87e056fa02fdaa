"""Curves of error against the number of passes, one panel for each problem."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from kerneltron.plots.learning_curves import LearningCurvesDisplay
from kerneltron.plots.style import panels

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_errors(
    passes: Sequence[float],
    problems: Mapping[str, Mapping[str, Sequence[float]]],
    title: str,
    columns: int = 2,
) -> "Figure":
    """Draw one panel for each problem and one curve for each learner.

    Parameters
    ----------
    passes
        The numbers of passes, the horizontal axis.
    problems
        For each problem, the errors of each learner after these passes.
    title
        Of the whole picture.
    columns
        How many panels stand side by side.

    Returns
    -------
    The figure; `figure.savefig(path)` saves it.
    """
    figure, places = panels(len(problems), columns, (6.0, 4.0))
    figure.suptitle(title)
    for ax, (name, curves) in zip(places, problems.items(), strict=True):
        LearningCurvesDisplay(at=passes, curves=curves).plot(ax, title=name)
    return figure
