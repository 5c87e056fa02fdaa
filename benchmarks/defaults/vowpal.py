"""Vowpal Wabbit as a learner: one pass in the given order, `--oaa` for more than two classes."""

from collections.abc import Iterator
from importlib import import_module
from typing import Any, Self

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.utils.metaestimators import available_if


class VowpalWabbit:
    """Learn from lines of VW's format: columns with their values, or the words of a text.

    Parameters
    ----------
    options
        What it is told beside --oaa; nothing are its defaults, among them the squared loss.
    classes
        All labels.
    """

    def __init__(self, options: str, classes: Any) -> None:
        self.classes_ = np.asarray(classes)
        self.is_logistic = "logistic" in options
        words = [options, "--quiet", *self._many()]
        self.workspace = import_module("vowpalwabbit").Workspace(" ".join(words))

    def _many(self) -> list[str]:
        if len(self.classes_) == 2:
            return []
        return [f"--oaa {len(self.classes_)}", *(["--probabilities"] if self.is_logistic else [])]

    def fit(self, X: Any, y: Any) -> Self:
        """Learn from rows or texts, one after the other."""
        return self.partial_fit(X, y)

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Go on learning."""
        places = np.searchsorted(self.classes_, y)
        names = 2 * places - 1 if len(self.classes_) == 2 else places + 1
        for name, line in zip(names, lines(X), strict=True):
            self.workspace.learn(f"{name} {line}")
        return self

    def predict(self, X: Any) -> Any:
        """Return labels: by the sign of the score, or the likeliest class."""
        answers = [self.workspace.predict(line) for line in lines(X)]
        if len(self.classes_) == 2:
            return self.classes_[(np.array(answers) > 0).astype(int)]
        return self.classes_[np.argmax(answers, axis=1) if self.is_logistic else np.array(answers) - 1]

    @available_if(lambda self: self.is_logistic)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Any:
        """Return probabilities."""
        answers = np.array([self.workspace.predict(line) for line in lines(X)])
        if len(self.classes_) > 2:
            return answers
        positive = 1 / (1 + np.exp(-answers))
        return np.column_stack([1 - positive, positive])


def lines(X: Any) -> Iterator[str]:
    """Yield the features of each row, as VW reads them."""
    if isinstance(X[0], str):
        words = CountVectorizer().build_analyzer()
        yield from ("| " + " ".join(words(text)) for text in X)
        return
    for row in X:
        (places,) = np.nonzero(row)
        yield "| " + " ".join(
            f"{place}:{value:.9g}" for place, value in zip(places, row[places], strict=True)
        )
