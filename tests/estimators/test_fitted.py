"""What was fitted answers, not the parameters; and a learner's name means the same however it is written."""

import numpy as np
import pytest
from sklearn.base import clone

import kerneltron
from kerneltron import ManyTasks
from kerneltron.cli.building import job_for
from kerneltron.cli.options.learning import Learning
from kerneltron.cli.options.reading import Reading
from kerneltron.cli.options.words import Words
from kerneltron.learning.methods import METHODS

ESTIMATORS = [estimator for _, estimator in METHODS.values()]
X = np.random.default_rng(0).integers(0, 3, (40, 4)).astype(float)
Y = np.array(["a", "b", "c"])[X[:, 0].astype(int)]
GARBAGE = ["nonsense", object(), -7, None, [], "vote", "Gauss("]


def answers(learner):
    """Return all that a fitted learner says, or which kind of error it answers with."""
    found = {}
    asked = {
        "predict": lambda: learner.predict(X),
        "decision_function": lambda: learner.decision_function(X),
        "predict_proba": lambda: learner.predict_proba(X),
        "score": lambda: learner.score(X, Y),
        "coef_": lambda: learner.coef_,
        "intercept_": lambda: learner.intercept_,
        "n_updates_": lambda: learner.n_updates_,
        "support_": lambda: learner.support_,
        "dual_coef_": lambda: learner.dual_coef_,
        "feature_weight": lambda: learner.feature_weight((0, 1)),
        "explain": lambda: str(learner.explain()),
        "explain one": lambda: str(learner.explain(X[0])),
        "representation_": lambda: str(learner.representation_),
    }
    for name, ask in asked.items():
        try:
            found[name] = ask()
        except (AttributeError, ValueError) as error:
            found[name] = type(error).__name__
    return found


@pytest.mark.parametrize("options", [{}, {"kernel": "Polynomial(2)"}, {"kernel": "Gaussian(2)"}], ids=str)
@pytest.mark.parametrize("name", ESTIMATORS)
@pytest.mark.filterwarnings("ignore:the relative duality gap")  # of SVM, on products of features
def test_parameters_set_after_fit_change_nothing_that_was_learned(name, options):
    if options and name == "Winnow":
        pytest.skip("Winnow has no kernel")
    if options.get("kernel") == "Gaussian(2)" and getattr(kerneltron, name).method_type.refuses_dual:
        pytest.skip(f"{name} has no dual form")
    learner = getattr(kerneltron, name)(random_state=0, **options).fit(X, Y)
    before = answers(learner)
    for garbage in GARBAGE:
        learner.set_params(**dict.fromkeys(learner.get_params(deep=False), garbage))
        after = answers(learner)
        for asked, said in before.items():
            np.testing.assert_equal(after[asked], said, err_msg=f"{garbage!r}: {asked}")


def test_strings_are_predicted_after_another_kernel_was_set():
    learner = kerneltron.Perceptron(kernel="Spectrum(2)", random_state=0).fit(
        ["abab", "cdcd"] * 3, [0, 1] * 3
    )
    learner.set_params(kernel="linear")
    assert learner.predict(["abab", "cdcd"]).tolist() == [0, 1]
    with pytest.raises(ValueError, match="kernel cannot change"):
        learner.partial_fit(["abab"], [0])
    learner.set_params(kernel="no kernel")
    assert learner.predict(["abab", "cdcd"]).tolist() == [0, 1]


def test_many_tasks_answer_from_what_was_fitted():
    signs = np.where(X[:, :2] > 0, 1, -1)
    tasks = ManyTasks(kerneltron.Perceptron(kernel="Gaussian(2)", random_state=0)).fit(X, signs)
    before = tasks.decision_function(X)
    tasks.set_params(learner__kernel="nonsense", exclude_own_column="?")
    np.testing.assert_array_equal(tasks.decision_function(X), before)
    tasks.set_params(learner=None)
    np.testing.assert_array_equal(tasks.decision_function(X), before)


# -- names of learners ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("short", "estimator"),
    [(short, name) for short, (_, name) in METHODS.items() if name != "SVM"],  # has no stream of linear rows
)
def test_a_learner_is_the_same_however_it_is_called(tmp_path, short, estimator):
    path = tmp_path / "a.vw"
    path.write_text("a | x\nb | y\n")
    ways = {short, short.upper(), short.title(), short.replace("-", "_"), estimator, estimator.lower()}
    jobs = [job_for([str(path)], Learning(learner=way), Words(), Reading()) for way in sorted(ways)]
    assert len({str(sorted(job.options().items(), key=str)) for job in jobs}) == 1
    assert {job.hashing.signed for job in jobs} == {short != "winnow"}


def test_winnow_and_logistic_regression_get_the_settings_of_their_short_names(tmp_path):
    path = tmp_path / "a.vw"
    path.write_text("a | x\nb | y\n")

    def job(learner):
        return job_for([str(path)], Learning(learner=learner), Words(), Reading())

    assert job("LogisticRegression").learner.method.learning_rate == 0.1
    assert job("logistic").learner.method.learning_rate == 0.1
    assert not job("Winnow").hashing.signed
    with pytest.raises(ValueError, match="there is no learner 'Pegasus': did you mean 'pegasos'"):
        job("Pegasus")


def test_cloned_learners_have_learned_nothing():
    assert not hasattr(clone(kerneltron.Perceptron(random_state=0).fit(X, Y)), "kernel_")


# -- figures that are ours -----------------------------------------------------------------------------
