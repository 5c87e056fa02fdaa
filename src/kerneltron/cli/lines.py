"""Predictions as text, many at a time: what is done for each line is kept to what Python does fastest."""

from collections.abc import Sequence

import numpy as np

from kerneltron._types import Floats
from kerneltron._visible import UNSAFE, visible
from kerneltron.cli.jsons import as_json
from kerneltron.jobs.answering import Answers


class Lines:
    """Writes a line for each example: label, tag, scores, probabilities; or a JSON object.

    A line stays a line, and a field a field, whatever a label or tag holds: see `field`.

    Parameters
    ----------
    classes
        The labels, in the order of the columns.
    scores, probabilities
        Whether to add them.
    in_json
        Whether lines are JSON objects.
    """

    def __init__(self, classes: Sequence[str], scores: bool, probabilities: bool, in_json: bool) -> None:
        self.scores, self.probabilities, self.in_json = scores, probabilities, in_json
        texts = [as_json(label) if in_json else field(label) for label in classes]
        self._classes = texts
        self._starts = [f'{{"label": {text}' for text in texts] if in_json else texts

    def of(self, answers: Answers) -> str:
        """Return the lines of a window."""
        columns = [list(map(self._starts.__getitem__, answers.codes.tolist()))]
        if any(answers.window.tags):
            columns.append(self._tags(answers.window.tags))
        if self.scores:
            columns.append(self._numbers("scores", answers.scores()))
        if self.probabilities:
            columns.append(self._numbers("probabilities", answers.probabilities()))
        ending = "}\n" if self.in_json else "\n"
        rows = columns[0] if len(columns) == 1 else map("".join, zip(*columns, strict=True))
        text = ending.join(rows)
        return text + ending if answers.window.size else text

    def _tags(self, tags: Sequence[str]) -> list[str]:
        if self.in_json:
            return [f', "tag": {as_json(tag)}' if tag else "" for tag in tags]
        if needs_escapes("".join(tags)):  # nearly never, and one look at all of them tells
            tags = [field(tag) for tag in tags]
        return [f"\t{tag}" if tag else "" for tag in tags]

    def _numbers(self, name: str, values: Floats) -> list[str]:
        """Return the numbers of each row as text: one format for all of them at once is the fastest way."""
        if self.in_json:
            if not np.isfinite(values).all():
                return self._numbers_or_null(name, values)
            inner = ", ".join(f"{text.replace('%', '%%')}: %.6g" for text in self._classes)
            template = f', "{name}": {{{inner}}}\0'
        else:
            template = "\t%.6g" * values.shape[1] + "\0"
        return ((template * len(values)) % tuple(values.ravel().tolist())).split("\0")[:-1]

    def _numbers_or_null(self, name: str, values: Floats) -> list[str]:
        """Return the same where some numbers are not finite: JSON does not have these, and they are null."""
        rows = [
            [f"{number:.6g}" if finite else "null" for number, finite in zip(row, sound, strict=True)]
            for row, sound in zip(values.tolist(), np.isfinite(values).tolist(), strict=True)
        ]
        inner = [", ".join(map(": ".join, zip(self._classes, row, strict=True))) for row in rows]
        return [f', "{name}": {{{text}}}' for text in inner]


def needs_escapes(text: str) -> bool:
    """Return whether `field` would change a text."""
    return "\\" in text or UNSAFE.search(text) is not None


def field(text: str) -> str:
    r"""Return a text as a field between tabs, from which it can be told again: backslashes are doubled.

    Examples
    --------
    >>> print(field("spam\tor\nham"), field("C:\\new"))
    spam\tor\nham C:\\new
    """
    return visible(text.replace("\\", r"\\")) if needs_escapes(text) else text
