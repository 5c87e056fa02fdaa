"""The headlines of `make speed`. All data are generated, so that the record holds on every machine."""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np
from sklearn.datasets import load_iris, make_classification
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import SGDClassifier
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

from benchmarks.budgets import learner as budgeted
from benchmarks.budgets import stream
from benchmarks.cached import with_wrong
from benchmarks.digits import generated_digits
from benchmarks.dual import learner as dual_learner
from benchmarks.dual import multiply
from benchmarks.graph_kernels import for_grakel, peer_of
from benchmarks.problem import sparse_problem
from benchmarks.speed.processes import first_fit, train_mail, train_tiny
from benchmarks.speed.race import Contestants, Race, Work, repeated
from benchmarks.string_kernels import drawn
from benchmarks.text import generated_text
from kerneltron import SVM, LogisticRegression, PassiveAggressive, Perceptron
from kerneltron.datasets.letters import CLASSES, letters
from kerneltron.datasets.networks import social_networks
from kerneltron.kernels import Gaussian, Spectrum, WeisfeilerLehman


def both(ours: Work, reference: Work, turns: int = 5) -> Contestants:
    """Run both sides once, so that no turn compiles or loads anything."""
    ours()
    reference()
    return Contestants(ours, reference, turns)


def dual() -> Contestants:
    """Make ten passes over 60,000 rows like MNIST, one against the rest; the peer: fifty bare products."""
    data = generated_digits(60_000)
    dual_learner().fit(data.X[:2000], data.nine[:2000])  # compiles; a whole run takes seconds
    multiply(data)
    return Contestants(lambda: dual_learner().fit(data.X, data.nine), lambda: multiply(data), 3)


def kept_rows() -> Contestants:
    """Make ten passes over narrow rows of 26 classes with wrong labels; the peer: their Gram matrix."""
    data = letters(3000, 1)
    y = with_wrong(data.y, CLASSES)
    make = partial(PassiveAggressive, kernel=Gaussian(2.0), passes=10, random_state=0)
    return both(lambda: make().fit(data.X, y), lambda: rbf_kernel(data.X, gamma=0.125))


def sparse_rows(ours: Callable[[], Any], loss: str) -> Contestants:
    """Make one pass over 100,000 sparse rows of text-like data."""
    problem = sparse_problem(100_000)

    def fit(make: Callable[[], Any]) -> Work:
        return lambda: make().fit(problem.anew().X, problem.two)

    peer = partial(SGDClassifier, loss=loss, max_iter=1, tol=None, average=True, random_state=0)
    return both(fit(ours), fit(peer), 7)


def perceptron() -> Contestants:
    """Learn with the averaged perceptron."""
    return sparse_rows(partial(Perceptron, random_state=0), "perceptron")


def adaptive() -> Contestants:
    """Take AdaGrad's steps, averaged; the peer's are plain."""
    make = partial(LogisticRegression, l2=1e-6, passes=1, scale=False, random_state=0)
    return sparse_rows(make, "log_loss")


def scaled_table() -> Contestants:
    """Fit the default to a dense table of uneven units: ten passes, with scaling on both sides."""
    X, y = make_classification(10_000, 30, n_informative=10, n_classes=3, random_state=0)
    X = X * np.logspace(-3, 3, 30)
    sgd = SGDClassifier(loss="log_loss", max_iter=10, tol=None, average=True, random_state=0)
    peer = make_pipeline(StandardScaler(), sgd)
    return both(lambda: LogisticRegression(random_state=0).fit(X, y), lambda: peer.fit(X, y))


def machine() -> Contestants:
    """Fit 26 classes, 2,000 rows of 16 numbers."""
    data = letters(2000, 1)
    ours, peer = SVM(kernel=Gaussian(2.0), C=10.0, random_state=0), SVC(gamma=0.125, C=10.0)
    return both(lambda: ours.fit(data.X, data.y), lambda: peer.fit(data.X, data.y))


def machine_predicts() -> Contestants:
    """Predict 2,000 other rows with the same machines."""
    data = letters(2000, 2000)
    ours = SVM(kernel=Gaussian(2.0), C=10.0, random_state=0).fit(data.X, data.y)
    peer = SVC(gamma=0.125, C=10.0).fit(data.X, data.y)
    return both(lambda: ours.predict(data.X_test), lambda: peer.predict(data.X_test))


def small_machine() -> Contestants:
    """Fit iris with default settings."""
    X, y = load_iris(return_X_y=True)
    peer = make_pipeline(StandardScaler(), SVC())
    ours = SVM(kernel="gaussian", random_state=0)
    return both(lambda: ours.fit(X, y), repeated(lambda _: peer.fit(X, y), range(20)))


