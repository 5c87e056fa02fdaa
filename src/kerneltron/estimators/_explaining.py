"""What a classifier says about itself, and about one example."""

from numbers import Real
from typing import Any

import numpy as np

from kerneltron._validate import is_sparse
from kerneltron.estimators._input import is_structure, read
from kerneltron.explaining.explanations import ExampleExplanation, Explanation
from kerneltron.explaining.learners import explain_learner, explain_row
from kerneltron.explaining.streams import explain_model, most_frequent
from kerneltron.learning.parameters import check_number


def explain(estimator: Any, X: Any, top: int, label: Any) -> Explanation | ExampleExplanation:
    """Explain a classifier or, if there is one, the example X; see `Classifier.explain`."""
    check_number("top", top, least=1)
    learner, stream = estimator.learner_, getattr(estimator, "stream_", None)
    if X is None:
        if stream is None:
            return explain_learner(learner, int(top), label)
        return explain_model(stream.model(learner), int(top), label)
    x = read(estimator, learner, _one_row(X, learner.kernel.domain))[0]
    count = x.shape[0] if hasattr(x, "shape") else len(x)
    if count != 1:
        raise ValueError(f"X has {count} examples: explain takes one at a time, for example X[:1].")
    naming = None if stream is None else most_frequent(stream.names)
    return explain_row(learner, x, int(top), label, naming)


def _one_row(X: Any, domain: str) -> Any:
    """Return one example as a matrix of one row, or a list of one, if it was given alone."""
    if is_structure(X) or (domain in ("trees", "graphs") and isinstance(X, tuple) and len(X) > 1):
        return [X]
    if hasattr(X, "to_frame"):  # a row of a data frame, or a column of structures
        return X.to_frame().T if getattr(X.dtype, "kind", "O") in "biuf" else X
    if is_sparse(X) or hasattr(X, "columns"):
        return X
    if isinstance(X, np.ndarray):
        return X[None] if X.ndim == 1 else X
    return [X] if len(X) and isinstance(X[0], Real) else X
