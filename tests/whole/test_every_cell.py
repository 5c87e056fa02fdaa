"""No learner is useless in silence: all learners, forms, hypotheses and budgets on data that are not nice.

Four classes, half of the examples of one of them, a twelfth of another; columns of other units; some values
a thousand times too large. Wherever the last vector of a naive loop is better than the largest class, so is
what the learner predicts by. And what it says of a row as it learns is what it would have predicted.
"""

import re
import warnings
from functools import cache

import numpy as np
import pytest

from tests.every_cell import BUDGET, FORMS, SIGMA, cells
from tests.oracle import dual, rules
from tests.oracle.last_vectors import learned

ROWS, PASSES, CLASSES = 240, 2, 4
UNITS = np.array([1.0, 20.0, 0.1, 1.0])
# Plans of the naive loops. Other learners must be better than the largest class in all their cells.
PLANS = {
    "logistic": dual.apart(rules.logistic(l2=0.01)),
    "mira": dual.mira(1.0),
    "passive-aggressive": dual.apart(rules.passive_aggressive("I")),
    "pegasos": dual.apart(rules.pegasos(learning_rate=1.0, l2=0.01)),
    "perceptron": dual.apart(rules.perceptron()),
    "romma": dual.apart(rules.romma()),
}
# Why there is nothing in a cell: parameters of the form that a learner does not have ...
LACKING = {
    ("svm", "scale"): "it takes kernels over scaled columns: kernel='gaussian'",
    ("svm", "budget"): "a machine that forgets examples does not reach its optimum",
    ("winnow", "scale"): "it is for indicators, and takes no negative numbers",
    ("winnow", "kernel"): "it multiplies weights: they are no sums of examples",
}
# ... and what it says when it is asked for.
REFUSALS = {
    "a budget is a number of remembered examples": "AROW remembers no examples",
    "is not possible with Arow": "AROW keeps a variance for each weight, so features must be listed",
    "which remembers rows as they are": "the vectors of a vote are made of rows on older scales",
    "SVM in primal form looks for the optimum": "it keeps no examples, and so cannot go on with others",
    "needs vectors of the past": "they are made of examples that a learner with a budget has forgotten",
    "hypothesis='vote' is not possible": "the learner moves at every example, or not by multiples of them",
    "is an update of PassiveAggressive": "no other rule has it",
    "looks at the length|which the learner looks at": "merging and sketching change ||w||, which it reads",
}


def data(is_indicator, has_outliers, seed=0):
    """Return rows to learn from, their classes, and rows and classes to be predicted."""
    generator = np.random.default_rng(seed)
    codes = generator.choice(CLASSES, size=2 * ROWS, p=[0.5, 0.28, 0.14, 0.08])
    centres = 2.5 * np.array([[0, 0, 0, 0], [1, 1, 0, 0], [-1, 1, 1, 0], [0, -1, 1, 1]])
    X = centres[codes] + generator.normal(size=(len(codes), 4))
    if is_indicator:
        X = np.column_stack([cut < X for cut in (-1.5, 0.0, 1.5)]).astype(float)
    else:
        X *= UNITS
    if has_outliers:
        X[[40, 110, 200], [0, 1, 2]] *= 1000.0
    return X[:ROWS], codes[:ROWS], X[ROWS:], codes[ROWS:]


def space(form, X, new):
    """Return what rows are in the space of a form, whatever outliers there are, and the inner product."""
    if form in ("primal", "listed"):
        degree = 1 if form == "primal" else 2
        return X, new, lambda a, b: (a @ b.T + (degree - 1)) ** degree + 1.0
    middle = np.median(X, axis=0)
    spread = np.subtract(*np.quantile(X, [0.84, 0.16], axis=0)) / 2
    if form == "scaled":
        X, new = ((np.clip((rows - middle) / spread, -5, 5) / 2) for rows in (X, new))
        return X, new, lambda a, b: a @ b.T + 1.0

    def gaussian(a, b):
        squares = np.square(a[:, None] - b[None]).sum(axis=2)
        return np.exp(-squares / (2 * SIGMA**2)) + 1.0

    return X, new, gaussian


@cache
def naive_error(learner, form, has_outliers):
    """Return the error of the last vector of a naive loop; 0 for learners that have none here."""
    if learner not in PLANS:
        return 0.0
    X, codes, new, expected = examples(learner, form, has_outliers)
    X, new, k = space(form, X, new)
    when_full = form.partition(", ")[2] or None
    alpha = learned(PLANS[learner], k(X, X), codes, CLASSES, PASSES, when_full, BUDGET)
    return float(np.mean((k(new, X) @ alpha).argmax(axis=1) != expected))


