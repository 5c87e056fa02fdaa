"""Support vector machines beside scikit-learn's SVC, with the same kernel and C.

SVC tells each class from each other one, and its intercept costs nothing; ours tells each class from the
rest, and stops at a relative duality gap of 0.01: the gap that it reached stands beside its name. All run in
one thread, and CPU seconds are compared. Where the examples are strings, SVC has their Gram matrix, and the
time to compute it counts, unless both are given the matrix. Ten classes of MNIST take SVC more than five
minutes: `--rows` learns from fewer.
"""

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from benchmarks.budgets import turns
from benchmarks.compare import Work, faster, fewer_errors
from benchmarks.digits import digits
from benchmarks.measure import Timings
from benchmarks.settings import Settings
from benchmarks.table import Row, Target
from kerneltron import SVM
from kerneltron._validate import rows_of
from kerneltron.datasets.letters import letters
from kerneltron.datasets.splice import load_splice
from kerneltron.experiments.second_order import adult
from kerneltron.experiments.splice import splits
from kerneltron.kernels import Gaussian, Kernel, Polynomial, WeightedDegree

CACHE = 500  # megabytes of kernel values that SVC may keep
LONG = 10_000  # examples from which on each has one turn
SPLITS = 10  # of small sets, a third of which is tested on
STRINGS = WeightedDegree(5).normalized() ** 2
AS_FAST = Target("at least", 1.0)
CLOSE = Target("at most", 0.1)


class Parts(NamedTuple):
    """Examples to learn from and to test on."""

    X: Any
    y: Any
    X_test: Any
    y_test: Any


class Case(NamedTuple):
    """Data, a kernel, scikit-learn's machine with the same one, and how many times as fast ours is to be."""

    name: str
    data: Parts
    kernel: Kernel | str
    peer: Any
    learns: Target
    predicts: Target = AS_FAST


class OnStrings:
    """SVC on the Gram matrix of strings, which it computes with our kernel."""

    def __init__(self, kernel: Kernel, C: float) -> None:
        self.kernel, self.C = kernel, C

    def fit(self, X: Any, y: Any) -> None:
        """Learn, and remember the strings."""
        self.X, self.machine = X, precomputed(self.C).fit(self.kernel(X), y)
        self.support_ = self.machine.support_

    def predict(self, X: Any) -> Any:
        """Compare with all strings: SVC takes a row of the matrix whole."""
        return self.machine.predict(self.kernel(X, self.X))


class Quartic:
    """SVC with (1 + <x, z>)^4 as a cosine: that is <x, z>^4 of rows with one more column, of length 1."""

    def __init__(self, C: float) -> None:
        self.C = C
        self.machine = SVC(kernel="poly", degree=4, coef0=0.0, gamma=1.0, C=C, cache_size=CACHE)

    def fit(self, X: Any, y: Any) -> None:
        """Learn."""
        self.support_ = self.machine.fit(_with_one(X), y).support_

    def predict(self, X: Any) -> Any:
        """Return the classes of rows."""
        return self.machine.predict(_with_one(X))


def _with_one(X: Any) -> Any:
    longer_rows = np.column_stack([X, np.ones(len(X), X.dtype)])
    return longer_rows / np.linalg.norm(longer_rows, axis=1, keepdims=True)


def machines(settings: Settings) -> list[Row]:
    """Set learning, predicting and the test error beside those of SVC."""
    with import_module("threadpoolctl").threadpool_limits(1):  # scikit-learn brings it
        found = [row for case in cases(settings) for row in beside(case, settings)]
        return found + [over_splits(name, *data) for name, data in small_sets().items()]


def cases(settings: Settings) -> Iterable[Case]:
    """Yield all cases; those whose data are not there are left out."""
    for some in (handwritten, dna, incomes, alphabet, nines, pictures):
        try:
            yield from some(settings)
        except FileNotFoundError:
            continue


# -- cases -------------------------------------------------------------------------------------------


