"""Spam that filters let through, by how much mail a user labelled and by the number of slots."""

from typing import TYPE_CHECKING

from kerneltron.plots.errors import COLOURS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw_personal(
    by_user: "Mapping[str, Sequence[float]]",
    groups: "Sequence[str]",
    by_bits: "Mapping[str, Mapping[int, float]]",
    pairs: int,
) -> "Figure":
    """Draw two panels.

    Parameters
    ----------
    by_user
        For each filter, the share of spam that it lets through in each group of users.
    groups
        What the groups are called.
    by_bits
        For each filter, that share over all users by the number of bits; a single one is a level line.
    pairs
        How many distinct pairs of user and word there are: a second axis says how many share a slot.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10.4, 4.2), layout="constrained", dpi=90)
    left, right = figure.subplots(1, 2)
    _draw_users(left, by_user, groups)
    _draw_bits(right, by_bits, pairs)
    for axes in (left, right):
        axes.set_ylim(0, 1.15 * axes.get_ylim()[1])
        axes.set_ylabel("spam let through, in %")
        axes.legend(frameon=False, fontsize="small")
    return figure


def _draw_users(axes: "Axes", by_user: "Mapping[str, Sequence[float]]", groups: "Sequence[str]") -> None:
    width = 0.8 / len(by_user)
    for number, (name, shares) in enumerate(by_user.items()):
        places = [place + (number - (len(by_user) - 1) / 2) * width for place in range(len(groups))]
        heights = [100 * share for share in shares]
        axes.bar(places, heights, width, label=name, color=COLOURS[number])
    axes.set_xticks(range(len(groups)), list(groups), fontsize="small")
    axes.set_xlabel("training mails of a user")
    axes.set_title("by user, at 1 % false positives", fontsize="medium")


def _draw_bits(axes: "Axes", by_bits: "Mapping[str, Mapping[int, float]]", pairs: int) -> None:
    for number, (name, shares) in enumerate(by_bits.items()):
        heights = [100 * share for share in shares.values()]
        if len(heights) == 1:
            axes.axhline(heights[0], color="0.4", linestyle=":", label=name)
        else:
            axes.plot(list(shares), heights, "o-", color=COLOURS[number], markersize=4, label=name)
    bits = max(by_bits.values(), key=len)
    axes.set_xticks(list(bits))
    axes.set_xlabel("bits")
    above = axes.secondary_xaxis("top")
    above.set_xticks(
        list(bits), [f"{pairs / 2**size:,.{int(pairs < 2**size) * 2}f}" for size in bits], fontsize="small"
    )
    above.set_xlabel("user-word pairs a slot", fontsize="small")
