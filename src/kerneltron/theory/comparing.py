"""Vectors to compare a run with: support vector machines in the space of a learner.

The bounds are convex in the vector that they compare with, a length beside losses: their optima are those of
machines. Along a path of growing C the vectors separate more and more; where all examples can be separated,
they lead to the largest margin.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from kerneltron._types import Anything, Floats, Integers
from kerneltron.learning.kernel_method import KernelMethod
from kerneltron.learning.learner import Learner
from kerneltron.learning.methods.svm import SVMMethod
from kerneltron.models.dual_form import DualForm
from kerneltron.models.hypotheses import hypothesis
from kerneltron.models.labels import labels_of
from kerneltron.models.optimality import Optimality
from kerneltron.models.primal_machine import PrimalMachine
from kerneltron.theory.replaying import data_of
from kerneltron.theory.theorems.theorem import Machine
from kerneltron.training.arrays import Arrays
from kerneltron.training.pass_plan import PassPlan
from kerneltron.training.trainer import Trainer

FACTORS = tuple(10.0**power for power in range(-1, 9))  # of 1 / R^2: the C of the path
TOLERANCE = 1e-3  # relative duality gap of each machine
PASSES = 200
ENOUGH = 1e-3  # relative gap between the margin that was found and what is possible
LOST = 0.1  # a relative duality gap that is left: machines with a larger C would not come closer
NONE = 1e-5  # of R: where no margin can be larger, the examples are not separated in earnest


class Vectors(NamedTuple):
    """One vector per column, of a machine, with what it says of the examples."""

    scores: Floats  # <w*, x>, one column per class
    norms: Floats  # ||w*||
    sums: Floats  # of the coefficients alpha >= 0 in w* = sum_i alpha_i y_i x_i
    vectors: Floats  # of weights, the constant feature last; or coefficients of the examples

    def margins(self, labels: Integers) -> Floats:
        """Return the least y <u, x> of each column, u of length 1: no margin is larger than the largest."""
        least = np.asarray((labels * self.scores).min(axis=0))
        none = np.full(least.shape, -np.inf)
        return np.asarray(np.divide(least, self.norms, out=none, where=self.norms > 0))

    def limits(self) -> Floats:
        """Return ||sum_i alpha_i y_i x_i|| / sum_i alpha_i of each column: no margin is larger than this.

        For a unit vector u, the least y_i <u, x_i> is at most their mean by any weights, and that is
        <u, sum_i alpha_i y_i x_i> / sum_i alpha_i.
        """
        none = np.full(self.norms.shape, np.inf)
        return np.asarray(np.divide(self.norms, self.sums, out=none, where=self.sums > 0))


def in_double(X: Any) -> Any:
    """Return examples in double precision, where they are rows of numbers: bounds are to be exact."""
    return X.astype(np.float64) if getattr(X, "dtype", None) == np.float32 else X


def lengths_of(learner: Learner, X: Any) -> Floats:
    """Return ||x|| of each example in the space of a learner, the constant feature counted."""
    assert learner.space is not None
    phi = learner.space.map
    if phi is not None:
        examples = phi.read(X)
        count = examples.shape[0] if hasattr(examples, "shape") else len(examples)
        parts = [np.asarray(phi.mapped(examples[part]), np.float64) for part in phi.parts(count)]
        squares = np.concatenate([np.empty(0), *(np.square(part).sum(axis=1) for part in parts)])
    else:
        squares = np.asarray(learner.kernel.diag(learner.kernel.pack(X)), np.float64)
    return np.asarray(np.sqrt(np.maximum(0.0, squares) + learner.model.bias**2))


def path(learner: Learner, X: Any, y: Anything, radius: float) -> Iterator[Vectors]:
    """Yield the vectors of machines with squared losses, of which each allows less than the one before.

    It ends where every column is separated with nearly the largest margin or cannot be, and where a machine
    stays far from its optimum.
    """
    if radius == 0:
        return
    labels = labels_of(learner.target.codes(y), learner.columns)
    before = None
    for factor in FACTORS:
        before = _solved(learner, X, y, Machine("squared_hinge", factor / radius**2), before)
        found = _vectors_of(before, X, y)
        yield found
        limits, optimum = found.limits(), Optimality(*np.asarray(before.optima)[-1])
        margins = found.margins(labels)
        settled = (margins >= (1 - ENOUGH) * limits) | (limits < NONE * radius)
        if settled.all() or (optimum.gap > LOST and (margins <= 0).any()):
            return


def solved(learner: Learner, X: Any, y: Anything, machine: Machine) -> Vectors:
    """Return the vectors of one machine."""
    return _vectors_of(_solved(learner, X, y, machine), X, y)


def _solved(
    learner: Learner, X: Any, y: Anything, machine: Machine, before: Learner | None = None
) -> Learner:
    method, space = learner.method, learner.space
    assert space is not None
    form: Any = space.form
    if isinstance(method, KernelMethod) and space.map is not None:
        form = method.representation
    found = SVMMethod(
        kernel=space.kernel,
        representation=form,
        fit_intercept=learner.model.bias != 0,
        C=machine.C,
        loss=machine.loss,
        tol=TOLERANCE,
        passes=PASSES,
        warm_start=True,
        random_state=0,
    )
    other = Learner(found, learner.inputs)
    other.meet(y, learner.classes)
    other.begin(data_of(other, X, y), 0, space if space.map is not None else None)
    if before is not None:
        other.start_from(before)
    batches = Arrays(X, other.examples(y), concludes=False)
    Trainer(other, batches, PassPlan(PASSES, 0, tolerance=TOLERANCE)).run()
    return other


def last_of_run(learner: Learner, X: Any, y: Anything, rounding: float) -> Vectors:
    """Return the vectors that a run ended with: where its last pass made no mistake, they separate.

    Nothing is known of their coefficients. What their scores may be wrong by, where numbers have a relative
    error of `rounding`, is taken from the margins.
    """
    model = learner.model.copy()
    model.hypothesis = hypothesis("last")(0)
    labels = labels_of(learner.target.codes(y), learner.columns)
    found = _found(model, X, len(y))
    scores = found.scores - labels * 16 * rounding * np.abs(found.scores).max(axis=0, initial=0.0)
    return found._replace(scores=scores, sums=np.zeros(model.columns))


def _vectors_of(machine: Learner, X: Any, y: Anything) -> Vectors:
    return _found(machine.model, X, len(y))


def _found(model: Any, X: Any, count: int) -> Vectors:
    scores = np.asarray(model.scores(X), np.float64)
    if isinstance(model, DualForm):
        slots, coefficients = model.support()
        examples = model.remembered.origins[slots]
        vectors = np.zeros((count, model.columns))
        vectors[examples] = coefficients
        squares = (vectors * scores).sum(axis=0)
        return Vectors(scores, np.sqrt(np.maximum(0.0, squares)), np.abs(vectors).sum(axis=0), vectors)
    weights = np.asarray(model.vectors(), np.float64)
    if not model.bias:
        weights = weights[:-1]
    norms = np.sqrt(np.square(weights).sum(axis=0))
    alpha = model.coefficients if isinstance(model, PrimalMachine) else None
    sums = np.zeros(model.columns) if alpha is None else np.abs(alpha).sum(axis=0)
    return Vectors(scores, norms, sums, weights)
