"""Arrays with one row per feature are written without what most rows share, and come back to the last bit."""

import os

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from kerneltron import Arow, LogisticRegression, PassiveAggressive, Perceptron, Romma, Winnow, load, save
from kerneltron.cli.running import run
from kerneltron.datasets.messages import write as write_messages
from kerneltron.files import packing
from kerneltron.files.contents import Contents, ModelFileError
from kerneltron.files.format import read, write
from kerneltron.files.packing import packed, unpacked

FEATURES = 2000
RNG = np.random.default_rng(0)


def some(seed, share, kinds, columns, first=0.0):
    """Return arrays for many features: a share of them has one of some kinds of rows, the rest the first."""
    rng = np.random.default_rng(seed)
    kind = np.where(rng.random(FEATURES) < share, rng.integers(0, kinds + 1, FEATURES), 0)
    rows = rng.normal(size=(kinds + 1, 2 * columns))
    rows[0] = first
    rows[1 + kinds // 2 :, ::3] = -0.0
    both = rows[kind]
    return {"v": both[:, :columns].astype(np.float32).reshape(-1), "w": both[:, columns:].copy()}


def bits(tensors):
    return {name: (np.asarray(a).dtype, np.asarray(a).tobytes()) for name, a in tensors.items()}


def through_a_file(contents, path):
    write(path, contents)
    return read(path)


@settings(deadline=None, max_examples=50)
@given(
    seed=st.integers(0, 99),
    share=st.sampled_from([0.0, 0.003, 0.3, 1.0]),
    kinds=st.sampled_from([1, 5, FEATURES]),
    columns=st.integers(1, 3),
    first=st.sampled_from([0.0, -0.0, 1.0]),
)
def test_what_is_packed_comes_back_to_the_last_bit_and_never_grows(seed, share, kinds, columns, first):
    arrays = some(seed, share, kinds, columns, first)
    whole = Contents({"a": 1}, {**arrays, "clock": np.arange(3)})
    small = packed(whole, FEATURES)
    again = unpacked(small, FEATURES)
    assert again.header == {"a": 1}
    assert bits(again.tensors) == bits(whole.tensors)
    assert packed(again, FEATURES).header == small.header
    assert sum(a.nbytes for a in small.tensors.values()) <= sum(a.nbytes for a in whole.tensors.values())
    joined = np.hstack([arrays["v"].reshape(FEATURES, -1).view("u4"), arrays["w"].view("u4")])
    different, counts = np.unique(joined, axis=0, return_counts=True)
    if "packed" in small.header and "packed.alike" in small.tensors:
        assert small.header["packed"]["rows"] == len(different)
    untouched = counts.max()
    if untouched > 0.9 * FEATURES:  # what they have in common is not written
        assert small.tensors["packed.slots"].size == FEATURES - untouched


def test_where_all_rows_differ_they_are_written_as_they_are():
    whole = Contents({}, {"w": RNG.normal(size=(FEATURES, 2))})
    assert packed(whole, FEATURES) is whole


def test_equal_hashes_do_not_make_rows_equal(monkeypatch, tmp_path):
    monkeypatch.setattr(packing, "_hashes", lambda arrays, places: np.zeros(places.size, np.uint64))
    whole = Contents({}, some(0, 0.2, 9, 2))
    small = through_a_file(packed(whole, FEATURES), tmp_path / "some.model")
    assert "packed" in small.header
    assert bits(unpacked(small, FEATURES).tensors) == bits(whole.tensors)


def slots(array):
    return lambda header, tensors: tensors.update({"packed.slots": array(tensors["packed.slots"])})


def alike(array):
    return lambda header, tensors: tensors.update({"packed.alike": array(tensors["packed.alike"])})


def about(**changes):
    return lambda header, tensors: header["packed"].update(changes)


HOSTILE = {
    "backwards": (slots(lambda s: s[::-1].copy()), "not in order"),
    "twice": (slots(lambda s: np.maximum(s, s[1])), "not in order"),
    "too far": (slots(lambda s: np.append(s[:-1], np.int32(FEATURES))), "not from 0 to 1999"),
    "negative": (slots(lambda s: np.append(np.int32(-1), s[1:])), "not from 0 to 1999"),
    "floats": (slots(lambda s: s.astype(float)), "holds float64, not int32 or int64"),
    "fewer": (slots(lambda s: s[:-1]), "'alike' has the shape"),
    "no such row": (alike(lambda a: a + 1), "'alike' holds a place that is not from 0 to"),
    "negative row": (alike(lambda a: a - 2), "'alike' holds a place that is not from 0 to"),
    "not one row each": (lambda header, tensors: tensors.pop("packed.alike"), "are not one for each of"),
    "other features": (about(features=FEATURES + 1), "arrays for 2001 features are not for 2000"),
    "other rows": (about(rows=11), "'v' has 20 numbers, which do not make 11 rows"),
    "no rows": (about(rows=0), "'rows' in the header is 0"),
    "no name": (about(tensors=[3]), "3 in the header is not the name of a tensor"),
    "another name": (about(tensors=["x"]), "there is no tensor 'x'"),
    "whole numbers": (about(tensors=["packed.slots"]), "holds int32"),
    "a list": (lambda header, tensors: header.update(packed=[1]), "'packed' in the header is"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_could_not_have_been_packed_is_refused(name):
    change, message = HOSTILE[name]
    small = packed(Contents({}, some(0, 0.2, 9, 2)), FEATURES)
    change(small.header, small.tensors)
    with pytest.raises(ModelFileError, match=message):
        unpacked(small, FEATURES)


def test_a_small_file_does_not_claim_all_memory(monkeypatch):
    small = packed(Contents({}, {"w": np.zeros((FEATURES, 2))}), FEATURES)
    small.header["packed"]["features"] = 2**40
    with pytest.raises(ModelFileError, match="are claimed by 16 bytes"):
        unpacked(small, 2**40)
    # What would not be read again is not written so.
    monkeypatch.setattr(packing, "LARGEST", 10_000)
    assert "packed" not in packed(Contents({}, {"w": np.zeros((FEATURES, 2))}), FEATURES).header


# -- learners --------------------------------------------------------------------------------------------

WIDE = 1 << 14
X = sp.csr_matrix(
    (RNG.integers(1, 4, 600).astype(float), RNG.integers(0, 300, 600) * 53, np.arange(0, 601, 10)), (60, WIDE)
)
X.sum_duplicates()
Y = np.arange(60) % 3
LEARNERS = {
    "adagrad, scaled": LogisticRegression(random_state=0),
    "adagrad": LogisticRegression(random_state=0, scale=False),
    "variances": Arow(random_state=0),
    "last": PassiveAggressive(random_state=0, hypothesis="last"),
    "drawn": Perceptron(random_state=0, hypothesis="random"),
    "vote": Perceptron(random_state=0, hypothesis="vote"),
    "norms": Romma(random_state=0),
    "balanced": Winnow(random_state=0, balanced=True),
    "noise": Perceptron(random_state=0, init_scale=0.1),
}


@pytest.mark.parametrize("name", LEARNERS)
def test_a_wide_learner_goes_on_as_if_it_had_never_been_saved_and_takes_little_room(name, tmp_path):
    learner, path = LEARNERS[name], tmp_path / "some.model"
    learner.fit(X[:40], Y[:40])
    save(learner, path)
    again = load(path)
    for one, other in zip(learner.model_.weights, again.model_.weights, strict=True):
        assert one.tobytes() == other.tobytes()
    if name != "noise":  # where each weight is another number
        assert os.path.getsize(path) < 80_000
        assert "packed" in read(path).header["model_"]
    for one in (learner, again):
        one.partial_fit(X[40:], Y[40:])
    files = [tmp_path / "one", tmp_path / "other"]
    save(learner, files[0])
    save(again, files[1])
    assert files[0].read_bytes() == files[1].read_bytes()
    save(learner, path, resumable=False)
    assert load(path).decision_function(X).tobytes() == learner.decision_function(X).tobytes()
    assert name == "noise" or os.path.getsize(path) < 40_000


def test_a_table_of_200_lines_becomes_a_small_model(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with open("mail.csv", "w") as file:
        write_messages(file, 200)
    assert run(["train", "mail.csv", "-o", "whole.model", "--quiet"]) == 0
    assert run(["train", "mail.csv", "-o", "small.model", "--quiet", "--prediction-only"]) == 0
    assert read("whole.model").header["hashing"]["bits"] == 22  # as it comes
    assert os.path.getsize("whole.model") < 200_000
    assert os.path.getsize("small.model") < 100_000
