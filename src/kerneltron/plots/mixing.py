"""Shards that are mixed after each round, beside serial training."""

from typing import TYPE_CHECKING, Any

from kerneltron.plots.style import LINES, MARKERS, finish_chart, new_figure

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LEAST = 3.0  # points of error that a panel spans: less would make much of chance
SERIAL = "0.0"  # black
STYLES = {"mixed": "-", "averaged once": ":"}
SHADES = ("#9ECAE1", "#4292C6", "#2171B5", "#08306B", "#542788")  # the more shards, the darker


def draw_mixing(
    errors: "Mapping[str, Mapping[str, Mapping[int, Sequence[float]]]]",
    losses: "Mapping[str, Mapping[str, Sequence[float]]]",
    shards: int,
) -> "Figure":
    """Draw test errors by round in the first row, losses by round in the second, one panel per problem.

    Parameters
    ----------
    errors
        For each problem, "mixed" or "averaged once", and number of shards; 1 is serial training. May be
        empty, as losses may.
    losses
        For each problem and way to treat sums of squares.
    shards
        How many the losses belong to.

    Returns
    -------
    The figure; `figure.savefig(path)` saves it.
    """
    rows: list[Any] = [found for found in (errors, losses) if found]
    columns = max(map(len, rows), default=1)
    figure = new_figure((1.6 + 3.6 * columns, 3.4 * max(1, len(rows))))
    places = figure.subplots(max(1, len(rows)), columns, squeeze=False)
    for axes in (axes for row, found in zip(places, rows, strict=False) for axes in row[len(found) :]):
        axes.remove()
    for row, found in zip(places, rows, strict=False):
        for axes, (problem, curves) in zip(row, found.items(), strict=False):
            if found is errors:
                _draw_errors(axes, curves)
                axes.set_title(f"{problem}: averaged perceptron", fontsize="medium")
            else:
                _draw_losses(axes, curves)
                axes.set_title(f"{problem}: AdaGrad on {shards} shards", fontsize="medium")
            _finish(axes)
        row[0].set_ylabel("test error" if found is errors else "validation loss")
        row[len(found) - 1].legend(
            frameon=False, fontsize="small", loc="upper left", bbox_to_anchor=(1.0, 1.0), handlelength=2.4
        )
    return figure


def _draw_errors(axes: "Axes", curves: "Mapping[str, Mapping[int, Sequence[float]]]") -> None:
    counts = [count for count in next(iter(curves.values())) if count > 1]
    for name, by_count in curves.items():
        for count, errors in by_count.items():
            percent = [100 * error for error in errors]
            if count == 1:
                _draw(axes, percent, SERIAL, STYLES.get(name, "-"), "serial")
                continue
            place, label = counts.index(count), f"{count} shards, {name}"
            sign = MARKERS[place % len(MARKERS)]  # shades alone are hard to tell apart
            _draw(axes, percent, SHADES[place % len(SHADES)], STYLES.get(name, "-"), label, marker=sign)
    low, high = axes.get_ylim()
    if high - low < LEAST:
        axes.set_ylim((low + high - LEAST) / 2, (low + high + LEAST) / 2)
    axes.yaxis.set_major_formatter("{x:g} %")


def _draw_losses(axes: "Axes", curves: "Mapping[str, Sequence[float]]") -> None:
    ways = [name for name in curves if name != "serial"]
    for name, losses in curves.items():
        if name == "serial":
            _draw(axes, losses, SERIAL, "-", name)
            continue
        # Added ones come first, averaged ones dashed, in the same colours.
        half = -(-len(ways) // 2)
        again, colour = divmod(ways.index(name), half)
        _draw(axes, losses, LINES[colour % len(LINES)], "--" if again else "-", name)


def _draw(axes: "Axes", values: "Sequence[float]", colour: str, style: str, label: str, **look: Any) -> None:
    look |= {"color": colour, "linestyle": style, "linewidth": 1.5, "markersize": 4.5}
    axes.plot(range(1, 1 + len(values)), values, label=label, **look)


def _finish(axes: "Axes") -> None:
    axes.set_xlabel("rounds")
    axes.locator_params(axis="x", integer=True)
    finish_chart(axes)
