"""Probabilities of all learners: what holds of them whatever was learned, and how good they are."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.special import expit

import kerneltron
from kerneltron.datasets import noisy_logistic
from kerneltron.files.contents import Contents, ModelFileError
from kerneltron.learning import calibration_state
from kerneltron.learning.calibration import Calibration, joined, sampled, sharpness
from kerneltron.learning.progressive import log_loss, predicted, probabilities
from kerneltron.training.combining import combine

BALL = "Gaussian(2.0)"
LEARNERS = {
    "perceptron": kerneltron.Perceptron,
    "last": lambda **more: kerneltron.Perceptron(hypothesis="last", **more),
    "vote": lambda **more: kerneltron.Perceptron(hypothesis="vote", **more),
    "random": lambda **more: kerneltron.Perceptron(hypothesis="random", **more),
    "passive-aggressive": kerneltron.PassiveAggressive,
    "pegasos": kerneltron.Pegasos,
    "mira": kerneltron.Mira,
    "alma": kerneltron.Alma,
    "romma": kerneltron.Romma,
    "arow": kerneltron.Arow,
    "winnow": kerneltron.Winnow,
    "logistic": kerneltron.LogisticRegression,
    "scaled": lambda **more: kerneltron.Perceptron(scale=True, **more),
    "delta": lambda **more: kerneltron.Perceptron(delta=0.5, **more),
    "dual": lambda **more: kerneltron.Perceptron(kernel=BALL, **more),
    "budget": lambda **more: kerneltron.Perceptron(kernel=BALL, budget=30, **more),
    "mapped": lambda **more: kerneltron.Perceptron(kernel="Polynomial(2)", representation="primal", **more),
}
# One outlier does not ruin them: their steps do not grow with an example.
NOT_RUINED = {
    "scaled": kerneltron.PassiveAggressive,
    "arow": kerneltron.Arow,
    "logistic": kerneltron.LogisticRegression,
    "primal": lambda **more: kerneltron.PassiveAggressive(scale=False, **more),
    "dual": lambda **more: kerneltron.PassiveAggressive(representation="dual", **more),
    "budget": lambda **more: kerneltron.PassiveAggressive(kernel="linear", budget=30, **more),
    "mapped": lambda **more: kerneltron.PassiveAggressive(
        kernel=BALL, representation="RandomFourier(100)", **more
    ),
}
MACHINES = {
    "svm": lambda **more: kerneltron.SVM(kernel=BALL, **more),
    "linear svm": kerneltron.SVM,
}


def data(classes, rows=240):
    X = np.random.default_rng(0).random((rows, 4))  # not negative, for Winnow
    return X, np.array(["a", "b", "c"])[(X[:, 0] * classes).astype(int)]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("make", [*LEARNERS.values(), *MACHINES.values()], ids=[*LEARNERS, *MACHINES])
def test_the_likeliest_class_is_the_one_predicted(make, classes, tmp_path):
    X, y = data(classes)
    learner = make(random_state=0).fit(X, y)
    p = learner.predict_proba(X)
    assert p.shape == (len(X), classes)
    assert (p >= 0).all()
    np.testing.assert_allclose(p.sum(axis=1), 1)
    np.testing.assert_array_equal(learner.classes_[p.argmax(axis=1)], learner.predict(X))
    scores = learner.decision_function(X)
    if classes == 2:
        assert (np.diff(p[np.argsort(scores), 1]) >= 0).all()
    for resumable in (True, False):
        learner.save(tmp_path / "a.model", resumable=resumable)
        loaded = kerneltron.load(tmp_path / "a.model")
        assert loaded.learner_.temperature == learner.learner_.temperature


@settings(deadline=None)
@given(
    st.integers(1, 4).flatmap(
        lambda columns: st.lists(
            st.lists(st.floats(-1.7e308, 1.7e308), min_size=columns, max_size=columns), min_size=1, max_size=8
        )
    ),
    st.one_of(st.none(), st.floats(1e-150, 1e150)),
)
@example([[5e-324], [-5e-324], [0.0]], 0.5)
@example([[0.0, 1e-20, 1e-20]], 1.0)
@example([[1.7e308, 1.6e308, -1.7e308]], 2.0)
@example([[40.0, 50.0, 60.0]], None)
@example([[-800.0, -790.0, -799.0]], None)
def test_ties_and_the_largest_numbers_change_no_likeliest_class(rows, temperature):
    scores = np.array(rows)
    classes = max(2, scores.shape[1])
    p = probabilities(scores, classes, temperature)
    assert np.array_equal(p.argmax(axis=1), predicted(scores, classes))
    np.testing.assert_allclose(p.sum(axis=1), 1)
    assert ((p >= 0) & (p <= 1)).all()


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize(
    ("way", "make"),
    [*product(("fit", "partial_fit"), NOT_RUINED.values()), ("fit", kerneltron.SVM)],
    ids=[*(" ".join(pair) for pair in product(("fit", "partial_fit"), NOT_RUINED)), "fit svm"],
)
def test_one_outlier_does_not_flatten_probabilities(way, make):
    X = np.random.default_rng(0).normal(size=(300, 4))
    y = (X[:, 0] > 0).astype(int)

    def sureness(X):
        learner = getattr(make(random_state=0), way)(X[:200], y[:200])
        for rows in (X, 1e15 * X[200:]):
            p = learner.predict_proba(rows)
            assert np.array_equal(learner.classes_[p.argmax(axis=1)], learner.predict(rows))
        return np.abs(learner.predict_proba(X[200:])[:, 1] - 0.5).mean()

    plain = sureness(X)
    for place, size in ((3, 1e17), (150, 1e3), (199, -1e17)):
        worse = X.copy()
        worse[place, 3] = size
        assert sureness(worse) > 0.6 * plain


@pytest.mark.parametrize("make", LEARNERS.values(), ids=list(LEARNERS))
def test_a_stream_gives_probabilities_from_the_first_row_on(make):
    X, y = data(3)
    learner = make(random_state=0)
    for first in (*range(5), 5, 60, 61):
        rows = slice(first, first + (1 if first < 5 else 100))
        learner.partial_fit(X[rows], y[rows], classes=["a", "b", "c"])
        p = learner.predict_proba(X)
        np.testing.assert_allclose(p.sum(axis=1), 1)
        np.testing.assert_array_equal(learner.classes_[p.argmax(axis=1)], learner.predict(X))


@pytest.mark.parametrize("name", ["perceptron", "last", "random", "scaled", "arow", "pegasos", "winnow"])
@pytest.mark.parametrize("is_sparse", [False, True])
def test_a_stream_in_pieces_is_the_stream_at_once(name, is_sparse, tmp_path):
    from scipy.sparse import csr_matrix

    X, y = data(3)
    X = csr_matrix(X) if is_sparse else X
    files = []
    for step in (240, 7, 1):
        learner = LEARNERS[name](random_state=0)
        for first in range(0, 240, step):
            learner.partial_fit(X[first : first + step], y[first : first + step], classes=["a", "b", "c"])
        learner.save(tmp_path / "a.model")
        files.append((tmp_path / "a.model").read_bytes())
    assert files[0] == files[1] == files[2]


ROUGH = ("winnow", "vote", "random", "last")  # whose scores are not near any logarithm of odds


@pytest.mark.parametrize("name", [name for name in LEARNERS if name not in ROUGH])
def test_probabilities_are_near_the_truth(name):
    X, y, _, truth, _ = noisy_logistic(4000, d=4, scale=3.0, seed=1)
    learner = LEARNERS[name](random_state=0).fit(X[:2000], y[:2000])
    likely = learner.predict_proba(X[2000:])[:, 1]
    # Measured: 0.009 for logistic regression, 0.066 for the dual and the delta, and 0.05 at most for others.
    assert np.abs(likely - expit(X[2000:] @ truth.w)).mean() < 0.08


def test_the_unit_of_a_column_does_not_matter_where_columns_are_scaled():
    X, y = data(3)
    p = []
    for unit in (1.0, 1000.0):
        Z = X * [unit, 1, 1, 1]
        p.append(LEARNERS["scaled"](random_state=0).fit(Z, y).predict_proba(Z))
    np.testing.assert_allclose(*p, rtol=1e-6)


@pytest.mark.parametrize("name", ["passive-aggressive", "scaled", "dual", "arow"])
def test_learning_is_what_it_was_without_a_calibration(name):
    from kerneltron.learning.learner import Learner
    from kerneltron.learning.space import Data
    from kerneltron.training.arrays import Arrays
    from kerneltron.training.pass_plan import PassPlan
    from kerneltron.training.trainer import Trainer

    class Unseen(Arrays):
        def look(self, plan, number):
            return None

        def exhaust(self, learner):
            pass

    X, y = data(3)
    learner = LEARNERS[name](passes=3, random_state=0).fit(X, y)
    plain = Learner(learner.learner_.method, X.shape[1])
    plain.meet(y)
    plain.begin(Data(len(X), X.shape[1], X=X), learner.learner_.seed)
    Trainer(plain, Unseen(X, plain.examples(y)), PassPlan(3, learner.learner_.seed)).run()
    np.testing.assert_array_equal(learner.learner_.scores(X), plain.scores(X))


def test_an_older_file_says_what_to_do():
    golden = Path(__file__).parents[1] / "golden"
    learner = kerneltron.load(golden / "perceptron-gaussian-dual-1.model")
    X = np.random.default_rng(0).random((20, 4))
    with pytest.raises(ValueError, match=r"older version.*train it anew"):
        learner.predict_proba(X)
    assert not learner.learner_.has_probabilities
    learner.partial_fit(X, learner.predict(X))
    assert learner.predict_proba(X).shape == (20, 2)
    # Logarithms of odds are what they were.
    logistic = kerneltron.load(golden / "logistic-adaptive-average-1.model")
    own = expit(logistic.decision_function(X))
    np.testing.assert_allclose(logistic.predict_proba(X), own / own.sum(axis=1, keepdims=True))


def test_a_failing_call_leaves_the_calibration_as_it_was():
    X, y = data(2)
    learner = kerneltron.Perceptron(random_state=0).fit(X, y)
    before = learner.learner_.calibration
    with pytest.raises(ValueError, match="NaN"):
        learner.partial_fit(X * np.nan, y)
    assert learner.learner_.calibration is before


def test_mixed_learners_know_what_their_parts_know():
    X, y = data(2)
    parts = [
        kerneltron.Perceptron(random_state=0).fit(X[rows], y[rows]).learner_
        for rows in (slice(120), slice(120, 240))
    ]
    mixed = combine(parts, np.array([0.5, 0.5]))
    assert mixed.calibration.seen == sum(part.calibration.seen for part in parts)
    temperatures = [part.temperature for part in parts]
    assert min(temperatures) / 2 < mixed.temperature < 2 * max(temperatures)
    assert joined([parts[0].calibration, None]) is None


def test_a_late_class_gets_probabilities():
    X, y = data(3)
    learner = kerneltron.Perceptron(random_state=0).fit(X[y != "c"], y[y != "c"])
    with pytest.warns(UserWarning, match="c"):
        learner.partial_fit(X, y)
    p = learner.predict_proba(X)
    np.testing.assert_array_equal(learner.classes_[p.argmax(axis=1)], learner.predict(X))


# -- the statistics ----------------------------------------------------------------------------------


@given(st.integers(0, 5000), st.lists(st.integers(0, 900), max_size=6))
def test_which_visits_are_looked_at_depends_on_their_numbers_alone(seen, counts):
    whole = sampled(seen, sum(counts)) + seen
    pieces, behind = [], seen
    for count in counts:
        pieces += (sampled(behind, count) + behind).tolist()
        behind += count
    assert whole.tolist() == pieces


@pytest.mark.parametrize("columns", [1, 4])
@pytest.mark.parametrize("temperature", [0.01, 1.0, 300.0])
def test_the_temperature_is_that_which_labels_are_drawn_by(columns, temperature):
    random = np.random.default_rng(0)
    scores = random.normal(size=(4000, columns)) * 3 / temperature
    p = probabilities(scores, max(columns, 2), temperature)
    codes = (random.random((4000, 1)) > np.cumsum(p, axis=1)).sum(axis=1)
    ticks = np.arange(1, 4001)
    fresh = Calibration().with_fresh(ticks, scores, codes, are_new=True)
    assert fresh.temperature == pytest.approx(temperature, rel=0.15)
    assert Calibration().held_out(scores, codes).temperature == pytest.approx(temperature, rel=0.1)
    # What predicts has scores that are half as large.
    half = fresh.compared(ticks[:50], scores[:50] / 2, scores[:50])
    assert half.temperature == pytest.approx(2 * fresh.temperature, rel=1e-5)


def test_scores_that_say_nothing_or_everything():
    nothing = Calibration().with_fresh(np.arange(1, 9), np.zeros((8, 1)), np.ones(8, int), are_new=True)
    assert nothing.temperature == 1.0
    scores, codes = np.array([[1.0], [-1.0]] * 50), np.array([1, 0] * 50)
    right = Calibration().held_out(scores, codes)
    assert 0.98 < probabilities(scores[:1], 2, right.temperature)[0, 1] < 0.995  # 101 of 102 are right
    wrong = Calibration().held_out(scores, 1 - codes)
    assert 0 < wrong.temperature < 0.1


@pytest.mark.parametrize("columns", [1, 3])
@pytest.mark.parametrize("temperature", [None, 0.5])
def test_the_loss_is_that_of_the_probability(columns, temperature):
    scores, codes = np.random.default_rng(0).normal(size=(20, columns)) * 5, np.arange(20) % max(2, columns)
    p = probabilities(scores, max(2, columns), temperature)
    np.testing.assert_allclose(log_loss(scores, codes, temperature), -np.log(p[np.arange(20), codes]))


def test_sums_that_no_scores_have_are_refused():
    known = Calibration().held_out(np.array([[1.0], [-2.0]]), np.array([1, 1]))
    good = calibration_state.state(known, resumable=True)
    assert sharpness(calibration_state.restore(good).said) == sharpness(known.said)
    older = {key: value for key, value in good.header.items() if not key.startswith("earlier")}
    assert calibration_state.restore(Contents(older, good.tensors)).temperature == known.temperature
    for bad in (
        Contents(good.header, {**good.tensors, "said": -1 - good.tensors["said"]}),
        Contents({**good.header, "size": "inf"}, good.tensors),
        Contents({**good.header, "earlier_size": -1.0}, good.tensors),
        Contents({**good.header, "seen": -1}, good.tensors),
        Contents({"temperature": 0.0}, {}),
        Contents({"temperature": "inf"}, {}),
    ):
        with pytest.raises(ModelFileError):
            calibration_state.restore(bad)


def test_scores_near_the_largest_numbers_are_not_certain_of_what_is_wrong():
    random = np.random.default_rng(0)
    X, y = 1000 * random.random((300, 4)), random.integers(0, 2, 300)  # nothing to be learned
    learner = kerneltron.Winnow(random_state=0).fit(X, y)
    assert np.abs(learner.decision_function(X)).max() > 1e150
    likely = learner.predict_proba(X)[np.arange(300), y]
    assert -np.log(likely).mean() < 1.0
