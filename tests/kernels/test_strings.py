"""Kernels over strings: against their definitions, by hand, and at their limits."""

import gzip
from functools import partial

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from kerneltron import Perceptron
from kerneltron.kernels import (
    Gaussian,
    Mismatch,
    On,
    Pack,
    Spectrum,
    Subsequences,
    Substrings,
    WeightedDegree,
    parse,
)
from kerneltron.kernels.bags import Bags
from kerneltron.kernels.listing import Listing
from kerneltron.kernels.strings import substrings as substrings_module
from kerneltron.kernels.strings.reading import read
from kerneltron.kernels.strings.strings import Strings, aligned
from tests.oracle import strings as oracle

LETTERS = "AB"
CASES = [
    (Spectrum(1), partial(oracle.spectrum, k=1)),
    (Spectrum(3), partial(oracle.spectrum, k=3)),
    (Spectrum(3, blended=True), partial(oracle.spectrum, k=3, blended=True)),
    (Spectrum(100), partial(oracle.spectrum, k=100)),
    (Spectrum(100, blended=True), partial(oracle.spectrum, k=100, blended=True)),
    (Substrings(), oracle.all_substrings),
    (Substrings(decay=0.7), partial(oracle.all_substrings, decay=0.7)),
    (Substrings(max_length=1), partial(oracle.all_substrings, max_length=1)),
    (Substrings(decay=0.5, max_length=3), partial(oracle.all_substrings, decay=0.5, max_length=3)),
    (WeightedDegree(1), partial(oracle.weighted_degree, k=1)),
    (WeightedDegree(3), partial(oracle.weighted_degree, k=3)),
    (WeightedDegree(50), partial(oracle.weighted_degree, k=50)),
    (Subsequences(1, decay=1.0), partial(oracle.subsequences, k=1, decay=1.0)),
    (Subsequences(2), partial(oracle.subsequences, k=2)),
    (Subsequences(4, decay=0.9), partial(oracle.subsequences, k=4, decay=0.9)),
    (Subsequences(30), partial(oracle.subsequences, k=30)),
    (Mismatch(2, 0, LETTERS), partial(oracle.mismatch, k=2, m=0, alphabet=LETTERS)),
    (Mismatch(3, 1, LETTERS), partial(oracle.mismatch, k=3, m=1, alphabet=LETTERS)),
    (Mismatch(4, 3, LETTERS), partial(oracle.mismatch, k=4, m=3, alphabet=LETTERS)),
]
KERNELS = [k for k, _ in CASES]
LISTING = [k for k in KERNELS if isinstance(k, Listing)]
every_case = pytest.mark.parametrize(("k", "expected"), CASES, ids=map(repr, KERNELS))
every_kernel = pytest.mark.parametrize("k", KERNELS, ids=repr)
every_counting = pytest.mark.parametrize("k", LISTING, ids=repr)

# Few letters, so that there is much to find; runs; a letter outside of LETTERS, but never in most places.
few = st.lists(st.sampled_from(["A", "B", "AB", "BBB", "AXA"]), max_size=4).map("".join)
both = st.lists(few, min_size=1, max_size=6)
STRINGS = ["", "A", "ABAB", "BABBAB", "AAAAAAA", "", "BXAB", "ABBABAABBAABABBA", "AXBXA", "B", "ABABABABA"]
unusual = st.text(st.sampled_from("a\0\ud800\udc00\U0001f600é"), max_size=8)  # two that could join to one


def close(actual, expected):
    np.testing.assert_allclose(actual, expected, rtol=1e-12, atol=1e-14)


def gram(function, X, Z):
    return np.array([[function(x, z) for z in Z] for x in X], float).reshape(len(X), len(Z))


# -- the definitions -----------------------------------------------------------------------------------


@every_case
@settings(deadline=None, max_examples=15)
@given(X=both, Z=both)
def test_kernels_are_what_they_are_defined_to_be(k, expected, X, Z):
    close(k(X, Z), gram(expected, X, Z))
    close(k(X), gram(expected, X, X))
    close(k.diag(X), [expected(x, x) for x in X])


@every_case
@settings(deadline=None, max_examples=15)
@given(X=st.lists(unusual, min_size=1, max_size=4), Z=st.lists(unusual, min_size=1, max_size=3))
def test_letters_are_code_points(k, expected, X, Z):
    if not isinstance(k, Mismatch):
        close(k(X, Z), gram(expected, X, Z))


