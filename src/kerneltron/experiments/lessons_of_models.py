"""Lessons about what was learned: errors by passes, words with weights, digits that carry a decision."""

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kerneltron import Perceptron
from kerneltron.datasets.digits import load_digits
from kerneltron.datasets.messages import messages
from kerneltron.experiments.experiment import Asked
from kerneltron.experiments.lesson import Lesson
from kerneltron.explaining.streams import explain_model
from kerneltron.jobs.job import Job
from kerneltron.kernels import Gaussian, Kernel, Linear, Polynomial, propose_sigma
from kerneltron.learning.learner import Learner
from kerneltron.learning.methods import on_stream
from kerneltron.learning.stream_model import StreamModel
from kerneltron.plots.learning_curves import LearningCurvesDisplay
from kerneltron.plots.style import new_figure
from kerneltron.plots.support_images import SupportImagesDisplay
from kerneltron.plots.weights import WeightsDisplay
from kerneltron.stream.formats import named
from kerneltron.stream.hashing import Hashing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PASSES, FEW_PASSES = (0.1, 1, 2, 4, 10), (0.1, 1)
MESSAGES, FEW_MESSAGES = 2000, 300
BITS = 10  # few enough for words to meet in a slot


def learning_curves(asked: Asked) -> Lesson:
    """Follow the test error on digits by passes, for kernels and for hypotheses."""
    data = load_digits(seed=asked.seed)
    data = data._replace(y=data.y == 9, y_test=data.y_test == 9)
    passes = FEW_PASSES if asked.quick else PASSES
    sigma = round(float(propose_sigma(data.X)), 1)
    kernels: list[Kernel] = [Linear(), Polynomial(2), Polynomial(4), Gaussian(sigma)]
    panels: dict[str, dict[str, dict[str, Any]]] = {
        "kernels, averaged": {repr(kernel): {"kernel": kernel} for kernel in kernels},
        "hypotheses, linear": {name: {"hypothesis": name} for name in ("last", "random", "average", "vote")},
    }

    def errors(options: dict[str, Any]) -> list[float]:
        fits = (Perceptron(passes=p, random_state=asked.seed, **options).fit(data.X, data.y) for p in passes)
        return [1.0 - float(fitted.score(data.X_test, data.y_test)) for fitted in fits]

    curves = {
        panel: {name: errors(options) for name, options in found.items()} for panel, found in panels.items()
    }

    def picture() -> "Figure":
        figure = new_figure((10.4, 4.4))
        figure.suptitle("Digits, 9 against the rest: test error of the perceptron")
        for ax, (panel, found) in zip(figure.subplots(1, 2, sharey=True), curves.items(), strict=True):
            LearningCurvesDisplay(at=passes, curves=found).plot(ax, title=panel)
        return figure

    figures = {"passes": passes, **curves}
    says = "A kernel that suits the digits helps more than further passes do."
    return Lesson(says, figures, picture)


def weights(asked: Asked) -> Lesson:
    """Name the words behind the hashed weights of a filter for messages."""
    model = _filter(FEW_MESSAGES if asked.quick else MESSAGES, asked.seed)
    explanation = explain_model(model, top=16)

    def picture() -> "Figure":
        title = f"words in {1 << BITS:,} slots (+1: with another one)"
        return WeightsDisplay.from_explanation(explanation, title=title).figure_

    figures = {"rows": [row._asdict() for row in explanation.rows], "coverage": explanation.coverage}
    says = "Hashed weights have names if they were kept, and tell what shares their slots."
    return Lesson(says, figures, picture)


def images(asked: Asked) -> Lesson:
    """Show the digits that carry the decision whether one is a nine."""
    data = load_digits(seed=asked.seed)
    rows = 300 if asked.quick else len(data.y)
    learner = Perceptron(kernel=Polynomial(2), representation="dual", passes=5, random_state=asked.seed)
    learner.fit(data.X[:rows], data.y[:rows] == 9)
    display = SupportImagesDisplay.from_estimator(learner, (8, 8))
    margins = np.where(data.y[:rows] == 9, 1, -1) * learner.decision_function(data.X[:rows])

    def picture() -> "Figure":
        count = learner.support_.size
        return display.plot(title=f"{count} of {rows:,} digits decide what is a 9: the strongest").figure_

    figures = {
        "support": learner.support_.size,
        "coefficients": display.coefficients.tolist(),
        "mean score": {"remembered": float(margins[learner.support_].mean()), "all": float(margins.mean())},
    }
    says = "The examples that carry a decision are the odd ones, nearer to the boundary than others."
    return Lesson(says, figures, picture)


def _filter(count: int, seed: int) -> StreamModel:
    """Learn from messages, with names, in two passes over a file."""
    hashing = Hashing(bits=BITS)
    asked = on_stream("logistic", {"learning_rate": 0.5, "random_state": seed, "passes": 2})
    learner = Learner(asked, hashing.slots)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "messages.vw")
        # A colon would part a name from its value.
        lines = [f"{label} | {text.replace(':', ' ')}\n" for label, _, text in messages(count, seed)]
        path.write_text("".join(lines))
        job = Job(learner, hashing, named("vw")(), [str(path)], keep_names=True)
        training = job.training()
        training.run()
        return job.model(training)
