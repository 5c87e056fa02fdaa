"""How long it takes until one can begin: imports, first fits, first commands."""

import os
import resource
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measure import Timings, run_python
from benchmarks.settings import Settings
from benchmarks.table import Row, Target

PACKAGE, LEARNER, PEER = (
    "import kerneltron",
    "from kerneltron import Perceptron",
    "import sklearn.linear_model",
)
LEARNERS = (
    "LogisticRegression",
    "Perceptron",
    "PassiveAggressive",
    "Pegasos",
    "SVM",
    "Romma",
    "Mira",
    "Arow",
    "Winnow",
    "Alma",
)

IMPORT = """
from time import perf_counter
start = perf_counter()
{statement}
print(perf_counter() - start)
"""

# Seconds of all cores beyond imports, and whether numba was needed; {found}: what comes with the package is.
FIRST_FIT = """
import json, sys
from time import process_time
import numpy as np
import scipy.sparse as sp
import kerneltron
from kerneltron.engine.machine import shipped
from sklearn.utils import validation
if not {found}:
    shipped.FOLDER = shipped.FOLDER / "nowhere"
generator = np.random.default_rng(0)
X = np.abs(generator.normal(size=(500, 20)))
y = X[:, :3].argmax(axis=1)
data = sp.csr_matrix(X) if {sparse} else X
learner = kerneltron.{learner}()
start = process_time()
learner.fit(data, y)
print(json.dumps([process_time() - start, "numba" in sys.modules]))
"""


def waiting(settings: Settings) -> list[Row]:
    """Set our imports beside scikit-learn's; time first fits, and commands on a small file."""
    return [
        *_imports(settings.repeats),
        *_first_fits(settings.repeats),
        _compiled_fit(),
        *_commands(settings.repeats),
    ]


def _imports(repeats: int) -> list[Row]:
    seconds: dict[str, list[float]] = {PACKAGE: [], LEARNER: [], PEER: []}
    for _ in range(repeats):
        for statement, turns in seconds.items():
            turns.append(run_python("-c", IMPORT.format(statement=statement)))
    timings = Timings(seconds)

    def row(statement: str, target: Target | None) -> Row:
        ours, theirs = timings.best(statement), timings.best(PEER)
        raw = {"seconds": timings.of(statement, PEER)}
        return Row(statement, PEER, f"{ours:.3f} s", f"{theirs:.3f} s", ours, "s", raw, target)

    return [row(PACKAGE, Target("below", 0.5)), row(LEARNER, None)]


def _first_fits(repeats: int) -> list[Row]:
    """Fit each learner for the first time, with code that comes with the package and nothing kept."""
    rows = []
    for learner in LEARNERS:
        for sparse in (False, True):
            program = FIRST_FIT.format(learner=learner, sparse=sparse, found=True)
            turns = [_in_an_empty_folder(program) for _ in range(max(2, repeats // 2))]
            best, needed = min(turns)
            beside = "numba was needed" if needed else "no compiling"
            name = f"first fit, {learner}, {'sparse' if sparse else 'dense'}"
            rows.append(
                Row(name, beside, f"{best:.3f} s", "", best, "s", {"turns": turns}, Target("at most", 0.3))
            )
    return rows


def _compiled_fit() -> Row:
    """Fit a learner for which everything has to be compiled."""
    program = FIRST_FIT.format(learner="LogisticRegression", sparse=False, found=False)
    seconds, _ = _in_an_empty_folder(program)
    return Row(
        "first fit, LogisticRegression, dense", "all compiled now", f"{seconds:.1f} s", "", seconds, "s", {}
    )


def _in_an_empty_folder(program: str) -> tuple[float, bool]:
    with TemporaryDirectory() as folder:
        seconds, needed = run_python("-c", program, KERNELTRON_CACHE_DIR=folder)
        return float(seconds), bool(needed)


def _commands(repeats: int) -> list[Row]:
    """Train on a small file: the first time with nothing kept, and later."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "mail.csv")
        path.write_text("kind,who,body\n" + "spam,ann,buy now\nham,bob,hello\n" * 50)
        words = ["train", str(path), "--label", "kind", "-o", str(path.with_suffix(".model"))]
        turns = [_of_all_cores(words, Path(folder, "kept")) for _ in range(repeats + 1)]
    first, later = turns[0], min(turns[1:])
    return [
        Row(
            "kerneltron train, 100 lines",
            "the first time",
            f"{first:.2f} s",
            "",
            first,
            "s",
            {},
            Target("at most", 0.8),
        ),
        Row(
            "kerneltron train, 100 lines",
            "later",
            f"{later:.2f} s",
            "",
            later,
            "s",
            {},
            Target("at most", 0.45),
        ),
    ]


def _of_all_cores(words: list[str], kept: Path) -> float:
    """Return the seconds that a command takes, of all cores."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    variables = {**os.environ, "KERNELTRON_CACHE_DIR": str(kept)}
    subprocess.run(
        [sys.executable, "-m", "kerneltron", *words], env=variables, capture_output=True, check=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
