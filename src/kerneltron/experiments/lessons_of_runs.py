"""Lessons about mistakes: why they come to an end, and what the margin has to do with it."""

from typing import TYPE_CHECKING, Any

import numpy as np

from kerneltron import SVM, Perceptron
from kerneltron._types import Floats, Integers
from kerneltron.datasets.generators import Generated, Halfspace, noisy_logistic, separable
from kerneltron.datasets.shapes import ellipse_points, ten_points
from kerneltron.experiments.experiment import THEORY, Asked, Comparison
from kerneltron.experiments.lesson import Lesson
from kerneltron.plots.boundary import BoundaryDisplay
from kerneltron.plots.lemmas import LemmasDisplay
from kerneltron.plots.mistakes import MistakesDisplay
from kerneltron.plots.progressive_error import ProgressiveErrorDisplay
from kerneltron.plots.run import RunDisplay
from kerneltron.plots.separator import SeparatorDisplay
from kerneltron.plots.style import new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

AS_GIVEN: dict[str, Any] = {"shuffle": False, "fit_intercept": False, "hypothesis": "last"}
CLOUDS = 21  # a seed with which the perceptron stops at a thin line
CONSTRUCTED = "The points, whose coordinates were not published, were constructed to show this number."
FEW = 100  # examples, where it has to be quick


def widest(X: Floats, y: Integers) -> Floats:
    """Return the vector of the line through the origin that has the largest margin."""
    machine = SVM(
        representation="primal", fit_intercept=False, C=1e4, tol=1e-6, passes=10_000, random_state=0
    )
    return np.asarray(machine.fit(X, y).coef_[0])


def widest_line(X: Floats, y: Integers) -> tuple[Floats, float]:
    """Return w and b of the line <w, x> + b = 0 that is furthest from the nearest example, wherever it lies.

    Between the classes there is room for <w, p - n> / ||w||, the least over all pairs of a positive p and a
    negative n. So w is the widest through the origin for their differences, and b moves it to the middle.
    """
    positive, negative = X[y > 0], X[y < 0]
    differences = (positive[:, None] - negative).reshape(-1, X.shape[1])
    w = widest(np.concatenate([differences, -differences]), np.repeat([1, -1], len(differences)))
    return w, -float(np.min(positive @ w) + np.max(negative @ w)) / 2


def separators(asked: Asked) -> Lesson:
    """Ask which of two lines is better, the perceptron's or the widest."""
    X, y = _clouds(14, CLOUDS)
    first = Perceptron(passes=20, **AS_GIVEN | {"fit_intercept": True}).fit(X, y)
    lines = {
        "the perceptron's": (first.coef_[0], float(first.intercept_[0])),
        "the widest": widest_line(X, y),
    }
    displays = {name: SeparatorDisplay(X=X, y=y, w=w, b=b) for name, (w, b) in lines.items()}

    def picture() -> "Figure":
        figure = new_figure((8.4, 4.4))
        figure.suptitle("Two separators: which is better?")
        for ax, (name, display) in zip(figure.subplots(1, 2), displays.items(), strict=True):
            display.plot(ax, title=name)
        return figure

    figures = {
        name: {"width": each.width, "margin": each.margin, "radius": each.radius, "bound": each.bound}
        for name, each in displays.items()
    }
    says = "Both lines are right on all examples; the wider one promises fewer mistakes."
    return Lesson(says, figures, picture)


def cases(asked: Asked) -> Lesson:
    """Follow the cases of the proof: a target, a first mistake, then one on either side."""
    X, y, *_ = ten_points()
    u = widest(X, y)
    # After a first mistake on x3, both x9, a positive point, and x7, a negative one, are mistakes too.
    one, other = (
        RunDisplay.from_estimator(Perceptron(fit_intercept=False), X, y, u=u, order=order)
        for order in ([2, 8], [2, 6])
    )
    panels = (
        (one, 0, r"(1) a target u, and the band of width $2\gamma$"),
        (one, 1, "(2) a first mistake: v1 = x3"),
        (one, 2, "(3a) then a positive one: v2 = v1 + x9"),
        (other, 2, "(3b) or a negative one: v2 = v1 - x7"),
    )

    def picture() -> "Figure":
        figure = new_figure((9.6, 10.4))
        places = figure.subplots(2, 2).ravel()
        for ax, (display, frame, title) in zip(places, panels, strict=True):
            display.plot(ax, frame=frame, title=title)
        places[-1].set(xlim=places[0].get_xlim(), ylim=places[0].get_ylim())  # of another run
        return figure

    figures = {
        f"v{k} {name}": {"projection": float(v @ display.u), "square": float(v @ v)}  # type: ignore[operator]
        for name, k, display in (("3a", 2, one), ("3b", 2, other))
        for v in [display.visits[-1].after]
    }
    figures["promised"] = {"projection": 2 * one.margin, "square": 2 * one.radius**2}
    says = "A mistake moves v towards u by gamma at least, and makes it longer by little."
    return Lesson(says, figures, picture)


