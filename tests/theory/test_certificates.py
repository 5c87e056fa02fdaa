"""Certificates: mistakes of the run that was made, never above the bound, for every rule that has one."""

import pickle
from math import inf

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import kerneltron
from kerneltron import (
    SVM,
    Alma,
    Arow,
    LogisticRegression,
    Mira,
    PassiveAggressive,
    Pegasos,
    Perceptron,
    Romma,
    Winnow,
)
from kerneltron.theory.theorems.winnow import entropy
from tests.additive_rules import PUBLISHED
from tests.strategies import general_problems

BOUNDED = {
    "perceptron": Perceptron(),
    "perceptron, rate 3": Perceptron(learning_rate=3.0),
    "perceptron, margin": Perceptron(margin=0.5),
    "perceptron, margin, rate": Perceptron(margin=2.0, learning_rate=0.25),
    "perceptron, delta": Perceptron(delta=0.7),
    "perceptron, best delta": Perceptron(delta="auto"),
    "PA-0": PassiveAggressive(variant="0", **PUBLISHED),
    "PA-0, delta": PassiveAggressive(variant="0", delta=1.5, **PUBLISHED),
    "PA-I": PassiveAggressive(C=0.3, **PUBLISHED),
    "PA-II": PassiveAggressive(variant="II", C=2.0, **PUBLISHED),
    "MIRA": Mira(C=0.5, **PUBLISHED),
    "ROMMA": Romma(),
    "ROMMA, aggressive": Romma(aggressive=True),
    "ROMMA, delta": Romma(delta=1.0),
    "ALMA": Alma(alpha=0.7),
}
COUNTING_UPDATES = {name for name in BOUNDED if name.startswith(("perceptron", "ALMA"))}


def separated(n=120, d=3, seed=0, margin=0.2):
    generator = np.random.default_rng(seed)
    X, w = generator.normal(size=(4 * n, d)), generator.normal(size=d)
    w /= np.linalg.norm(w)
    X = X[np.abs(X @ w) > margin][:n]
    return X, np.where(X @ w > 0, 1, -1)


def noisy(n=120, d=3, seed=0, flipped=10):
    X, y = separated(n, d, seed)
    y[:flipped] *= -1
    return X, y


# -- the law --------------------------------------------------------------------------------------------


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(
    problem=general_problems(max_rows=30, max_classes=2, empty=0.2),
    name=st.sampled_from(sorted(BOUNDED)),
    passes=st.sampled_from([1, 2, 3.5]),
    form=st.sampled_from(["primal", "dual"]),
    intercept=st.booleans(),
)
def test_no_run_makes_more_mistakes_than_its_theorem_allows(problem, name, passes, form, intercept):
    learner = clone(BOUNDED[name])
    learner.set_params(passes=passes, representation=form, fit_intercept=intercept, random_state=0)
    found = learner.fit(problem.X, problem.codes).certificate(problem.X, problem.codes)
    assert found.mistakes == learner.mistakes_.sum()
    counted = found.mistakes + (found.margin_updates if name in COUNTING_UPDATES else 0)
    assert counted <= found.sharpest.bound <= found.bound
    if found.lemmas is not None:
        assert found.lemmas.hold
        assert found.lemmas.visits.size == found.mistakes + found.margin_updates


@pytest.mark.parametrize("name", BOUNDED)
def test_every_rule_has_a_finite_bound_where_a_vector_separates(name):
    X, y = separated()
    learner = clone(BOUNDED[name]).set_params(passes=4, random_state=1).fit(X, y)
    found = learner.certificate(X, y)
    assert found.mistakes <= found.bound < inf
    assert found.deviation == 0 or found.theorem.if_separated == ""
    assert found.attainable.lower == pytest.approx(found.attainable.upper, rel=2e-3)
    assert found.attainable.lower > 0.2 / np.sqrt(1 + 9)


