"""Margins: of a vector, and the largest that any vector has, between two bounds."""

from typing import Any, NamedTuple

import numpy as np

from kerneltron._types import Anything, Floats
from kerneltron._validate import read_matrix
from kerneltron.learning.learner import Learner
from kerneltron.learning.methods.perceptron import PerceptronMethod
from kerneltron.learning.space import takes_matrices
from kerneltron.models.labels import labels_of
from kerneltron.theory import comparing
from kerneltron.theory.proving import Column, prove
from kerneltron.theory.replaying import data_of


class LargestMargin(NamedTuple):
    """The largest margin lies between `lower`, which `vector` has, and `upper`, by the dual problem.

    For a unit vector u, the least y <u, x> is at most any weighted mean of them; so
    ||sum_i alpha_i y_i x_i|| with weights alpha >= 0 of sum 1 is above every margin.
    """

    lower: float
    upper: float
    radius: float
    vector: Floats  # of length 1: one weight per feature, the constant one last; or one per example

    @property
    def separates(self) -> bool:
        """Whether the vector has all examples on their sides."""
        return self.lower > 0


def margin_of(vector: Any, X: Any, y: Anything) -> float:
    """Return the least y <u, x> of a vector, u = vector / ||vector||.

    Parameters
    ----------
    vector
        One weight per column of X.
    X, y
        Examples, and +1 or -1 for each.

    Examples
    --------
    >>> margin_of([0.0, 2.0], [[3.0, 1.0], [1.0, -2.0]], [1, -1])
    1.0
    """
    w, rows, labels = np.asarray(vector, np.float64), read_matrix(X), np.asarray(y)
    length = float(np.linalg.norm(w))
    if not length > 0:
        raise ValueError("the zero vector has no margin, nor has one with NaN: it is on no side.")
    if w.shape != rows.shape[1:] or labels.shape != rows.shape[:1]:
        raise ValueError(
            f"X has the shape {rows.shape}, the vector {w.shape} and y {labels.shape}: give one weight per "
            "column and one label per row."
        )
    if not np.isin(labels, (-1, 1)).all():
        raise ValueError(f"y has the labels {np.unique(labels).tolist()[:5]}, but margins need -1 and 1.")
    return float(np.min(labels * (rows @ w))) / length


def largest_margin(
    X: Any, y: Any, *, kernel: Any = "linear", fit_intercept: bool = True, representation: str = "auto"
) -> LargestMargin:
    """Return the largest margin of any vector in the space of a kernel, between two bounds.

    Parameters
    ----------
    X, y
        Examples of two classes.
    kernel, fit_intercept, representation
        The space, as for learners. With `fit_intercept`, the constant feature is counted in lengths.

    Examples
    --------
    >>> found = largest_margin([[0.0, 1.0], [5.0, -1.0]], [1, 0], fit_intercept=False)
    >>> f"{found.lower:.2f} to {found.upper:.2f}", found.separates
    ('1.00 to 1.00', True)
    """
    method = PerceptronMethod(kernel=kernel, fit_intercept=fit_intercept, representation=representation)
    method.check()
    learner = Learner(method)
    labels, count = np.asarray(y), None
    if takes_matrices(learner.kernel):
        X = comparing.in_double(read_matrix(X))
        learner.inputs, count = int(X.shape[1]), int(X.shape[0])
    if labels.shape != (len(X) if count is None else count,):
        raise ValueError(f"y has the shape {labels.shape}: give one label for each of the examples.")
    learner.meet(labels)
    if len(learner.known) != 2:
        raise ValueError(f"y has {len(learner.known)} classes: a margin is between two.")
    learner.begin(data_of(learner, X, labels), 0)
    lengths = comparing.lengths_of(learner, X)
    radius = float(lengths.max(initial=0.0))
    signs = labels_of(learner.target.codes(labels), 1)[:, 0]
    proofs = prove(None, comparing.path(learner, X, labels, radius), Column(0, signs, lengths))
    return LargestMargin(*proofs.margins, radius, proofs.separating.vector)
