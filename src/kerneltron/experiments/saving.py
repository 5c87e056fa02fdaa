"""Results of experiments as files: numbers, tables and notes as JSON, pictures as PNG.

Nothing in them depends on when or where they were made, but the seconds.
"""

import json
import os
import re
from collections.abc import Mapping
from importlib.util import find_spec
from io import BytesIO
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kerneltron._version import __version__
from kerneltron.datasets.folder import VARIABLE
from kerneltron.experiments.experiment import NEW, Asked, Comparison
from kerneltron.experiments.running import Reproduced
from kerneltron.experiments.saved import FORMAT, read_if_sound
from kerneltron.files.atomic import replacing

if TYPE_CHECKING:
    from rich.table import Table

NO_PICTURES = "Pictures were left out: they need matplotlib, as `pip install 'kerneltron[plots]'` brings."


def saved_to(folder: Path, done: Reproduced) -> dict[str, Any]:
    """Write NAME.json and the pictures; return what the former holds.

    The pictures come first, so that results never name one that is not there. Those of earlier results that
    are not drawn any more go last.
    """
    path = folder / f"{done.entry.name}.json"
    before = read_if_sound(path) or {"pictures": {}}
    drawn = find_spec("matplotlib") is not None
    files = {title: f"{name}.png" for title, name in _stems(done).items()} if drawn else {}
    for title, name in files.items():
        image = BytesIO()
        done.outcome.pictures[title]().savefig(image, format="png")
        with replacing(folder / name) as file:
            file.write(image.getvalue())
    content = contents(done) | {"pictures": files}
    if done.outcome.pictures and not drawn:
        content["notes"].append(NO_PICTURES)
    with replacing(path) as file:
        file.write(json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False).encode() + b"\n")
    for name in {*before["pictures"].values()} - {*files.values()}:
        (folder / name).unlink(missing_ok=True)
    return content


def check_replaceable(folder: Path, name: str, asked: Asked) -> None:
    """Raise if a quick run, or one of some parts, would take the place of results that say more."""
    before = read_if_sound(folder / f"{name}.json")
    if before is None or before["quick"]:
        return
    if asked.quick or (asked.parts and before["command"] != command(name, asked)):
        what = "quick" if asked.quick else "partial"
        raise ValueError(
            f"{folder / name}.json has the results of `{before['command']}`, which a {what} run would "
            "replace: give another folder by -o."
        )


def _stems(done: Reproduced) -> dict[str, str]:
    """Return the names of the files: that of the experiment, with that of the picture if there are more."""
    titles = list(done.outcome.pictures)
    if len(titles) == 1:
        return {titles[0]: done.entry.name}
    return {title: f"{done.entry.name}-{_as_name(title)}" for title in titles}


def _as_name(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


def contents(done: Reproduced) -> dict[str, Any]:
    """Return what came out as JSON has it; numbers that are not finite are null."""
    outcome = done.outcome
    return {
        "kerneltron": __version__,
        "format": FORMAT,
        "name": done.entry.name,
        "brief": done.entry.brief,
        "command": command(done.entry.name, done.asked),
        "quick": done.asked.quick,
        "seconds": round(done.seconds, 1),
        "comparisons": [plain(_compared(each, done.asked.quick)) for each in outcome.comparisons],
        "tables": [laid_out(table) for table in outcome.tables],
        "notes": [_anywhere(note) for note in outcome.notes],
        "pictures": {},
        "captions": dict(outcome.captions),
        "figures": plain(outcome.figures),
    }


def _anywhere(note: str) -> str:
    """Return a note that says nothing of where data are on this machine.

    Only paths below the folder count: one that is called "/" or "data" is no reason to spoil other words.
    """
    folder = os.environ.get(VARIABLE, "").rstrip("/")
    return re.sub(rf"(?<![\w/.-]){re.escape(folder)}(?=/)", VARIABLE, note) if folder else note


def command(name: str, asked: Asked) -> str:
    """Return what makes these results again.

    Examples
    --------
    >>> command("mnist", Asked(full=True, parts=("ten",)))
    'kerneltron reproduce mnist --full --only ten'
    """
    modes = [flag for flag, given in (("--quick", asked.quick), ("--full", asked.full)) if given]
    parts = [f"--only {part}" for part in asked.parts]
    seed = [f"--seed {asked.seed}"] if asked.seed else []
    return " ".join(["kerneltron reproduce", name, *modes, *parts, *seed])


def _compared(each: Comparison, quick: bool) -> dict[str, Any]:
    """Return a comparison with what follows from it; a quick run is not judged."""
    return {
        "what": each.what,
        "published": each.published,
        "ours": each.ours,
        "spread": each.spread,
        "difference": each.difference,
        "unit": each.unit,
        "verdict": NEW if quick else each.verdict,
        "reason": each.reason,
        "source": each.source,
        "kind": each.kind,
    }


def laid_out(table: "Table") -> dict[str, Any]:
    """Return a table as plain text, without its markup.

    Examples
    --------
    >>> from rich.table import Table
    >>> table = Table("learner", "error", title="Digits")
    >>> table.add_row("Perceptron", "[bold]3.1[/]")
    >>> laid_out(table)
    {'title': 'Digits', 'head': ['learner', 'error'], 'rows': [['Perceptron', '3.1']]}
    """
    columns = [[_text(cell) for cell in column.cells] for column in table.columns]
    return {
        "title": _text(table.title or ""),
        "head": [_text(column.header) for column in table.columns],
        "rows": [list(row) for row in zip(*columns, strict=True)],
    }


def _text(cell: Any) -> str:
    from rich.text import Text

    return (Text.from_markup(cell) if isinstance(cell, str) else cell).plain


def plain(value: Any) -> Any:
    """Return a value as JSON can hold it: NamedTuples as objects, arrays as lists, no number but finite ones.

    Examples
    --------
    >>> import numpy as np
    >>> plain({1: (np.float32(0.5), float("nan")), "mistakes": np.arange(3)})
    {'1': [0.5, None], 'mistakes': [0, 1, 2]}
    """
    if hasattr(value, "_asdict"):
        value = value._asdict()
    elif hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {str(name): plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    return None if isinstance(value, float) and not isfinite(value) else value
