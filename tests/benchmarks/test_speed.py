"""The record of `make speed`: ratios are compared with it, and a worse one is named."""

import json

import pytest

from benchmarks.speed.__main__ import run, show
from benchmarks.speed.race import Contestants, Measured, Race, Times, measure
from benchmarks.speed.races import RACES
from benchmarks.speed.record import PATH, Headline, load, save


def headline(ratio, recorded):
    return Headline("dual", "products", "cpu", ratio, recorded)


def test_the_committed_record_has_a_ratio_for_every_headline():
    named = {f"{race.name} ({clock})" for race in RACES for clock in race.clocks}
    assert load(PATH).keys() == named
    assert json.loads(PATH.read_text()).keys() == {"unit", "ratios"}  # ratios, and no times


@pytest.mark.parametrize(
    ("ratio", "recorded", "is_worse", "says"),
    [
        (1.14, 1.0, False, "+14 %"),
        (1.16, 1.0, True, "WORSE"),
        (0.5, 1.0, False, "-50 %"),
        (9.0, None, False, "not"),
    ],
)
def test_more_than_15_percent_is_worse(ratio, recorded, is_worse, says, capsys):
    found = headline(ratio, recorded)
    assert found.is_worse is is_worse
    assert says in found.change
    show([found], 1.0)
    assert ("slower than on record: dual (cpu)" in capsys.readouterr().out) is is_worse


def test_a_record_keeps_what_was_not_measured(tmp_path):
    path = tmp_path / "speed.json"
    save([headline(2.0, None)], path)
    save([Headline("primal", "peer", "wall", 0.123456, None)], path)
    assert load(path) == {"dual (cpu)": 2.0, "primal (wall)": 0.123}


@pytest.mark.slow
def test_sides_take_turns_and_the_best_of_each_counts():
    turns = []
    measure(Contestants(lambda: turns.append("ours"), lambda: turns.append("theirs"), 3))
    assert turns == ["ours", "theirs", "theirs", "ours", "ours", "theirs"]
    first, second = (Measured(Times(*ours), Times(1.0, 2.0)) for ours in ((3.0, 4.0), (5.0, 1.0)))
    assert first.best(second).ratio("cpu") == 3.0
    assert first.best(second).ratio("wall") == 0.5


def test_a_peer_that_is_not_installed_is_left_out_aloud(capsys):
    def prepare():
        raise ModuleNotFoundError(name="grakel")

    assert run([Race("graphs", "GraKeL", prepare)], {}) == []
    assert "grakel is not installed" in capsys.readouterr().err
