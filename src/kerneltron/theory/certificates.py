"""Certificates: the mistakes of a run beside the most that could have been made.

>>> import numpy as np
>>> from kerneltron import Perceptron
>>> X, y = np.array([[1, 0], [0, 1], [-1, 0], [0, -1]]), np.array([1, 1, -1, -1])
>>> learner = Perceptron(fit_intercept=False, passes=5, shuffle=False).fit(X, y)
>>> certificate = learner.certificate(X, y)
>>> certificate.mistakes, bool(certificate.mistakes <= certificate.bound)
(2, True)
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import ceil, inf
from typing import Any

import numpy as np

from kerneltron._types import Anything, Floats, Integers
from kerneltron.engine.rules.perceptron import PerceptronRule
from kerneltron.learning.learner import Learner
from kerneltron.models.labels import labels_of
from kerneltron.theory import comparing, telling
from kerneltron.theory.lemmas import Lemmas, follow
from kerneltron.theory.proving import ROUNDING, Column, Margins, Proof, Proofs, prove
from kerneltron.theory.replaying import Moves, Run, replay, weights_of
from kerneltron.theory.theorems import theorem_of
from kerneltron.theory.theorems.theorem import Statement, Theorem

NOT_SEPARATED = "the theorem is about examples that a vector separates, and none was found that does"


@dataclass(frozen=True, eq=False)
class Certificate:
    """What is proved of the run of one vector: two classes, or one class against the rest.

    Parameters
    ----------
    label
        The class that it speaks for.
    mistakes
        Visits with y <w, x> <= 0, over all passes: what the theorems count.
    margin_updates
        Updates of examples that were right, by too thin a margin.
    bound
        The most mistakes that any run over these examples could have made; inf where no bound is known. Where
        the examples are separated, by the vector with the largest margin, else by the best one that is known.
    margin
        gamma of the unit vector u; what examples lack of it is in `deviation`. (Of Winnow: g, by how much a
        mistake lessens the relative entropy to u, at least.)
    radius
        R, the largest length of an example, the constant feature counted. (Of Winnow: the largest entry.)
    vector
        u: one weight per feature, the constant one last where there is one; in dual form one coefficient per
        example.
    deviation
        D, the square root of the sum over examples of max(0, gamma - y <u, x>)^2; 0 where u separates them.
        (Of Winnow: the sum over visits of max(0, g - g(x)).)
    delta
        The value of the feature that each example had of its own in the run; 0 for none.
    attainable
        What is known of the largest margin of any unit vector: a lower bound, by a vector that has it, and
        an upper bound, by the dual problem.
    sharpest
        The least bound over all vectors, also those that leave some examples short of a larger margin.
    theorem
        What the bound follows from; None where none is known.
    reason
        Why there is no bound, where there is none.
    passes, visits
        Of the run.
    mistaken_at
        The visits at which mistakes were made, from 1.
    lemmas
        <v_k, u> and ||v_k||^2 after each update; None for rules other than the perceptron's.
    first_pass
        Mistakes and examples of the first pass, k and m.
    test_error
        Measured on examples that were handed over for that; None without.
    """

    label: Any
    mistakes: int
    margin_updates: int
    bound: float
    margin: float
    radius: float
    vector: Floats = field(repr=False)
    deviation: float
    delta: float
    attainable: Margins
    sharpest: Proof = field(repr=False)
    theorem: Statement | None = field(repr=False)
    reason: str
    passes: float
    visits: int
    mistaken_at: Integers = field(repr=False)
    lemmas: Lemmas | None = field(repr=False)
    first_pass: tuple[int, int]
    test_error: float | None = None

    def __str__(self) -> str:
        """Return it as sentences."""
        return telling.told(self)


@dataclass(frozen=True, eq=False)
class Certificates:
    """The certificates of several classes, each against the rest.

    `mistakes`, `margin_updates`, `bound`, `margin`, `radius` and `deviation` are arrays, one entry per class.

    Parameters
    ----------
    parts
        One certificate per class.
    """

    parts: tuple[Certificate, ...]

    def __iter__(self) -> Iterator[Certificate]:
        return iter(self.parts)

    def __len__(self) -> int:
        return len(self.parts)

    def __getitem__(self, place: int) -> Certificate:
        return self.parts[place]

    def __getattr__(self, name: str) -> Anything:
        if name not in ("mistakes", "margin_updates", "bound", "margin", "radius", "deviation"):
            raise AttributeError(
                f"certificates of several classes have no {name}: ask one, as in [0].{name}."
            )
        return np.array([getattr(part, name) for part in self.parts])

    @property
    def vector(self) -> Floats:
        """One column per class."""
        return np.stack([part.vector for part in self.parts], axis=1)

    def __str__(self) -> str:
        """Return a table, and what it means."""
        return telling.told_of_several(self.parts)


def certify(
    learner: Learner, X: Any, y: Anything, test_error: float | None = None
) -> Certificate | Certificates:
    """Return what is proved of the run that a learner made.

    The run is made again, to count the mistakes of each column, and support vector machines look for the
    vectors with the best bounds: it takes the time of up to ten of these.

    Parameters
    ----------
    learner
        That was fitted, or went over a stream once.
    X, y
        The examples that it learned from, in their order.
    test_error
        Measured on others, to be told beside the mistakes of the first pass.
    """
    run = replay(learner, X, y)
    again = run.learner
    theorem, reason = _theorem(again, y)
    labels = labels_of(again.target.codes(y), again.columns)
    parts = _searched if theorem is not None and theorem.search is not None else _compared
    proofs = parts(again, theorem, X, y, labels, run)
    columns = [
        _certificate(again, theorem, reason, run, c, proof, test_error) for c, proof in enumerate(proofs)
    ]
    return columns[0] if len(columns) == 1 else Certificates(tuple(columns))


Proved = tuple[Proofs, float, Lemmas | None]


def _compared(
    again: Learner, theorem: Theorem | None, X: Any, y: Anything, labels: Integers, run: Run
) -> list[Proved]:
    """Return proofs by vectors of machines, with the radius and the lemmas."""
    is_single = getattr(X, "dtype", None) == np.float32
    rounding = float(np.finfo(np.float32 if is_single else np.float64).eps)
    X = comparing.in_double(X)
    lengths = comparing.lengths_of(again, X)
    radius, delta = float(lengths.max(initial=0.0)), float(again.model.delta or 0.0)
    candidates = list(comparing.path(again, X, y, radius))
    if candidates and theorem is not None and theorem.best is not None:
        candidates.append(comparing.solved(again, X, y, theorem.best(ceil(run.passes))))
    if again.model.form != "budgeted":
        candidates.append(comparing.last_of_run(again, X, y, rounding))
    found = []
    for c in range(again.columns):
        column = Column(c, labels[:, c], lengths, ceil(run.passes), delta)
        proofs = prove(theorem, candidates, column)
        found.append((proofs, radius, _lemmas(again, run.moves[c], proofs.separating, column)))
    return found


def _searched(
    again: Learner, theorem: Theorem | None, X: Any, y: Anything, labels: Integers, run: Run
) -> list[Proved]:
    """Return proofs by vectors that the theorem looks for itself."""
    assert theorem is not None
    assert theorem.search is not None
    found: list[Proved] = []
    for c in range(again.columns):
        bound, vector, margin, lacking = theorem.search(X, labels[:, c], ceil(run.passes))
        proof = Proof(bound * (1 + ROUNDING), vector, margin, np.zeros(0), lacking)
        found.append((Proofs(proof, proof, Margins(margin, inf)), float(X.max()), None))
    return found


def _theorem(learner: Learner, y: Anything) -> tuple[Theorem | None, str]:
    """Return the theorem about a run; else None, and why there is none."""
    method, model = learner.method, learner.model
    if (weights_of(learner, y) != 1).any():
        return (
            None,
            "the theorems are about examples that all count the same, and class_weight makes them differ",
        )
    if method.start:
        return None, "the theorems start from w = 0, and init_scale from random weights"
    if model.form == "budgeted":
        return None, "a budget forgets examples, and the theorems are about learners that forget none"
    found = theorem_of(model.rule, model.columns)
    if found is None:
        return None, f"no bound on the mistakes of {learner.name} with these parameters is known"
    return found, ""


def _lemmas(learner: Learner, moves: Moves, proof: Proof, column: Column) -> Lemmas | None:
    """Return what the two lemmas say of each update; None where they are not about the rule."""
    rule = learner.model.rule
    if type(rule) is not PerceptronRule or proof.bound == inf:
        return None
    rate, thick = float(rule.learning_rate), 2 * float(rule.margin / rule.learning_rate)
    D, products, lengths, delta = proof.deviation, proof.products, column.lengths, column.delta
    if delta:  # the run was made with it: its scores know of the features of its own that an example has
        Z, new = float(np.sqrt(1 + (D / delta) ** 2)), 0.0
        lengths = np.sqrt(np.square(lengths) + delta**2)
        products = np.asarray(column.labels * np.maximum(column.labels * products, proof.margin), np.float64)
    else:
        D *= np.sqrt(column.visits)
        new = float(np.sqrt(np.sqrt(lengths.max() ** 2 + thick) * D))
        Z = float(np.sqrt(1 + (D / new) ** 2)) if new else 1.0
    projections, squares = follow(moves, rate, products, lengths, proof.margin, new)
    radius = float(np.sqrt(lengths.max() ** 2 + new**2))
    return Lemmas(moves.visits, projections / Z, squares, proof.margin / Z, radius, thick)


def _certificate(
    learner: Learner,
    theorem: Theorem | None,
    reason: str,
    run: Run,
    c: int,
    proved: Proved,
    test_error: float | None,
) -> Certificate:
    (proof, sharpest, margins), radius, lemmas = proved
    moves = run.moves[c]
    if theorem is not None and proof.bound == inf:
        reason = NOT_SEPARATED if radius else "no example has any length"
        if theorem.search is not None:
            reason = "an update may multiply a weight by more than numbers hold: scale the features down"
    return Certificate(
        label=learner.known[-1] if learner.columns == 1 else learner.known[c],
        mistakes=int(moves.is_mistake.sum()),
        margin_updates=int((~moves.is_mistake).sum()),
        bound=float(proof.bound),
        margin=float(proof.margin),
        radius=radius,
        vector=proof.vector,
        deviation=proof.deviation,
        delta=float(learner.model.delta or 0.0),
        attainable=margins,
        sharpest=sharpest,
        theorem=None if theorem is None else theorem.says,
        reason=reason,
        passes=run.passes,
        visits=run.visits,
        mistaken_at=moves.visits[moves.is_mistake],
        lemmas=lemmas,
        first_pass=(run.wrong, run.first),
        test_error=test_error,
    )
