"""One learner in several threads: learning twice at once is refused, predicting is safe."""

import copy
import pickle
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone

from kerneltron import LogisticRegression, ManyTasks, Perceptron, load
from kerneltron.estimators import _alone

pytestmark = pytest.mark.slow

RNG = np.random.default_rng(0)
X = RNG.normal(size=(400, 20))
y = (X[:, 0] + 0.5 * X[:, 1] > 0).astype(int)
LEARNERS = {
    "primal": Perceptron(random_state=0),
    "delta": Perceptron(random_state=0, delta=0.5),
    "adaptive": LogisticRegression(random_state=0),
    "mapped": Perceptron(kernel="Polynomial(2)", representation="primal", random_state=0),
    "vote": Perceptron(hypothesis="vote", random_state=0),
    "dual": Perceptron(kernel="Gaussian(3)", representation="dual", random_state=0),
}
every_learner = pytest.mark.parametrize("name", LEARNERS)


def in_threads(function, count=8):
    """Call function(i) in as many threads at once; return what comes, errors too."""
    start = threading.Barrier(count)

    def work(i):
        start.wait()
        try:
            return function(i)
        except RuntimeError as error:
            return error

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(work, range(count)))


@every_learner
def test_learning_at_the_same_time_is_refused_or_happens_in_turn(name):
    learner = clone(LEARNERS[name]).fit(X, y)
    pieces = [sp.csr_matrix(X) if i % 2 else X for i in range(8)]
    before = int(learner.model_.weights.clock[0])
    answers = [answer for _ in range(5) for answer in in_threads(lambda i: learner.partial_fit(pieces[i], y))]
    refused = [answer for answer in answers if isinstance(answer, RuntimeError)]
    assert all("learning already" in str(error) for error in refused)
    assert int(learner.model_.weights.clock[0]) == before + len(X) * (len(answers) - len(refused))
    assert not _alone._at_work


@every_learner
def test_predicting_while_another_thread_learns_sees_a_moment_in_between(name):
    learner = clone(LEARNERS[name]).fit(X, y)
    stop = threading.Event()

    def learn(i):
        for _ in range(30):
            learner.partial_fit(X, y)
        stop.set()

    def predict(i):
        while not stop.is_set():
            scores = learner.decision_function(X)
            assert np.isfinite(scores).all()
            assert np.mean((scores > 0) == y) > 0.8
        return True

    answers = in_threads(lambda i: learn(i) if i == 0 else predict(i), 4)
    assert answers[1:] == [True] * 3
    alone = clone(LEARNERS[name]).fit(X, y)
    for _ in range(30):
        alone.partial_fit(X, y)
    np.testing.assert_array_equal(learner.decision_function(X), alone.decision_function(X))


def test_a_class_that_comes_late_does_not_part_scores_from_classes():
    stop = threading.Event()
    learners = [Perceptron(random_state=0).fit(X, y)]

    def learn(i):
        for _ in range(60):
            learner = Perceptron(random_state=0).fit(X, y)
            learners.append(learner)
            for late in range(2, 12):
                learner.partial_fit(X[:2], [late, 0])
        stop.set()

    def predict(i):
        while not stop.is_set():
            assert set(learners[-1].predict(X)) <= set(range(12))
        return True

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("warnings.warn", lambda *arguments, **options: None)
        assert in_threads(lambda i: learn(i) if i == 0 else predict(i), 3)[1:] == [True, True]


@pytest.mark.parametrize("call", ["fit", "partial_fit"])
def test_a_callback_cannot_train_the_learner_that_called_it(call):
    errors = []

    def callback(inner, report):
        with pytest.raises(RuntimeError, match="its own callback") as caught:
            getattr(learner, call)(X, y)
        errors.append(caught.value)

    learner = Perceptron(callback=callback, passes=2)
    learner.fit(X, y)
    assert len(errors) == 2
    learner.partial_fit(X, y)


@pytest.mark.parametrize("kernel", ["linear", "Gaussian(3)"])
def test_many_tasks_are_refused_too(kernel):
    def callback(inner, report):
        with pytest.raises(RuntimeError, match="its own callback"):
            tasks.partial_fit(X, Y)

    Y = np.where(np.column_stack([y, 1 - y]), 1, -1)
    tasks = ManyTasks(Perceptron(kernel=kernel, callback=callback))
    tasks.fit(X, Y)
    assert not _alone._at_work


def test_saving_while_another_thread_learns_is_refused(tmp_path):
    saved = []

    def callback(inner, report):
        inner.save(tmp_path / "inside.model")  # the learner as it is in this pass

        def elsewhere():
            with pytest.raises(RuntimeError, match="learning in another thread"):
                learner.save(tmp_path / "elsewhere.model")
            saved.append(True)

        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()

    learner = Perceptron(callback=callback, passes=2, random_state=0)
    learner.fit(X, y)
    assert saved == [True, True]
    assert load(tmp_path / "inside.model").n_updates_ > 0


@every_learner
def test_a_model_for_prediction_only_keeps_what_it_knows_when_pickled_or_copied(name, tmp_path):
    learner = clone(LEARNERS[name]).fit(X, y)
    learner.save(tmp_path / "small.model", resumable=False)
    loaded = load(tmp_path / "small.model")
    for other in (pickle.loads(pickle.dumps(loaded)), copy.deepcopy(loaded), copy.copy(loaded)):
        np.testing.assert_array_equal(other.decision_function(X), learner.decision_function(X))
    if name != "vote":
        np.testing.assert_array_equal(loaded.model_.copy().vectors(), learner.model_.vectors())


@every_learner
def test_the_lock_is_not_pickled_copied_or_cloned(name):
    learner = clone(LEARNERS[name]).fit(X, y)
    expected = clone(learner).fit(X, y).partial_fit(X, y).decision_function(X)
    with _alone.alone(learner):
        others = [pickle.loads(pickle.dumps(learner)), copy.deepcopy(learner)]
        for other in others:
            np.testing.assert_array_equal(other.partial_fit(X, y).decision_function(X), expected)
        clone(learner).fit(X, y)
        with pytest.raises(RuntimeError, match="learning already"):
            learner.partial_fit(X, y)
    np.testing.assert_array_equal(learner.partial_fit(X, y).decision_function(X), expected)
