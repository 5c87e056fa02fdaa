"""River's linear learners: one pass in the given order, a dict for each row, one class against the rest."""

from collections import Counter
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, Self

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer

from benchmarks.defaults.sets import TEXT, DataSet

SCALED = ", scaled"
NAMES = tuple(
    f"river {name}{scaled}" for name in ("LogisticRegression", "PAClassifier") for scaled in ("", SCALED)
)
MOST = 1.5e6  # values times classes; letters have 0.8e6, and take it 0.5 to 0.9 s a learner


class OneAtATime:
    """One of river's learners, in scikit-learn's language.

    Parameters
    ----------
    name
        One of `NAMES`; those that end in "scaled" have a StandardScaler before them.
    classes
        All labels.
    """

    def __init__(self, name: str, classes: Any) -> None:
        linear_model, multiclass, preprocessing = (
            import_module(f"river.{part}") for part in ("linear_model", "multiclass", "preprocessing")
        )
        self.classes_ = np.asarray(classes)
        kind = name.removeprefix("river ").removesuffix(SCALED)
        learner = getattr(linear_model, kind)()
        if len(self.classes_) > 2:
            learner = multiclass.OneVsRestClassifier(learner)
        self.learner = preprocessing.StandardScaler() | learner if name.endswith(SCALED) else learner
        self.labels = [False, True] if len(self.classes_) == 2 else self.classes_.tolist()

    def fit(self, X: Any, y: Any) -> Self:
        """Learn from rows or texts, one after the other."""
        return self.partial_fit(X, y)

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Go on learning."""
        for x, place in zip(dicts(X), np.searchsorted(self.classes_, y), strict=True):
            self.learner.learn_one(x, self.labels[place])
        return self

    def predict(self, X: Any) -> Any:
        """Return the likeliest labels; the first one before anything is learned."""
        return self.classes_[self.predict_proba(X).argmax(axis=1)]

    def predict_proba(self, X: Any) -> Any:
        """Return probabilities."""
        answers = [self.learner.predict_proba_one(x) for x in dicts(X)]
        return np.array([[answer.get(label, 0.0) for label in self.labels] for answer in answers])


def takes_too_long(data: DataSet) -> bool:
    """Return whether a set has too many values for a learner that takes them one by one."""
    some = data.splits[0]
    values = some.X[0].size if data.kind != TEXT else np.mean([len(set(text.split())) for text in some.X])
    many = 1 if len(data.classes) == 2 else len(data.classes)
    return bool(len(data.splits) * len(some.y) * values * many > MOST)


def dicts(X: Any) -> Iterator[Mapping[Any, float]]:
    """Yield each row as a dict from columns, or words, to values."""
    if isinstance(X[0], str):
        words = CountVectorizer().build_analyzer()
        yield from (Counter(words(text)) for text in X)
        return
    yield from (dict(enumerate(row.tolist())) for row in X)
