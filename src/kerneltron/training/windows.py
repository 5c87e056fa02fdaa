"""Windows of a stream as a learner sees them: labels become classes, records become rows."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from kerneltron._bounds import check_rows
from kerneltron._matrices import frozen
from kerneltron._types import Floats, Integers, Sparse
from kerneltron.engine.scoring import score_rows
from kerneltron.learning.learner import Learner
from kerneltron.learning.space import STREAM, Data, takes_matrices
from kerneltron.learning.targets.target import Target
from kerneltron.learning.weighting import whole_weights
from kerneltron.scaling.column_scaler import ColumnScaler
from kerneltron.stream.window import NO_LABEL, Window

BYTES = 20  # of a weight, with its average and AdaGrad's sum
MOST_BYTES = 6 << 30


def meet(
    learner: Learner, names: Iterable[str], are_given: bool = False, window: Window | None = None
) -> list[str]:
    """Let a learner get to know labels, and return those that came late.

    It begins as soon as it knows one and, if its map is chosen by examples, as the first are there.

    Parameters
    ----------
    learner
        It gets a model with one column per class, or columns for those that are new.
    names
        Labels; those that are new begin as `models.late` says.
    are_given
        They are all that may come: from now on the classes are closed.
    window
        The examples that the labels belong to, if they are there.
    """
    labels = np.array(sorted(names), "U")
    if not labels.size:
        return []
    given = labels if are_given else None
    _check_size(learner, learner.target.meet(labels, given).target, labels)
    met = learner.meet(labels, given)
    if not learner.has_model and (window is not None or not learner.method.looks_at_examples):
        begin(learner, window)
    return list(met.late)


def begin(learner: Learner, window: Window | None = None) -> None:
    """Let a learner begin, for the classes that it knows and rows of this many slots.

    The examples of the window, if it is there, are the first of the stream.
    """
    method = learner.method
    method.check()
    method.check_streaming()
    if not takes_matrices(learner.kernel):
        raise ValueError(
            f"kernel={learner.kernel} compares {learner.kernel.domain}, and a stream holds rows of numbers: "
            "give a kernel over vectors such as 'linear' or 'Gaussian(2.0)'."
        )
    mistakes = learner.mistakes
    first = codes = None
    if window is not None and learner.method.looks_at_examples:
        there = (window.labels != NO_LABEL) & (window.importance > 0)
        first = learner.scaled(matrix(learner, window), limits=True)[there]
        codes = window.labels[there]
    data = Data(STREAM, learner.inputs or 0, np.float32, first, codes, is_whole=False)
    learner.begin(data, method.seed())
    learner.is_streaming = True
    if mistakes is not None:
        learner.mistakes = mistakes


def _check_size(learner: Learner, target: Target, labels: Any) -> None:
    """Raise if the columns of a target would take more memory than any such training can mean."""
    columns, slots = target.columns, 0 if learner.method.looks_at_examples else learner.inputs or 0
    if target is not learner.target and columns * slots * BYTES > MOST_BYTES:
        raise ValueError(
            f"{columns:,} classes, such as {str(labels[0])!r}, times {slots:,} slots would take "
            f"{columns * slots * BYTES / 2**30:,.0f} GB: is that the column of labels? If so, give fewer "
            "`bits`."
        )


def count(scaler: ColumnScaler, window: Window) -> None:
    """Count the rows of a window that are to be learned from, for a scaler in front of the model."""
    scaler.count_rows(_raw(window, scaler.width), np.where(window.labels == NO_LABEL, 0.0, window.importance))


def count_visits(scaler: ColumnScaler, window: Window) -> None:
    """Count the rows of a window that are to be learned from, as a model that scales its columns does."""
    there = np.flatnonzero((window.labels != NO_LABEL) & (window.importance > 0))
    scaler.count_visits(_raw(window, scaler.width), there)


def scores(learner: Learner, window: Window) -> Floats:
    """Return one score per row and column, without learning."""
    model = learner.model
    if not model.takes_sparse_rows or model.hypothesis.keeps_moves:
        return learner.scores(matrix(learner, window))
    v = np.ascontiguousarray(model.vectors()).reshape(-1)
    found = np.empty((window.size, model.columns))
    check_rows(rows := _sparse(learner, window), v.size // model.columns - 1)
    score_rows(rows, v, np.empty(model.columns), found)
    return found


def importance_of(learner: Learner, window: Window, codes: Integers) -> Floats:
    """Return what each row counts; raise if a row holds numbers that cannot be learned from."""
    method = learner.method
    with np.errstate(over="ignore", invalid="ignore"):
        sound = np.isfinite(window.values.sum())
    if not sound or method.non_negative_only:
        method.check_values(matrix(learner, window))
    given: Floats = window.importance.astype(np.float64)
    if method.whole_examples_only:
        given = whole_weights("weight", given)
    by_class = learner.weights_of_classes()
    return np.asarray(by_class[codes] * given) if by_class.size else given


def rows_of(learner: Learner, window: Window) -> Any:
    """Return the rows of a window as the model of a learner begins with them."""
    model = learner.model
    if model.takes_sparse_rows and not model.delta:
        return _sparse(learner, window, limits=True)
    return model.read(learner.scaled(matrix(learner, window), limits=True))


def _sparse(learner: Learner, window: Window, limits: bool = False) -> Sparse:
    """Return a window as compiled functions take it, on the scale of the learner."""
    rows = _raw(window, learner.inputs or 0)._replace(bias=learner.model.bias)
    if learner.scaler is None:
        return rows
    values = learner.scaler.entries(rows, np.float32, limits)
    return rows._replace(values=frozen(values, np.float32))


def _raw(window: Window, width: int) -> Sparse:
    """Return a window as compiled functions take it."""
    values, indices = frozen(window.values, np.float32), frozen(window.indices, np.int32)
    return Sparse(values, indices, frozen(window.starts, np.int32), width, 0.0)


def matrix(learner: Learner, window: Window) -> Any:
    """Return a window as a sparse matrix of SciPy's."""
    import scipy.sparse as sp

    rows = sp.csr_matrix(
        (window.values, window.indices, window.starts), shape=(window.size, learner.inputs or 0), copy=True
    )
    rows.sort_indices()
    return rows
