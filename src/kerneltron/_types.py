"""Plain structures that pass between the layers: tuples of arrays, and nothing that computes."""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.floating[Any]]
Integers: TypeAlias = NDArray[np.integer[Any]]
Anything: TypeAlias = NDArray[Any]
Bytes: TypeAlias = NDArray[np.uint8]


class Dense(NamedTuple):
    """Rows of `width` numbers one after the other; a constant feature `bias` belongs to each row.

    `bias` is 1 with an intercept and 0 without.
    """

    values: Floats
    width: int
    bias: float


class Sparse(NamedTuple):
    """Rows in CSR form: row i holds `values[starts[i]:starts[i + 1]]` in the columns `indices[...]`.

    Whoever makes one has made sure that all columns are at least 0 and below `width`.
    """

    values: Floats
    indices: Integers
    starts: Integers
    width: int
    bias: float


Rows: TypeAlias = Dense | Sparse


class Visits(NamedTuple):
    """Which rows to learn from, in which order, with the code of each row's class and its weight."""

    order: Integers
    codes: Integers
    importance: Floats


class Weights(NamedTuple):
    """All that a primal learner knows: per class c the vector w_c = scale[c] v_c.

    v_c is v[c::C] of C classes: what the classes know of one feature stands side by side, and the last
    feature is the constant. With A = mass[c], the sum of scale[c] over the clock ticks since the last
    fold, the sum of all vectors that w_c has been is A v_c - u_c.
    """

    v: Floats
    u: Floats  # empty unless averages are kept
    negative: Floats  # what balanced Winnow subtracts from v; else empty
    kept: Floats  # what the rule keeps for each weight, see `engine.declared.PerWeight`; else empty
    scale: Floats
    mass: Floats
    norm: Floats  # ||w_c||^2
    drift: Floats  # a bound on the relative error of `norm`, for rules that read it; else empty
    clock: Integers  # examples that class c has seen
    updates: Integers


class Trace(NamedTuple):
    """What happened at each visit, a row each: arrays without rows are not filled in."""

    scores: Floats  # before the update
    shrink: Floats
    step: Floats  # with the sign of the label
    average: Floats  # the scores of the mean of all vectors before the update; NaN where they are not wanted
    asked: Integers  # the row that stands for the visited one in `predictions`, scaled as it was before
    predictions: Floats  # its scores before the update; after `Hypothesis.follow` those that predict
    predictions_by_mean: Floats  # those of the mean of all vectors


class Log(NamedTuple):
    """The moves of a learner in the order in which they happened, an entry a move.

    At tick ticks[e], column c = columns[e] became shrink[e] w_c + step[e] x, x the remembered row slots[e].
    """

    slots: Integers
    columns: Integers
    shrink: Floats
    step: Floats
    ticks: Integers


class Entries(NamedTuple):
    """Rows whose entries are counted: row i holds `values[starts[i]:starts[i + 1]]` and counts `weights[i]`.

    Without `indices` a row has an entry for each column.
    """

    values: Floats
    indices: Integers
    starts: Integers
    weights: Floats


class ColumnMoments(NamedTuple):
    """The weight, the mean and the squared deviations of the entries of each column."""

    weights: Floats
    means: Floats
    squares: Floats


class Scaling(NamedTuple):
    """How columns are scaled by their moments: see `engine.scaling.centre_and_factor`.

    Parameters
    ----------
    absent_is_zero
        Whether an entry that a row does not hold is 0; else it is unknown.
    centres
        Whether columns may be centred.
    divides
        Whether columns are divided.
    is_standard
        Whether every column is divided by the standard deviation of all rows, as scikit-learn's
        StandardScaler does; else only columns of numbers are, see `engine.scaling.is_number`.
    is_robust
        Whether outliers count for less: see `engine.outliers`.
    """

    absent_is_zero: bool
    centres: bool
    divides: bool = True
    is_standard: bool = False
    is_robust: bool = True