def test_the_bound_of_separated_examples_is_novikoffs():
    X, y = separated()
    found = Perceptron(passes=20, random_state=0).fit(X, y).certificate(X, y)
    assert repr(found.sharpest).startswith(f"Proof(bound={found.sharpest.bound:.6g}, margin=")
    assert len(repr(found.sharpest)) < 150  # and not all products
    with_constant = np.column_stack([X, np.ones(len(X))])
    assert found.radius == pytest.approx(np.linalg.norm(with_constant, axis=1).max())
    assert np.linalg.norm(found.vector) == pytest.approx(1)
    assert np.min(y * (with_constant @ found.vector)) == pytest.approx(found.margin)
    assert found.bound == pytest.approx((found.radius / found.margin) ** 2)
    assert found.sharpest.bound <= found.bound


def test_examples_that_nothing_separates_have_the_bound_of_the_delta_trick():
    X, y = noisy()
    for passes in (1, 3):
        found = Perceptron(passes=passes, random_state=0).fit(X, y).certificate(X, y)
        short = np.maximum(0, found.margin - y * (np.column_stack([X, np.ones(len(X))]) @ found.vector))
        assert found.deviation == pytest.approx(np.sqrt(np.sum(short**2)))
        D = np.sqrt(passes) * found.deviation  # summed over visits
        assert found.bound == pytest.approx(((found.radius + D) / found.margin) ** 2, rel=1e-6)
        assert found.attainable.lower < 0
        assert found.attainable.upper < 1e-3


def test_the_bound_is_close_to_the_least_over_all_vectors():
    X, y = noisy(n=60, d=2)
    found = Perceptron(fit_intercept=False, random_state=0).fit(X, y).certificate(X, y)
    R, least = found.radius, inf
    for angle in np.linspace(0, 2 * np.pi, 721):  # every direction, every margin: slow and obvious
        margins = y * (X @ [np.cos(angle), np.sin(angle)])
        for gamma in np.linspace(0.05, 4, 80):
            D = np.sqrt(np.sum(np.maximum(0, gamma - margins) ** 2))
            least = min(least, ((R + D) / gamma) ** 2)
    assert found.bound == pytest.approx(least, rel=0.03)
    assert found.bound > 0.99 * least


