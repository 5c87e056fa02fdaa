"""How well a model does: what it said, beside what was right."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from kerneltron._types import Floats
from kerneltron.jobs.answering import answers
from kerneltron.learning.learner import Learner
from kerneltron.stream.labels import Labels
from kerneltron.stream.window import NO_LABEL, Window


class OfClass(NamedTuple):
    """One class: of those predicted so, which part is right; of those that are so, which part was found."""

    label: str
    precision: float | None
    recall: float | None
    examples: float
    predicted: float


class Evaluation:
    """Counts of right and predicted labels, by the examples' weights; evaluations add up.

    An example whose label the model does not know counts as an error, and not in the log-loss, which would
    be infinite. Of the others, the target of the learner says what a prediction counts as an error.
    """

    def __init__(self, has_loss: bool) -> None:
        self.has_loss = has_loss
        self.counts: dict[tuple[str, str], float] = {}
        self.examples = self.unlabelled = self.skipped = 0
        self.loss = self._known = self._excess = 0.0

    def add(self, learner: Learner, windows: Iterator[Window], labels: Labels) -> None:
        """Count what a learner says of some windows, whose labels are numbered by `labels`."""
        classes = learner.known
        for answer in answers(learner, windows):
            window = answer.window
            there = window.labels != NO_LABEL
            self.unlabelled += window.size - int(there.sum())
            self.examples += int(there.sum())
            weight = window.importance[there].astype(np.float64)
            table = np.zeros((len(labels.names), len(classes)))
            np.add.at(table, (window.labels[there], answer.codes[there]), weight)
            for row, column in np.argwhere(table).tolist():
                pair = labels.names[row], classes[column]
                self.counts[pair] = self.counts.get(pair, 0.0) + float(table[row, column])
            codes = learner.target.codes_by_number(labels)[window.labels[there]]
            known = codes >= 0
            codes, predicted, weight = codes[known], answer.codes[there][known], weight[known]
            errors = 1.0 * learner.target.errors(predicted, codes)
            self._excess += float(weight @ (errors - (predicted != codes)))
            if self.has_loss:
                self._add_loss(learner.log_loss(answer.raw[there][known], codes), weight)

    def unknown(self, classes: Sequence[str]) -> dict[str, float]:
        """Return the labels that are not among the classes, with the examples of each, by weight."""
        found: dict[str, float] = {}
        for (label, _), count in self.counts.items():
            if label not in classes:
                found[label] = found.get(label, 0.0) + count
        return found

    def join(self, other: "Evaluation") -> None:
        """Add the counts of another evaluation."""
        for pair, count in other.counts.items():
            self.counts[pair] = self.counts.get(pair, 0.0) + count
        self.examples += other.examples
        self.unlabelled += other.unlabelled
        self.skipped = max(self.skipped, other.skipped)  # each read the whole input
        self.loss += other.loss
        self._known += other._known
        self._excess += other._excess

    def _add_loss(self, losses: Floats, weight: Floats) -> None:
        self.loss += float(weight @ losses)
        self._known += float(weight.sum())

    @property
    def weight(self) -> float:
        """All examples, by weight."""
        return sum(self.counts.values(), 0.0)

    @property
    def accuracy(self) -> float | None:
        """Which part is right; None without labelled examples."""
        right = sum(count for (label, said), count in self.counts.items() if label == said)
        return right / self.weight if self.weight else None

    @property
    def error(self) -> float | None:
        """What predictions count as errors, by weight: of classes, which part is wrong. None without any."""
        return None if self.accuracy is None else 1.0 - self.accuracy + self._excess / self.weight

    @property
    def log_loss(self) -> float | None:
        """The mean of -log of the right class's probability; None where there are no probabilities."""
        return self.loss / self._known if self.has_loss and self._known else None

    def labels(self) -> list[str]:
        """Return all labels that came or were predicted, sorted."""
        return sorted({label for pair in self.counts for label in pair})

    def by_class(self) -> list[OfClass]:
        """Return precision, recall and counts of each class."""
        rows = []
        for label in self.labels():
            right = self.counts.get((label, label), 0.0)
            count = sum((n for (true, _), n in self.counts.items() if true == label), 0.0)
            said = sum((n for (_, answer), n in self.counts.items() if answer == label), 0.0)
            rows.append(
                OfClass(label, right / said if said else None, right / count if count else None, count, said)
            )
        return rows

    def confused(self) -> list[tuple[str, str, float]]:
        """Return which label was taken for which other one, and how often, the most frequent first."""
        wrong = [(label, said, count) for (label, said), count in self.counts.items() if label != said]
        return sorted(wrong, key=lambda row: (-row[2], row[0], row[1]))

    def to_json(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        return {
            "examples": self.examples,
            "unlabelled": self.unlabelled,
            "skipped": self.skipped,
            "accuracy": self.accuracy,
            "error": self.error,
            "log_loss": self.log_loss,
            "classes": [of_class._asdict() for of_class in self.by_class()],
            "confusion": [
                {"label": label, "predicted": said, "count": count}
                for (label, said), count in sorted(self.counts.items())
            ],
        }
