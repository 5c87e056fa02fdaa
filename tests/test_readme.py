"""The programs of the README run, one after the other."""

import re
from pathlib import Path


def test_the_programs_of_the_readme_run(capsys):
    text = Path(__file__).parents[1].joinpath("README.md").read_text()
    programs = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(programs) >= 3
    names: dict[str, object] = {}
    for program in programs:
        exec(program, names)
    out = capsys.readouterr().out
    assert "No counter-example" in out
    assert "alignment" in out