@pytest.mark.parametrize("representation", ["primal", "dual"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("scale", [1.0, 0.28238344, 3e5])
def test_a_mistake_bound_that_is_met_exactly(representation, dtype, scale):
    """Bounds are computed in double precision, also of rows in single precision."""
    for m in (2, 5, 16):
        X = (scale * np.eye(m)).astype(dtype)
        y = np.where(np.arange(m) % 3, 1, -1)
        learner = Perceptron(fit_intercept=False, passes=3, representation=representation)
        found = learner.fit(X, y).certificate(X, y)
        assert found.mistakes == m
        assert m <= found.sharpest.bound <= found.bound
        assert found.bound == pytest.approx(m, rel=5e-3)
        assert found.lemmas.hold
        assert not found.lemmas._replace(squares=1.01 * found.lemmas.upper).hold


# -- what is counted ------------------------------------------------------------------------------------


def textbook(X, y, passes, margin=0.0):
    """Return the visits of mistakes, and of other updates, of a perceptron without order or constant."""
    w, visit, mistakes, others = np.zeros(X.shape[1]), 0, [], []
    for _ in range(passes):
        for x, label in zip(X, y, strict=True):
            visit += 1
            z = label * (w @ x)
            if z <= margin:
                (mistakes if z <= 0 else others).append(visit)
                w = w + label * x
    return mistakes, others, w


@pytest.mark.parametrize("representation", ["primal", "dual"])
def test_mistakes_are_kept_apart_from_updates_of_thin_margins(representation):
    X, y = noisy()
    learner = Perceptron(
        margin=1.0, fit_intercept=False, shuffle=False, passes=3, representation=representation
    ).fit(X, y)
    found = learner.certificate(X, y)
    mistakes, others, w = textbook(X, y, 3, margin=1.0)
    assert found.mistaken_at.tolist() == mistakes
    assert (found.mistakes, found.margin_updates) == (len(mistakes), len(others))
    assert found.lemmas.squares[-1] - found.lemmas.squares.size * (
        found.lemmas.radius**2 - found.radius**2
    ) == pytest.approx(w @ w)


@pytest.mark.parametrize("representation", ["primal", "dual"])
def test_the_lemmas_follow_the_vectors_of_the_run(representation):
    X, y = separated()
    learner = Perceptron(
        learning_rate=0.5, fit_intercept=False, shuffle=False, passes=2, representation=representation
    )
    found = learner.fit(X, y).certificate(X, y)
    u = found.vector if representation == "primal" else found.vector @ X
    assert np.linalg.norm(u) == pytest.approx(1, rel=1e-6)
    v = np.zeros(X.shape[1])
    for k, visit in enumerate(found.mistaken_at):
        v = v + y[(visit - 1) % len(y)] * X[(visit - 1) % len(y)]
        assert found.lemmas.projections[k] == pytest.approx(v @ u, abs=1e-9)
        assert found.lemmas.squares[k] == pytest.approx(v @ v)
    assert found.lemmas.hold
    broken = found.lemmas._replace(squares=found.lemmas.squares + 1e6)
    assert not broken.hold
    assert not found.lemmas._replace(projections=-found.lemmas.projections).hold


def test_columns_are_counted_apart_and_not_as_wrong_classes():
    generator = np.random.default_rng(0)
    X, y = generator.normal(size=(90, 4)), np.arange(90) % 3
    learner = Perceptron(passes=2, random_state=0).fit(X, y)
    found = learner.certificate(X, y)
    assert len(found) == 3
    assert found.mistakes.sum() != learner.mistakes_.sum()
    assert (found.mistakes <= found.bound).all()
    assert found.vector.shape == (5, 3)
    assert found[0].first_pass == (learner.mistakes_[0], 90)
    with pytest.raises(AttributeError, match=r"ask one, as in \[0\].lemmas"):
        _ = found.lemmas
    assert [line.split()[0] for line in str(found).splitlines()[:4]] == ["class", "0", "1", "2"]


def test_winnow_has_a_bound_by_relative_entropy():
    generator = np.random.default_rng(0)
    bounds = []
    for columns in (20, 200, 2000):
        X = generator.integers(0, 2, (400, columns))
        y = X[:, 0] | X[:, 1]
        found = Winnow(random_state=0, passes=2).fit(X, y).certificate(X, y)
        assert found.mistakes <= found.bound
        bounds.append(found.bound)
    assert bounds[2] < 2.5 * bounds[0]  # logarithmic in the number of columns
    X = X[:, :30] / 2.0
    y = (X[:, 0] > 0).astype(int)
    y[:20] = 1 - y[:20]
    found = Winnow(threshold=5.0, promotion=1.5, demotion=0.6).fit(X, y).certificate(X, y)
    assert found.mistakes <= found.bound < inf
    assert found.radius == 0.5
    assert entropy(np.array([np.e])) == pytest.approx(1.0)
    balanced = Winnow(balanced=True, random_state=0).fit(X, y).certificate(X, y)
    assert balanced.bound == inf


@pytest.mark.parametrize(
    ("learner", "reason"),
    [
        (Pegasos(scale=False), "no bound on the mistakes of Pegasos"),
        (LogisticRegression(scale=False), "no bound on the mistakes of LogisticRegression"),
        (Arow(scale=False), "no bound on the mistakes of Arow"),
        (Perceptron(class_weight={-1: 1, 1: 2}), "class_weight"),
        (Perceptron(init_scale=0.1), "init_scale"),
        (Perceptron(kernel="Gaussian(1)", budget=20), "a budget forgets"),
        (Romma(), "none was found that does"),
        (Perceptron(class_weight="balanced"), "class_weight"),
    ],
)
def test_where_there_is_no_bound_it_says_why(learner, reason):
    X, y = noisy()
    found = clone(learner).set_params(random_state=0).fit(X, y).certificate(X, y)
    assert found.bound == inf
    assert reason in found.reason
    assert f"No bound: {found.reason}." in str(found)


def test_a_learner_that_scales_its_columns_has_no_certificate():
    X, y = noisy()
    for learner in (LogisticRegression(random_state=0), Perceptron(scale=True, random_state=0)):
        with pytest.raises(ValueError, match=r"rows as they are.*fit with scale=False"):
            learner.fit(X, y).certificate(X, y)


# -- the spaces of learners -----------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        {"kernel": "Polynomial(2)"},
        {"kernel": "Gaussian(1)"},
        {"kernel": "Gaussian(1)", "representation": "Nystrom(20)"},
        {"kernel": "Gaussian(1)", "representation": "RandomFourier(40)"},
        {"hypothesis": "vote"},
        {"hypothesis": "random"},
        {"shuffle": False},
    ],
)
def test_certificates_in_other_spaces(options):
    X, y = noisy()
    for rows in (X, X.astype(np.float32), sp.csr_matrix(X)):
        learner = Perceptron(**{"passes": 2, "random_state": 0, **options}).fit(rows, y)
        found = learner.certificate(rows, y)
        assert found.mistakes == learner.mistakes_.sum()
        assert found.mistakes <= found.sharpest.bound
        assert found.lemmas.hold


