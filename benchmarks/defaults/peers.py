"""Other people's learners as they come: scikit-learn's, Vowpal Wabbit and river."""

from functools import partial
from importlib.util import find_spec
from typing import Any, NamedTuple, Self

from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

from benchmarks.defaults import river_peers, vowpal
from benchmarks.defaults.evaluating import Make
from benchmarks.defaults.sets import STREAMS, STRUCTURES, TEXT, DataSet
from kerneltron.kernels import Kernel

SUPPORT_VECTORS = "SVC"
NOT_INSTALLED = "not installed"


class Peer(NamedTuple):
    """A learner that ours is set beside; without `make` it says why there is none."""

    name: str
    is_linear: bool
    make: Make | None
    reason: str = ""


class OnGramMatrix:
    """SVC on the Gram matrix of structures, which is computed with our kernel."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel

    def fit(self, X: Any, y: Any) -> Self:
        """Learn, and remember the structures."""
        self.X, self.machine = X, SVC(kernel="precomputed").fit(self.kernel(X), y)
        self.classes_ = self.machine.classes_
        return self

    def predict(self, X: Any) -> Any:
        """Return the labels of structures."""
        return self.machine.predict(self.kernel(X, self.X))


def peers(data: DataSet) -> list[Peer]:
    """Return the peers for a set; texts become counts of words by scikit-learn's CountVectorizer()."""
    if data.kind == STRUCTURES:
        return [Peer(SUPPORT_VECTORS, False, OnGramMatrix)]
    if data.kind == STREAMS:
        return [Peer("SGDClassifier", True, SGDClassifier), *_vowpal(data), *_river(data)]
    own: dict[str, Make] = {
        "SGDClassifier": SGDClassifier,
        "sklearn LogisticRegression": LogisticRegression,
        SUPPORT_VECTORS: SVC,
    }
    if data.kind == TEXT:
        own = {name: partial(_on_words, make) for name, make in own.items()}
    first = [Peer(name, name != SUPPORT_VECTORS, make) for name, make in own.items()]
    return [*first, *_vowpal(data), *_river(data)]


def _on_words(make: Make) -> Any:
    return make_pipeline(CountVectorizer(), make())


def _vowpal(data: DataSet) -> list[Peer]:
    names = {"VW": "", "VW logistic": "--loss_function logistic"}
    if find_spec("vowpalwabbit") is None:
        return [Peer(name, True, None, NOT_INSTALLED) for name in names]
    return [
        Peer(name, True, partial(vowpal.VowpalWabbit, options, data.classes))
        for name, options in names.items()
    ]


def _river(data: DataSet) -> list[Peer]:
    if find_spec("river") is None:
        return [Peer(name, True, None, NOT_INSTALLED) for name in river_peers.NAMES]
    if river_peers.takes_too_long(data):
        return [Peer(name, True, None, "too slow") for name in river_peers.NAMES]
    return [
        Peer(name, True, partial(river_peers.OneAtATime, name, data.classes)) for name in river_peers.NAMES
    ]
