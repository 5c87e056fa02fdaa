"""The command `python -m benchmarks`: measure, print one table, and save all figures on demand."""

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable
from pathlib import Path

from rich.console import Console

from benchmarks.bandwidth import bandwidth
from benchmarks.budgets import budgets
from benchmarks.cached import cached
from benchmarks.defaults.case import defaults
from benchmarks.dual import dual
from benchmarks.graph_kernels import graph_kernels
from benchmarks.growth import growth
from benchmarks.hasher import hasher
from benchmarks.kernel_peers import obvious_loop, svc, vowpal_wabbit
from benchmarks.linear_machines import linear_machines
from benchmarks.machine import this_machine
from benchmarks.machines import machines
from benchmarks.mapped import mapped
from benchmarks.memory import memory
from benchmarks.mixing import mixing
from benchmarks.one_by_one import river
from benchmarks.prediction import prediction
from benchmarks.primal import adaptive, dense, dense_widths, logistic_regression, perceptron
from benchmarks.random_maps import random_fourier, tensor_sketch
from benchmarks.row_by_row import row_by_row
from benchmarks.settings import Settings
from benchmarks.sparse_dual import sparse_dual
from benchmarks.streams import streams
from benchmarks.string_kernels import string_kernels
from benchmarks.table import Row, save, show
from benchmarks.tree_kernels import tree_kernels
from benchmarks.waiting import waiting
from benchmarks.working_memory import working_memory

# A new case is a function from settings to rows, and its name here.
CASES: tuple[Callable[[Settings], list[Row]], ...] = (
    perceptron,
    logistic_regression,
    adaptive,
    dense,
    dense_widths,
    bandwidth,
    memory,
    waiting,
    river,
    dual,
    svc,
    vowpal_wabbit,
    obvious_loop,
    machines,
    cached,
    prediction,
    mapped,
    linear_machines,
    sparse_dual,
    working_memory,
    growth,
    budgets,
    row_by_row,
    streams,
    mixing,
    hasher,
    string_kernels,
    tree_kernels,
    graph_kernels,
    random_fourier,
    tensor_sketch,
    defaults,
)


def main() -> None:
    """Run the cases. A missed target is shown, not an error: this measures, it does not judge."""
    cases = {case.__name__: case for case in CASES}
    parser = ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--json", type=Path, metavar="PATH", help="save all raw figures here")
    parser.add_argument("--only", choices=cases, action="append", help="this case alone; may be repeated")
    parser.add_argument(
        "--repeats",
        type=_positive,
        default=5,
        metavar="K",
        help="turns of each contestant; quick ones take twice as many",
    )
    parser.add_argument("--quick", action="store_true", help="a tenth of the rows, to see whether it runs")
    parser.add_argument(
        "--rows",
        type=_positive,
        metavar="N",
        help="learn from this many rows at most, in the cases machines and cached",
    )
    given = parser.parse_args()
    settings = Settings(given.repeats, given.quick, given.rows)
    progress = Console(stderr=True)
    sections = []
    for name in given.only or cases:
        progress.print(f"measuring {name}", style="dim")
        sections.append((name, cases[name](settings)))
    machine = this_machine()
    show(sections, machine)
    if given.json is not None:
        save(sections, machine, given.json)


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return int(text)


if __name__ == "__main__":
    main()