def test_certificates_of_structures_and_of_given_similarities():
    texts, y = ["abc", "abd", "xyz", "xxz", "abx", "yyz"] * 3, [0, 0, 1, 1, 0, 1] * 3
    learner = Perceptron(kernel="Spectrum(2)", passes=3, random_state=0).fit(texts, y)
    for given_texts in (texts, np.array(texts), np.array(texts, dtype=object)):
        found = learner.certificate(given_texts, y)
        assert found.mistakes <= found.bound
    X, y = noisy()
    gram = X @ X.T
    given_gram = Perceptron(kernel="precomputed", passes=2, random_state=0).fit(gram, y).certificate(gram, y)
    dual = Perceptron(representation="dual", passes=2, random_state=0).fit(X, y).certificate(X, y)
    assert given_gram.mistakes == dual.mistakes
    assert given_gram.bound == pytest.approx(dual.bound, rel=0.02)


# -- streams, files and orders ----------------------------------------------------------------------------


def test_streams_and_files(tmp_path):
    X, y = noisy()
    stream = Perceptron().partial_fit(X[:50], y[:50]).partial_fit(X[50:], y[50:])
    assert stream.certificate(X, y).mistakes == stream.mistakes_[0]
    fitted = Perceptron(random_state=3, passes=2).fit(X, y)
    fitted.save(tmp_path / "a.model")
    assert str(kerneltron.load(tmp_path / "a.model").certificate(X, y)) == str(fitted.certificate(X, y))
    unknown = Perceptron(passes=2).fit(X, y)
    assert unknown.certificate(X, y).mistakes == unknown.mistakes_.sum()  # the seed is remembered
    unknown.save(tmp_path / "b.model")
    with pytest.raises(ValueError, match="Fit with a number as random_state"):
        kerneltron.load(tmp_path / "b.model").certificate(X, y)


def test_a_callback_may_have_ended_the_run():
    X, y = noisy()
    learner = Perceptron(passes=9, random_state=0, callback=lambda learner, report: report.number == 2)
    found = learner.fit(X, y).certificate(X, y)
    assert found.passes == 2
    assert found.mistakes == learner.mistakes_.sum()


# -- bad input ------------------------------------------------------------------------------------------


def test_other_examples_than_those_of_the_run():
    X, y = noisy()
    learner = Perceptron(passes=2, random_state=0).fit(X, y)
    others = [(X[:60], y[:60]), (X[::-1], y[::-1]), (X, -y), (X + 0.1, y)]
    for rows, labels in others:
        with pytest.raises(
            ValueError, match=r"not the examples that this Perceptron was fitted on.*same order"
        ):
            learner.certificate(rows, labels)
    weighted = Perceptron(random_state=0).fit(X, y, sample_weight=np.linspace(1, 9, len(y)))
    with pytest.raises(ValueError, match="sample weights"):
        weighted.certificate(X, y)
    with pytest.raises(ValueError, match="classes"):
        learner.certificate(X, np.where(y > 0, "a", "b"))
    with pytest.raises(ValueError, match="2 features"):
        learner.certificate(X[:, :2], y)
    with pytest.raises(ValueError, match="requires y"):
        learner.certificate(X, None)


