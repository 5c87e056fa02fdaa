"""Last, random, average and vote, in small."""

import json

import numpy as np
import pytest

from kerneltron.experiments import hypotheses
from kerneltron.experiments.experiment import Asked
from kerneltron.experiments.hypotheses import HYPOTHESES, PASSES, Problem


@pytest.fixture(scope="module")
def noisy():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hypotheses, "PASSES", (1, 4))
        return hypotheses.measure(Problem(hypotheses.noisy), range(2))


def test_average_and_vote_beat_the_last_vector_where_labels_are_noisy(noisy):
    last, random, average, vote = (np.mean(noisy[name], axis=1) for name in HYPOTHESES)
    for better in (average, vote):
        assert (better < np.minimum(last, random) - 0.03).all()
    assert abs(average[-1] - vote[-1]) < 0.01


def test_no_hypothesis_beats_the_best_error(noisy):
    least = hypotheses.problems(Asked(quick=True))["noisy labels"].least
    assert 0.2 < least < 0.25
    assert least - 0.015 < np.mean(noisy["average"][-1]) < least + 0.03


def test_the_average_hardly_depends_on_the_order_of_examples_and_the_last_vector_does(monkeypatch):
    monkeypatch.setattr(hypotheses, "HYPOTHESES", ("last", "average"))
    same = hypotheses.noisy(0)
    found = hypotheses.measure(Problem(lambda seed: same), range(4))
    assert np.std(found["average"][-1]) < 0.5 * np.std(found["last"][-1])


def test_seeds_give_other_splits_of_the_digits():
    nine = hypotheses.problems(Asked(quick=True))["digits, a nine or not"]
    first, second = nine.examples(0), nine.examples(1)
    assert set(first.y) == {False, True}
    assert not np.array_equal(first.X, second.X)


def test_the_lecture_stands_beside_the_average_only():
    errors = {name: [[0.04], [0.039], [0.039], [0.038], [0.037]] for name in HYPOTHESES}
    problem = Problem(hypotheses.noisy, published={1: 3.9, 10: 3.7})
    found = hypotheses.comparisons("nines", problem, errors, Asked())
    published = {each.what: each.published for each in found if each.published is not None}
    assert published == {"nines: average, 1 pass": 3.9, "nines: average, 10 passes": 3.7}
    assert "of the 60,000" in found[0].reason
    assert hypotheses.comparisons("nines", problem, errors, Asked(full=True))[0].reason == ""


@pytest.mark.slow
def test_the_experiment_runs_without_mnist(monkeypatch):
    monkeypatch.delenv("KERNELTRON_DATA", raising=False)
    monkeypatch.setattr(hypotheses, "NOISY_ROWS", 200)
    outcome = hypotheses.reproduce(Asked(quick=True))
    json.dumps(outcome.figures)
    assert [table.row_count for table in outcome.tables] == [4, 4, 4]
    assert [len(table.columns) for table in outcome.tables] == [1 + len(PASSES)] * 3
    assert len(outcome.pictures["hypotheses"]().axes) == 3
    assert "Without MNIST" in outcome.notes[-1]


@pytest.mark.soak
@pytest.mark.real_data
def test_the_average_is_best_on_mnist(monkeypatch):
    monkeypatch.setattr(hypotheses, "MNIST_ROWS", 2000)
    monkeypatch.setattr(hypotheses, "PASSES", (4,))
    problem = hypotheses.problems(Asked())["MNIST, a nine or not, linear"]
    found = hypotheses.measure(problem, range(2))
    last, random, average, vote = (np.mean(found[name]) for name in HYPOTHESES)
    assert max(average, vote) < min(last, random)
