"""Support vector machines beside other learners: the runs that show it, on few examples."""

import numpy as np
import pytest

from benchmarks import cached
from benchmarks import machines as benchmark
from benchmarks.settings import Settings
from kerneltron.datasets.letters import CLASSES, letters
from kerneltron.experiments import machines
from kerneltron.experiments.experiment import Asked
from kerneltron.experiments.ring_patterns import ring_patterns, ring_sizes
from kerneltron.experiments.splice import splits
from kerneltron.kernels import Gaussian, Polynomial, Spectrum

pytestmark = pytest.mark.slow


KERNELS = Gaussian(1.0), Gaussian(30.0)


def small(kernels=KERNELS, folds=2):
    """Return a few digits in folds."""
    problem = machines.digits()
    few = np.arange(240)
    X, y = problem.X[few], problem.y[few]
    return machines.Problem("digits", X, y, splits(y, folds), kernels, (0.01, 3.0))


def test_digits_are_told_apart_by_both_learners():
    outcome = machines.reproduce(Asked(quick=True, parts=("digits",)))
    machine, other = outcome.figures["digits"]
    assert (machine["learner"], other["learner"]) == ("SVM", "PassiveAggressive")
    assert 0 < machine["gap"] <= 0.01
    assert other["gap"] is None
    assert machine["error"] < 0.06
    assert machine["remembered"] <= other["remembered"]
    assert "400 to learn from" in outcome.tables[0].title
    assert outcome.notes[0].startswith("digits: SVM with C = ")
    assert [comparison.ours for comparison in outcome.comparisons] == [
        100 * machine["error"],
        100 * other["error"],
    ]


def test_runs_say_where_their_data_come_from(tmp_path, monkeypatch):
    monkeypatch.setenv("KERNELTRON_DATA", str(tmp_path))
    with pytest.raises(FileNotFoundError, match="NCI1"):
        machines.reproduce(Asked(quick=True, parts=("nci1",)))
    outcome = machines.reproduce(Asked(quick=True, parts=("nci1", "digits")))
    assert list(outcome.figures) == ["digits"]
    assert list(outcome.left_out) == ["nci1"]
    assert "NCI1" in outcome.left_out["nci1"]


def test_machines_stand_beside_published_errors_and_other_learners_do_not():
    results = [machines.Result(name, "", 1.0, 0.1, 0.02, 9, None, 1.0, 1.0) for name in machines.LEARNERS]
    machine, other = machines.comparisons("mnist", results)
    assert (machine.published, machine.ours, other.published) == (1.4, 2.0, None)
    assert [each.published for each in machines.comparisons("letters", results)] == [None, None]


def test_settings_of_several_folds_are_counted():
    results = [machines.Result("SVM", "k", C, 0.1, 0.02, 9, None, 1.0, 1.0) for C in (1.0, 3.0, 3.0)]
    assert machines.chosen_settings("x", results, 3) == [
        "x: SVM with C = 3, k, in 2 of 3 folds.",
        "x: SVM with C = 1, k, in 1 of 3 folds.",
    ]


def test_settings_are_chosen_without_what_is_tested_on():
    problem = small()
    chosen = machines.choose(problem)
    first = problem.folds[0]
    y = problem.y.copy()
    y[first[1]] = 7
    X = problem.X.copy()
    X[first[1]] = 1e3
    hidden = problem._replace(X=X, y=y, folds=[first])
    for name, choices in machines.choose(hidden).items():
        assert choices == chosen[name][:1]
    assert chosen["SVM"][0].kernel == Gaussian(1.0)
    assert chosen["SVM"][0].C == 3.0


def test_every_fold_is_learned_from_whole():
    problem = small(kernels=[Gaussian(1.0)])
    results = machines.run(problem)
    assert [result.learner for result in results] == [*machines.LEARNERS] * 2
    for result in results:
        assert 0 < result.remembered <= 120
        assert result.error < 0.25
        assert result.kernel == "Gaussian(1.0)"


# -- rings ---------------------------------------------------------------------------------------------


def ring(size, first=0):
    return [(first + i, first + (i + 1) % size) for i in range(size)]