@pytest.mark.parametrize("letters", ["a", "ab", "ACGT", "abcdefghijklmnopqrstuvwxyz"])
@pytest.mark.parametrize("decay", [1.0, 0.9])
def test_long_strings_have_the_substrings_of_the_dynamic_programme(letters, decay):
    generator = np.random.default_rng(0)
    X = [generator.choice([*letters], size) for size in (2000, 1, 1500)]
    codes = [x.view(np.int32) for x in X]
    expected = gram(partial(oracle.substrings_by_programme, decay=decay), codes, codes)
    rtol = 0 if decay == 1 else 1e-10  # the programme adds millions of numbers one by one
    np.testing.assert_allclose(Substrings(decay)(X), expected, rtol)
    np.testing.assert_allclose(Substrings(decay).diag(X), expected.diagonal(), rtol)


@pytest.mark.slow
@pytest.mark.parametrize("widest", [64, 0])
def test_transitions_in_a_table_and_in_a_hash(widest, monkeypatch):
    monkeypatch.setattr(substrings_module, "MOST_SYMBOLS", widest)
    generator = np.random.default_rng(0)
    X = [generator.integers(0, size, 60) for size in (1, 2, 3, 10, 50, 1000)]
    for decay in (1.0, 0.5):
        expected = gram(partial(oracle.substrings_by_programme, decay=decay), X, X)
        close(Substrings(decay)(X), expected)
        close(Substrings(decay).diag(X), expected.diagonal())


def test_by_hand():
    assert Spectrum(2)(["abab"], ["bab"]) == 2 * 1 + 1 * 1
    assert Spectrum(2, blended=True)(["ab"], ["aab"]) == 2 + 1 + 1
    assert Substrings()(["aba"], ["ab"]) == 2 + 1 + 1
    assert Substrings(decay=0.5)(["aba"], ["aba"]) == 0.5 * (4 + 1) + 0.25 * 2 + 0.125
    assert Substrings(max_length=2)(["aba"], ["aba"]) == 4 + 1 + 2
    assert Subsequences(2, 0.5)(["cat"], ["car"]) == 0.5**4
    assert Subsequences(2, 0.5)(["cat"], ["cat"]) == 2 * 0.5**4 + 0.5**6
    close(WeightedDegree(2)(["ab"], ["ab"]), [[2 * 2 / 3 + 1 / 3]])
    close(WeightedDegree(2)(["abc"], ["xb"]), [[2 / 3]])
    assert Mismatch(1, 0)(["ACA"], ["AAG"]) == 4
    assert Mismatch(2, 1)(["AC"], ["AC"]) == 7
    assert Mismatch(2, 1)(["NC"], ["AC"]) == 4  # AC, CC, GC, TC


def test_words_near_a_piece_with_a_letter_outside():
    x = "ANCAT"
    assert Mismatch(2, 1)([x], ["AC"]) == oracle.mismatch(x, "AC", 2, 1)
    assert Mismatch(3, 2)([x], [x]) == oracle.mismatch(x, x, 3, 2)
    assert Mismatch(4, 3)([x], [x]) == oracle.mismatch(x, x, 4, 3)


# -- what a string may be ------------------------------------------------------------------------------


@every_kernel
def test_text_bytes_lists_and_arrays_of_letters_are_the_same(k):
    expected, lists = k(STRINGS), [list(x) for x in STRINGS]
    for X in (
        tuple(STRINGS),
        np.array(STRINGS),
        np.array(STRINGS, object),
        pd.Series(STRINGS, index=range(7, 7 + len(STRINGS))),
        [x.encode() for x in STRINGS],
        [bytearray(x.encode()) for x in STRINGS],
        np.array([x.encode() for x in STRINGS]),
        lists,
        list(map(tuple, lists)),
        [np.array(x, "U1") for x in lists],
        [np.array(x, object) for x in lists],
        [(x, x.encode(), list(x))[i % 3] for i, x in enumerate(STRINGS)],
    ):
        np.testing.assert_array_equal(k(X), expected)


@pytest.mark.parametrize("k", [k for k in KERNELS if not isinstance(k, Mismatch)], ids=repr)
def test_tokens_are_symbols_whatever_they_are(k):
    expected = k(STRINGS)
    for tokens in (
        {"A": "to", "B": "be", "X": "X"},
        {"A": 0, "B": 1, "X": -7},
        {"A": 0.5, "B": b"AB", "X": 10**30},
        {"A": "1", "B": 1, "X": "_"},
    ):
        close(k([[tokens[letter] for letter in x] for x in STRINGS]), expected)
    numbers = [np.array([ord(letter) - 70 for letter in x], np.int16) for x in STRINGS]
    close(k(numbers, [x.tolist() for x in numbers]), expected)
    close(k(np.array([[1, 2, 1], [2, 1, 2]])), k(["ABA", "BAB"]))


