"""The experiments about clusters that need no real data."""

import pytest

from kerneltron.experiments import counter_example, two_workers

pytestmark = pytest.mark.slow


def test_averaging_once_fails_whatever_the_shares_and_rounds_do_not(tmp_path, capsys):
    results = counter_example.run()
    assert ((results.once <= 0).sum(axis=1) >= 1).all()
    assert (results.mixed[1:] > 0).all()
    picture = tmp_path / "picture.png"
    counter_example.main(["--picture", str(picture)])
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert "averaged once: 1 to 2 of 4 examples wrong" in capsys.readouterr().out


def test_the_end_of_the_demo_learns_on_two_processes(capfd):
    assert two_workers.main(["--users", "60"]) == 0
    out = capfd.readouterr().out
    assert out.startswith("kerneltron train mail.vw --workers 2 --rounds 3")
    assert "3 on 2 shards" in out
    assert "accuracy" in out
