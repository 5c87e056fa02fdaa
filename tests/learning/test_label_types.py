"""Labels of several types: no two become one, and whole numbers stay whole."""

import numpy as np
import pandas
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kerneltron import Perceptron
from kerneltron.learning.label_types import joined
from kerneltron.learning.targets.classification import Classification

TYPES = (np.int8, np.uint8, np.int64, np.uint64, np.float32, np.float64)
ENDS = (0, 1, 2, 127, 2**24, 2**53, 2**60, 2**63, 2**64)


def arrays(dtype):
    """Draw labels of a type, near the places where others end."""

    if np.dtype(dtype).kind == "f":
        near = st.sampled_from([float(sign * end) for end in ENDS for sign in (-1, 1)])
        return st.lists(near, min_size=1, max_size=4).map(lambda values: np.array(values, dtype))
    limits = np.iinfo(dtype)
    near = [sign * end + more for end in ENDS for more in (-1, 0, 1) for sign in (-1, 1)]
    inside = [value for value in near if limits.min <= value <= limits.max]
    return st.lists(st.sampled_from(inside), min_size=1, max_size=4).map(
        lambda values: np.array(values, dtype)
    )


def are_exact(values, dtype):
    """Return whether a type has all of these numbers."""
    if np.dtype(dtype).kind == "f":
        return all(float(value) == value for value in values)
    limits = np.iinfo(dtype)
    return all(limits.min <= value <= limits.max and int(value) == value for value in values)


labels = st.sampled_from(TYPES).flatmap(arrays)


@settings(max_examples=150, deadline=None)
@given(labels, labels)
def test_classes_of_two_types_are_those_of_python_or_refused(known, new):
    expected = sorted({*known.tolist(), *new.tolist()})
    try:
        found = joined(known, new)
    except ValueError as error:
        assert "no type of NumPy holds all of them" in str(error)  # noqa: PT017 - there need not be one
        assert not any(are_exact(expected, dtype) for dtype in TYPES)
        return
    assert found.tolist() == expected
    met = Classification(np.unique(known)).meet(new)
    assert met.target.classes.tolist() == expected
    late = [] if len(set(known.tolist())) < 2 else sorted({*new.tolist()} - {*known.tolist()})
    assert sorted(met.late) == late


@pytest.mark.parametrize("small", [[1, 2], [2**60, 2**60 + 1]])
def test_a_learner_keeps_whole_labels_whatever_their_types(small):
    X, first = np.array([[1.0, 0.0], [0.0, 1.0]]), np.array(small)
    learner = Perceptron(random_state=0).partial_fit(X, first).partial_fit(X, first.astype(np.uint64))
    np.testing.assert_array_equal(learner.classes_, first, strict=True)
    np.testing.assert_array_equal(learner.predict(X), first)
    weighted = learner.partial_fit(X[::-1], first[::-1].astype(np.uint64), sample_weight=[0.0, 1.0])
    np.testing.assert_array_equal(weighted.predict(X), first, strict=True)
    np.testing.assert_array_equal(
        Perceptron(random_state=0).partial_fit(X, first.astype(np.uint64), classes=first).classes_, first
    )


@pytest.mark.parametrize("dtype", ["Int64", "UInt8", "boolean", "int64[pyarrow]"])
def test_labels_of_the_types_of_pandas(dtype):
    X, plain = np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([False, True])
    if dtype in ("Int64", "int64[pyarrow]"):
        plain = plain + np.int64(2**60)
    y = pandas.Series(plain, dtype=dtype)
    for learner in (Perceptron(random_state=0).fit(X, y), Perceptron(random_state=0).partial_fit(X, y)):
        assert learner.partial_fit(X, y).classes_.tolist() == plain.tolist()
        assert learner.classes_.dtype.kind == y.dtype.numpy_dtype.kind
        assert learner.predict(X).tolist() == plain.tolist()
    with pytest.raises(ValueError, match="y holds"):
        Perceptron().fit(X, pandas.Series([1, None], dtype="Int64"))


def test_labels_that_no_type_holds_are_refused():
    X = np.eye(2)
    learner = Perceptron(random_state=0).partial_fit(X, np.array([-1, 1]))
    with pytest.raises(ValueError, match="int64 and as uint64, from -1 to 9223372036854775809: no type"):
        learner.partial_fit(X, np.array([1, 2**63 + 1], np.uint64))
    assert learner.classes_.tolist() == [-1, 1]
    with pytest.raises(ValueError, match="y holds 9223372036854775809 in row 1, which NumPy would round"):
        Perceptron().fit(X, [5, 2**63 + 1])
