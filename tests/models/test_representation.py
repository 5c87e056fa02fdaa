"""Primal or dual: the choice, its costs, and that it changes nothing but the time."""

from math import inf

import numpy as np
import pytest
from sklearn.base import clone

from kerneltron import LogisticRegression, Mira, PassiveAggressive, Pegasos, Perceptron, Romma
from kerneltron.kernels import FromFunction, Gaussian, Linear, Polynomial
from kerneltron.models.mapped import Mapped
from kerneltron.models.representation import Setting, choose
from tests.strategies import LAYOUTS

MAPPED = [
    "Polynomial(2)",
    "Polynomial(3, c=0)",
    "Polynomial(2, c=0.25)",
    "AllSubsets()",
    "AllSubsets(size=2)",
    "AllSubsets(size=2, exact=True)",
    "Conjunctions()",
    "Conjunctions(size=2)",
    "MonotoneConjunctions()",
    "MonotoneConjunctions(size=2)",
    "Linear() + 4.0 * Polynomial(2)",
    "(Linear() + 1) * AllSubsets(size=1)",
    "(Linear() + 4) ** 2",
    "Linear().polynomial([1, 1, 0.25])",
]


def setting(examples=1000, inputs=20, columns=1, always_moves=False):
    return Setting(examples, inputs, columns, always_moves)


@pytest.mark.parametrize(
    ("kernel", "of", "form", "width"),
    [
        (Linear(), setting(inputs=1_000_000), "primal", 1_000_000),
        (Linear(), setting(examples=2), "primal", 20),
        (Polynomial(2), setting(examples=3000), "primal", 231),
        (Polynomial(2), setting(examples=10), "primal", 231),
        (Polynomial(2), setting(examples=1000, inputs=784), "dual", 308_505),
        (Polynomial(6), setting(inputs=100), "dual", 1_705_904_746),
        (Polynomial(6), setting(examples=10**9, inputs=100), "dual", 1_705_904_746),
        (Polynomial(4), setting(examples=10**6, inputs=20), "primal", 10_626),
        (Gaussian(1.0), setting(), "dual", None),
        (Gaussian(1.0), setting(examples=10**9, inputs=1), "dual", None),
    ],
)
def test_auto_takes_the_cheaper_form(kernel, of, form, width):
    choice = choose(kernel, "auto", of)
    assert (choice.form, choice.width) == (form, width)
    assert (choice.primal_cost == inf) == (width is None)
    assert choice.dual_cost > 0
    assert choice.form in str(choice)
    assert ("cannot be listed" if width is None else f"{width:,}") in str(choice)


def test_more_examples_classes_and_moves_tip_the_balance():
    kernel = Polynomial(3)
    few, many = (choose(kernel, "auto", setting(examples=n, inputs=50)) for n in (1000, 10**7))
    assert (few.form, many.form) == ("dual", "primal")
    assert many.dual_cost > few.dual_cost
    assert many.primal_cost == few.primal_cost
    quiet, moving = (
        choose(kernel, "auto", setting(examples=30_000, inputs=50, always_moves=moves))
        for moves in (False, True)
    )
    assert moving.expected_support == 30_000 == 4 * quiet.expected_support
    assert moving.dual_cost == 4 * quiet.dual_cost
    one, ten = (choose(kernel, "auto", setting(columns=columns)) for columns in (1, 10))
    assert ten.primal_cost > one.primal_cost


def test_a_form_that_was_asked_for_is_taken():
    assert choose(Linear(), "dual", setting()).form == "dual"
    assert choose(Polynomial(2), "primal", setting(inputs=784)).form == "primal"
    assert choose(Linear(), "dual", setting()).reason == "as asked for"


@pytest.mark.parametrize(
    ("kernel", "columns", "message"),
    [
        ("Gaussian(1.0)", 4, r"Gaussian\(1.0\) has infinitely many"),
        (FromFunction(np.dot), 4, "or they are not known: use `representation='dual'`"),
        ("Polynomial(6)", 100, "needs 1,705,904,746 weights per class"),
        ("Conjunctions()", 40, "12,157,665,459,056,928,801 weights"),
    ],
)
def test_a_form_that_cannot_be_is_refused(kernel, columns, message):
    with pytest.raises(ValueError, match=message):
        Perceptron(kernel=kernel, representation="primal").fit(np.eye(columns)[:4], [0, 1, 0, 1])


def test_learners_choose_and_tell(capsys):
    generator = np.random.default_rng(0)
    X, y = generator.normal(size=(3000, 20)), generator.integers(0, 2, 3000)
    forms = {}
    for kernel in ("linear", "Polynomial(2)", "Gaussian(5.0)"):
        learner = Perceptron(kernel=kernel, passes=0.1, random_state=0).fit(X, y)
        forms[kernel] = (learner.representation_.form, learner.representation_.width)
    assert forms == {
        "linear": ("primal", 20),
        "Polynomial(2)": ("primal", 231),
        "Gaussian(5.0)": ("dual", None),
    }
    wide = Perceptron(kernel="Polynomial(6)", random_state=0).fit(generator.normal(size=(50, 100)), y[:50])
    assert wide.representation_.form == "dual"
    assert wide.representation_.width == 1_705_904_746
    assert capsys.readouterr() == ("", "")
    Perceptron(kernel="Polynomial(6)", random_state=0, verbose=1).fit(
        generator.normal(size=(50, 100)), y[:50]
    )
    out, err = capsys.readouterr()
    assert out == ""
    assert "dual form" in err
    assert "1,705,904,746 features" in err
    assert "multiplications per visit" in err


