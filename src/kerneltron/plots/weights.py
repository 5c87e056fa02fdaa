"""The strongest features of a learner by name, for and against."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from kerneltron._visible import visible
from kerneltron.plots.style import COLOURS, INK, figure_of, finish_chart, given_or_new

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from kerneltron.explaining.explanations import Explanation, Feature

LONGEST = 28  # characters of a name
AGAINST = "////"  # how bars below 0 are hatched: colour is not the only sign


@dataclass(kw_only=True, eq=False, repr=False)
class WeightsDisplay:
    """Bars of weights, the strongest above; names of hashed features say how many others share their slot.

    Parameters
    ----------
    rows
        The features, as `explain` returns them.
    remarks
        Sentences that help to read them.

    Attributes
    ----------
    ax_, figure_
        Where it was drawn.

    Examples
    --------
    >>> from kerneltron import Perceptron
    >>> from kerneltron.plots import WeightsDisplay
    >>> learner = Perceptron(hypothesis="last", shuffle=False).fit([[0, 3], [1, 0]], ["no", "yes"])
    >>> display = WeightsDisplay.from_estimator(learner)
    >>> [(name, row.weight) for name, row in zip(display.names, display.rows)]
    [('x1', -3.0), ('x0', 1.0)]
    """

    rows: "Sequence[Feature]"
    remarks: Sequence[str] = ()
    ax_: "Axes" = field(init=False)
    figure_: "Figure" = field(init=False)

    @classmethod
    def from_estimator(
        cls, estimator: Any, *, top: int = 20, label: Any = None, ax: "Axes | None" = None, title: str = ""
    ) -> Self:
        """Ask a fitted learner for its strongest features.

        Parameters
        ----------
        estimator
            One of our classifiers in primal form, or a pipeline that ends with one, such as a hasher and a
            learner that `kerneltron.load` brings back from a training with `--names`.
        top
            How many features to show, at most.
        label
            The class to explain; None lists all of them.
        ax
            Where to draw; None makes a new figure.
        title
            Of the panel.
        """
        learner = estimator[-1] if hasattr(estimator, "steps") else estimator
        return cls.from_explanation(learner.explain(top=top, label=label), ax=ax, title=title)

    @classmethod
    def from_explanation(
        cls, explanation: "Explanation", *, ax: "Axes | None" = None, title: str = ""
    ) -> Self:
        """Draw the features of an explanation.

        Parameters
        ----------
        explanation
            Of a learner as a whole, whose rows are features.
        ax, title
            As for `from_estimator`.
        """
        rows: Sequence[Any] = explanation.rows
        if not all(hasattr(row, "weight") for row in rows):
            raise ValueError(
                "This learner, in dual form, has no weights of features, but remembered examples: look at "
                "them with SupportImagesDisplay or BoundaryDisplay, or fit it with representation='primal'."
            )
        return cls(rows=rows, remarks=explanation.remarks).plot(ax, title=title)

    @property
    def names(self) -> list[str]:
        """What stands beside the bars."""
        several = len({row.label for row in self.rows}) > 1
        return [_name(row) + (f" ({row.label})" if several else "") for row in self.rows]

    def plot(self, ax: "Axes | None" = None, *, title: str = "") -> Self:
        """Draw it.

        Parameters
        ----------
        ax, title
            As for `from_estimator`.
        """
        self.ax_ = ax = given_or_new(ax, (5.4, 0.9 + 0.24 * len(self.rows)))
        self.figure_ = figure_of(ax)
        for place, row in enumerate(self.rows):
            sign = row.weight > 0
            ax.barh(
                place, row.weight, color=COLOURS[1] if sign else COLOURS[0], edgecolor="white",
                hatch="" if sign else AGAINST, linewidth=0,
            )  # fmt: skip
        ax.axvline(0, color=INK, linewidth=0.8)
        ax.set_yticks(range(len(self.rows)), self.names)
        ax.invert_yaxis()
        # Bars lie: what is above 0 in a table is right of it here.
        remarks = [
            remark.replace("Above 0", "Right of 0").replace("below 0", "left of it")
            for remark in self.remarks[:1]
        ]
        ax.set_xlabel("\n".join(["weight", *remarks]), fontsize="small")
        finish_chart(ax)
        ax.grid(visible=False, axis="y")
        if title:
            ax.set_title(title, fontsize="medium")
        return self


def _name(row: "Feature") -> str:
    name = visible(row.name)
    short = name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
    return f"{short} +{row.collisions}" if row.collisions else short
