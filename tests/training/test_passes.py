"""Order, fractions of passes, determinism, early stopping, callbacks, progress."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_digits

from kerneltron import LogisticRegression, Perceptron, Romma
from kerneltron.models.primal import Primal
from kerneltron.training.order import beginning, order
from tests.oracle import loops, rules


def whole(n, number, seed):
    return np.concatenate([*order(n, number, seed), np.empty(0, int)])


@settings(max_examples=50, deadline=None)
@given(n=st.integers(0, 30_000), number=st.integers(0, 5), seed=st.integers(0, 2**31 - 1))
def test_a_pass_visits_every_row_once(n, number, seed):
    np.testing.assert_array_equal(np.sort(whole(n, number, seed)), np.arange(n))


def test_later_passes_permute_blocks_of_the_first():
    first = whole(5000, 0, 7)
    blocks = {frozenset(first[start : start + 512].tolist()) for start in range(0, 5000, 512)}
    for number in (1, 2):
        later = whole(5000, number, 7)
        assert not np.array_equal(later, first)
        start, lengths = 0, []
        while start < 5000:
            length = 512 if frozenset(later[start : start + 512].tolist()) in blocks else 5000 % 512
            assert frozenset(later[start : start + length].tolist()) in blocks
            start += length
            lengths.append(length)
        assert sorted(lengths) == [5000 % 512] + [512] * 9


def test_orders_are_shuffled_well():
    """Every row is equally likely at every place, and neighbours are not related."""
    orders = np.array([whole(60, 0, seed) for seed in range(3000)])
    counts = np.array([np.bincount(orders[:, place], minlength=60) for place in range(60)])
    chi_square = ((counts - 50) ** 2 / 50).sum() / counts.size
    assert 0.9 < chi_square < 1.1
    steps = np.bincount((np.diff(orders, axis=1) % 60).ravel(), minlength=60)[1:]
    assert steps.std() / np.sqrt(steps.mean()) < 2
    inversions = (orders[:, :, None] > orders[:, None, :])[:, *np.triu_indices(60, 1)].mean()
    assert abs(inversions - 0.5) < 0.01
    later = np.array([whole(60, 3, seed) for seed in range(3000)])
    counts = np.array([np.bincount(later[:, place], minlength=60) for place in range(60)])
    assert 0.9 < ((counts - 50) ** 2 / 50).sum() / counts.size < 1.1


def test_without_a_seed_the_given_order():
    np.testing.assert_array_equal(whole(20_000, 3, None), np.arange(20_000))
    assert [chunk.tolist() for chunk in beginning(order(10, 0, None), 3)] == [[0, 1, 2]]


def digits():
    X, y = load_digits(return_X_y=True)
    return X / 16, y


def test_fit_visits_in_that_order():
    X, y = digits()
    learner = Perceptron(passes=2, random_state=3, hypothesis="last").fit(X, y == 9)
    seed = np.random.RandomState(3).randint(np.iinfo(np.int32).max)
    visits = np.concatenate([whole(len(X), 0, seed), whole(len(X), 1, seed)])
    history, _ = loops.additive(rules.perceptron(), X[visits], (y[visits] == 9).astype(int), 1)
    np.testing.assert_allclose(learner.coef_[0], history[-1][:-1, 0], atol=1e-9)


@pytest.mark.parametrize(
    ("passes", "visits"), [(0.1, 180), (1, 1797), (1.5, 1797 + 899), (2, 3594), (1e-9, 1)]
)
def test_fractions_of_passes(passes, visits):
    X, y = digits()
    learner = Perceptron(passes=passes, random_state=0).fit(X, y)
    assert learner.model_.weights.clock.tolist() == [visits] * 10
    if passes == 0.1:
        seed = np.random.RandomState(0).randint(np.iinfo(np.int32).max)
        first = whole(len(X), 0, seed)[:180]
        same = Perceptron().partial_fit(X[first], y[first], classes=np.arange(10))
        np.testing.assert_array_equal(learner.coef_, same.coef_)


def test_the_same_seed_gives_the_same_bytes_whatever_the_chunk(monkeypatch):
    X, y = digits()
    for hypothesis in ("average", "random"):
        settings = {"passes": 3, "random_state": 1, "hypothesis": hypothesis}
        one = LogisticRegression(**settings).fit(X, y)
        monkeypatch.setattr(Primal, "blocks", 1)
        two = LogisticRegression(**settings).fit(X, y)
        monkeypatch.undo()
        assert one.coef_.tobytes() == two.coef_.tobytes()
        other = LogisticRegression(**{**settings, "random_state": 2}).fit(X, y)
        assert one.coef_.tobytes() != other.coef_.tobytes()


@pytest.mark.slow
def test_random_hypothesis_is_drawn_by_how_many_examples_it_was_used_for():
    generator = np.random.default_rng(0)
    X, codes = generator.normal(size=(12, 3)), generator.integers(0, 2, 12)
    codes[:2] = [0, 1]
    history, _ = loops.additive(rules.perceptron(), X, codes, 1)
    used = [np.zeros_like(history[0]), *history[:-1]]
    vectors, used_for = np.unique(np.round([W[:, 0] for W in used], 9), axis=0, return_counts=True)
    drawn = np.zeros(len(vectors))
    for seed in range(600):
        learner = Perceptron(hypothesis="random", shuffle=False, random_state=seed).fit(X, codes)
        w = np.append(learner.coef_[0], learner.intercept_)
        match = np.flatnonzero(np.abs(vectors - w).max(axis=1) < 1e-8)
        assert len(match) == 1
        drawn[match[0]] += 1
    expected = 600 * used_for / 12
    assert ((drawn - expected) ** 2 / expected).sum() < 3 * len(vectors)


def test_small_random_initial_weights():
    X, y = digits()
    settings = {"init_scale": 0.01, "learning_rate": 1e-9, "hypothesis": "last", "random_state": 0}
    learner = Perceptron(**settings).fit(X, y == 9)
    assert 0.007 < learner.coef_.std() < 0.013
    np.testing.assert_array_equal(learner.coef_, Perceptron(**settings).fit(X, y == 9).coef_)
    assert Perceptron(**settings, fit_intercept=False).fit(X, y == 9).intercept_ == 0


def test_early_stopping_restores_the_best_pass():
    X, y = digits()
    scored = []
    learner = Perceptron(
        passes=60,
        early_stopping=True,
        patience=4,
        validation_fraction=0.25,
        random_state=0,
        hypothesis="last",
        callback=lambda learner, report: scored.append(report.validation_score),
    ).fit(X, y)
    scores = learner.validation_scores_
    assert scores.tolist() == scored
    assert learner.best_pass_ == int(np.argmax(scores)) + 1
    assert len(scores) == learner.best_pass_ + 4 < 60
    # Stopping there from the beginning gives the same vectors.
    again = Perceptron(
        passes=learner.best_pass_, early_stopping=True, patience=99, validation_fraction=0.25, random_state=0,
        hypothesis="last",
    ).fit(X, y)  # fmt: skip
    np.testing.assert_array_equal(learner.coef_, again.coef_)
    assert learner.model_.weights.clock[0] == learner.best_pass_ * (1797 - 450)


@pytest.mark.parametrize("hypothesis", ["vote", "random", "average"])
def test_early_stopping_restores_every_hypothesis(hypothesis):
    X, y = digits()
    settings = {"validation_fraction": 0.25, "random_state": 0, "early_stopping": True}
    settings["hypothesis"] = hypothesis
    learner = Perceptron(passes=12, patience=2, **settings).fit(X[:400], y[:400])
    again = Perceptron(passes=max(2, learner.best_pass_), patience=99, **settings).fit(X[:400], y[:400])
    if again.best_pass_ == learner.best_pass_:
        np.testing.assert_array_equal(learner.decision_function(X), again.decision_function(X))


def test_callback_sees_a_learner_that_predicts_and_can_stop():
    X, y = digits()
    seen = []

    def callback(learner, report):
        seen.append((report.number, report.examples, report.mistakes, learner.score(X, y)))
        return report.number == 3

    learner = Perceptron(passes=10, random_state=0, callback=callback).fit(X, y)
    assert [row[0] for row in seen] == [1, 2, 3]
    assert [row[2] for row in seen] == learner.mistakes_.tolist()
    assert seen[-1][3] == learner.score(X, y)
    assert all(row[1] == len(X) for row in seen)


def test_an_error_in_a_callback_leaves_the_learner_as_it_was():
    X, y = digits()
    learner = Perceptron(random_state=0).fit(X, y)
    before = learner.coef_.tobytes()

    def broken(learner, report):
        raise KeyboardInterrupt

    learner.set_params(callback=broken, passes=5)
    with pytest.raises(KeyboardInterrupt):
        learner.fit(X[:, :10], y)
    assert learner.coef_.tobytes() == before
    assert learner.n_features_in_ == 64


def test_verbose_draws_a_bar_on_standard_error(capsys):
    X, y = digits()
    Perceptron(verbose=1, passes=2, random_state=0).fit(X, y)
    out, err = capsys.readouterr()
    assert out == ""
    assert "Perceptron" in err
    assert "3594/3594" in err
    Perceptron(passes=2).fit(X, y)
    assert capsys.readouterr() == ("", "")


def test_the_norm_is_recomputed_before_each_further_pass():
    X, y = digits()
    learner = Romma(passes=4, hypothesis="last", random_state=0).fit(X, y)
    W = np.vstack([learner.coef_.T, learner.intercept_])
    np.testing.assert_allclose(learner.model_.weights.norm, (W**2).sum(axis=0), rtol=1e-6)