def linear_machine() -> Contestants:
    """Fit twenty topics of generated text."""
    data = generated_text(4000)
    ours = SVM(C=1.0, tol=2e-3, random_state=0)
    peer = LinearSVC(C=1.0, loss="hinge", tol=0.1, random_state=0)
    return both(lambda: ours.fit(data.X, data.y), lambda: peer.fit(data.X, data.y), 3)


def graphs() -> Contestants:
    """Compute the Weisfeiler-Lehman Gram matrix of generated networks."""
    networks = [(edges, np.zeros(people, np.int64)) for edges, people in _networks(200)]
    grakel: Any = import_module("grakel")
    given = [for_grakel(edges, labels) for edges, labels in networks]
    ours = repeated(lambda _: WeisfeilerLehman(5)(networks), range(20))
    return both(ours, lambda: peer_of(grakel, given), 3)


def strings() -> Contestants:
    """Count runs of six letters in DNA-like strings, and multiply the counts."""
    given = drawn("DNA", 500, 400)

    def peer() -> Any:
        counted = CountVectorizer(analyzer="char", ngram_range=(6, 6), lowercase=False).fit_transform(given)
        return counted @ counted.T

    return both(lambda: Spectrum(6)(given), peer)


def budget() -> Contestants:
    """Make one pass within a budget of 500 examples; the peer: the kernel values that it needs."""
    data = stream(20_000)
    kernel, held = Gaussian(3.0), data.X[:500]
    compare = repeated(lambda at: kernel(data.X[at : at + 500], held), range(0, 20_000, 500))
    return both(lambda: budgeted("random").fit(data.X, data.y), compare)


def rows_learned() -> Contestants:
    """Call `partial_fit` with one row at a time; the peer: river's `learn_one`."""
    linear_model: Any = import_module("river.linear_model")
    data = stream(2000)
    X, y = data.X.astype(np.float64), data.y
    dicts = [dict(enumerate(row)) for row in X.tolist()]

    def ours() -> None:
        learner = LogisticRegression(random_state=0).partial_fit(X[:1], y[:1], classes=[False, True])
        for i in range(1, 2000):
            learner.partial_fit(X[i : i + 1], y[i : i + 1])

    def river() -> None:
        learner = linear_model.LogisticRegression()
        for row, label in zip(dicts, y.tolist(), strict=True):
            learner.learn_one(row, label)

    return both(ours, river, 3)


def rows_predicted() -> Contestants:
    """Call `predict` with one row at a time, with weights."""
    data = stream(1000)
    ours, peer = LogisticRegression(random_state=0), SGDClassifier(loss="log_loss", random_state=0)
    return _one_by_one(ours.fit(data.X, data.y), peer.fit(data.X, data.y), data.X)


def rows_compared() -> Contestants:
    """Call `predict` with one row at a time, with remembered examples."""
    data = stream(1000)
    ours, peer = SVM(kernel=Gaussian(3.0), random_state=0), SVC(gamma=1 / 18)
    return _one_by_one(ours.fit(data.X, data.y), peer.fit(data.X, data.y), data.X)


def _one_by_one(ours: Any, peer: Any, X: Any) -> Contestants:
    rows = [X[i : i + 1] for i in range(500)]
    return both(repeated(ours.predict, rows), repeated(peer.predict, rows))


def _networks(count: int) -> Any:
    return social_networks(count, seed=0).X


SGD = "SGDClassifier(average=True)"

# A new headline is a function that returns contestants, and its line here.
RACES = (
    Race("dual, ten passes, 60,000 x 784", "50 bare products, one thread", dual, ("cpu", "wall")),
    Race("dual, kept rows, 26 classes", "rbf_kernel, once", kept_rows),
    Race("Perceptron, sparse rows", SGD, perceptron),
    Race("LogisticRegression, AdaGrad, sparse rows", SGD, adaptive),
    Race("LogisticRegression(), dense table", f"StandardScaler, {SGD}, ten passes", scaled_table),
    Race("SVM fit, 26 classes", "SVC", machine),
    Race("SVM predict, 26 classes", "SVC", machine_predicts),
    Race('SVM(kernel="gaussian"), iris', "StandardScaler and SVC, 20 times", small_machine),
    Race("SVM, linear, text", "LinearSVC", linear_machine),
    Race("WeisfeilerLehman(5), 20 times", "GraKeL, once", graphs),
    Race("Spectrum(6)", "CountVectorizer and product", strings),
    Race("budget=500, one pass", "its kernel values", budget),
    Race("partial_fit, row by row", "river, learn_one", rows_learned),
    Race("predict, one row, weights", "SGDClassifier", rows_predicted),
    Race("predict, one row, kernel", "SVC", rows_compared),
    Race("kerneltron train, 17 MB of text", "Vowpal Wabbit", train_mail),
    Race("kerneltron train, four lines", "Vowpal Wabbit", train_tiny),
    Race("import and first fit, compiled before", "scikit-learn's", first_fit),
)
