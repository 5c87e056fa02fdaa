"""Whether the dual form keeps to `working_memory`, beyond the data and the rows that it remembers."""

from benchmarks.measure import run_python
from benchmarks.memory import STEADY
from benchmarks.settings import Settings
from benchmarks.table import Row, Target
from kerneltron.models.representation import RESERVED

USUAL, SMALL = 256, 2 * RESERVED // 2**20  # megabytes; less is refused


def working_memory(settings: Settings) -> list[Row]:
    """Measure how far memory rises in a fit, with the usual working memory and with the smallest."""
    cases = (("two", USUAL), ("ten", USUAL), ("ten", SMALL))
    return [_row(settings.dense_rows, classes, megabytes) for classes, megabytes in cases]


def _row(rows: int, classes: str, megabytes: int) -> Row:
    found = run_python("-m", "benchmarks.dual_peak", str(rows), classes, str(megabytes), **STEADY)
    # As in `memory`: each of the two ways to look misses something.
    risen = max(found["resident"], found["allocated"])
    beyond, allowed = risen - found["support"], megabytes * 2**20
    title = f"memory of a fit, degree 4, {classes} classes, {rows:,} rows of {found['data'] / 1e6:.0f} MB"
    beside = f"working_memory={megabytes}, beyond {found['support'] / 1e6:.1f} MB of remembered rows"
    shown = f"{beyond / 1e6:.1f} MB", f"{allowed / 1e6:.1f} MB"
    return Row(title, beside, *shown, beyond / allowed, "of it", found, Target("at most", 1.0))
