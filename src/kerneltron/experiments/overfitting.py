"""When expressiveness turns into overfitting: training and test error by degree, width, size and examples.

Points lie in a disc or in the ring around it, and one label in ten is flipped: nobody can be right about
more than 90 % of new examples. Further columns that have nothing to do with the label are added. The more a
kernel can express, the smaller the error on the training examples: in the end the machine knows the flipped
labels by heart. The error on new examples falls only as long as what is learned is the disc, and then rises.
Conjunctions are tried on a formula over truth values, with flips and irrelevant columns in the same way.

All machines are `SVM(C=10)`, of conjunctions with the normalised kernel. Settings were set by hand.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from rich.table import Table

from kerneltron import SVM
from kerneltron._types import Anything, Floats
from kerneltron.datasets.digits import Split
from kerneltron.datasets.shapes import circle, dnf, truth_values
from kerneltron.experiments.experiment import Asked, Comparison, Outcome
from kerneltron.kernels import Conjunctions, Gaussian, Kernel, Polynomial

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NOISE = 0.1  # of the labels, in training and test
TRAINING, TEST = 300, 2000  # examples
C = 10.0
IRRELEVANT = (0, 4)  # columns that are added to those that matter
DEGREES = (1, 2, 3, 4, 5, 6, 7)
WIDTHS = (8.0, 4.0, 2.0, 1.0, 0.5, 0.25, 0.125, 0.0625)
SIZES = (1, 2, 3, 4, 5, 6)
COLUMNS = (0, 1, 2, 4, 8, 16, 32)
EXAMPLES = (30, 60, 125, 250, 500, 1000)
SIMPLE, RICH = "Polynomial(2)", "Polynomial(6)"


class Setting(NamedTuple):
    """What a machine is trained on, and with which kernel."""

    kernel: Kernel
    irrelevant: int = 0
    examples: int = TRAINING
    is_boolean: bool = False


class Errors(NamedTuple):
    """Errors by value (first) and seed (second)."""

    training: list[list[float]]
    test: list[list[float]]


class Panel(NamedTuple):
    """What happens along one axis."""

    axis: str
    values: Sequence[float]
    curves: dict[str, Errors]


class Turn(NamedTuple):
    """Where the mean test error is least, and what it is there and at both ends."""

    value: float
    first: float
    least: float
    last: float

    @property
    def is_there(self) -> bool:
        """Whether the error falls, and rises again."""
        return self.first > self.least < self.last


def disc(setting: Setting, seed: int) -> Split:
    """Draw points of a disc and of the ring around it, with irrelevant columns and flipped labels.

    All of it is halved, so that the ring ends at the radius 1: powers of a polynomial do not explode.
    """
    n = setting.examples + TEST
    data = circle(n, seed=seed, margin=0.0)
    rng = np.random.default_rng([seed, 1])
    return _split(np.hstack([data.X, rng.standard_normal((n, setting.irrelevant))]) / 2, data.y, rng)


def formula(setting: Setting, seed: int) -> Split:
    """Draw truth values, labelled by a random formula of four terms of three, in the same way."""
    n = setting.examples + TEST
    data = dnf(n, columns=8, terms=4, size=3, seed=seed)
    rng = np.random.default_rng([seed, 1])
    return _split(np.hstack([data.X, truth_values(rng, n, setting.irrelevant)]), data.y, rng)


def _split(X: Floats, y: Anything, rng: np.random.Generator) -> Split:
    labels = np.where(rng.random(len(y)) < NOISE, -y, y)
    return Split(X[:-TEST], labels[:-TEST], X[-TEST:], labels[-TEST:])


def errors(setting: Setting, seed: int) -> tuple[float, float]:
    """Return the training and the test error of a machine."""
    data = (formula if setting.is_boolean else disc)(setting, seed)
    machine = SVM(kernel=setting.kernel, representation="dual", C=C, tol=0.03, passes=5000, random_state=0)
    machine.fit(data.X, data.y)
    return 1 - float(machine.score(data.X, data.y)), 1 - float(machine.score(data.X_test, data.y_test))


def settings() -> dict[str, tuple[Sequence[float], dict[str, Callable[[Any], Setting]]]]:
    """Return for each axis its values, and for each of its curves the setting that belongs to a value."""

    def with_columns(make: Callable[..., Setting]) -> dict[str, Callable[[Any], Setting]]:
        return {f"{columns} irrelevant columns": partial(make, more=columns) for columns in IRRELEVANT}

    return {
        "degree of the polynomial": (DEGREES, with_columns(lambda d, more: Setting(Polynomial(d), more))),
        "width of the Gaussian": (WIDTHS, with_columns(lambda s, more: Setting(Gaussian(s), more))),
        "size of conjunctions": (
            SIZES,
            with_columns(
                lambda size, more: Setting(Conjunctions(size=size).normalized(), more, is_boolean=True)
            ),
        ),
        "irrelevant columns": (
            COLUMNS,
            {SIMPLE: lambda m: Setting(Polynomial(2), m), RICH: lambda m: Setting(Polynomial(6), m)},
        ),
        "training examples": (
            EXAMPLES,
            {
                SIMPLE: lambda n: Setting(Polynomial(2), IRRELEVANT[-1], n),
                RICH: lambda n: Setting(Polynomial(6), IRRELEVANT[-1], n),
            },
        ),
    }


def measure(axis: str, seeds: range, every: int = 1) -> Panel:
    """Train all machines of an axis, or those of every second or third value."""
    values, curves = settings()[axis]
    chosen = values[::every]
    found = {}
    for name, make in curves.items():
        pairs = np.array([[errors(make(value), seed) for seed in seeds] for value in chosen])
        found[name] = Errors(pairs[:, :, 0].tolist(), pairs[:, :, 1].tolist())
    return Panel(axis, chosen, found)


def turn(values: Sequence[float], curve: Errors) -> Turn:
    """Find the least mean test error.

    Examples
    --------
    >>> turn([1, 2, 3], Errors([[0.4], [0.2], [0.0]], [[0.5], [0.25], [0.375]]))
    Turn(value=2, first=0.5, least=0.25, last=0.375)
    """
    means = np.mean(curve.test, axis=1)
    best = int(np.argmin(means))
    return Turn(values[best], float(means[0]), float(means[best]), float(means[-1]))


def table(panel: Panel) -> Table:
    """Lay the errors of one axis out: training and test, the least test error in bold."""
    out = Table(title=f"Training and test error in % by {panel.axis}", title_justify="left")
    out.add_column(panel.axis, justify="right")
    for name in panel.curves:
        out.add_column(name, justify="right")
    for number, value in enumerate(panel.values):
        cells = []
        for curve in panel.curves.values():
            training, test = (100 * float(np.mean(each[number])) for each in curve)
            is_best = value == turn(panel.values, curve).value
            cells.append(f"{training:.1f}   " + (f"[bold]{test:.1f}[/]" if is_best else f"{test:.1f}"))
        out.add_row(f"{value:g}", *cells)
    return out


def comparisons(panels: Sequence[Panel]) -> list[Comparison]:
    """Say by how many points the test error falls before the turn, and rises after it."""
    found = []
    for panel in panels[:3]:
        name = list(panel.curves)[-1]
        place = turn(panel.values, panel.curves[name])
        found += [
            Comparison(
                f"{panel.axis}, {name}: test error falls until {place.value:g}",
                100 * (place.first - place.least),
                unit="points",
                higher_is_better=None,
            ),
            Comparison(
                f"{panel.axis}, {name}: and rises from there to {panel.values[-1]:g}",
                100 * (place.last - place.least),
                unit="points",
                higher_is_better=None,
            ),
        ]
    return found


def picture(panels: Sequence[Panel]) -> "Figure":
    """Draw one panel for each axis."""
    from kerneltron.plots.overfitting import OverfittingDisplay, draw_overfitting

    shown = [OverfittingDisplay(panel.values, panel.curves, axis=panel.axis, least=NOISE) for panel in panels]
    return draw_overfitting(shown)


def reproduce(asked: Asked) -> Outcome:
    """Train all machines."""
    seeds = range(asked.seed, asked.seed + (2 if asked.quick else 20 if asked.full else 5))
    every = 2 if asked.quick else 1
    panels = [measure(axis, seeds, every) for axis in asked.show(settings(), "Axes")]
    return Outcome(
        comparisons(panels),
        [table(panel) for panel in panels],
        {"overfitting": lambda: picture(panels)},
        [
            f"Means over {len(seeds)} samples of {TRAINING} training and {TEST:,} test examples; "
            f"{100 * NOISE:g} % of all labels are flipped: nobody can expect a test error below that.",
            f"All machines are SVM(C={C:g}); set by hand, the same along each axis.",
        ],
        {panel.axis: {"values": panel.values, **_plain(panel.curves)} for panel in panels},
    )


def _plain(curves: dict[str, Errors]) -> dict[str, Any]:
    return {name: curve._asdict() for name, curve in curves.items()}
