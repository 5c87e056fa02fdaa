"""What predicts by itself: the mean without its beginning, or the last vector where the mean is stale."""

import numpy as np
import pytest
from scipy.sparse import csr_array

import kerneltron
from kerneltron import Arow, LogisticRegression, ManyTasks, Mira, PassiveAggressive, Pegasos, Perceptron
from kerneltron.learning.gradient import FORGETTING
from kerneltron.models.hypotheses.auto import Auto
from tests.additive_rules import columns_of
from tests.oracle import loops

LEARNERS = {
    "one column": (Perceptron, {}, 2),
    "several": (PassiveAggressive, {"scale": False}, 3),
    "always moving": (LogisticRegression, {"schedule": "inverse", "scale": False}, 3),
    "shrinking": (Pegasos, {"l2": 0.01, "scale": False}, 2),
    "joint": (Mira, {"scale": False}, 3),
    "second order": (Arow, {"scale": False}, 3),
    "mapped": (PassiveAggressive, {"kernel": "Gaussian(2)", "representation": "RandomFourier(20)"}, 2),
}


def turning(rows=1200, classes=2, seed=0):
    """Return rows of small whole numbers, whose rule becomes its opposite in the middle."""
    random = np.random.default_rng(seed)
    X = random.integers(-4, 5, (rows, 5)).astype(float)
    w = random.integers(-3, 4, (5, classes))
    w = np.where((np.arange(rows) < rows // 2)[:, None, None], w, -w)
    return X, np.einsum("ij,ijc->ic", X, w).argmax(axis=1)


def wrong(scores, codes):
    return (scores > 0) != codes if scores.ndim == 1 else scores.argmax(axis=1) != codes


def chosen(mean, last, codes):
    """Return what predicts of two series of scores, and whether it is the last vector, by the definition."""
    ahead = np.where(wrong(mean, codes), 1, 0) - np.where(wrong(last, codes), 1, 0)
    are_last = np.zeros(len(codes), bool)
    for t in range(len(codes)):
        share = 0.5 ** (t // 256 - np.arange(t) // 256)
        are_last[t] = (share * ahead[:t]).sum() > np.sqrt((share**2 * ahead[:t] ** 2).sum())
    return np.where(are_last if mean.ndim == 1 else are_last[:, None], last, mean), are_last


@pytest.mark.slow
@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize("layout", [np.asarray, csr_array])
def test_the_vector_that_was_wrong_less_often_predicts(name, layout):
    kind, options, classes = LEARNERS[name]
    X, y = turning(classes=classes)
    series = {}
    for hypothesis in ("average", "last"):
        learner = kind(**options, hypothesis=hypothesis, random_state=0).partial_fit(
            layout(X[:1]), y[:1], range(classes)
        )
        series[hypothesis] = [np.zeros(columns_of(classes)).squeeze()]
        for row in range(1, len(y)):
            series[hypothesis].append(learner.decision_function(layout(X[row : row + 1]))[0])
            learner.partial_fit(layout(X[row : row + 1]), y[row : row + 1])
    expected, are_last = chosen(np.array(series["average"]), np.array(series["last"]), y)
    assert 0 < are_last.sum() < len(y)  # both have their time
    learner = kind(**options, hypothesis="auto", random_state=0)
    learner.partial_fit(layout(X[:1]), y[:1], range(classes))
    scores = learner.partial_fit_predict(layout(X[1:]), y[1:])
    np.testing.assert_allclose(scores, expected[1:], rtol=1e-6, atol=1e-6)
    assert learner.model_.hypothesis.missed == wrong(np.array(expected), y).sum()


@pytest.mark.parametrize("kind", [LogisticRegression, Pegasos])
@pytest.mark.parametrize("layout", [np.asarray, csr_array])
@pytest.mark.parametrize("classes", [2, 4])
def test_adaptive_steps_on_a_stream_forget(kind, layout, classes):
    X, y = turning(300, classes)
    X[np.random.default_rng(1).random(X.shape) < 0.3] = 0
    slope = loops.sigmoid_slope if kind is LogisticRegression else loops.hinge_slope
    history = loops.adaptive(slope, X, y, columns_of(classes), 0.5, 0.01, forgetting=FORGETTING)
    options = {"schedule": "adaptive", "learning_rate": 0.5, "l2": 0.01, "scale": False}
    learner = kind(**options).partial_fit(layout(X), y, range(classes))
    learner.model_.hypothesis.lead = 1.0  # the last vector predicts
    learner.model_.hypothesis.noise = 0.0
    found = np.vstack([learner.coef_.T, learner.intercept_])
    np.testing.assert_allclose(found, history[-1], rtol=1e-6, atol=1e-8)


def test_steps_of_fit_and_of_other_hypotheses_do_not_forget():
    X, y = turning(300)
    options = {"scale": False, "passes": 1, "shuffle": False}
    fitted = LogisticRegression(**options).fit(X, y)
    streamed = LogisticRegression(**options, hypothesis="average").partial_fit(X, y)
    np.testing.assert_array_equal(fitted.coef_, streamed.coef_)


@pytest.mark.parametrize("cuts", [[1, 2, 500, 700], range(1, 1200), [256, 512]])
def test_calls_may_be_cut_anywhere(cuts, tmp_path):
    X, y = turning()
    whole, pieces = LogisticRegression(random_state=0), LogisticRegression(random_state=0)
    whole.partial_fit(X, y, [0, 1])
    for rows, labels in zip(np.split(X, cuts), np.split(y, cuts), strict=True):
        pieces.partial_fit(rows, labels, [0, 1])
    whole.save(tmp_path / "whole")
    pieces.save(tmp_path / "pieces")
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "pieces").read_bytes()


@pytest.mark.parametrize("resumable", [True, False])
def test_files_keep_what_predicts(resumable, tmp_path):
    X, y = turning()
    learner = LogisticRegression(random_state=0).partial_fit(X[:900], y[:900], [0, 1])
    assert learner.model_.hypothesis.is_last
    learner.save(tmp_path / "model", resumable=resumable)
    loaded = kerneltron.load(tmp_path / "model")
    np.testing.assert_array_equal(loaded.decision_function(X), learner.decision_function(X))
    if resumable:
        for each in (learner, loaded):
            each.partial_fit(X[900:], y[900:])
        np.testing.assert_array_equal(loaded.decision_function(X), learner.decision_function(X))
        assert vars(loaded.model_.hypothesis) == vars(learner.model_.hypothesis)


@pytest.mark.parametrize("passes", [2, 5])
@pytest.mark.parametrize("classes", [2, 3])
def test_the_first_of_several_passes_counts_as_what_it_ended_with(passes, classes):
    X, y = turning(400, classes)
    options = {"random_state": 0, "scale": False}

    def vectors(hypothesis, number):
        learner = LogisticRegression(hypothesis=hypothesis, passes=number, **options).fit(X, y)
        return np.vstack([learner.coef_.T, learner.intercept_])

    first, ended = vectors("average", 1), vectors("last", 1)
    expected = vectors("average", passes) + (ended - first) / passes
    np.testing.assert_allclose(vectors("auto", passes), expected, rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(vectors("auto", 1), first)


def test_in_dual_form_nothing_is_chosen_but_the_beginning_is_forgotten():
    X, y = turning(300)
    X /= 16  # steps that leap over the optimum make much of rounding
    same = {"schedule": "inverse", "scale": False, "shuffle": False, "passes": 3}
    auto, mean = (
        LogisticRegression(**same, hypothesis=name, representation="dual").partial_fit(X, y)
        for name in ("auto", "average")
    )
    np.testing.assert_array_equal(auto.decision_function(X), mean.decision_function(X))
    dual, primal = (LogisticRegression(**same, representation=form).fit(X, y) for form in ("dual", "primal"))
    np.testing.assert_allclose(dual.decision_function(X), primal.decision_function(X), rtol=1e-6, atol=1e-9)


def test_where_the_rule_turns_it_follows_and_where_it_stays_it_is_the_mean():
    X, y = turning(4000)
    stays = np.where(np.arange(4000) < 2000, y, 1 - y)
    errors = {}
    for name, labels in (("turns", y), ("stays", stays)):
        for hypothesis in ("auto", "average"):
            learner = LogisticRegression(hypothesis=hypothesis, random_state=0)
            learner.partial_fit(X[:2500], labels[:2500], [0, 1])
            errors[name, hypothesis] = np.mean(learner.predict(X[2500:]) != labels[2500:])
    assert errors["turns", "auto"] < 0.1 < errors["turns", "average"]
    assert errors["stays", "auto"] <= errors["stays", "average"] + 0.01


def test_a_call_that_fails_changes_nothing():
    X, y = turning()
    learner = LogisticRegression(random_state=0).partial_fit(X[:900], y[:900], [0, 1])
    before, scores = vars(learner.model_.hypothesis).copy(), learner.decision_function(X)
    spoilt = X.copy()
    spoilt[950, 2] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        learner.partial_fit(spoilt[900:], y[900:])
    spoilt[950, 2] = 1e200  # which is seen only as it is learned from
    with pytest.raises(ValueError, match="can hold"):
        learner.partial_fit(spoilt[900:], y[900:])
    assert vars(learner.model_.hypothesis) == before
    np.testing.assert_array_equal(learner.decision_function(X), scores)


def test_many_tasks_and_late_classes_have_it_too():
    X, y = turning(400, 3)
    tasks = ManyTasks(LogisticRegression(random_state=0))
    tasks.partial_fit(X, np.where(y[:, None] == np.arange(3), 1, -1))
    assert tasks.predict(X).shape == (400, 3)
    learner = LogisticRegression(random_state=0).partial_fit(X[:200], np.minimum(y[:200], 1))
    with pytest.warns(UserWarning, match="2"):
        learner.partial_fit(X[200:], y[200:])
    assert np.mean(learner.predict(X[200:]) != y[200:]) < 0.5


@pytest.mark.parametrize(("scale", "tolerance"), [(False, 1e-9), (True, 0.01)])
def test_it_counts_what_was_to_predict(scale, tolerance):
    """Exactly, but for a learner that scales columns: it compares rows that their scale has counted."""
    hypothesis = Auto(0)
    assert np.isnan(hypothesis.progressive_error)
    X, y = turning(500)
    learner = LogisticRegression(scale=scale, random_state=0)
    learner.partial_fit(X[:1], y[:1], [0, 1])
    scores = learner.partial_fit_predict(X[1:], y[1:])
    first = int(y[0] != 0)
    found = learner.model_.hypothesis
    expected = (first + wrong(scores, y[1:]).sum()) / 500
    assert found.progressive_error == pytest.approx(expected, abs=tolerance)
    assert (found.seen, found.compared) == (500, 500)