def test_letters_with_accents_are_those_of_latin_bytes():
    assert Spectrum(1)(["é"], ["é".encode("latin-1")]) == 1
    assert Spectrum(1)(["é"], ["e\u0301"]) == 0  # nothing is normalized


@every_kernel
def test_empty_strings_are_like_nothing(k):
    np.testing.assert_array_equal(k(["", "ABA"], ["", b"", []]), np.zeros((2, 3)))
    np.testing.assert_array_equal(k.diag(["", ""]), [0, 0])
    assert k([]).shape == (0, 0)
    assert k([], ["A"]).shape == (0, 1)
    np.testing.assert_array_equal(k.normalized()(["", "ABABABAB" * 20])[0], [0, 0])


# -- laws ----------------------------------------------------------------------------------------------


@every_kernel
def test_packs_made_apart_are_comparable(k):
    expected = k(STRINGS)
    left, right = k.pack(STRINGS[:4]), k.pack(STRINGS[4:])
    close(k.gram(left, right), expected[:4, 4:])
    close(k.gram(right, left), expected[4:, :4])
    joined, whole = Pack.join([left, k.pack([]), right]), k.pack(STRINGS)
    close(k.gram(joined, joined), expected)
    close(k.gram(joined[2:9], whole[::3]), expected[2:9, ::3])
    places = np.array([8, 0, 8, 3])
    close(k.gram(whole[places], joined[places].without_rows()), expected[places][:, places])
    close(k.gram(whole[places].without_rows(), right), expected[places, 4:])
    close(k.diag(joined[places]), expected.diagonal()[places])


@every_kernel
def test_gram_matrices_have_no_negative_eigenvalues(k):
    matrix = k(STRINGS)
    np.testing.assert_array_equal(matrix, matrix.T)
    assert np.linalg.eigvalsh(matrix).min() >= -1e-9 * matrix.max()
    close(matrix.diagonal(), k.diag(STRINGS))
    assert matrix.dtype == k.diag(STRINGS).dtype == np.float64


@every_counting
def test_features_have_the_inner_products_of_the_kernel(k):
    bags = Bags.of(k._find(STRINGS))
    close(bags.products(bags, np.float64), k(STRINGS))


@every_counting
def test_names_tell_features_apart(k):
    names, ids = {}, {}
    for x in [*STRINGS, list("ABBA"), b"ABBA"]:
        found = k._find([x])
        for id, name in zip(found.ids.tolist(), k._names(x, range(found.ids.size)), strict=True):
            key = name if not isinstance(x, list) else name.replace("_", "")
            assert names.setdefault(id, key) == key
            assert ids.setdefault(key, id) == id
    assert k._names("ABBA", []) == []


def test_names():
    assert Spectrum(2)._names("GATTA", [0, 3]) == ["GA", "TA"]
    assert Spectrum(2)._names(["to", "be", 1], [1]) == ["be_1"]
    assert Spectrum(2, blended=True)._names(b"abc", range(5)) == ["a", "ab", "b", "bc", "c"]
    assert WeightedDegree(3)._names("GATTA", [0, 2, 5, 11]) == ["0:G", "0:GAT", "1:ATT", "4:A"]
    assert Mismatch(2, 1)._names("AN", range(4)) == ["AA", "AC", "AG", "AT"]
    assert Mismatch(2, 1, "ab")._names("ab", range(3)) == ["ab", "bb", "aa"]


@every_counting
def test_features_weigh_what_they_should(k):
    x = "ABABBAX"
    found = k._find([x])
    weights = found.weights if found.weights.size else np.ones(found.ids.size)
    features = dict.fromkeys(names := k._names(x, range(found.ids.size)), 0.0)
    for name, weight in zip(names, weights, strict=True):
        features[name] += weight
    if isinstance(k, Spectrum):
        counted = oracle.substrings(x, range(1, k.k + 1) if k.blended else [k.k])
        expected = {"".join(s): count for s, count in counted.items()}
    elif isinstance(k, WeightedDegree):
        expected = {f"{i}:{''.join(s)}": w for (i, s), w in oracle.placed_substrings(x, k.k).items()}
    else:
        expected = dict(oracle.near_words(x, k.k, k.m, k.alphabet))
    assert features == pytest.approx(expected)


