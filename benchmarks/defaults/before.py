"""The figures of the defaults as they once were, which stand beside those of today."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

PATH = Path(__file__).with_name("before.json")
KEPT = ("error", "standard_error", "log_loss")
DIGITS = 5

Figures = dict[str, Any]


def load_before(path: Path = PATH) -> dict[str, Figures]:
    """Return the figures by set."""
    return {each["set"]: each for each in json.loads(path.read_text())} if path.is_file() else {}


def keep(figures: Sequence[Figures], path: Path = PATH) -> None:
    """Save what is compared later: our defaults and the verdicts, one line for each set."""
    lines = [json.dumps(compact(each), sort_keys=True) for each in figures]
    path.write_text("[\n" + ",\n".join(lines) + "\n]\n")


def compact(figures: Figures) -> Figures:
    """Return the part of a set's figures that is kept."""
    ours = {
        name: {key: round(each[key], DIGITS) for key in KEPT if each[key] is not None}
        for name, each in figures["ours"].items()
        if "error" in each
    }
    return {"set": figures["set"], "ours": ours, "verdicts": figures["verdicts"]}
