"""Hypothesis strategies. Features are small integers, so that decisions do not hang on rounding."""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp


class Problem(NamedTuple):
    X: np.ndarray
    codes: np.ndarray
    classes: int


@st.composite
def problems(draw, min_rows=3, max_rows=30, max_columns=6, max_classes=5, min_value=-3):
    n = draw(st.integers(min_rows, max_rows))
    d = draw(st.integers(1, max_columns))
    classes = draw(st.integers(2, min(max_classes, n)))
    X = draw(hnp.arrays(np.float64, (n, d), elements=st.integers(min_value, 3).map(float)))
    codes = draw(hnp.arrays(np.int64, n, elements=st.integers(0, classes - 1)))
    codes[:classes] = np.arange(classes)
    return Problem(X, codes, classes)


@st.composite
def general_problems(draw, max_rows=40, max_classes=5, empty=0.0):
    """Gaussian features, for rules with a threshold that rounding must not decide; some rows may be empty."""
    n, d, classes = draw(st.integers(5, max_rows)), draw(st.integers(3, 6)), draw(st.integers(2, max_classes))
    generator = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    codes = generator.integers(0, classes, n)
    codes[:classes] = np.arange(classes)
    X = generator.normal(size=(n, d))
    X[generator.random(n) < draw(st.sampled_from([0.0, empty]))] = 0.0
    return Problem(X, codes, classes)


LAYOUTS = {
    "dense": lambda X: np.asarray(X, np.float64),
    "dense32": lambda X: np.asarray(X, np.float32),
    "csr": lambda X: sp.csr_matrix(np.asarray(X, np.float64)),
    "csr32": lambda X: sp.csr_matrix(np.asarray(X, np.float32)),
    "csr64": lambda X: with_long_indices(sp.csr_matrix(np.asarray(X, np.float64))),
}


def with_long_indices(X):
    X.indices, X.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
    return X
