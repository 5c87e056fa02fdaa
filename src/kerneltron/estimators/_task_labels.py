"""Labels of many tasks: a matrix of -1, 0 (unknown) and +1."""

from typing import Any

import numpy as np
import scipy.sparse as sp

from kerneltron._types import Anything, Floats, Integers
from kerneltron._validate import as_csr, is_sparse
from kerneltron.learning.examples import Tasks


def read_labels(Y: Any, n: int, tasks: int | None = None) -> Any:
    """Return Y as a dense or CSR matrix of small integers; raise unless it has n rows and this many tasks."""
    matrix: Any = sp.csr_matrix(as_csr(Y, "Y"), copy=True) if is_sparse(Y) else np.asarray(Y)
    if is_sparse(matrix):
        matrix.sum_duplicates()
    if matrix.ndim != 2:
        raise ValueError(
            f"Y has {matrix.ndim} dimension(s): give a matrix of -1, 0 (unknown) and +1, one column per task."
        )
    if matrix.shape[0] != n:
        raise ValueError(f"Y has {matrix.shape[0]} rows and X {n}: give one row of labels per example.")
    if matrix.shape[1] == 0 or (tasks is not None and matrix.shape[1] != tasks):
        wanted = "at least one" if tasks is None else f"{tasks}, as before"
        raise ValueError(f"Y has {matrix.shape[1]} columns, one per task: give {wanted}.")
    if matrix.dtype.kind not in "iuf":
        raise ValueError(f"Y holds {matrix.dtype}, not numbers: give -1, 0 (unknown) and +1.")
    _check_labels(matrix)
    return matrix.astype(np.int8)


def _check_labels(matrix: Any) -> None:
    values = matrix.data if is_sparse(matrix) else matrix.ravel()
    wrong = np.flatnonzero(~np.isin(values, (-1, 0, 1)))
    if wrong.size:
        there = matrix.tocoo() if is_sparse(matrix) else None
        row, column = (
            (there.row[wrong[0]], there.col[wrong[0]])
            if there is not None
            else divmod(int(wrong[0]), matrix.shape[1])
        )
        raise ValueError(
            f"Y holds {values[wrong[0]]} in row {row}, column {column}: labels are -1, 0 (unknown) and +1."
        )


def check_both_answers(labels: Any) -> None:
    """Raise if there is a yes and no task has a no: 0 does not say no."""
    values = labels.data if is_sparse(labels) else labels
    if values.size and values.max() > 0 and values.min() >= 0:
        raise ValueError(
            "Y holds +1 and not one -1: 0 is for labels that are not known. If 0 means no, give 2 * Y - 1."
        )


def dense(labels: Any) -> Anything:
    """Return labels as a dense matrix."""
    return np.asarray(labels.toarray() if is_sparse(labels) else labels)


def labelled(tasks: Tasks, m: int) -> tuple[Integers, Anything, Floats | None]:
    """Return the rows that have a label for task m, these labels, and the weights of the rows."""
    column = dense(tasks.Y[:, [m]]).ravel()
    weight = tasks.sample_weight
    rows = np.flatnonzero(column if weight is None else (column != 0) & (weight > 0))
    return rows, column[rows].astype(np.int64), None if weight is None else weight[rows]