def test_rings_are_as_long_as_they_are():
    for size in range(3, 11):
        around = [{(i - 1) % size, (i + 1) % size} for i in range(size)]
        assert ring_sizes(around) == [{size} if size <= 8 else set()] * size
    assert ring_sizes([{1}, {0, 2}, {1}]) == [set()] * 3
    square_and_triangle = [{1, 3}, {0, 2, 4}, {1, 3, 4}, {0, 2}, {1, 2}]  # they share the edge of 1 and 2
    assert ring_sizes(square_and_triangle) == [{4}, {3, 4}, {3, 4}, {4}, {3}]


def test_two_triangles_are_not_a_hexagon():
    two = (np.array(ring(3) + ring(3, 3)), np.full(6, 6))
    one = (np.array(ring(6)), np.full(6, 6))
    gram = Spectrum(1).after(ring_patterns, "graphs")([two, one])
    assert gram.tolist() == [[24, 0], [0, 24]]


def test_words_compare_by_the_smaller_count():
    graphs = [([], [6] * 3 + [8]), ([], [6] * 2 + [8] * 5)]
    gram = Spectrum(1).after(ring_patterns, "graphs")(graphs)
    assert gram[0, 1] == 4 * (2 + 1)  # in each of the rounds 0 to 3


# -- letters, and what the benchmarks compare ----------------------------------------------------------


def test_letters_have_all_classes_and_can_be_told_apart():
    data = letters(rows=1500, test_rows=300)
    assert len(np.unique(data.y)) == CLASSES
    assert np.array_equal(letters(rows=1500, test_rows=300).X_test, data.X_test)
    assert not np.array_equal(letters(rows=1500, test_rows=300, seed=1).X, data.X)
    nearest = np.square(data.X_test[:, None] - data.X[None]).sum(2).argmin(1)
    assert 0.01 < np.mean(data.y[nearest] != data.y_test) < 0.3


def test_the_peer_of_degree_4_has_our_kernel():
    X = np.random.default_rng(0).random((20, 5))
    inner = benchmark._with_one(X) @ benchmark._with_one(X).T
    np.testing.assert_allclose(inner**4, Polynomial(4).normalized()(X), rtol=1e-12)


@pytest.mark.parametrize("matrix", [False, True])
def test_a_case_is_measured(matrix):
    X, y = machines.digits().X[:400], machines.digits().y[:400]
    kernel, peer = (
        Gaussian(1.0),
        benchmark.gaussian("", benchmark.Parts(X, y, X, y), 1.0, 3.0, benchmark.AS_FAST).peer,
    )
    data = benchmark.Parts(X[:300], y[:300], X[300:], y[300:])
    if matrix:
        data = data._replace(X=kernel(data.X), X_test=kernel(data.X_test, data.X))
        kernel, peer = "precomputed", benchmark.precomputed(3.0)
    case = benchmark.Case("digits", data, kernel, peer, benchmark.AS_FAST)
    learning, predicting, errors = benchmark.beside(case, Settings(1, True))
    assert learning.raw["gap"] <= 0.01
    assert learning.figure > 0
    assert predicting.figure > 0
    assert abs(errors.figure) <= 5


def test_fewer_rows_on_demand():
    assert Settings(1, False).at_most(1000) == 1000
    assert Settings(1, True).at_most(1000) == 100
    assert Settings(1, False, 50).at_most(1000) == 50
    assert Settings(1, False, 5000).at_most(1000) == 1000


def test_some_labels_are_drawn_anew():
    y = np.zeros(5000, int)
    assert np.mean(cached.with_wrong(y, 10) != y) == pytest.approx(0.18, abs=0.02)
    rows = cached.ten_passes("", *letters(rows=300, test_rows=1)[:2], 2.0, Settings(1, True))
    assert [row.measured.split(",")[0] for row in rows] == [*cached.LEARNERS]
    assert all(row.figure > 0 for row in rows)


@pytest.mark.real_data
@pytest.mark.parametrize("name", ["trec", "nci1", "splice"])
def test_real_structures_quickly(name, monkeypatch):
    monkeypatch.setattr(machines, "QUICK", 150)
    problem = machines.few(machines.PROBLEMS[name]())
    results = machines.run(problem)
    assert len(results) == 2 * len(problem.folds)
    assert all(result.error < 0.6 for result in results)
