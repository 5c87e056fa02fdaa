"""Regret against the best fixed vector in hindsight: by steps, with hashing, within a budget, under drift.

The best vector comes from full gradients, with a proof that none in the ball is better by more than one or
two thousandths of a loss per example. All streams are generated.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.table import Table

from kerneltron.experiments.experiment import THEORY, Asked, Comparison, Outcome
from kerneltron.experiments.regret_streams import (
    GRADIENT,
    Gradients,
    Stream,
    by_budget,
    by_drift,
    by_gradient,
    by_hashing,
    by_steps,
)
from kerneltron.plots.regret import RegretDisplay
from kerneltron.theory.regret import growth_exponent

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# What runs, on how many examples, and on how many if it is to be quick.
STREAMS = {
    "steps": (by_steps, 20_000, 2000),
    "hashing": (by_hashing, 10_000, 500),
    "budget": (by_budget, 2000, 300),
    "drift": (by_drift, 20_000, 2000),
}
ROWS, QUICK_ROWS = 20_000, 2000  # of the comparison of gradients


def table_of_regret(streams: Mapping[str, Stream]) -> Table:
    """Lay the regret at the end out, and how fast it grows."""
    out = Table(title="Regret against the best fixed vector in hindsight", title_justify="left")
    for column in ("stream", "learner"):
        out.add_column(column)
    for column in ("best loss", "regret at the end", "per example", "exponent"):
        out.add_column(column, justify="right")
    for stream in streams.values():
        for name, curve in stream.curves.items():
            numbers = f"{stream.best_loss:.4f}", f"{curve[-1]:,.0f}", f"{curve[-1] / len(curve):.4f}"
            exponent = growth_exponent(curve)
            out.add_row(stream.title, name, *numbers, "" if np.isnan(exponent) else f"{exponent:.2f}")
    return out


def table_of_gradients(found: Gradients) -> Table:
    """Lay the losses by passes out."""
    out = Table(title="Mean loss beyond that of the best vector", title_justify="left")
    for column in ("passes", "stochastic, averaged", "full gradient"):
        out.add_column(column, justify="right")
    for number, losses in enumerate(zip(*found, strict=True), 1):
        out.add_row(f"{number}", *(f"{loss:.2e}" for loss in losses))
    return out


def picture(streams: Mapping[str, Stream], gradients: Gradients) -> "Figure":
    """Draw one panel per stream, and one for the gradients."""
    from kerneltron.plots.style import new_figure

    figure = new_figure((14.4, 7.6))
    *places, corner, last = figure.subplots(2, 3).ravel()
    for axes, (part, stream) in zip(places, streams.items(), strict=True):
        RegretDisplay(
            stream.curves, bound=stream.bound, title=stream.title, is_logarithmic=part != "drift"
        ).plot(axes)
    RegretDisplay(
        {"stochastic, averaged": gradients.stochastic, "full gradient": gradients.full},
        title="stochastic or full gradient",
        axes=("passes", "mean loss beyond the best"),
        is_logarithmic=True,
    ).plot(corner)
    last.remove()
    return figure


def comparisons(stream: Stream) -> list[Comparison]:
    """Say whether the learner that has a theorem keeps to it."""
    curve = stream.curves[GRADIENT]
    above = 0 if stream.bound is None else int(np.sum(curve > stream.bound))
    growth = growth_exponent(curve)
    return [
        Comparison(
            f"examples after which the regret of {GRADIENT} is above 3 B G sqrt(t)",
            above,
            0,
            unit="",
            higher_is_better=None,
            close=0,
            source="the theorem of gradient descent: regret is at most 3 B G sqrt(t)",
            kind=THEORY,
        ),
        Comparison(f"exponent of the regret of {GRADIENT}, at most 1/2 by theory", growth, unit=""),
    ]


def reproduce(asked: Asked) -> Outcome:
    """Let learners go along streams, and compare them with hindsight."""
    streams = {}
    for part in asked.show(STREAMS, "Streams"):
        run, rows, few = STREAMS[part]
        streams[part] = run(few if asked.quick else rows, asked.seed)
    gradients = by_gradient(QUICK_ROWS if asked.quick else ROWS, asked.seed)
    return Outcome(
        comparisons=comparisons(streams["steps"]),
        tables=[table_of_regret(streams), table_of_gradients(gradients)],
        pictures={"regret": lambda: picture(streams, gradients)},
        notes=[
            "The exponent p fits regret to t^p: 1 is a loss at every example for good, as of features that "
            "meet in a slot. There is none where regret falls below 0, as it may under drift, where no fixed "
            "vector is good.",
        ],
        figures={
            "streams": {part: _as_figures(stream) for part, stream in streams.items()},
            "gradients": {name: losses.tolist() for name, losses in gradients._asdict().items()},
        },
    )


def _as_figures(stream: Stream) -> dict[str, Any]:
    """Return the best loss and some points of each curve: the example, from 1, and the regret."""
    curves = {}
    for name, curve in stream.curves.items():
        t = np.unique(np.geomspace(1, len(curve), 50).round().astype(int))
        curves[name] = [[int(at), float(curve[at - 1])] for at in t]
    return {"best_loss": stream.best_loss, "regret": curves}