def gaussian(name: str, data: Parts, sigma: float, C: float, *targets: Target) -> Case:
    """Return a case with a Gaussian kernel."""
    peer = SVC(gamma=1 / (2 * sigma**2), C=C, cache_size=CACHE)
    return Case(f"{name}, {len(data.y):,} rows, Gaussian({sigma:g})", data, Gaussian(sigma), peer, *targets)


def precomputed(C: float) -> Any:
    """Return SVC on a Gram matrix."""
    return SVC(kernel="precomputed", C=C, cache_size=CACHE)


def handwritten(settings: Settings) -> list[Case]:
    """Return digits of 8 x 8 pixels."""
    X, y = load_digits(return_X_y=True)
    return [gaussian("digits", Parts(X[:1200] / 16, y[:1200], X[1200:] / 16, y[1200:]), 1.0, 10.0, AS_FAST)]


def dna(settings: Settings) -> list[Case]:
    """Return strings, by themselves and by their Gram matrix; the first of ten folds is tested on."""
    strings, y = load_splice()
    learn, test = splits(y, 10)[0]
    learn = learn[:: 10 if settings.quick else 1]
    X, X_test = rows_of(strings, learn), rows_of(strings, test)
    data, matrices = Parts(X, y[learn], X_test, y[test]), (STRINGS(X), STRINGS(X_test, X))
    given = data._replace(X=matrices[0], X_test=matrices[1])
    return [
        Case(f"splice, {learn.size:,} strings", data, STRINGS, OnStrings(STRINGS, 3.0), AS_FAST),
        Case("splice, the Gram matrix", given, "precomputed", precomputed(3.0), AS_FAST),
    ]


def incomes(settings: Settings) -> list[Case]:
    """Return a9a."""
    data, most = adult(), settings.at_most(32_561)
    dense = Parts(data.X[:most].toarray(), data.y[:most], data.X_test.toarray(), data.y_test)
    return [gaussian("a9a", dense, 4.0, 1.0, Target("at least", 2.0))]


def alphabet(settings: Settings) -> list[Case]:
    """Return 26 classes that overlap."""
    data = Parts(*letters(settings.at_most(15_000)))
    return [gaussian("letters", data, 2.0, 10.0, Target("at least", 1.5))]


def nines(settings: Settings) -> list[Case]:
    """Return 9 against the rest, of MNIST or of rows like it."""
    data = digits(settings.at_most(60_000))
    nine = Parts(data.X, data.nine, data.X_test, data.nine_test)
    name, speed = f"{data.name}, 9 against the rest", Target("at least", 40.0)
    quartic = f"{name}, {len(nine.y):,} rows, degree 4 of cosines"
    return [
        Case(quartic, nine, Polynomial(4).normalized(), Quartic(10.0), speed),
        gaussian(name, nine, 5.0, 10.0, speed),
    ]


def pictures(settings: Settings) -> list[Case]:
    """Return ten digits, of MNIST or of rows like it."""
    data = digits(settings.at_most(60_000))
    speeds = Target("at least", 5.0), Target("at least", 20.0)
    return [gaussian(f"{data.name}, ten classes", Parts(*data[1:]), 5.0, 10.0, *speeds)]


# -- measuring ---------------------------------------------------------------------------------------