def test_rules_that_always_move_expect_to_remember_all():
    X, y = np.random.default_rng(0).normal(size=(200, 3)), np.arange(200) % 2
    for learner, support in ((Perceptron(), 50), (LogisticRegression(), 200)):
        learner.set_params(kernel="Gaussian(1.0)").fit(X, y)
        assert learner.representation_.expected_support == support
    assert len(learner.support_) == 200


@pytest.mark.parametrize("layout", ["dense", "csr"])
@pytest.mark.parametrize("kernel", MAPPED)
def test_learning_in_the_map_equals_learning_with_the_kernel(kernel, layout):
    generator = np.random.default_rng(0)
    for classes in (2, 3):
        X = generator.normal(size=(80, 4))
        X = LAYOUTS[layout]((X > 0).astype(float) if "Conjunctions" in kernel else X)
        codes = np.arange(80) % classes
        # Steps that are no simple fractions of each other: ties of whole numbers are not left to rounding.
        uneven = {"class_weight": {label: (1.0, 1.3713, 0.7291)[label] for label in range(classes)}}
        for learner in (
            Perceptron(**uneven),
            Perceptron(hypothesis="vote", **uneven),
            PassiveAggressive(variant="II", C=0.37, hypothesis="last", **uneven),
            Pegasos(l2=0.37, **uneven),
            Mira(C=0.37, **uneven),
        ):
            learner.set_params(kernel=kernel, passes=2, random_state=0)
            mapped = clone(learner).set_params(representation="primal").fit(X, codes)
            dual = clone(learner).set_params(representation="dual").fit(X, codes)
            assert isinstance(mapped.model_, Mapped)
            assert mapped.representation_.width == mapped.model_.width
            assert dual.mistakes_.tolist() == mapped.mistakes_.tolist()
            if learner.hypothesis == "vote":
                assert np.mean(dual.predict(X) == mapped.predict(X)) > 0.95  # a sign may hang on rounding
            else:
                np.testing.assert_allclose(
                    dual.decision_function(X), mapped.decision_function(X), rtol=1e-6, atol=1e-8
                )


@pytest.mark.parametrize("kernel", ["Conjunctions()", "MonotoneConjunctions(size=2)", "AllSubsets()"])
def test_where_features_are_whole_numbers_decisions_are_exact(kernel):
    generator = np.random.default_rng(1)
    X, codes = generator.integers(0, 2, (100, 5)).astype(float), generator.integers(0, 3, 100)
    for hypothesis in ("last", "vote", "random"):
        learner = Perceptron(kernel=kernel, passes=4, random_state=0, hypothesis=hypothesis)
        mapped = clone(learner).set_params(representation="primal").fit(X, codes)
        dual = clone(learner).set_params(representation="dual").fit(X, codes)
        assert dual.mistakes_.tolist() == mapped.mistakes_.tolist()
        assert dual.n_updates_ == mapped.n_updates_
        np.testing.assert_array_equal(dual.decision_function(X), mapped.decision_function(X))


def test_romma_in_both_forms():
    X = np.random.default_rng(0).normal(size=(80, 3))
    codes = (X[:, 0] * X[:, 1] > 0.2).astype(int)
    learner = Romma(kernel="Polynomial(2)", passes=3, random_state=0)
    mapped = clone(learner).set_params(representation="primal").fit(X, codes)
    dual = clone(learner).set_params(representation="dual").fit(X, codes)
    assert dual.mistakes_.tolist() == mapped.mistakes_.tolist()
    np.testing.assert_allclose(dual.decision_function(X), mapped.decision_function(X), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("hypothesis", ["last", "average", "random", "vote"])
@pytest.mark.filterwarnings("ignore:The class . came late:UserWarning")
def test_streams_in_the_map(hypothesis):
    generator = np.random.default_rng(2)
    X = generator.normal(size=(90, 4))
    codes = np.where(np.arange(90) < 40, np.arange(90) % 2, np.arange(90) % 4)
    learners = [
        Perceptron(kernel="Polynomial(2)", hypothesis=hypothesis, random_state=0, representation=form)
        for form in ("primal", "dual")
    ]
    for start in range(0, 90, 20):
        part = slice(start, start + 20)
        if start in (20, 60):
            before = [learner.partial_fit_predict(X[part], codes[part]) for learner in learners]
            np.testing.assert_allclose(*before, atol=1e-9)  # NaN where a class is introduced
        else:
            for learner in learners:
                learner.partial_fit(X[part], codes[part])
        primal, dual = learners
        assert dual.mistakes_.tolist() == primal.mistakes_.tolist()
        np.testing.assert_allclose(dual.decision_function(X), primal.decision_function(X), atol=1e-9)


def test_a_stream_is_expected_to_be_long():
    X, y = np.random.default_rng(0).normal(size=(30, 30)), np.arange(30) % 2
    once = Perceptron(kernel="Polynomial(3)").fit(X, y)
    stream = Perceptron(kernel="Polynomial(3)").partial_fit(X, y)
    assert stream.representation_.expected_support > once.representation_.expected_support
    assert once.representation_.form == "dual"
    assert once.representation_.width == stream.representation_.width == 5456


def test_single_precision_is_kept_in_the_map():
    X = np.random.default_rng(0).normal(size=(60, 4)).astype(np.float32)
    learner = LogisticRegression(kernel="Polynomial(2)", random_state=0).fit(X, np.arange(60) % 2)
    assert learner.coef_.dtype == np.float32
    assert learner.coef_.shape == (1, 15)
    assert learner.coef_.size == learner.representation_.width