def run(asked: Asked) -> Lesson:
    """Show all visits of the ten-point example."""
    X, y, *_ = ten_points()
    display = RunDisplay.from_estimator(Perceptron(fit_intercept=False), X, y, u=widest(X, y))

    def picture() -> "Figure":
        figure = new_figure((15.2, 12.6))
        panels = figure.subplots(3, 4).ravel()
        for frame, ax in enumerate(panels[: len(display.visits) + 1]):
            display.plot(ax, frame=frame)
        for ax in panels[len(display.visits) + 1 :]:
            ax.remove()
        return figure

    figures = {"mistakes at visits": display.mistakes.tolist(), "visits": len(display.visits)}
    says = "Two of ten points are mistakes, and the vector is their difference."
    return Lesson(says, figures, picture)


def entering(asked: Asked) -> Lesson:
    """Count the points that enter a model: two of ten for a line, three for an ellipse."""
    problems: dict[str, tuple[Generated[Any], str, int]] = {
        "ten points, w = x1 - x7": (ten_points(), "Linear()", 2),
        "an ellipse of three": (ellipse_points(), "Polynomial(2)", 3),
    }
    fitted = {
        name: Perceptron(kernel=kernel, representation="dual", passes=5, **AS_GIVEN).fit(data.X, data.y)
        for name, (data, kernel, _) in problems.items()
    }

    def picture() -> "Figure":
        figure = new_figure((8.6, 5.3))
        spans = [np.ptp(data.X, axis=0) for data, _, _ in problems.values()]
        panels = figure.subplots(1, 2, width_ratios=[across / up for across, up in spans])  # equal heights
        for ax, (name, (data, _, _)) in zip(panels, problems.items(), strict=True):
            BoundaryDisplay.from_estimator(fitted[name], data.X, data.y, ax=ax, title=name)
            for row in fitted[name].support_.tolist():
                point = tuple(data.X[row])
                ax.annotate(f"x{row + 1}", point, (-9, -6), textcoords="offset points", va="top", ha="right")
        return figure

    found = {name: learner.support_.tolist() for name, learner in fitted.items()}
    comparisons = [
        Comparison(
            f"support vectors, {name}",
            len(found[name]),
            count,
            "",
            higher_is_better=None,
            kind=THEORY,
            source="said in a lecture",
            reason=CONSTRUCTED,
        )
        for name, (_, _, count) in problems.items()
    ]
    says = "A kernel machine is its support vectors: often a few of the examples."
    return Lesson(says, {"support": found}, picture, comparisons)


def bounds(asked: Asked) -> Lesson:
    """Set the mistakes of a run beside their bound and both lemmas, and a stream beside the least error."""
    data = separable(FEW if asked.quick else 400, d=20, margin=0.1, seed=asked.seed)
    X, y = data.X[::-1], data.y[::-1]  # the first row, the truth itself, would end all mistakes
    learner = Perceptron(passes=3, **AS_GIVEN).fit(X, y)
    certificate: Any = learner.certificate(X, y)
    noisy: Generated[Halfspace] = noisy_logistic(
        10 * FEW if asked.quick else 5000, d=20, scale=5.0, seed=asked.seed
    )
    stream = ProgressiveErrorDisplay.from_estimator(
        Perceptron(), noisy.X, noisy.y, window=FEW, least=noisy.bayes_error
    )

    def picture() -> "Figure":
        figure = new_figure((13.0, 4.2))
        left, middle, right = figure.subplots(1, 3)
        MistakesDisplay.from_certificate(certificate, ax=left, title="mistakes, and the most there can be")
        LemmasDisplay.from_certificate(certificate, ax=middle, title="the two lemmas, mistake by mistake")
        stream.plot(right, title="a stream with noise: errors before learning")
        return figure

    figures = {
        "mistakes": certificate.mistakes,
        "bound": certificate.bound,
        "margin": certificate.margin,
        "radius": certificate.radius,
        "lemmas hold": certificate.lemmas.hold,
        "progressive error": float(stream.so_far[-1]),
        "least error": noisy.bayes_error,
    }
    says = "Mistakes stay below their bound, and both lemmas hold after each of them."
    return Lesson(says, figures, picture)


def _clouds(size: int, seed: int) -> tuple[Floats, Integers]:
    """Draw two clouds around opposite centres, in a random order."""
    rng = np.random.default_rng(seed)
    y = np.repeat([1, -1], size)
    X = rng.normal(size=(2 * size, 2)) * [0.55, 0.4] + np.outer(y, [0.9, 0.5])
    order = rng.permutation(2 * size)
    return X[order], y[order]