def beside(case: Case, settings: Settings) -> list[Row]:
    """Return the rows of one case: learning, predicting, and the errors."""
    data, peer = case.data, case.peer
    ours = SVM(kernel=case.kernel, C=peer.C, random_state=0)
    warm(case)
    learning = both(
        lambda: ours.fit(data.X, data.y), lambda: peer.fit(data.X, data.y), len(data.y), settings.repeats
    )
    guesses: dict[str, Any] = {}

    def predict(name: str, machine: Any) -> Callable[[], object]:
        return lambda: guesses.update({name: machine.predict(data.X_test)})

    predicting = both(predict("SVM", ours), predict("SVC", peer), len(data.y), settings.repeats)
    mine, other = (float(np.mean(guesses[name] != data.y_test)) for name in ("SVM", "SVC"))
    gap, kept = float(ours.gap_[-1]), (ours.support_.size, peer.support_.size)
    name = f"SVM(C={peer.C:g}), {case.name}: gap {gap:.4f}, {kept[0]:,} remembered"
    rows = [
        faster(learning, "SVM", "SVC", Work(len(data.y), "rows"), case.learns),
        faster(predicting, "SVM", "SVC", Work(len(data.y_test), "rows"), case.predicts),
        fewer_errors("SVM", "SVC", mine, other, CLOSE),
    ]
    names = (name, "  its predictions", "  its test error")
    peers = (f"SVC, {kept[1]:,} remembered", "SVC", "SVC")
    more = {"case": case.name, "gap": gap, "passes": len(ours.gap_), "remembered": kept}
    return [
        row._replace(measured=title, beside=next_to, raw=row.raw | more)
        for row, title, next_to in zip(rows, names, peers, strict=True)
    ]


def warm(case: Case) -> None:
    """Learn from few examples, so that no turn compiles or loads anything."""
    few = np.linspace(0, len(case.data.y) - 1, 100, dtype=int)
    X = case.data.X[np.ix_(few, few)] if case.kernel == "precomputed" else rows_of(case.data.X, few)
    SVM(kernel=case.kernel, tol=0.5, random_state=0).fit(X, case.data.y[few]).predict(X)


def both(ours: Callable[[], object], theirs: Callable[[], object], size: int, repeats: int) -> Timings:
    """Measure the CPU seconds of both, several times if examples are few."""
    contestants = {"SVM": lambda _: ours(), "SVC": lambda _: theirs()}
    return turns(contestants, None, 1 if size >= LONG else repeats)


# -- small sets --------------------------------------------------------------------------------------


def small_sets() -> dict[str, tuple[Any, Any, float]]:
    """Return sets that ship with scikit-learn, their columns made alike, and widths of kernels."""
    X, y = load_digits(return_X_y=True)
    coarse = (
        X.reshape(-1, 4, 2, 4, 2).sum(axis=(2, 4)).reshape(-1, 16) / 64
    )  # 16 columns, as pen strokes have
    found = {"digits": (X / 16, y, 1.0), "digits of 4 x 4 pixels": (coarse, y, 0.5)}
    for name, load in (("wine", load_wine), ("breast cancer", load_breast_cancer)):
        X, y = load(return_X_y=True)
        found[name] = StandardScaler().fit_transform(X), y, float(np.sqrt(X.shape[1]))
    return found


def over_splits(name: str, X: Any, y: Any, sigma: float) -> Row:
    """Return how much the errors differ over ten splits, in standard errors of the difference."""
    errors = np.array([split_errors(X, y, sigma, seed) for seed in range(SPLITS)])
    difference = errors[:, 0] - errors[:, 1]
    deviation = difference.std(ddof=1) / np.sqrt(SPLITS)
    shown = [f"{100 * mean:.2f} %" for mean in errors.mean(axis=0)]
    figure = float(difference.mean() / deviation) if deviation else 0.0
    title = f"SVM(C=10), {name}, test error over {SPLITS} splits"
    raw = {"errors": errors.tolist()}
    return Row(title, "SVC", shown[0], shown[1], figure, "standard errors", raw, Target("at most", 2.0))


def split_errors(X: Any, y: Any, sigma: float, seed: int) -> tuple[float, float]:
    """Return the test errors of ours and of SVC on one split."""
    places = np.random.default_rng(seed).permutation(len(y))
    test, learn = np.split(places, [len(y) // 3])
    ours = SVM(kernel=Gaussian(sigma), C=10.0, random_state=0).fit(X[learn], y[learn])
    theirs = SVC(gamma=1 / (2 * sigma**2), C=10.0).fit(X[learn], y[learn])
    return 1 - float(ours.score(X[test], y[test])), 1 - float(theirs.score(X[test], y[test]))
