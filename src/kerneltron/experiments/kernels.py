"""What kernels buy: XOR, a circle, parity and DNF, none of which a linear learner can solve.

Run as `python -m kerneltron.experiments.kernels [--picture PATH]`.
"""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from rich.console import Console
from rich.table import Table

from kerneltron import Perceptron
from kerneltron.datasets.generators import Generated
from kerneltron.datasets.shapes import circle, dnf, parity, xor
from kerneltron.kernels import Conjunctions, Gaussian, Kernel, Linear, MonotoneConjunctions, Polynomial

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TEST = 2000  # rows to test on
PLANE: tuple[Kernel, ...] = (Linear(), Polynomial(2), Polynomial(4), Gaussian(1.0))
TRUTH: tuple[Kernel, ...] = (
    Linear(),
    Polynomial(3),
    Gaussian(1.0),
    Conjunctions(),
    Conjunctions(size=3),
    MonotoneConjunctions(),
    MonotoneConjunctions(size=3),
)


class Problem(NamedTuple):
    """Rows to train on, followed by `TEST` rows to test on, and the kernels to try."""

    data: Generated[Any]
    kernels: tuple[Kernel, ...]


class Row(NamedTuple):
    """What one kernel made of a problem."""

    kernel: Kernel
    error: float
    remembered: int
    mistakes: int  # in all passes


def problems() -> dict[str, Problem]:
    """Return the problems by name."""
    formula: dict[str, Any] = {"terms": 4, "size": 3, "seed": 0}
    return {
        "XOR, 500 points": Problem(xor(500 + TEST), PLANE),
        "a circle, 500 points": Problem(circle(500 + TEST), PLANE),
        "parity of 3 among 10 bits, 1,000 rows": Problem(
            parity(1000 + TEST, bits=3, columns=10, seed=0), TRUTH
        ),
        "DNF: 4 terms of 3 literals, 12 columns, 1,000 rows": Problem(
            dnf(1000 + TEST, columns=12, **formula), TRUTH
        ),
        "monotone DNF: 4 terms of 3 columns out of 20, 1,000 rows": Problem(
            dnf(1000 + TEST, columns=20, monotone=True, **formula), TRUTH
        ),
    }


def learner(kernel: Kernel) -> Perceptron:
    """Return the learner of all rows; in dual form always, so that the remembered examples can be counted."""
    return Perceptron(kernel=kernel, representation="dual", passes=20, random_state=0)


def rows(problem: Problem) -> list[Row]:
    """Train with each kernel and return what became of it."""
    X, y = problem.data.X, problem.data.y
    found = []
    for kernel in problem.kernels:
        fitted = learner(kernel).fit(X[:-TEST], y[:-TEST])
        error = 1.0 - float(fitted.score(X[-TEST:], y[-TEST:]))
        found.append(Row(kernel, error, fitted.support_.size, int(fitted.mistakes_.sum())))
    return found


def chance(problem: Problem) -> float:
    """Return the test error of the label that is more frequent in training."""
    y = problem.data.y
    usual = 1 if np.mean(y[:-TEST]) > 0 else -1
    return float(np.mean(y[-TEST:] != usual))


def table(name: str, problem: Problem, results: list[Row]) -> Table:
    """Lay the rows of one problem out, the best error in bold."""
    best = min(row.error for row in results)
    out = Table(title=f"{name}; chance errs on {100 * chance(problem):.1f} %", title_justify="left")
    out.add_column("kernel", no_wrap=True, min_width=28)
    for column in ("test error in %", "remembered", "mistakes"):
        out.add_column(column, justify="right")
    for row in results:
        error = f"{100 * row.error:.1f}"
        out.add_row(
            repr(row.kernel),
            f"[bold]{error}[/]" if row.error == best else error,
            f"{row.remembered:,}",
            f"{row.mistakes:,}",
        )
    return out


def picture() -> "Figure":
    """Draw what four learners say about the plane."""
    from matplotlib.figure import Figure

    from kerneltron.plots.boundary import boundary

    figure = Figure(figsize=(11.2, 3.2), layout="constrained", dpi=100)
    around, crossed = circle(120, margin=0.15), xor(120, margin=0.12)
    panels: list[tuple[str, Generated[Any], Kernel]] = [
        ("Linear() on a circle", around, Linear()),
        ("Polynomial(2)", around, Polynomial(2)),
        ("Gaussian(1.0)", around, Gaussian(1.0)),
        ("Gaussian(0.5) on XOR", crossed, Gaussian(0.5)),
    ]
    for axes, (title, data, kernel) in zip(figure.subplots(1, len(panels)), panels, strict=True):
        fitted = learner(kernel).fit(data.X, data.y)
        boundary(fitted, data.X, data.y, axes=axes, title=title, legend=False)
    signs = figure.axes[0].get_legend_handles_labels()
    figure.legend(*signs, loc="outside lower center", ncols=3, fontsize="small", frameon=False)
    return figure


def main() -> None:
    """Print the tables and, if asked, save the picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--picture", type=Path, help="save a picture of decision boundaries here")
    arguments = parser.parse_args()
    console = Console()
    for name, problem in problems().items():
        console.print(table(name, problem, rows(problem)))
    if arguments.picture:
        arguments.picture.parent.mkdir(parents=True, exist_ok=True)
        picture().savefig(arguments.picture)
        console.print(f"Picture saved as {arguments.picture}")


if __name__ == "__main__":
    main()
