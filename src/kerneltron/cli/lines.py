"""Predictions as text, many at a time: what is done for each line is kept to what Python does fastest."""

import json
from collections.abc import Sequence

from kerneltron._types import Floats
from kerneltron.jobs.answering import Answers


class Lines:
    """Writes a line for each example: label, tag, scores, probabilities; or a JSON object.

    Parameters
    ----------
    classes
        The labels, in the order of the columns.
    scores, probabilities
        Whether to add them.
    as_json
        Whether lines are JSON objects.
    """

    def __init__(self, classes: Sequence[str], scores: bool, probabilities: bool, as_json: bool) -> None:
        self.scores, self.probabilities, self.as_json = scores, probabilities, as_json
        texts = [json.dumps(label, ensure_ascii=False) for label in classes] if as_json else list(classes)
        self._classes = texts
        self._starts = [f'{{"label": {text}' for text in texts] if as_json else texts

    def of(self, answers: Answers) -> str:
        """Return the lines of a window."""
        columns = [list(map(self._starts.__getitem__, answers.codes.tolist()))]
        if any(answers.window.tags):
            columns.append(list(map(self._tag, answers.window.tags)))
        if self.scores:
            columns.append(self._numbers("scores", answers.scores()))
        if self.probabilities:
            columns.append(self._numbers("probabilities", answers.probabilities()))
        ending = "}\n" if self.as_json else "\n"
        rows = columns[0] if len(columns) == 1 else map("".join, zip(*columns, strict=True))
        text = ending.join(rows)
        return text + ending if answers.window.size else text

    def _tag(self, tag: str) -> str:
        if not tag:
            return ""
        return f', "tag": {json.dumps(tag, ensure_ascii=False)}' if self.as_json else f"\t{tag}"

    def _numbers(self, name: str, values: Floats) -> list[str]:
        """Return the numbers of each row as text: one format for all of them at once is the fastest way."""
        if self.as_json:
            inner = ", ".join(f"{text.replace('%', '%%')}: %.6g" for text in self._classes)
            form = f', "{name}": {{{inner}}}\0'
        else:
            form = "\t%.6g" * values.shape[1] + "\0"
        return ((form * len(values)) % tuple(values.ravel().tolist())).split("\0")[:-1]