@every_kernel
def test_expressions(k):
    assert k.domain == "strings"
    assert parse(repr(k)) == k
    assert k.replace(**k.get_params()) == k
    records = [{"text": x, "size": len(x)} for x in STRINGS]
    mixed = (On("text", k) + On("size", Gaussian(3.0))).normalized()
    assert mixed(records).shape == (len(STRINGS),) * 2
    close((k * k + 2 * k)(STRINGS), k(STRINGS) ** 2 + 2 * k(STRINGS))


def test_kernels_share_the_strings_of_an_expression():
    k = Substrings() + Subsequences(2) * WeightedDegree(3)
    assert list(k.pack(STRINGS).parts) == ["strings"]
    with pytest.raises(ValueError, match="compares strings and"):
        Substrings() + Gaussian(1.0)


@pytest.mark.slow
def test_a_million_letters():
    x = "".join(np.random.default_rng(0).choice(list("ACGT"), 1_000_000))

    def count(s):
        return sum(x.startswith(s, p) for p in range(len(x)))

    found = {s: count(s) for s in ("A", "C", "AC", "CA", "CAC", "ACA")}
    assert Spectrum(3)([x], ["CACAC"]) == 2 * found["CAC"] + found["ACA"]
    assert Mismatch(3, 0)([x], ["CACAC"]) == 2 * found["CAC"] + found["ACA"]
    common = 2 * found["C"] + found["A"] + found["CA"] + found["AC"] + found["CAC"]
    assert Spectrum(3, blended=True)([x], ["CAC"]) == common
    assert Substrings()([x], ["CAC"]) == common
    assert Substrings()(["CAC"], [x]) == common
    assert Substrings().diag([x])[0] > len(x) ** 2 / 4
    assert WeightedDegree(20)([x], [x[:500_000]]) > 499_000


def test_a_million_words():
    x = np.random.default_rng(0).integers(0, 100_000, 1_000_000)
    found = Substrings(max_length=1)([x], [x[:3]])
    assert found == sum((x == word).sum() for word in x[:3])


def test_long_runs():
    x = "a" * 20_000
    n = len(x)
    assert Substrings()([x], ["a"]) == n
    close(Substrings().diag([x]), [n * (n + 1) * (2 * n + 1) / 6])
    close(WeightedDegree(n).diag([x]), WeightedDegree(n)([x])[0])
    k = Subsequences(2, decay=0.9)
    close(k(["a" + "x" * 3000 + "b"], ["ab"]), [[0.9**3004]])
    assert k(["a" + "x" * 9000 + "b"], ["ab"]) < 1e-290  # too small for a float, and not slow


def test_different_strings_with_equal_polynomial_hashes():
    morse = "a"
    for _ in range(11):
        morse += morse.translate(str.maketrans("ab", "ba"))
    other = morse.translate(str.maketrans("ab", "ba"))
    assert Spectrum(len(morse))([morse], [morse, other]).tolist() == [[1, 0]]


def test_subsequences_of_too_many_places_say_so():
    with pytest.raises(ValueError, match=r"Subsequences\(400, decay=1.0\) overflows"):
        Subsequences(400, decay=1.0)(["a" * 1100])


# -- the part of a pack --------------------------------------------------------------------------------


def test_strings_are_saved_with_their_own_symbols():
    part = Strings.of(read(STRINGS))
    some = part[np.array([3, 0, 9])]
    assert sorted(some.tensors()) == ["codes", "ids", "starts"]
    assert some.tensors()["ids"].tolist() == [ord("A"), ord("B")]
    again = Strings.restored(some.tensors())
    codes = aligned(again, some)
    np.testing.assert_array_equal(codes.flat.codes, again.entries.flat.codes)
    np.testing.assert_array_equal(codes.starts, again.entries.starts)
    foreign = aligned(again, Strings.of(read(["AXBY"])))
    assert foreign.flat.codes.tolist() == [0, -1, 1, -1]


@pytest.mark.parametrize(
    ("name", "change", "reason"),
    [
        ("codes", lambda a: a + 1, "no id"),
        ("codes", lambda a: a - 1, "no id"),
        ("codes", lambda a: a[1:], "entries"),
        ("codes", lambda a: a.astype(np.int64), "int64"),
        ("starts", lambda a: a[::-1].copy(), "begin"),
        ("starts", lambda a: a[:0], "begin"),
        ("starts", lambda a: a[None], "shape"),
        ("ids", lambda a: a[:1].repeat(a.size), "twice"),
        ("ids", lambda a: a.astype(float), "float64"),
        ("ids", None, "no 'ids'"),
    ],
)
def test_damaged_strings_are_not_restored(name, change, reason):
    tensors = dict(Strings.of(read(STRINGS)).tensors())
    if change is None:
        del tensors[name]
    else:
        tensors[name] = change(tensors[name])
    with pytest.raises(ValueError, match=reason):
        Strings.restored(tensors)


