"""What maps cost and lose: the runs that show it, on few rows."""

import pytest

from kerneltron import PassiveAggressive
from kerneltron.datasets.digits import load_digits
from kerneltron.experiments import bounded
from kerneltron.experiments.experiment import Asked
from kerneltron.plots.trade_offs import Point, draw_trade_offs

pytestmark = pytest.mark.slow


def small():
    def make(representation):
        return PassiveAggressive(kernel="Gaussian(2)", representation=representation, random_state=0)

    def splits():
        data = load_digits()
        yield bounded.Split(data.X, data.y, data.X_test, data.y_test)

    ways = {
        bounded.EXACT: {"": make("dual")},
        "Nystrom": bounded.sized(make, "Nystrom({})", (20, 200)),
    }
    return bounded.Problem("digits", splits, ways)


def test_maps_are_measured_beside_the_exact_model(monkeypatch):
    monkeypatch.setitem(bounded.PROBLEMS, "mnist", small)
    monkeypatch.setitem(bounded.PUBLISHED, ("mnist", "Nystrom", "200"), 12.5)
    outcome = bounded.reproduce(Asked(parts=("mnist",)))
    found = outcome.figures["mnist"]
    few, many = found["Nystrom"]
    assert few["error"] > many["error"] < found[bounded.EXACT][0]["error"] + 0.03
    assert few["bytes"] < many["bytes"]
    assert [comparison.published for comparison in outcome.comparisons] == [None, None, 12.5]
    assert outcome.comparisons[-1].ours == 100 * many["error"]
    (table,) = outcome.tables
    assert table.row_count == 3
    assert len(outcome.pictures["bounded mnist"]().axes) == 3


def test_a_quick_run_has_the_smallest_of_each_way():
    problem = bounded.fewer(small())
    assert {way: list(some) for way, some in problem.learners.items()} == {
        bounded.EXACT: [""],
        "Nystrom": ["20"],
    }
    found = bounded.run(problem, rows=50)
    assert [len(points) for points in found.values()] == [1, 1]


def test_data_that_are_missing_are_said(tmp_path, monkeypatch):
    monkeypatch.setenv("KERNELTRON_DATA", str(tmp_path))
    monkeypatch.setitem(bounded.PROBLEMS, "mnist", lambda: bounded.fewer(small()))
    outcome = bounded.reproduce(Asked(quick=True))
    assert list(outcome.figures) == ["mnist"]
    assert list(outcome.left_out) == ["a9a", "nci1", "trec"]
    with pytest.raises(FileNotFoundError, match="a9a"):
        bounded.reproduce(Asked(quick=True, parts=("a9a",)))


def test_problems_are_made_without_their_data():
    for name, make in bounded.PROBLEMS.items():
        assert bounded.EXACT in make().learners, name


def test_points_of_one_and_of_many_are_drawn():
    points = [Point(str(m), 0.1 / m, m, 100 * m, 2.0 * m) for m in (1, 2)]
    figure = draw_trade_offs({"one": points[:1], "two": points}, "both")
    assert len(figure.axes) == 3


@pytest.mark.soak
@pytest.mark.real_data
def test_maps_do_on_real_data_what_the_page_says(data_folder):
    """A few thousand rows of MNIST: k-means beats uniform landmarks, and these beat random features."""
    problem = bounded.mnist()
    split = next(problem.splits())
    rows = slice(0, 6000)
    part = split._replace(
        X=split.X[rows], y=split.y[rows], X_test=split.X_test[:2000], y_test=split.y_test[:2000]
    )

    def error(way):
        learner = problem.learners[way]["500"].set_params(passes=2)
        return bounded.measured(learner, part).error

    errors = [error(way) for way in ("Nystrom, k-means", "Nystrom, uniform", "RandomFourier")]
    assert errors == sorted(errors)
    assert errors[0] < 0.1
