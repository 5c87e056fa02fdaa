"""Test error on handwritten digits by learner, hypothesis, kernel and number of passes.

Run as `kerneltron reproduce digits`. The digits are those that scikit-learn brings along: nothing is
downloaded. Nobody published these numbers; what was, on MNIST, is `kerneltron reproduce mnist`.
"""

from typing import Any, NamedTuple

from rich.table import Table

from kerneltron import LogisticRegression, Mira, PassiveAggressive, Pegasos, Perceptron, Romma, Winnow
from kerneltron.datasets.digits import Split, load_digits
from kerneltron.experiments.experiment import Asked, Comparison, Outcome
from kerneltron.kernels import Gaussian, Kernel, Linear, Polynomial, propose_sigma

PASSES, QUICK_PASSES = (0.1, 1, 2, 4, 10), (0.1, 1)
LEARNERS = {
    "Perceptron": Perceptron(),
    "Perceptron, margin 1": Perceptron(margin=1.0),
    "Passive-Aggressive I": PassiveAggressive(C=0.1, scale=False, hypothesis="average"),
    "ROMMA": Romma(),
    "MIRA": Mira(C=0.1, scale=False, hypothesis="average"),
    "Logistic regression": LogisticRegression(learning_rate=0.5, scale=False, hypothesis="average"),
    # The first steps of 1 / (l2 t) would stay in the average for long.
    "Pegasos, rate 1": Pegasos(l2=1e-3, learning_rate=1.0, scale=False, hypothesis="average"),
    # Pixels are fractions: gentle factors, and a negative half for what must not be there.
    "Winnow, balanced": Winnow(balanced=True, promotion=1.2, demotion=1 / 1.2, threshold=0),
}
HYPOTHESES = ("last", "average", "vote")
# With linear and other kernels.
COMPARED = {"Perceptron": Perceptron(), "PA-I": PassiveAggressive(C=1.0, scale=False, hypothesis="average")}


class Row(NamedTuple):
    """Test errors of one learner and hypothesis, one for each number of passes."""

    learner: str
    hypothesis: str
    errors: list[float]


class KernelRow(NamedTuple):
    """Test errors of one learner and kernel, and how many examples it remembers after the last pass."""

    learner: str
    kernel: str
    errors: list[float]
    remembered: int


def tasks(seed: int = 0) -> dict[str, Split]:
    """Return the two problems: a nine or not, and which digit."""
    digits = load_digits(seed=seed)
    nine = digits._replace(y=digits.y == 9, y_test=digits.y_test == 9)
    return {"9 against the rest": nine, "all ten digits": digits}


def passes_of(asked: Asked) -> tuple[float, ...]:
    """Return after how many passes learners are tested."""
    return QUICK_PASSES if asked.quick else PASSES


def errors(learner: Any, data: Split, passes: tuple[float, ...]) -> list[float]:
    """Return the test error after each number of passes."""
    fits = (learner.set_params(passes=number).fit(data.X, data.y) for number in passes)
    return [1.0 - float(fit.score(data.X_test, data.y_test)) for fit in fits]


def kernels(data: Split) -> dict[str, Kernel]:
    """Return what to compare; the Gaussian is as wide as the median distance of two training rows."""
    sigma = round(propose_sigma(data.X), 1)
    others = (Polynomial(2), Polynomial(4), Gaussian(sigma))
    return {repr(kernel): kernel for kernel in (Linear(), *others)}


def run(asked: Asked) -> dict[str, list[Row]]:
    """Train everything and return the rows of one table per task."""
    from sklearn.base import clone

    problems = tasks(asked.seed)
    results: dict[str, list[Row]] = {name: [] for name in problems}
    work = [(task, name, hypothesis) for task in results for name in LEARNERS for hypothesis in HYPOTHESES]
    for task, name, hypothesis in asked.show(work, "Learning"):
        learner = clone(LEARNERS[name]).set_params(hypothesis=hypothesis, random_state=asked.seed)
        if hypothesis == "vote" and learner.method_type.refuses_moves:
            continue
        results[task].append(Row(name, hypothesis, errors(learner, problems[task], passes_of(asked))))
    return results


