"""`kerneltron train` and `kerneltron predict` on files, as a learner of texts."""

import json
from collections.abc import Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self

import numpy as np
from sklearn.utils.metaestimators import available_if

from kerneltron.cli.running import run


class CommandLine:
    """Train on a file with one object `{"label": ..., "text": ...}` per line, in this process.

    Parameters
    ----------
    options
        What stands behind `kerneltron train FILE -o MODEL`; nothing are its defaults.
    """

    def __init__(self, *options: str) -> None:
        self.options = options

    def fit(self, texts: Sequence[str], y: Any) -> Self:
        """Write the file and train on it."""
        self.folder = TemporaryDirectory()
        self.model = str(Path(self.folder.name, "text.model"))
        file = self._written("train", [{"label": str(b), "text": a} for a, b in zip(texts, y, strict=True)])
        result = json.loads(_printed("train", file, "-o", self.model, "--quiet", "--json", *self.options))
        self.classes_ = np.array(sorted(result["classes"]))
        self.has_probabilities = result["progressive_loss"] is not None
        return self

    def predict(self, texts: Sequence[str]) -> Any:
        """Return the labels that are printed."""
        return np.array([line["label"] for line in self._predicted(texts)])

    @available_if(lambda self: self.has_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba(self, texts: Sequence[str]) -> Any:
        """Return the probabilities that are printed, a column for each class."""
        lines = self._predicted(texts, "--probabilities")
        return np.array([[line["probabilities"][label] for label in self.classes_] for line in lines])

    def _predicted(self, texts: Sequence[str], *options: str) -> list[Any]:
        file = self._written("test", [{"text": text} for text in texts])
        answers = Path(self.folder.name, "answers.jsonl")
        _printed("predict", self.model, file, "-o", str(answers), "--json", *options)
        return [json.loads(line) for line in answers.read_text().splitlines()]

    def _written(self, name: str, records: Sequence[dict[str, str]]) -> str:
        path = Path(self.folder.name, f"{name}.jsonl")
        path.write_text("".join(json.dumps(record) + "\n" for record in records))
        return str(path)


def _printed(*words: str) -> str:
    with redirect_stdout(StringIO()) as out:
        code = run(words)
    if code != 0:
        raise RuntimeError(f"kerneltron {' '.join(words)} ended with code {code}.")
    return out.getvalue()