def examples(learner, form, has_outliers):
    """Return the data of a cell: a Gaussian kernel with a given width is for columns of one scale."""
    X, codes, new, expected = data(learner == "winnow", has_outliers)
    if learner != "winnow" and form != "scaled":
        X, new = X / UNITS, new / UNITS
    return X, codes, new, expected


def trained(cell, call, *examples, **options):
    """Return the learner of a cell after a call; None where there is none, for a reason that stands above."""
    if cell.lacks:
        assert (cell.learner, cell.lacks.partition(",")[0]) in LACKING, (cell, cell.lacks)
        return None
    message = ""
    try:
        return getattr(cell.made(**options), call)(*examples)
    except ValueError as refusal:
        message = str(refusal)
    assert any(re.search(reason, message) for reason in REFUSALS), (cell, message)
    return None


@pytest.mark.slow
@pytest.mark.parametrize("has_outliers", [False, True], ids=["clean", "outliers"])
@pytest.mark.parametrize("form", FORMS)
def test_it_is_better_than_the_largest_class_wherever_a_naive_loop_is(form, has_outliers):
    useless = []
    for cell in cells([form]):
        X, codes, new, expected = examples(cell.learner, form, has_outliers)
        passes = 50 if cell.hypothesis == "none" else PASSES
        with warnings.catch_warnings(record=True) as said:  # what says so may be useless
            warnings.simplefilter("always")
            learner = trained(cell, "fit", X, codes, passes=passes)
        if learner is None or said:
            continue
        error, largest = np.mean(learner.predict(new) != expected), np.mean(expected != 0)
        if error >= largest and cell.hypothesis == "random":  # one draw may be a vector of the beginning
            others = (
                trained(cell, "fit", X, codes, passes=passes, random_state=seed) for seed in range(1, 10)
            )
            error = np.mean([np.mean(other.predict(new) != expected) for other in others])
        if error >= largest and naive_error(cell.learner, form, has_outliers) < 0.9 * largest:
            useless.append((cell, float(error)))
    assert not useless


@pytest.mark.slow
@pytest.mark.parametrize("arrival", ["two classes", "four classes", "late class"])
@pytest.mark.parametrize("form", FORMS)
def test_what_it_says_as_it_learns_is_what_it_would_have_predicted(form, arrival):
    """A budget of 15 is spent before the rows that are compared; most learners revise it in these rows.

    Eight rows keep it short: all cells can be there, since the test above compiles the same code.
    A class that comes late is there from the first row of its call on: it comes with that row.
    """
    options = {"budget": 15} if form.startswith("budget") else {}
    for cell in cells([form]):
        X, codes, _, _ = examples(cell.learner, form, has_outliers=False)
        if arrival == "two classes":
            codes = np.minimum(codes, 1)
        elif arrival == "late class":
            codes = np.where((codes == 3) & (np.arange(ROWS) < 80), 0, codes)
            codes[80] = 3
        known = None if arrival == "late class" else np.unique(codes)
        learner, other = (
            trained(cell, "partial_fit", X[:80], codes[:80], known, **options) for _ in range(2)
        )
        if learner is None:
            continue
        is_whole = learner.learner_.method.whole_examples_only
        weights = np.ones(ROWS) if is_whole else np.where(codes == 1, 0.5, 1.0)
        weights[83] = 0.0
        expected = []
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "The class 3 came late")
            for row in range(80, 88):
                one = slice(row, row + 1)
                expected.append(other.decision_function(X[one])[0])
                if weights[row]:
                    other.partial_fit(X[one], codes[one], known, weights[one])
            found = learner.partial_fit_predict(X[80:88], codes[80:88], known, weights[80:88])
        unseen = [0, 3] if arrival == "late class" else [3]
        assert np.flatnonzero(np.isnan(found).reshape(8, -1).all(axis=1)).tolist() == unseen, cell
        predicted = np.delete(np.arange(8), unseen)
        np.testing.assert_allclose(
            found[predicted], [expected[row] for row in predicted], rtol=1e-7, atol=1e-9, err_msg=str(cell)
        )
        np.testing.assert_allclose(
            learner.decision_function(X), other.decision_function(X), rtol=1e-7, atol=1e-9, err_msg=str(cell)
        )