def run_kernels(asked: Asked) -> dict[str, list[KernelRow]]:
    """Train the averaged vector with each kernel and return the rows of one table per task."""
    from sklearn.base import clone

    problems = tasks(asked.seed)
    results: dict[str, list[KernelRow]] = {task: [] for task in problems}
    work = [
        (task, name, kernel)
        for task in problems
        for name in COMPARED
        for kernel in kernels(problems[task]).items()
    ]
    for task, name, (expression, kernel) in asked.show(work, "With kernels"):
        # In dual form always, so that the remembered examples can be counted.
        dual = {"kernel": kernel, "representation": "dual", "random_state": asked.seed}
        learner = clone(COMPARED[name]).set_params(**dual)
        found = errors(learner, problems[task], passes_of(asked))
        results[task].append(KernelRow(name, expression, found, learner.support_.size))
    return results


def table(task: str, rows: list[Row], passes: tuple[float, ...]) -> Table:
    """Lay the rows of one task out, the best error of each column in bold."""
    out = _empty(f"Digits, {task}: test error in % after this many passes", "hypothesis", passes)
    _fill(out, [(row.learner, row.hypothesis, row.errors, ()) for row in rows])
    return out


def kernel_table(task: str, rows: list[KernelRow], passes: tuple[float, ...]) -> Table:
    """Lay linear beside other kernels, the best error of each column in bold."""
    out = _empty(f"Digits, {task}, linear against kernels: test error in %", "kernel", passes)
    out.add_column("remembered", justify="right")
    _fill(out, [(row.learner, row.kernel, row.errors, (f"{row.remembered:,}",)) for row in rows])
    return out


def _empty(title: str, second: str, passes: tuple[float, ...]) -> Table:
    out = Table(title=title)
    out.add_column("learner", no_wrap=True)
    out.add_column(second, no_wrap=True)
    for number in passes:
        out.add_column(f"{number:g}", justify="right")
    return out


def _fill(out: Table, rows: list[tuple[str, str, list[float], tuple[str, ...]]]) -> None:
    best = [min(column) for column in zip(*(errors for _, _, errors, _ in rows), strict=True)]
    before = ""
    for learner, second, errors, more in rows:
        cells = [
            f"[bold]{100 * error:.1f}[/]" if error == least else f"{100 * error:.1f}"
            for error, least in zip(errors, best, strict=True)
        ]
        out.add_row("" if learner == before else learner, second, *cells, *more)
        before = learner


def curves(
    results: dict[str, list[Row]], compared: dict[str, list[KernelRow]]
) -> dict[str, dict[str, list[float]]]:
    """Return the errors of the averaged vectors as the panels of the picture."""
    learners = {
        f"learners, {task}": {row.learner: row.errors for row in rows if row.hypothesis == "average"}
        for task, rows in results.items()
    }
    return learners | {
        f"linear against kernels, {task}": {f"{row.learner}, {row.kernel}": row.errors for row in rows}
        for task, rows in compared.items()
    }


def reproduce(asked: Asked) -> Outcome:
    """Compare learners, hypotheses and kernels."""
    from kerneltron.plots.errors import draw_errors

    results, compared, passes = run(asked), run_kernels(asked), passes_of(asked)
    panels = curves(results, compared)
    return Outcome(
        comparisons=[
            Comparison(f"{task}: {row.kernel}, the last pass", 100 * row.errors[-1])
            for task, rows in compared.items()
            for row in rows
            if row.learner == "Perceptron" and row.kernel in (repr(Linear()), repr(Polynomial(4)))
        ],
        tables=[
            *(table(task, rows, passes) for task, rows in results.items()),
            *(kernel_table(task, rows, passes) for task, rows in compared.items()),
        ],
        pictures={
            "averaged vectors": lambda: draw_errors(passes, panels, "Digits: the averaged vector"),
        },
        notes=[
            "Nobody published test errors of these learners on these digits, and they were split at random: "
            "mnist has the published table.",
        ],
        figures={"passes": passes, "learners": results, "kernels": compared},
    )
