"""Lessons about kernels: what they take for alike, and what that does to a boundary."""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.special import expit

from kerneltron import SVM, Perceptron
from kerneltron._types import Floats
from kerneltron.datasets.digits import load_digits
from kerneltron.datasets.generators import Generated, noisy_logistic
from kerneltron.datasets.shapes import circle, xor
from kerneltron.experiments.experiment import Asked
from kerneltron.experiments.lesson import Lesson
from kerneltron.kernels import Gaussian, Kernel, Linear, propose_sigma
from kerneltron.plots.boundary import BoundaryDisplay
from kerneltron.plots.expansion import ExpansionDisplay
from kerneltron.plots.gram import GramDisplay
from kerneltron.plots.learning_curves import LearningCurvesDisplay
from kerneltron.plots.lift import LiftDisplay
from kerneltron.plots.style import new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTHS = (0.01, 0.2, 1.0, 100.0)
CENTRES = (0.1, 0.5, 2.0)  # widths of the Gaussians whose centres are drawn
SIZES = (50, 100, 200, 400, 800, 1600)
TEST = 4000  # examples to measure on
FLIPPED = 0.05  # labels of the circle: its least error


def boundary(asked: Asked) -> Lesson:
    """Draw machines with Gaussians of three widths: the band, and the centres by weight."""
    X, y, *_ = xor(120, asked.seed, margin=0.12)
    fitted = {
        sigma: SVM(kernel=Gaussian(sigma), representation="dual", C=10.0, random_state=0).fit(X, y)
        for sigma in CENTRES
    }

    def picture() -> "Figure":
        figure = new_figure((13.0, 5.4))
        for ax, (sigma, machine) in zip(figure.subplots(1, 3), fitted.items(), strict=True):
            title = rf"$\sigma$ = {sigma:g}: {machine.support_.size} of {len(X)} are centres"
            BoundaryDisplay.from_estimator(machine, X, y, margin=1.0, ax=ax, title=title)
        return figure

    figures = {f"sigma {sigma:g}": {"support": machine.support_.size} for sigma, machine in fitted.items()}
    return Lesson(
        "A Gaussian that is too narrow or too wide remembers many examples, one in between a few.",
        figures,
        picture,
    )


def gram(asked: Asked) -> Lesson:
    """Compare digits with each other, those of a class side by side."""
    data = load_digits(seed=asked.seed)
    X, y = data.X[:200], data.y[:200]
    sigma = float(propose_sigma(X))
    compared = {
        "linear, of length 1": Linear(),
        rf"Gaussian, $\sigma$ = {sigma:.2f}": Gaussian(sigma),
        rf"Gaussian, $\sigma$ = {sigma / 2:.2f}": Gaussian(sigma / 2),
    }
    unit = X / np.linalg.norm(X, axis=1, keepdims=True)
    displays = {
        name: GramDisplay(K=kernel(unit if kernel == Linear() else X), y=y)
        for name, kernel in compared.items()
    }

    def picture() -> "Figure":
        figure = new_figure((13.0, 4.2))
        for ax, (name, display) in zip(figure.subplots(1, 3), displays.items(), strict=True):
            display.plot(ax, title=name)
        return figure

    figures = {name: _alike(display) for name, display in displays.items()}
    says = "A kernel that suits the labels shows bright squares along the diagonal."
    return Lesson(says, figures, picture)


def widths(asked: Asked) -> Lesson:
    """Show the Gram matrices of Gaussians from a tiny width to a huge one."""
    X, y, *_ = circle(80, asked.seed)
    displays = {sigma: GramDisplay(K=Gaussian(sigma)(X), y=y) for sigma in WIDTHS}

    def picture() -> "Figure":
        figure = new_figure((13.0, 3.6))
        panels = figure.subplots(1, len(WIDTHS))
        for ax, (sigma, display) in zip(panels, displays.items(), strict=True):
            display.plot(ax, title=rf"$\sigma$ = {sigma:g}", bar=sigma == WIDTHS[-1])
        return figure

    figures = {f"sigma {sigma:g}": _alike(display) for sigma, display in displays.items()}
    says = "Tiny: every item is different. Huge: all are alike. Learning is in between."
    return Lesson(says, figures, picture)


def expansion(asked: Asked) -> Lesson:
    """Approach a Gaussian by more and more of its features."""
    X, *_ = circle(40, asked.seed)
    display = ExpansionDisplay.from_kernel(Gaussian(1.0), X)
    says = "The Gaussian has infinitely many features, and a hundred are nearly enough."
    return Lesson(says, {"errors": display.errors, "bounds": display.bounds}, lambda: display.plot().figure_)


