"""`kerneltron train` and `kerneltron predict` on files, as a learner of texts."""

import json
from collections.abc import Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any, Self
from weakref import finalize

import numpy as np

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
        self.answered: tuple[Sequence[str], list[Any]] | None = None

    def fit(self, texts: Sequence[str], y: Any) -> Self:
        """Write the file and train on it."""
        self.folder = mkdtemp()
        finalize(self, rmtree, self.folder)
        self.model = str(Path(self.folder, "text.model"))
        file = self._written("train", [{"label": str(b), "text": a} for a, b in zip(texts, y, strict=True)])
        usual = ("--quiet", "--json", "--prediction-only")
        result = json.loads(_printed("train", file, "-o", self.model, *usual, *self.options))
        self.classes_ = np.array(sorted(result["classes"]))
        return self

    def predict(self, texts: Sequence[str]) -> Any:
        """Return the labels that are printed."""
        return np.array([line["label"] for line in self._predicted(texts)])

    def predict_proba(self, texts: Sequence[str]) -> Any:
        """Return the probabilities that are printed, a column for each class."""
        lines = self._predicted(texts)
        return np.array([[line["probabilities"][label] for label in self.classes_] for line in lines])

    def _predicted(self, texts: Sequence[str]) -> list[Any]:
        """Return what is printed for each text, with probabilities."""
        if self.answered is None or self.answered[0] is not texts:
            file = self._written("test", [{"text": text} for text in texts])
            answers = Path(self.folder, "answers.jsonl")
            _printed("predict", self.model, file, "-o", str(answers), "--json", "--probabilities")
            self.answered = texts, [json.loads(line) for line in answers.read_text().splitlines()]
        return self.answered[1]

    def _written(self, name: str, records: Sequence[dict[str, str]]) -> str:
        path = Path(self.folder, f"{name}.jsonl")
        path.write_text("".join(json.dumps(record) + "\n" for record in records))
        return str(path)


def _printed(*words: str) -> str:
    with redirect_stdout(StringIO()) as out:
        code = run(words)
    if code != 0:
        raise RuntimeError(f"kerneltron {' '.join(words)} ended with code {code}.")
    return out.getvalue()
