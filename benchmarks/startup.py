"""How long it takes until one can begin: imports, and a first fit with and without compiled code on disk."""

from tempfile import TemporaryDirectory

from benchmarks.measure import Timings, run_python
from benchmarks.settings import Settings
from benchmarks.table import Row, Target

PACKAGE, LEARNER, PEER = (
    "import kerneltron",
    "from kerneltron import Perceptron",
    "import sklearn.linear_model",
)

IMPORT = """
from time import perf_counter
start = perf_counter()
{statement}
print(perf_counter() - start)
"""

FIRST_FIT = """
from time import perf_counter
import numpy as np
import scipy.sparse as sp
from kerneltron import Perceptron
X = sp.random(1000, 5000, density=0.01, format="csr", dtype=np.float32, random_state=0)
y = np.arange(1000) % 2
start = perf_counter()
Perceptron().fit(X, y)
print(perf_counter() - start)
"""


def startup(settings: Settings) -> list[Row]:
    """Set our imports beside scikit-learn's, and time the first fit of a Perceptron."""
    return [*_imports(settings.repeats), *_first_fits(settings.repeats)]


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
    with TemporaryDirectory() as folder:
        cold = run_python("-c", FIRST_FIT, NUMBA_CACHE_DIR=folder)
        warm = [run_python("-c", FIRST_FIT, NUMBA_CACHE_DIR=folder) for _ in range(repeats)]
    raw = {"cold": cold, "warm": warm}
    title, best = "first fit of a Perceptron", min(warm)
    return [
        Row(title, "an empty cache", f"{cold:.3f} s", "", cold, "s", raw, Target("below", 20.0)),
        Row(title, "a warm cache", f"{best:.3f} s", "", best, "s", raw, Target("below", 1.0)),
    ]
