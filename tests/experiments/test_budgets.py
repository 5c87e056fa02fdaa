"""Budgets beside published figures: the runs that show it, on few rows."""

import json
import sys

import numpy as np
import pytest

from kerneltron import Perceptron
from kerneltron.experiments import budgets

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
        splits=lambda seed: budgets.flipped_rows(seed, 4000), ways={name: problem.ways[name] for name in some}
    )
    found = budgets.run(problem, seeds=2)
    exact, projected, *dropped = (np.mean([each.error for each in found[name][""]]) for name in some)
    assert abs(projected - exact) < 0.01
    assert exact < 0.125
    assert min(dropped) > projected + 0.03
    remembered = [np.mean([each.remembered for each in found[name][""]]) for name in some]
    assert remembered[0] > 600
    assert remembered[1] < 140
    assert remembered[2:] == [budgets.SIZE, budgets.SIZE]


def test_the_table_has_a_row_for_each_way(tmp_path, monkeypatch, capsys):
    figures = tmp_path / "figures.json"
    problem = budgets.flipped()
    some = [
        name for name in problem.ways if "PA-I" in name or "perceptron" in name.lower() or "forget" in name
    ]
    problem = problem._replace(ways={name: problem.ways[name] for name in (*some, "Projectron, average")})
    monkeypatch.setitem(budgets.PROBLEMS, "flipped", lambda: problem)
    monkeypatch.setattr(sys, "argv", ["budgets", "--quick", "--json", str(figures)])
    budgets.main()
    out = capsys.readouterr().out
    assert "published" in out
    assert "25.34" in out
    found = json.loads(figures.read_text())
    assert list(found) == list(problem.ways)
    assert all(0.05 < results[""][0]["error"] < 0.6 for results in found.values())


def generated(seed):
    """Return rows as those of a9a: indicators, more of one class than of the other."""
    rng = np.random.default_rng(seed)
    X = (rng.random((1500, 20)) < 0.4).astype(np.float64)
    y = np.where(X @ rng.normal(size=20) > 1.5, 1.0, -1.0)
    return budgets.Split(X[:1000], y[:1000], X[1000:], y[1000:])


def test_rows_of_the_incomes_can_be_learned():
    problem = budgets.adult()
    some = ("forget", "bpa", "merge", "project", "exact")  # to compile the others takes half a minute
    problem = problem._replace(splits=generated, ways={name: problem.ways[name] for name in some})
    found = budgets.run(problem, seeds=1)
    for name, results in found.items():
        for size, (result,) in results.items():
            assert result.error < 0.5, name
            if size != budgets.NO_BUDGET:
                assert result.remembered <= int(size), name
    titles = [str(column.header) for column in budgets.table(problem, found).columns]
    assert titles == ["way", "100", "500", "no budget", "published", "examples", "seconds"]


def test_missing_data_are_named(monkeypatch, capsys):
    monkeypatch.delenv("KERNELTRON_DATA", raising=False)
    monkeypatch.setattr(sys, "argv", ["budgets", "--data", "adult"])
    with pytest.raises(SystemExit):
        budgets.main()
    assert "a9a" in capsys.readouterr().err


@pytest.mark.real_data
def test_a_budget_of_a_hundred_suffices_for_the_incomes(data_folder):
    """Half of the training rows: projecting 100 examples comes close to a learner without a budget."""
    split = budgets.incomes(0)
    half = split._replace(X=split.X[::2], y=split.y[::2])
    learner = budgets.adult().ways["project"].learners["100"].set_params(random_state=0)
    assert budgets.measured(learner, half).error < 0.165
