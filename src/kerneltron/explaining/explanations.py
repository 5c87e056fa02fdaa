"""What an explanation says: rows, how much they cover, and a table to read."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from kerneltron._visible import visible

LONGEST_NAME = 60  # characters of a name in a table


class Feature(NamedTuple):
    """A feature, and its weight for the class `label`; what is not known of it is None."""

    name: str
    weight: float
    label: Any
    count: int | None = None  # type: ignore[assignment]
    slot: int | None = None
    collisions: int | None = None  # how many other names share the slot
    others: tuple[str, ...] = ()  # the most frequent of these


class Support(NamedTuple):
    """A remembered example, by its number from 0, and its coefficient for the class `label`.

    One that was made of several has no number: it is "merged".
    """

    example: int | str
    coefficient: float
    label: Any


class Contribution(NamedTuple):
    """What a feature adds to a score: value times weight."""

    name: str
    value: float
    weight: float
    contribution: float


class Comparison(NamedTuple):
    """What a remembered example adds to a score: its coefficient times the kernel.

    `common` names features that both examples have, the weightiest first. The row without an example is the
    constant feature: its kernel is 1, its coefficient the sum of all and, for a class that came late, of what
    it began with. An example that was made of several is "merged"; what was dropped and lives on in random
    features is the row "sketch".
    """

    example: int | str | None
    coefficient: float
    kernel: float
    contribution: float
    common: tuple[str, ...] = ()


@dataclass(frozen=True)
class Explanation:
    """The strongest of what a learner knows.

    Attributes
    ----------
    rows
        `Feature`s or, of a learner that remembers examples, `Support`s; the strongest first.
    coverage
        Which part of the sum of all |weights| belongs to features that have a name; None where weights have
        no names at all.
    constants
        The weight of the constant feature for each class; empty where there is none.
    remarks
        Sentences that help to read the rows.
    """

    rows: Sequence[Any]
    coverage: float | None = None
    constants: dict[Any, float] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    def __str__(self) -> str:
        lines = [table(self.rows)] if self.rows else ["Nothing has a weight yet."]
        if self.constants:
            shown = ", ".join(f"{visible(label)}: {w:+.4g}" for label, w in self.constants.items())
            lines.append(f"Constant feature: {shown}")
        if self.coverage is not None:
            lines.append(f"Named: {100 * self.coverage:.1f} % of the weight.")
        return "\n".join([*lines, *map(visible, self.remarks)])

    def to_json(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        return {
            "rows": [as_plain(row) for row in self.rows],
            "coverage": self.coverage,
            "constants": {str(label): weight for label, weight in self.constants.items()},
            "remarks": list(self.remarks),
        }


@dataclass(frozen=True)
class ExampleExplanation:
    """Why one example has its score.

    Attributes
    ----------
    rows
        `Contribution`s or, of a learner that remembers examples, `Comparison`s; the largest first. Together
        with `rest` they sum to `score`.
    rest, hidden
        Sum and number of the contributions that are not shown.
    label, score
        The class that is explained, and its score: of two classes the first has the opposite of the second.
    predicted
        The class with the highest score.
    scores, probabilities
        Of each class; without probabilities where they mean nothing.
    remarks
        Sentences that help to read the rows.
    """

    rows: Sequence[Any]
    rest: float
    hidden: int
    label: Any
    score: float
    predicted: Any
    scores: dict[Any, float]
    probabilities: dict[Any, float] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    def __str__(self) -> str:
        chance = self.probabilities.get(self.predicted)
        certain = "" if chance is None else f", probability {chance:.4g}"
        first = f"Predicted: {visible(self.predicted)} (score {self.scores[self.predicted]:+.4g}{certain})"
        others = [
            f"{visible(label)}: {score:+.4g}"
            for label, score in self.scores.items()
            if label != self.predicted
        ]
        lines = [first, *([f"Other scores: {', '.join(others)}"] if others else [])]
        lines += [f"For {visible(self.label)}:", table(self.rows)]
        if self.hidden:
            lines.append(f"and {self.hidden:,} more, together {self.rest:+.4g}")
        return "\n".join([*lines, *map(visible, self.remarks)])

    def to_json(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        return {
            "predicted": as_plain(self.predicted),
            "scores": {str(label): score for label, score in self.scores.items()},
            "probabilities": {str(label): chance for label, chance in self.probabilities.items()},
            "label": as_plain(self.label),
            "score": self.score,
            "rows": [as_plain(row) for row in self.rows],
            "rest": self.rest,
            "hidden": self.hidden,
            "remarks": list(self.remarks),
        }


def table(rows: Sequence[Any]) -> str:
    """Return NamedTuples as aligned text; columns in which nothing stands are left out.

    Examples
    --------
    >>> print(table([Contribution("free", 2.0, 0.75, 1.5), Contribution("at", 1.0, -0.5, -0.5)]))
    name  value  weight  contribution
    free      2   +0.75          +1.5
    at        1    -0.5          -0.5
    """
    columns: list[list[str]] = []
    for name in rows[0]._fields:
        values = [getattr(row, name) for row in rows]
        if columns and all(value in (None, ()) for value in values):
            continue
        cells = [name, *(_cell(name, value) for value in values)]
        width = max(map(len, cells))
        is_number = all(isinstance(value, int | float | None) for value in values)
        columns.append([cell.rjust(width) if is_number else cell.ljust(width) for cell in cells])
    return "\n".join("  ".join(cells).rstrip() for cells in zip(*columns, strict=True))


def as_plain(value: Any) -> Any:
    """Return a row, or a label, as values that JSON knows."""
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {name: as_plain(part) for name, part in value._asdict().items()}
    if isinstance(value, tuple):
        return [as_plain(part) for part in value]
    return value.item() if hasattr(value, "item") else value


def _cell(column: str, value: Any) -> str:
    if value is None:
        return "constant" if column == "example" else "-"
    if isinstance(value, tuple):
        return ", ".join(_shortened(str(part)) for part in value)
    if isinstance(value, float):
        signed = column in ("weight", "coefficient", "contribution")
        return f"{value:+.4g}" if signed else f"{value:.4g}"
    return f"{value:,}" if column in ("count", "collisions") else _shortened(str(value))


def _shortened(text: str) -> str:
    shown = visible(text)
    return shown if len(shown) <= LONGEST_NAME else f"{shown[: LONGEST_NAME - 3]}..."
