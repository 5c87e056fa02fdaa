"""Spam that filters let through, by how much mail a user labelled and by the number of slots."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Self

from kerneltron.plots.style import INK, colour, figure_of, finish_chart, given_or_new, marker, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LABEL = "spam let through, in %"


class PersonalDisplay:
    """A line for each filter over groups of users, from those without training mail to those with most.

    Parameters
    ----------
    groups
        What the groups are called.
    shares
        For each filter, the share of spam that it lets through in each group.

    Attributes
    ----------
    ax_ : the axes, after `plot`
    figure_ : the figure that they belong to

    Examples
    --------
    >>> from kerneltron.plots.personal import PersonalDisplay
    >>> shown = PersonalDisplay(["0", "1 or more"], {"global": [0.3, 0.3], "one's own": [1.0, 0.2]}).plot()
    >>> shown.ax_.get_xlabel()
    'training mails of a user'
    """

    ax_: "Axes"
    figure_: "Figure"

    def __init__(self, groups: Sequence[str], shares: Mapping[str, Sequence[float]]) -> None:
        self.groups = groups
        self.shares = shares

    def plot(self, ax: "Axes | None" = None) -> Self:
        """Draw into the given axes, or into a figure of its own."""
        ax = given_or_new(ax, (5.4, 4.0))
        for number, (name, shares) in enumerate(self.shares.items()):
            heights = [100 * share for share in shares]
            ax.plot(heights, "-", marker=marker(number), color=colour(number), label=name)
        names = [name.replace(" to ", "-").replace(" or more", "+") for name in self.groups]
        ax.set_xticks(range(len(self.groups)), names)
        ax.set_ylim(0, 102)
        ax.set_xlabel("training mails of a user")
        _finish(ax)
        self.ax_, self.figure_ = ax, figure_of(ax)
        return self


class SlotsDisplay:
    """A line for each filter over the number of bits, and a level line for words that are not hashed.

    Parameters
    ----------
    shares
        For each filter, the share of spam that it lets through by the number of bits.
    pairs
        How many distinct pairs of user and word there are: a second axis says how many share a slot.
    unhashed
        What the global filter lets through without hashing.

    Attributes
    ----------
    ax_ : the axes, after `plot`
    figure_ : the figure that they belong to
    """

    ax_: "Axes"
    figure_: "Figure"

    def __init__(self, shares: Mapping[str, Mapping[int, float]], *, pairs: int, unhashed: float) -> None:
        self.shares = shares
        self.pairs = pairs
        self.unhashed = unhashed

    def plot(self, ax: "Axes | None" = None) -> Self:
        """Draw into the given axes, or into a figure of its own."""
        ax = given_or_new(ax, (5.4, 4.0))
        for number, (name, shares) in enumerate(self.shares.items()):
            heights = [100 * share for share in shares.values()]
            ax.plot(list(shares), heights, "-", marker=marker(number), color=colour(number), label=name)
        ax.axhline(100 * self.unhashed, color=INK, ls=":", lw=1.2, label="global, unhashed")
        bits = sorted({size for shares in self.shares.values() for size in shares})
        ax.set_xticks(bits)
        ax.set_ylim(0, 1.2 * ax.get_ylim()[1])
        ax.set_xlabel("bits")
        _finish(ax)
        above = ax.secondary_xaxis("top")
        above.set_xticks(bits, [_short(self.pairs / 2**size) for size in bits], fontsize="small")
        above.set_xlabel("user-word pairs per slot", fontsize="small")
        self.ax_, self.figure_ = ax, figure_of(ax)
        return self


def _short(number: float) -> str:
    return f"{number:,.0f}" if number >= 10 else f"{number:.2g}"


def _finish(ax: "Axes") -> None:
    ax.set_ylabel(LABEL)
    finish_chart(ax)
    ax.legend(frameon=False)


def draw_personal(users: PersonalDisplay, slots: SlotsDisplay, title: str = "") -> "Figure":
    """Draw both side by side.

    Parameters
    ----------
    users
        What is let through by training mails.
    slots
        What is let through by bits.
    title
        Of the whole picture, such as which mail it is about.
    """
    figure = new_figure((10.8, 4.2 if not title else 4.6))
    figure.suptitle(title)
    left, right = figure.subplots(1, 2)
    users.plot(left).ax_.set_title("by user, at 1 % false positives", fontsize="medium")
    slots.plot(right)
    return figure
