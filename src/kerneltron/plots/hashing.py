"""How far hashed norms, inner products and distances are off."""

from typing import TYPE_CHECKING, NamedTuple

from kerneltron.plots.errors import COLOURS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.figure import Figure


class Deviation(NamedTuple):
    """How far a hashed number is off, over many hash functions, relative to the lengths of the vectors."""

    bias: float
    deviation: float
    predicted: float  # the standard deviation, by the formula


def draw_hashing(
    norms: "Mapping[int, Mapping[int, Deviation]]",
    signed: "Mapping[int, Deviation]",
    unsigned: "Mapping[int, Deviation]",
    distances: "Mapping[int, Mapping[int, float]]",
) -> "Figure":
    """Draw three panels against the number of bits; curves are predicted, points are measured.

    Parameters
    ----------
    norms
        Of vectors with this many features, by bits.
    signed, unsigned
        Of inner products, by bits.
    distances
        The largest relative error among the distances of this many points, by bits.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(13.2, 4.0), layout="constrained", dpi=90)
    left, middle, right = figure.subplots(1, 3)
    for colour, (n, found) in zip(COLOURS, norms.items(), strict=False):
        left.plot(
            list(found), [each.deviation for each in found.values()], "o", color=colour, label=f"n = {n:,}"
        )
        left.plot(list(found), [each.predicted for each in found.values()], "-", color=colour)
    left.set_title("squared norm: standard deviation", fontsize="medium")
    bits = list(signed)
    middle.plot(bits, [each.deviation for each in signed.values()], "o", color=COLOURS[0], label="signed")
    middle.plot(bits, [each.predicted for each in signed.values()], "-", color=COLOURS[0])
    middle.plot(bits, [abs(each.bias) for each in signed.values()], "x", color="0.5", label="signed, bias")
    biases = [each.bias for each in unsigned.values()]
    middle.plot(bits, biases, "s--", color=COLOURS[1], label="unsigned, bias")
    middle.set_title("inner product: standard deviation and bias", fontsize="medium")
    for colour, (n, errors) in zip(COLOURS, distances.items(), strict=False):
        right.plot(list(errors), list(errors.values()), "o-", color=colour, label=f"{n:,} points")
    right.set_title("all pairs: largest error of a squared distance", fontsize="medium")
    for axes in (left, middle, right):
        axes.set_yscale("log")
        axes.set_xticks(bits)
        axes.set_xlabel("bits")
        axes.legend(frameon=False, fontsize="small")
    return figure
