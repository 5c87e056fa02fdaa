"""What kernels buy: XOR, a circle, parity and DNF, none of which a linear learner can solve."""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from rich.table import Table

from kerneltron import Perceptron
from kerneltron.datasets.generators import Generated
from kerneltron.datasets.shapes import circle, dnf, parity, xor
from kerneltron.experiments.experiment import Asked, Comparison, Outcome
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


def problems(seed: int = 0) -> dict[str, Problem]:
    """Return the problems by name."""
    formula: dict[str, Any] = {"terms": 4, "size": 3, "seed": seed}
    return {
        "XOR, 500 points": Problem(xor(500 + TEST, seed), PLANE),
        "a circle, 500 points": Problem(circle(500 + TEST, seed), PLANE),
        "parity of 3 among 10 bits, 1,000 rows": Problem(
            parity(1000 + TEST, bits=3, columns=10, seed=seed), TRUTH
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
    from kerneltron.plots.boundary import BoundaryDisplay
    from kerneltron.plots.style import new_figure

    figure = new_figure((11.2, 3.4))
    around, crossed = circle(120, margin=0.15), xor(120, margin=0.12)
    panels: list[tuple[str, Generated[Any], Kernel]] = [
        ("Linear() on a circle", around, Linear()),
        ("Polynomial(2)", around, Polynomial(2)),
        ("Gaussian(1.0)", around, Gaussian(1.0)),
        ("Gaussian(0.5) on XOR", crossed, Gaussian(0.5)),
    ]
    for ax, (title, data, kernel) in zip(figure.subplots(1, len(panels)), panels, strict=True):
        fitted = learner(kernel).fit(data.X, data.y)
        BoundaryDisplay.from_estimator(fitted, data.X, data.y, ax=ax, title=title, legend=False)
    signs = figure.axes[0].get_legend_handles_labels()
    figure.legend(*signs, loc="outside lower center", ncols=4, fontsize="small", frameon=False)
    return figure


def reproduce(asked: Asked) -> Outcome:
    """Train with each kernel on each problem; nobody published these numbers, chance stands beside them."""
    chosen = list(problems(asked.seed).items())[: 2 if asked.quick else None]
    found = {name: (problem, rows(problem)) for name, problem in asked.show(chosen, "Problems")}
    return Outcome(
        comparisons=[
            Comparison(f"{name}, {row.kernel!r}", 100 * row.error)
            for name, (_, results) in found.items()
            for row in results
        ],
        tables=[table(name, problem, results) for name, (problem, results) in found.items()],
        pictures={"kernels": picture},
        figures={
            name: {
                "chance": chance(problem),
                "rows": [row._asdict() | {"kernel": repr(row.kernel)} for row in results],
            }
            for name, (problem, results) in found.items()
        },
        notes=[f"Errors are those on {TEST:,} other rows; no label is wrong, so that the least error is 0."],
    )
