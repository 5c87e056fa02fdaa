"""How far hashed norms, inner products and distances are off, and which published bounds hold."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from kerneltron.plots.style import COLOURS, INK, MARKERS, figure_of, finish_chart, given_or_new, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SIZE = (4.6, 4.0)
DASHES = ("-", (0, (5, 5)), "-.", ":")  # lines that lie upon each other are both seen
LEAST_FREQUENCY = 1e-6  # below what is measured there is room for the legend
FORMULA = "by the formula"
LEAST_ERROR = 1e-3  # of distances: where no features meet, the error is that of rounding


class Deviation(NamedTuple):
    """How far a hashed number is off, over many hash functions, relative to the lengths of the vectors."""

    bias: float
    deviation: float
    predicted: float  # the standard deviation, by the formula


class Spread(NamedTuple):
    """The median of errors over many hash functions, and what 5 % of them are below and above."""

    low: float
    middle: float
    high: float


class TailCurve(NamedTuple):
    """How often an error is exceeded, beside the bound that was published."""

    name: str
    settings: list[float]  # epsilon or delta
    measured: list[float]
    printed: list[float]
    functions: int  # hash functions that it was measured over

    @property
    def is_broken(self) -> list[bool]:
        """Tell where the bound does not hold, by more than three standard errors of the measurement."""
        pairs = zip(self.measured, self.printed, strict=True)
        return [
            found - 3 * (max(found * (1 - found), 1 / self.functions) / self.functions) ** 0.5 > bound
            for found, bound in pairs
        ]


class TailDisplay:
    """Measured frequencies as points, printed bounds as lines of the same colour.

    A point above its line contradicts the bound, and has a ring if chance does not explain it.

    Parameters
    ----------
    curves
        What was measured.
    name
        What the settings are.
    title
        Of the panel.

    Attributes
    ----------
    ax_, figure_
        Where it was drawn.

    Examples
    --------
    >>> curve = TailCurve("16 slots", [0.1], [0.077], [0.00037], functions=4000)
    >>> curve.is_broken
    [True]
    >>> TailDisplay([curve], "epsilon").plot().ax_.get_xlabel()
    'epsilon'
    """

    def __init__(self, curves: Sequence[TailCurve], name: str, title: str = "") -> None:
        self.curves, self.name, self.title = curves, name, title
        self.ax_: Axes
        self.figure_: Figure

    def plot(self, ax: "Axes | None" = None) -> "TailDisplay":
        """Draw it, in axes that are given or in new ones."""
        ax = given_or_new(ax, SIZE)
        for colour, marker, dashes, curve in zip(COLOURS, MARKERS, DASHES, self.curves, strict=False):
            ax.plot(curve.settings, curve.printed, color=colour, linestyle=dashes, linewidth=1.4)
            points = list(zip(curve.settings, curve.measured, curve.is_broken, strict=True))
            seen = [(x, y) for x, y, _ in points if y > 0]
            ax.plot([x for x, _ in seen], [y for _, y in seen], marker, color=colour, label=curve.name, ms=4)
            broken = [(x, y) for x, y, is_broken in points if is_broken]
            ax.plot([x for x, _ in broken], [y for _, y in broken], "o", color=INK, ms=8, fillstyle="none")
        ax.set_xscale("log")
        ax.set_yscale("log")
        ax.set_ylim(LEAST_FREQUENCY, 1.5)
        ax.set_xlabel(self.name)
        ax.set_title(self.title, fontsize="medium")
        ax.legend(frameon=False, fontsize="small", loc="lower left")
        finish_chart(ax)
        self.ax_, self.figure_ = ax, figure_of(ax)
        return self


def draw_hashing(
    norms: "Mapping[int, Mapping[int, Deviation]]",
    signed: "Mapping[int, Deviation]",
    unsigned: "Mapping[int, Deviation]",
    distances: "Mapping[int, Mapping[int, Spread]]",
) -> "Figure":
    """Draw three panels against the number of bits; lines are predicted, points are measured.

    Parameters
    ----------
    norms
        Of vectors with this many features, by bits.
    signed, unsigned
        Of inner products, by bits.
    distances
        The largest relative error among the squared distances of this many points, by bits; nine of ten hash
        functions are within the band, which ends where one of twenty makes no error.
    """
    figure = new_figure((13.2, 4.0))
    left, middle, right = figure.subplots(1, 3)
    for colour, marker, (n, found) in zip(COLOURS, MARKERS, norms.items(), strict=False):
        measured = [each.deviation for each in found.values()]
        left.plot(list(found), measured, marker, color=colour, label=f"{n:,} features")
        left.plot(list(found), [each.predicted for each in found.values()], "-", color=colour)
    if left.lines:
        left.lines[-1].set_label(FORMULA)  # all lie upon each other, nearly
    left.set_title("squared norm: standard deviation", fontsize="medium")
    _draw_products(middle, signed, unsigned)
    for colour, marker, (n, errors) in zip(COLOURS, MARKERS, distances.items(), strict=False):
        low, median, high = zip(*errors.values(), strict=True)
        # Where some functions make no error at all, a logarithmic axis has no place for the end of the band.
        drawn = [each >= LEAST_ERROR for each in low]
        right.fill_between(list(errors), low, high, where=drawn, color=colour, alpha=0.2, linewidth=0)
        right.plot(list(errors), median, f"{marker}-", color=colour, label=f"{n:,} points")
    right.set_title("all pairs: largest error of a squared distance", fontsize="medium")
    for axes in (left, middle, right):
        axes.set_yscale("log")
        axes.set_xticks(list(signed))
        axes.set_xlabel("bits")
        axes.legend(frameon=False, fontsize="small")
        finish_chart(axes)
    right.set_ylim(bottom=LEAST_ERROR)
    right.set_xlabel("bits (band: nine of ten hash functions, unless some make no error)", fontsize="small")
    return figure


def _draw_products(
    axes: "Axes", signed: "Mapping[int, Deviation]", unsigned: "Mapping[int, Deviation]"
) -> None:
    bits = list(signed)
    axes.plot(bits, [each.deviation for each in signed.values()], "o", color=COLOURS[0], label="signed")
    axes.plot(bits, [each.predicted for each in signed.values()], "-", color=COLOURS[0], label=FORMULA)
    axes.plot(bits, [abs(each.bias) for each in signed.values()], "x", color="0.5", label="signed, bias")
    biases = [each.bias for each in unsigned.values()]
    axes.plot(bits, biases, "s--", color=COLOURS[1], label="unsigned, bias")
    axes.set_title("inner product: standard deviation and bias", fontsize="medium")