def lifted(asked: Asked) -> Lesson:
    """Lift XOR and a circle to three dimensions, where a plane separates them."""
    crossed, around = xor(120, asked.seed, margin=0.15), circle(120, asked.seed, margin=0.15)
    panels: dict[str, tuple[Floats, Any, tuple[str, str, str]]] = {
        "XOR": (
            np.column_stack([crossed.X, crossed.X.prod(axis=1)]),
            crossed.y,
            ("$x_1$", "$x_2$", "$x_1 x_2$"),
        ),
        "a circle": (
            np.column_stack([around.X, np.square(around.X).sum(axis=1)]),
            around.y,
            ("$x_1$", "$x_2$", "$x_1^2 + x_2^2$"),
        ),
    }
    machine: dict[str, Any] = {"representation": "primal", "C": 1000.0, "passes": 2000, "random_state": 0}
    fitted = {name: SVM(**machine).fit(X, y) for name, (X, y, _) in panels.items()}

    def picture() -> "Figure":
        figure = new_figure((10.4, 5.0))
        for number, (name, (X, y, names)) in enumerate(panels.items(), 1):
            ax: Any = figure.add_subplot(1, 2, number, projection="3d")
            LiftDisplay.from_estimator(fitted[name], X, y, names=names, ax=ax, title=name)
        return figure

    errors = {name: int(np.sum(fitted[name].predict(X) != y)) for name, (X, y, _) in panels.items()}
    says = "No line separates them in the plane; one more feature, and a plane does."
    return Lesson(says, {"errors": errors}, picture)


class Doubtful(NamedTuple):
    """Examples of which it is known how often the likelier label is the wrong one."""

    data: Generated[Any]
    doubts: Floats  # one for each example, at most 1/2; their mean is the least error


def noise(asked: Asked) -> Lesson:
    """Tell noise from a wrong feature space: only one of them a kernel can help."""
    sizes, seeds = (SIZES[:3], 1) if asked.quick else (SIZES, 4)
    kernels: dict[str, Kernel] = {"linear": Linear(), "Gaussian(1)": Gaussian(1.0)}
    problems = {"noise": _noisy, "a wrong feature space": _flipped_circle}
    curves = {
        problem: {
            name: np.mean([_errors(kernel, draw(asked.seed + k), sizes) for k in range(seeds)], axis=0)
            for name, kernel in kernels.items()
        }
        for problem, draw in problems.items()
    }
    drawn = {problem: draw(asked.seed).data for problem, draw in problems.items()}

    def picture() -> "Figure":
        figure = new_figure((9.2, 8.6))
        above, below = figure.subplots(2, 2, height_ratios=(1.15, 1))
        for ax, curve, (problem, data) in zip(above, below, drawn.items(), strict=True):
            X, y = data.X[:200], data.y[:200]
            BoundaryDisplay.from_estimator(_learner(Linear()).fit(X, y), X, y, ax=ax, title=problem)
            LearningCurvesDisplay(
                at=sizes, curves=curves[problem], of="examples", least=data.bayes_error
            ).plot(curve)
        return figure

    figures = {
        problem: {"bayes_error": drawn[problem].bayes_error}
        | {name: errors.tolist() for name, errors in found.items()}
        for problem, found in curves.items()
    }
    says = "Against noise no kernel helps; in a wrong feature space no number of examples does."
    return Lesson(says, figures, picture)


def _learner(kernel: Kernel) -> Perceptron:
    return Perceptron(kernel=kernel, passes=5, random_state=0)


def _noisy(seed: int) -> Doubtful:
    data = noisy_logistic(SIZES[-1] + TEST, d=2, scale=3.0, seed=seed)
    return Doubtful(data, expit(-np.abs(data.X @ data.truth.w + data.truth.b)))


def _flipped_circle(seed: int) -> Doubtful:
    X, y, _, truth, _ = circle(SIZES[-1] + TEST, seed)
    flips = np.random.default_rng([seed, 1]).random(len(y)) < FLIPPED
    return Doubtful(Generated(X, np.where(flips, -y, y), FLIPPED, truth), np.full(len(y), FLIPPED))


def _errors(kernel: Kernel, problem: Doubtful, sizes: tuple[int, ...]) -> list[float]:
    """Return the expected errors after learning from this many examples.

    Where a learner says the same as the truth, it errs as often as that: what it adds to the least error is
    1 - 2 doubt wherever they differ. So the labels of the test rows, which vary by chance, are not needed.
    """
    data, doubts = problem
    X, y, best = data.X, data.y, data.truth.predict(data.X[-TEST:])
    fits = (_learner(kernel).fit(X[:size], y[:size]) for size in sizes)
    added = [np.mean((fitted.predict(X[-TEST:]) != best) * (1 - 2 * doubts[-TEST:])) for fitted in fits]
    return [data.bayes_error + float(each) for each in added]


def _alike(display: GramDisplay) -> dict[str, float]:
    """Return how alike two examples are on average, of a class and of two."""
    assert display.y is not None
    same = display.y[:, None] == display.y
    different = ~same
    np.fill_diagonal(same, False)
    return {"same class": float(display.K[same].mean()), "others": float(display.K[different].mean())}
