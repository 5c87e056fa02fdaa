"""Models that `kerneltron train` saved once load for ever, and predict and explain what they always did."""

import json
from pathlib import Path

import pytest

from kerneltron.cli.running import run

GOLDEN = Path(__file__).parents[1] / "golden"
CASES = json.loads((GOLDEN / "streams.json").read_text())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["file"])
def test_a_golden_model_of_a_stream_predicts_and_explains_what_it_always_did(case, tmp_path, capsys):
    source = tmp_path / f"examples{case['ending']}"
    source.write_text(case["input"])
    model = str(GOLDEN / case["file"])
    assert run(["predict", model, str(source), "--scores"]) == 0
    found, expected = capsys.readouterr().out.splitlines(), case["output"]
    assert [line.split("\t")[0] for line in found] == [line.split("\t")[0] for line in expected]
    for mine, theirs in zip(found, expected, strict=True):
        for cell, wanted in zip(mine.split("\t"), theirs.split("\t"), strict=True):
            try:
                number = float(wanted)
            except ValueError:
                assert cell == wanted
            else:
                assert float(cell) == pytest.approx(number, rel=1e-4, abs=1e-5)
    assert run(["explain", model, "--top", "3"]) == 0
    assert capsys.readouterr().out.splitlines() == case["strongest"]