# -- errors --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("X", "error", "reason"),
    [
        ("ABAB", TypeError, r"one string, 'ABAB': give a list of strings"),
        (b"ABAB", TypeError, r"one string, b'ABAB'"),
        ({"a": "b"}, TypeError, r"X is a dict"),
        ({"a", "b"}, TypeError, r"X is a set"),
        (pd.DataFrame({"text": ["A"]}), TypeError, r"X is a DataFrame.*one column"),
        (sp.csr_matrix((2, 2)), TypeError, r"not a list of strings"),
        (["AB", None], TypeError, r"X\[1\] is None"),
        (["AB", "B", float("nan")], TypeError, r"X\[2\] is nan"),
        (np.array([1.0, 2.0]), TypeError, r"X\[0\] is 1.0"),
        (["AB", {"A": 1}], TypeError, r"X\[1\] is \{'A': 1\}"),
        (["AB", np.zeros((2, 2))], ValueError, r"X\[1\] has the shape \(2, 2\)"),
        (["AB", ["A", "B", None]], TypeError, r"X\[1\]\[2\]: None is not a label"),
        ([["A"], ["A", ["B"]]], TypeError, r"X\[1\]\[1\]: \['B'\] is not a label"),
        ([["A"], [1.5, float("nan")]], TypeError, r"X\[1\]\[1\]: nan"),
    ],
)
def test_what_is_no_string_is_named(X, error, reason):
    for k in (Spectrum(2), Substrings(), Mismatch(2, 1, "AB")):
        with pytest.raises(error, match=reason):
            k(X)


@pytest.mark.parametrize(
    ("make", "error", "reason"),
    [
        (lambda: Spectrum(0), ValueError, "k=0 must be at least 1"),
        (lambda: Spectrum(1.5), TypeError, "k=1.5 is not a whole number"),
        (lambda: Spectrum("3"), TypeError, "k='3'"),
        (lambda: WeightedDegree(-1), ValueError, "k=-1"),
        (lambda: Substrings(decay=0), ValueError, "decay=0 must be finite and greater than 0"),
        (lambda: Substrings(decay=1.5), ValueError, "decay=1.5 must be at most 1"),
        (lambda: Substrings(max_length=0), ValueError, "max_length=0"),
        (lambda: Subsequences(0), ValueError, "k=0"),
        (lambda: Subsequences(2, decay=2), ValueError, "decay=2 must be at most 1"),
        (lambda: Mismatch(3, 3), ValueError, "m=3 must be less than k=3"),
        (lambda: Mismatch(3, -1), ValueError, "m=-1"),
        (lambda: Mismatch(3, 1, ""), TypeError, "alphabet=''"),
        (lambda: Mismatch(3, 1, ["A"]), TypeError, "not a text"),
        (lambda: Mismatch(3, 1, "ACA"), ValueError, "'A' twice"),
        (lambda: Mismatch(10, 5), ValueError, "more than 20,000 words near every piece"),
    ],
)
def test_parameters_are_checked(make, error, reason):
    with pytest.raises(error, match=reason):
        make()


def test_strings_of_another_alphabet_are_named():
    with pytest.raises(ValueError, match=r"X\[1\] has 4 of 7 letters outside .* position 3: give alphabet="):
        Mismatch(2, 1)(["ACGT", "ACGacgt"])
    assert Mismatch(2, 1)(["ACGacg"]) > 0  # half of it
    assert Mismatch(2, 1)(["ANNNNNN"], ["AC"]) == 4  # unknown letters, not another alphabet


# -- real data -----------------------------------------------------------------------------------------


@pytest.mark.real_data
def test_splice_sites_are_told_apart(data_folder):
    with gzip.open(data_folder / "splice" / "splice.data.gz", "rt") as file:
        rows = [line.replace(" ", "").strip().split(",") for line in file if line.strip()]
    rows = [rows[i] for i in np.random.default_rng(0).permutation(len(rows))[:900]]
    X, y = [row[-1] for row in rows], np.array([row[0] for row in rows])
    for k, most in ((WeightedDegree(8), 0.12), (Mismatch(5, 1).normalized(), 0.5)):
        learner = Perceptron(kernel=k, passes=3, random_state=0).fit(X[:600], y[:600])
        assert np.mean(learner.predict(X[600:]) != y[600:]) < most
