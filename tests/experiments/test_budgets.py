"""Budgets beside published figures: the runs that show it, on few rows."""

import numpy as np
import pytest

from kerneltron import Perceptron
from kerneltron.experiments import adult, budgets, ways
from kerneltron.experiments.experiment import Asked, Comparison, Outcome

pytestmark = pytest.mark.slow


def test_a_tenth_of_the_labels_is_on_the_wrong_side():
    split = budgets.flipped_rows(0)
    assert split.X.shape == split.X_test.shape == (10_000, 2)
    line = Perceptron(passes=3, fit_intercept=False, random_state=0).fit(split.X, split.y)
    assert 0.09 < 1 - line.score(split.X_test, split.y_test) < 0.12
    assert not np.array_equal(split.X, budgets.flipped_rows(1).X)


def test_what_is_projected_is_not_lost_and_what_is_dropped_is():
    problem = budgets.flipped()
    some = ("perceptron, average", "Projectron, average", "random, last", "forget, last")
    problem = problem._replace(
        splits=lambda seed: budgets.flipped_rows(seed, 4000),
        ways={name: problem.ways[name] for name in some},
        usual_seeds=2,
    )
    found = ways.run(problem, Asked())
    exact, projected, *dropped = (np.mean([each.error for each in found[name][""]]) for name in some)
    assert abs(projected - exact) < 0.01
    assert exact < 0.125
    assert min(dropped) > projected + 0.03
    remembered = [np.mean([each.remembered for each in found[name][""]]) for name in some]
    assert remembered[0] > 600
    assert remembered[1] < 140
    assert remembered[2:] == [budgets.SIZE, budgets.SIZE]


def test_each_way_has_a_row_and_those_of_the_demo_a_published_figure(monkeypatch):
    problem = budgets.flipped()
    some = [
        name for name in problem.ways if "PA-I" in name or "perceptron" in name.lower() or "forget" in name
    ]
    problem = problem._replace(ways={name: problem.ways[name] for name in (*some, "Projectron, average")})
    monkeypatch.setattr(budgets, "flipped", lambda: problem)
    outcome = budgets.reproduce(Asked(quick=True))
    (table,) = outcome.tables
    assert table.row_count == len(problem.ways)
    assert list(outcome.figures) == list(problem.ways)
    assert all(0.05 < results[""][0].error < 0.6 for results in outcome.figures.values())
    published = {each.what: each.published for each in outcome.comparisons}
    assert published["forget, last"] == 25.34
    assert all(each.ours == 100 * outcome.figures[each.what][""][0].error for each in outcome.comparisons)
    (axes,) = outcome.pictures["all ways"]().axes
    ours, theirs = axes.lines[0], axes.lines[-1]
    assert [text.get_text() for text in axes.get_yticklabels()] == list(problem.ways)
    assert list(ours.get_xdata()) == [100 * results[""][0].error for results in outcome.figures.values()]
    assert list(theirs.get_xdata()) == [each.published for each in outcome.comparisons]


def result(error):
    return ways.Result(error, remembered=100, seconds=0.0)


def test_accuracies_are_the_same_within_two_deviations_and_flagged_far_above():
    problem = adult.adult()

    def verdict(*errors):
        results = [result(error) for error in errors]
        return ways.compared(problem, "project, last", "100", results, "for a reason")

    assert problem.ways["project, last"].published["100"] == 77.86
    near = verdict(0.20, 0.22)  # 79 ± 1.4
    assert (near.verdict, near.reason) == ("as published", "for a reason")
    far = verdict(0.10, 0.10)
    assert (far.verdict, far.reason) == ("suspiciously better", "for a reason")
    assert verdict(0.3, 0.3).verdict == "worse"
    assert near.spread == pytest.approx(2**0.5)
    assert verdict(0.1).spread is None
    averaged = ways.compared(problem, "project", "100", [result(0.1)], "for a reason")
    assert (averaged.verdict, averaged.difference) == ("not comparable", None)


def generated(seed):
    """Return rows as those of a9a: indicators, more of one class than of the other."""
    rng = np.random.default_rng(seed)
    X = (rng.random((1500, 20)) < 0.4).astype(np.float64)
    y = np.where(X @ rng.normal(size=20) > 1.5, 1.0, -1.0)
    return ways.Split(X[:1000], y[:1000], X[1000:], y[1000:])


def test_rows_of_the_incomes_can_be_learned():
    problem = adult.adult()
    some = ("forget", "bpa", "merge", "project", "exact")  # to compile the others takes half a minute
    problem = problem._replace(splits=generated, ways={name: problem.ways[name] for name in some})
    found = ways.run(problem._replace(usual_seeds=1), Asked())
    for name, results in found.items():
        for size, (result,) in results.items():
            assert result.error < 0.5, name
            if size != adult.NO_BUDGET:
                assert result.remembered <= int(size), name
    titles = [str(column.header) for column in ways.table(problem, found).columns]
    assert titles == ["way", "100", "500", "no budget", "examples", "seconds"]


@pytest.mark.real_data
def test_a_budget_of_a_hundred_suffices_for_the_incomes(data_folder):
    """Half of the training rows: projecting 100 examples comes close to a learner without a budget."""
    split = adult.incomes()
    half = split._replace(X=split.X[::2], y=split.y[::2])
    learner = adult.adult().ways["project"].learners["100"].set_params(random_state=0)
    assert ways.measured(learner, half).error < 0.165


def test_a_figure_that_is_far_better_is_said_with_how_much_ours_vary():
    error = Comparison("random, last", 18.0, 29.39, spread=2.0)
    near = Comparison("forget, last", 24.0, 25.34, spread=2.0)
    runs = {each.what: {"": [result(0.16), result(0.20)]} for each in (error, near)}
    (said,) = budgets.unexplained(Outcome([error, near], figures=runs))
    assert said.startswith("random, last: of 2 runs of ours the errors are 16.00 to 20.00 %")
