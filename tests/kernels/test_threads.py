"""BLAS has one thread where products need that, and as many as before everywhere else."""

import os
import threading
import time

import numpy as np
import pytest
from threadpoolctl import ThreadpoolController, threadpool_info, threadpool_limits

from kerneltron import SVM, PassiveAggressive, Perceptron
from kerneltron.kernels import threads as kernel_threads
from kerneltron.kernels.gaussian import Gaussian
from kerneltron.kernels.threads import one_blas_thread
from kerneltron.models import budgeted_walk, working_set

RNG = np.random.default_rng(0)
X = RNG.normal(size=(300, 4))
y = (X[:, 0] * X[:, 1] > 0).astype(int)


def threads():
    """Return how many threads BLAS has."""
    return {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"}


def let_others_set():
    """Let any thread set a number: newer versions of threadpoolctl reserve that to the first one."""
    for library in ThreadpoolController().lib_controllers:
        getattr(library, "clear_controlling_thread", lambda: None)()


pytestmark = pytest.mark.skipif(not threads(), reason="a library whose threads cannot be set")


@pytest.fixture(autouse=True)
def three():
    """Lets BLAS have a number of threads that nothing else sets."""
    before = threadpool_limits(3, user_api="blas")
    let_others_set()
    yield
    assert threads() == {3}
    before.restore_original_limits()
    let_others_set()


@pytest.fixture
def seen(monkeypatch):
    """Notes how many threads BLAS has whenever a function is called, by its name."""
    found = {}

    def watch(owner, name):
        original = getattr(owner, name)

        def watched(*arguments):
            found.setdefault(name, set()).update(threads())
            return original(*arguments)

        monkeypatch.setattr(owner, name, watched)

    watch.found = found
    return watch


@pytest.mark.slow
def test_a_machine_limits_products_and_not_its_ascent(seen):
    seen(working_set, "ascend")
    seen(Gaussian, "gram")
    SVM(kernel=Gaussian(1.0), representation="dual", random_state=0).fit(X, y)
    assert seen.found == {"ascend": {3}, "gram": {1}}


def test_compiled_comparisons_within_a_budget_limit_nothing(seen):
    seen(budgeted_walk, "walk_rows")
    PassiveAggressive(kernel=Gaussian(1.0), budget=20, when_full="merge", random_state=0).fit(X, y)
    assert seen.found == {"walk_rows": {3}}


def test_products_of_visits_and_scores_have_one_thread_each(seen):
    seen(Gaussian, "gram")
    learner = Perceptron(kernel=Gaussian(1.0), representation="dual", passes=2, random_state=0).fit(X, y)
    learner.predict(X)
    assert seen.found == {"gram": {1}}


def test_calls_that_overlap_restore_once_the_last_has_ended():
    inside, leave = threading.Event(), threading.Event()

    def other():
        with one_blas_thread():
            inside.set()
            leave.wait()

    thread = threading.Thread(target=other)
    with one_blas_thread():
        thread.start()
        inside.wait()
        with one_blas_thread():
            pass
        assert threads() == {1}
    assert threads() == {1}
    leave.set()
    thread.join()
    assert threads() == {3}
    controlled = []
    thread = threading.Thread(target=lambda: controlled.append(limited_to_two()))
    thread.start()
    thread.join()
    assert controlled == [{2}], "no thread keeps the others from setting a number"


def limited_to_two():
    with threadpool_limits(2, user_api="blas"):
        return threads()


def test_a_number_that_somebody_else_has_set_stays():
    with one_blas_thread():
        limits = threadpool_limits(2, user_api="blas")
    assert threads() == {2}
    limits.restore_original_limits()
    threadpool_limits(3, user_api="blas")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_child_that_was_forked_while_another_thread_learned_can_learn():
    learner = Perceptron(kernel=Gaussian(1.0), representation="dual", random_state=0).partial_fit(X, y)
    begun, go_on = threading.Event(), threading.Event()

    def waiting(*_):
        begun.set()
        go_on.wait()
        return False

    def learn():
        with one_blas_thread(), learner.model_.shown.lock, learner.model_.learned._room._lock:
            slow.set_params(callback=waiting).fit(X, y)

    slow = Perceptron(random_state=0)
    thread = threading.Thread(target=learn)
    thread.start()
    begun.wait()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            learner.partial_fit(X, y)
            learner.predict(X)
            slow.set_params(callback=None).fit(X, y)
            code = 0 if threads() == {3} else 2
        finally:
            os._exit(code)
    go_on.set()
    thread.join()
    end = time.monotonic() + 30
    done, status = 0, -1
    while not done and time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        time.sleep(0.01)
    if not done:
        os.kill(child, 9)
        os.waitpid(child, 0)
    assert done, "the child hangs"
    assert os.waitstatus_to_exitcode(status) == 0


def test_a_call_that_was_interrupted_while_it_was_left_is_made_good_by_the_next(monkeypatch):
    def interrupted(thread):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(kernel_threads, "_leave", interrupted)
        try:
            with one_blas_thread():
                assert threads() == {1}
        except KeyboardInterrupt:
            assert threads() == {1}
    with one_blas_thread():
        assert threads() == {1}
    assert threads() == {3}
