"""What maps cost and lose: the runs that show it, on few rows."""

import json
import sys

import numpy as np
import pytest

from kerneltron import PassiveAggressive
from kerneltron.datasets.digits import load_digits
from kerneltron.experiments import bounded, long_stream
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


def test_the_table_and_the_picture_are_made(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(bounded.PROBLEMS, "mnist", small)
    picture, figures = tmp_path / "made" / "bounded.png", tmp_path / "figures.json"
    monkeypatch.setattr(
        sys, "argv", ["bounded", "--rows", "900", "--picture", str(picture), "--json", str(figures)]
    )
    bounded.main()
    assert "x exact" in capsys.readouterr().out
    assert picture.stat().st_size > 10_000
    found = json.loads(figures.read_text())
    few, many = found["Nystrom"]
    assert few["error"] > many["error"] < found[bounded.EXACT][0]["error"] + 0.03
    assert few["bytes"] < many["bytes"]


def test_problems_are_made_without_their_data():
    for name, make in bounded.PROBLEMS.items():
        assert bounded.EXACT in make().learners, name


def test_points_of_one_and_of_many_are_drawn():
    points = [Point(str(m), 0.1 / m, m, 100 * m, 2.0 * m) for m in (1, 2)]
    figure = draw_trade_offs({"one": points[:1], "two": points}, "both")
    assert len(figure.axes) == 3


def test_time_on_a_stream_is_linear_and_memory_flat(capsys, monkeypatch):
    monkeypatch.setattr(long_stream, "PIECE", 1000)
    monkeypatch.setattr(sys, "argv", ["long_stream", "--rows", "12000", "--map", "RandomFourier(100)"])
    long_stream.main()
    assert "Time grows as n^" in capsys.readouterr().out
    stages = [long_stream.Stage(n, 1e-6 * n**1.5, 100.0, 0.1) for n in (1e3, 2e3, 4e3, 8e3)]
    assert np.isclose(long_stream.exponent(stages), 1.5)


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