def test_learners_without_a_run_of_mistakes():
    X, y = noisy()
    with pytest.raises(NotFittedError):
        Perceptron().certificate(X, y)
    with pytest.raises(ValueError, match="looks for an optimum"):
        SVM(random_state=0).fit(X, y).certificate(X, y)
    with pytest.raises(ValueError, match="early_stopping=False"):
        Perceptron(early_stopping=True, passes=3, random_state=0).fit(X, y).certificate(X, y)
    both = Perceptron(random_state=0).fit(X, y).partial_fit(X, y)
    with pytest.raises(ValueError, match="one run"):
        both.certificate(X, y)
    with pytest.raises(ValueError, match=r"test=\(X_test, y_test\)"):
        Perceptron(random_state=0).fit(X, y).certificate(X, y, test=X)


def test_examples_without_length():
    found = (
        Perceptron(fit_intercept=False)
        .fit(np.zeros((4, 2)), [0, 1, 0, 1])
        .certificate(np.zeros((4, 2)), [0, 1, 0, 1])
    )
    assert (found.mistakes, found.bound, found.radius) == (4, inf, 0.0)
    assert "No bound: no example has any length." in str(found)


def test_columns_of_very_different_scales_are_separated_by_what_the_run_found():
    X, y = np.array([[-1.0, 0], [1.0, 0], [2, 1e6], [-2, 1e6]]), [0, 1, 1, 0]  # by (1, 0), with margin 1
    learner = Romma(fit_intercept=False, random_state=0, passes=20)
    found = learner.fit(X, y).certificate(X, y)
    assert learner.mistakes_[-1] == 0
    assert found.attainable.lower > 0
    assert found.mistakes <= found.bound < inf


def test_weights_of_1_are_no_weights():
    X, y = noisy()
    found = Perceptron(class_weight={-1: 1, 1: 1.0}, random_state=0).fit(X, y).certificate(X, y)
    assert found.mistakes <= found.bound < inf


def test_features_too_large_for_winnow_have_no_bound():
    X = np.random.default_rng(0).integers(0, 2000, (40, 3))
    found = Winnow(random_state=0).fit(X, X[:, 0] > 1000).certificate(X, X[:, 0] > 1000)
    assert found.bound == inf
    assert "scale the features down" in str(found)


def test_certificates_are_kept_in_files_of_others():
    X, y = noisy()
    for learner in (Perceptron(random_state=0), Winnow(random_state=0)):
        found = learner.fit(np.abs(X), y).certificate(np.abs(X), y)
        assert str(pickle.loads(pickle.dumps(found))) == str(found)


# -- words ----------------------------------------------------------------------------------------------


def test_what_a_student_reads():
    X, y = separated()
    learner = Perceptron(passes=3, random_state=0).fit(X, y)
    found = learner.certificate(X, y, test=(X, y))
    said = str(found)
    assert f"In 3 passes (360 visits) the learner made {found.mistakes} mistakes." in said
    assert f"could have made more than {int(found.bound):,} mistakes" in said
    assert "mistakes <= (R / gamma)^2" in said
    wrong, examples = found.first_pass
    assert f"wrong on {wrong} of {examples} examples, {100 * wrong / examples:.1f} %" in said
    assert f"errs on {100 * (1 - learner.score(X, y)):.1f} % of the test examples" in said
    own = str(Perceptron(delta=1.0, passes=3, random_state=0).fit(*noisy()).certificate(*noisy()))
    assert "a feature of its own, of value 1:" in own
    several = Perceptron(passes=2.5, random_state=0).fit(*noisy()).certificate(*noisy())
    assert f"have the sum {np.sqrt(3) * several.deviation:.4g}^2 over 3 visits to each." in str(several)
    X3, y3 = np.random.default_rng(0).normal(size=(20, 9)), np.arange(20) % 2
    few = Perceptron(random_state=0).fit(X3, y3).certificate(X3, y3)
    assert ("of so few, that says nothing" in str(few)) == (few.sharpest.bound >= 20)
    thin = str(Perceptron(margin=1.0, random_state=0).fit(X, y).certificate(X, y))
    assert "times more for a margin that was too thin" in thin
    assert "updates <= (sqrt(R^2 + 2 margin / rate) / gamma)^2" in thin
