"""scikit-learn's own checks, over every learner and the options that change its code path."""

from sklearn.utils.estimator_checks import parametrize_with_checks

import kerneltron
from kerneltron import LogisticRegression, Mira, PassiveAggressive, Pegasos, Perceptron, Romma, Winnow

WEIGHTS = "an online learner visits a row of weight 2 once with twice the step, not twice"
EXPECTED = {
    "check_sample_weight_equivalence_on_dense_data": WEIGHTS,
    "check_sample_weight_equivalence_on_sparse_data": WEIGHTS,
}

LEARNERS = [
    *(getattr(kerneltron, name)() for name in kerneltron.__all__),
    # With enough passes, the checks also ask for accuracy.
    Perceptron(passes=1000, random_state=0),
    Perceptron(passes=100, random_state=0, hypothesis="last", margin=0.1),
    PassiveAggressive(passes=100, random_state=0),
    PassiveAggressive(passes=100, random_state=0, variant="II", hypothesis="last"),
    Mira(passes=100, random_state=0),
    Pegasos(passes=100, random_state=0, hypothesis="last"),
    LogisticRegression(passes=1000, random_state=0, learning_rate=0.01, schedule="inverse"),
    LogisticRegression(passes=100, random_state=0),
    Romma(passes=100, random_state=0, aggressive=True),
    # Other code paths.
    Perceptron(random_state=0, hypothesis="vote"),
    Perceptron(random_state=0, hypothesis="random", fit_intercept=False),
    Pegasos(random_state=0, schedule="constant", learning_rate=0.1, init_scale=0.01),
    Winnow(random_state=0, balanced=True),
]


@parametrize_with_checks(LEARNERS, expected_failed_checks=lambda learner: EXPECTED)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
