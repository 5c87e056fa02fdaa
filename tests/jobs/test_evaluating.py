"""Figures beside labels, against scikit-learn's; folds; and the pace of a training."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kerneltron.jobs.evaluating import Evaluation
from kerneltron.jobs.folds import dealt_out
from kerneltron.learning.learner import Learner
from kerneltron.learning.methods import method
from kerneltron.learning.progressive import Tally
from kerneltron.learning.targets.classification import Classification
from kerneltron.stream.labels import Labels
from kerneltron.stream.window import NO_DIGESTS, NO_LABEL, Window
from kerneltron.training.pace import Pace


class Known(Learner):
    """A learner whose scores are given."""

    def __init__(self, classes, scores):
        super().__init__(method("logistic")())
        self.target, self._scores = Classification(np.array(classes)), scores
        about = SimpleNamespace(keeps_moves=False)
        self.model = SimpleNamespace(takes_sparse_rows=False, hypothesis=about)

    def scores(self, X):
        return self._scores[: X.shape[0]]


def window(labels, importance):
    nothing = np.zeros(0, np.float32)
    starts = np.zeros(len(labels) + 1, np.int32)
    return Window(nothing, nothing.astype(np.int32), starts, labels, importance, NO_DIGESTS, [], 0)


@pytest.mark.parametrize("classes", [["a", "b"], ["a", "b", "c"]])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_figures_are_those_of_scikit_learn(classes):
    from sklearn import metrics

    from kerneltron.learning.progressive import predicted, probabilities

    random = np.random.default_rng(1)
    labels = random.integers(0, len(classes), 50).astype(np.int32)
    weight = random.integers(1, 4, 50).astype(np.float32)
    scores = random.normal(size=(50, 1 if len(classes) == 2 else len(classes)))
    evaluation = Evaluation(has_loss=True)
    evaluation.add(Known(classes, scores), iter([window(labels, weight)]), Labels(classes))

    said = predicted(scores, len(classes))
    assert evaluation.accuracy == pytest.approx(metrics.accuracy_score(labels, said, sample_weight=weight))
    p = probabilities(scores, len(classes))
    assert evaluation.log_loss == pytest.approx(metrics.log_loss(labels, p, sample_weight=weight))
    precision, recall, _, count = metrics.precision_recall_fscore_support(labels, said, sample_weight=weight)
    rows = evaluation.by_class()
    assert [row.precision for row in rows] == pytest.approx(precision)
    assert [row.recall for row in rows] == pytest.approx(recall)
    assert [row.examples for row in rows] == pytest.approx(count)
    confusion = metrics.confusion_matrix(labels, said, sample_weight=weight)
    for (label, answer), number in evaluation.counts.items():
        assert confusion[classes.index(label), classes.index(answer)] == number


def test_evaluations_of_parts_add_up():
    random = np.random.default_rng(2)
    labels = np.array([0, 1, NO_LABEL, 2, 1, 0], np.int32)  # of which the learner does not know 2
    weight, scores = np.ones(6, np.float32), random.normal(size=(6, 1))
    whole, parts = Evaluation(True), Evaluation(True)
    whole.add(Known(["a", "b"], scores), iter([window(labels, weight)]), Labels(["a", "b", "new"]))
    for part in (slice(0, 3), slice(3, 6)):
        one = Evaluation(True)
        learner = Known(["a", "b"], scores[part])
        one.add(learner, iter([window(labels[part], weight[part])]), Labels(["a", "b", "new"]))
        parts.join(one)
    assert parts.to_json() == {**whole.to_json(), "log_loss": pytest.approx(whole.log_loss)}
    assert (whole.examples, whole.unlabelled) == (5, 1)


def test_without_examples_there_are_no_figures():
    nothing = Evaluation(True)
    assert (nothing.accuracy, nothing.error, nothing.log_loss) == (None, None, None)


@given(st.integers(0, 200), st.integers(2, 9), st.integers(0, 99))
def test_folds_are_of_the_same_size_throughout_the_file(examples, folds, seed):
    dealt = dealt_out(examples, folds, seed)
    for end in range(examples + 1):
        sizes = np.bincount(dealt[:end], minlength=folds)
        assert sizes.max() - sizes.min() <= 1
    np.testing.assert_array_equal(dealt, dealt_out(examples, folds, seed))


def test_the_pace_tells_the_rate_the_losses_and_the_share_of_work():
    times = iter([0.0, 2.0, 4.0, 8.0])
    pace = Pace(total=1000, clock=lambda: next(times))
    learner = SimpleNamespace(scores_are_log_odds=True)

    def at(number, windows, consumed, tally):
        return SimpleNamespace(
            number=number, batches_done=windows, consumed=consumed, progress=tally, learner=learner,
            plan=SimpleNamespace(passes=2),
        )  # fmt: skip

    assert pace.look(at(0, 1, 100, Tally(10, 10.0, 5.0, 6.0))).share == pytest.approx(0.05)
    moment = pace.look(at(0, 2, 500, Tally(50, 50.0, 9.0, 14.0)))
    assert (moment.examples, moment.rate, moment.loss, moment.recent_loss) == (50, 20.0, 0.28, 0.2)
    assert moment.share == pytest.approx(0.25)
    assert pace.look(at(1, 0, 1000, Tally(100, 100.0, 9.0, 14.0))).share == pytest.approx(0.5)
    assert pace.look(at(1, 1, 1000, Tally(150, 150.0, 9.0, 14.0))).share == pytest.approx(0.75)


def test_errors_stand_for_the_loss_where_there_are_no_probabilities():
    learner = SimpleNamespace(scores_are_log_odds=False)
    training = SimpleNamespace(
        number=0, batches_done=1, consumed=5, progress=Tally(4, 4.0, 1.0, 0.0), learner=learner,
        plan=SimpleNamespace(passes=1),
    )  # fmt: skip
    moment = Pace(total=None).look(training)
    assert (moment.loss, moment.share) == (0.25, None)
