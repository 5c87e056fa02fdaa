"""The prediction game: an adversary shows an example, a learner predicts, the adversary says it was wrong.

It may say so as long as it could still name a concept, or a vector with the margin that was agreed on, that
agrees with all it said. No learner does better against it than theory allows, however it learns.
"""

from typing import Any, NamedTuple, Protocol

import numpy as np

from kerneltron._types import Floats, Integers
from kerneltron.theory.concept_classes import ConceptClass
from kerneltron.theory.worst_cases import Littlestone, split, splits

MOST_ROUNDS = 100_000


class Adversary(Protocol):
    """Who shows examples and says what their labels are."""

    def show(self) -> Floats | None:
        """Return the next example, or None if nothing is left to be said wrong."""

    def answer(self, score: float) -> int:
        """Return the label of the example that was shown last, -1 or 1, after the learner scored it."""


class Played(NamedTuple):
    """What was shown, said and answered, one row per round."""

    X: Floats
    y: Integers
    scores: Floats

    @property
    def mistakes(self) -> int:
        """How often the learner was wrong; a score of 0 is."""
        return int(np.sum(self.y * self.scores <= 0))


def play(learner: Any, adversary: Adversary, rounds: int = MOST_ROUNDS) -> Played:
    """Let a learner play until the adversary has nothing left to show.

    Parameters
    ----------
    learner
        Anything with `decision_function` and `partial_fit`, such as our classifiers. As long as it has no
        `classes_`, it knows nothing, and its score is 0. Mistake bounds speak of `hypothesis="last"`.
    adversary
        Who it plays against.
    rounds
        It ends after this many rounds at the latest.

    Examples
    --------
    >>> from kerneltron import Perceptron
    >>> learner = Perceptron(hypothesis="last", fit_intercept=False)
    >>> play(learner, Orthonormal(margin=0.25)).mistakes
    16
    """
    examples, labels, scores = [], [], []
    for _ in range(rounds):
        x = adversary.show()
        if x is None:
            break
        score = float(learner.decision_function(x[None])[0]) if hasattr(learner, "classes_") else 0.0
        label = adversary.answer(score)
        learner.partial_fit(x[None], np.array([label]), classes=np.array([-1, 1]))
        examples.append(x)
        labels.append(label)
        scores.append(score)
    return Played(np.array(examples), np.array(labels), np.array(scores))


class Orthonormal:
    """Examples of length 1 at right angles to each other, which know nothing of each other.

    With n of them, u = sum of y_t x_t / sqrt(n) is a unit vector, and y_t <u, x_t> = 1 / sqrt(n), whatever
    the labels are. So it may call all n = floor(1 / gamma^2) predictions wrong: the perceptron pays all of
    its bound (R / gamma)^2, rounded down, and every other learner makes as many mistakes.

    Parameters
    ----------
    margin
        The margin gamma that some vector must have, at most 1.
    """

    def __init__(self, margin: float) -> None:
        if not 0 < margin <= 1:
            raise ValueError(f"margin={margin!r} must be above 0 and at most 1, the length of the examples.")
        # What rounding takes away from the square of 1 / sqrt(n) must not cost an example.
        self.examples = int(1 / margin**2 * (1 + 1e-12))
        self._shown = 0

    def show(self) -> Floats | None:
        """Return the next vector of the standard basis."""
        if self._shown == self.examples:
            return None
        x = np.zeros(self.examples)
        x[self._shown] = 1.0
        self._shown += 1
        return x

    def answer(self, score: float) -> int:
        """Say that it was wrong."""
        return -1 if score > 0 else 1


class WorstCase:
    """The best adversary of a concept class: it calls every prediction wrong, and is never caught lying.

    It shows a point that splits the version space so that both sides keep a Littlestone dimension of at
    least one less. So there are at least as many rounds as the dimension of the class, exactly as many
    against the best learner, and a mistake in each of them.

    Parameters
    ----------
    concepts
        The class that the truth comes from.
    X
        The points as the learner is to see them, one row each.

    Attributes
    ----------
    space
        The version space: the concepts that agree with all labels so far.
    """

    def __init__(self, concepts: ConceptClass, X: Any) -> None:
        self.concepts, self.space = concepts, concepts.everything
        self._X = np.asarray(X, np.float64)
        self._littlestone = Littlestone(concepts)
        self._point = 0

    def show(self) -> Floats | None:
        """Return a point that is worth a mistake without losing any later one."""
        left = self._littlestone.dimension(self.space)
        for point, sides in splits(self.concepts, self.space):
            if min(map(self._littlestone.dimension, sides)) == left - 1:
                self._point = point
                return np.asarray(self._X[point])
        return None

    def answer(self, score: float) -> int:
        """Say that it was wrong."""
        positive, negative = split(self.concepts, self.space, self._point)
        self.space = negative if score > 0 else positive
        return -1 if score > 0 else 1
