"""What structured kernels stand on: ragged arrays, vocabularies, bags of features, labels, products."""

from typing import NamedTuple

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from kerneltron._matrices import compressed
from kerneltron.kernels import inner_products as products_module
from kerneltron.kernels.bags import Bags, Found
from kerneltron.kernels.inner_products import inner_products
from kerneltron.kernels.labels import label_id, label_ids
from kerneltron.kernels.ragged import Ragged, starts_of
from kerneltron.kernels.threads import in_threads
from kerneltron.kernels.vocabulary import Vocabulary, united

IDS = st.lists(st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 5), max_size=8), max_size=8)


class Letters(NamedTuple):
    code: np.ndarray
    double: np.ndarray


def ragged(lists):
    flat = np.array([code for some in lists for code in some], np.int64)
    return Ragged(starts_of([len(some) for some in lists]), Letters(flat, 2 * flat))


def listed(part):
    ends = zip(part.starts[:-1], part.starts[1:], strict=True)
    assert (part.flat.double == 2 * part.flat.code).all()
    return [part.flat.code[first:end].tolist() for first, end in ends]


def found(lists, weights=None):
    ids = np.array([code for some in lists for code in some], np.uint64)
    return Found(ids, starts_of([len(some) for some in lists]), np.empty(0) if weights is None else weights)


def counts(lists, others):
    every = [[sum(some.count(x) for x in other) for other in others] for some in lists]
    return np.array(every, float).reshape(len(lists), len(others))


@settings(deadline=None)
@given(st.lists(st.lists(st.integers(-9, 9), max_size=4), max_size=9), st.data())
def test_ragged_examples_are_sliced_chosen_and_joined_as_lists_are(lists, data):
    part = ragged(lists)
    assert listed(part) == lists
    low, high = sorted(data.draw(st.tuples(st.integers(-12, 12), st.integers(-12, 12))))
    step = data.draw(st.sampled_from([None, 1, 2, -1]))
    assert listed(part[low:high:step]) == lists[low:high:step]
    if lists:
        places = data.draw(st.lists(st.integers(0, len(lists) - 1), max_size=9))
        assert listed(part[np.array(places, np.int64)]) == [lists[place] for place in places]
    assert listed(Ragged.join([part, part[1:], part[:0]])) == lists + lists[1:]


def test_neighbours_are_views():
    part = ragged([[1, 2], [3], [4, 5, 6]])
    assert np.shares_memory(part[1:].flat.code, part.flat.code)


@settings(deadline=None)
@given(IDS)
def test_bags_have_the_inner_products_of_their_counts(lists):
    bags = Bags.of(found(lists))
    expected = counts(lists, lists)
    np.testing.assert_array_equal(bags.products(bags, np.float64), expected)
    np.testing.assert_array_equal(bags.squares, expected.diagonal())


@settings(deadline=None)
@given(IDS, IDS)
def test_bags_made_apart_are_comparable(left, right):
    apart = Bags.of(found(left)), Bags.of(found(right))
    expected = counts(left, right)
    np.testing.assert_array_equal(apart[0].products(apart[1], np.float64), expected)
    joined = Bags.join([apart[0], apart[1]])
    np.testing.assert_array_equal(joined[: len(left)].products(joined[len(left) :], np.float64), expected)
    some = joined[len(left) :].without_rows()
    assert set(some.vocabulary.ids.tolist()) == {id for ids in right for id in ids}
    np.testing.assert_array_equal(apart[0].products(some, np.float64), expected)
    again = Bags.restored(some.tensors())
    np.testing.assert_array_equal(apart[0].products(again, np.float64), expected)


def test_weights_are_summed():
    bags = Bags.of(found([[7, 8, 7], [8], []], np.array([0.5, 2.0, 0.25, 4.0])))
    expected = [[0.5625 + 4, 8, 0], [8, 16, 0], [0, 0, 0]]
    np.testing.assert_array_equal(bags.products(bags, np.float64), expected)


def test_counts_beyond_single_precision_are_exact():
    bags = Bags.of(found([[1] * 5001, [1] * 5001 + [2]]))
    assert bags.products(bags, np.float64).tolist() == [[5001**2, 5001**2], [5001**2, 5001**2 + 1]]


def test_parts_of_one_pack_share_their_vocabulary_until_they_are_kept():
    bags = Bags.of(found([[1, 2], [3], [4, 5]]))
    some = bags[np.array([2, 0])]
    assert some.vocabulary is bags.vocabulary
    assert Bags.join([some, bags[1:2]]).vocabulary is bags.vocabulary
    assert len(some.without_rows().vocabulary) == 4
    assert some.without_rows().without_rows() is not some


def test_an_id_beside_another_in_the_table_is_told_apart():
    ids = (np.arange(5000, dtype=np.uint64) << np.uint64(44)) + np.uint64(1)  # most share their slot
    vocabulary, codes = Vocabulary.of(np.concatenate([ids, ids[::-1]]))
    np.testing.assert_array_equal(codes, [*range(5000), *range(4999, -1, -1)])
    np.testing.assert_array_equal(vocabulary.codes(ids[[3, 1]]), [3, 1])
    assert vocabulary.codes(np.array([0, 2**64 - 1], np.uint64)).tolist() == [-1, -1]
    both, renumbered = united([vocabulary, Vocabulary(np.array([9, ids[4]], np.uint64))])
    assert len(both) == 5001
    assert renumbered[1].tolist() == [5000, 4]


@pytest.mark.parametrize(
    ("changes", "match"),
    [
        ({"starts": None}, "no 'starts'"),
        ({"starts": np.array([0, 5, 2, 4])}, "falls"),
        ({"starts": np.array([1, 2, 3, 4])}, "begin at 0"),
        ({"starts": np.empty(0, np.int64)}, "begin at 0"),
        ({"starts": np.array([0, 2, 4, 9])}, "4 entries, and 9"),
        ({"codes": np.array([0, 1, 4, 0], np.int32)}, "no id"),
        ({"codes": np.array([0, 1, -1, 0], np.int32)}, "no id"),
        ({"codes": np.array([1, 1, 2, 0], np.int32)}, "twice in an example"),
        ({"codes": np.array([0, 1, 2, 0])}, "int64"),
        ({"ids": np.array([7, 7, 8], np.uint64)}, "an id comes twice"),
        ({"values": np.ones((2, 2))}, "shape"),
        ({"values": np.array([1.0, np.inf, 1.0, 1.0])}, "infinite"),
    ],
)
def test_damaged_bags_are_refused(changes, match):
    tensors = Bags.of(found([[7, 8], [9], [7]])).tensors() | changes
    with pytest.raises(ValueError, match=match):
        Bags.restored({name: array for name, array in tensors.items() if array is not None})


@pytest.mark.parametrize("frequent", [0, 3, 40])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_frequent_columns_and_rare_ones_add_up(frequent, kind, monkeypatch):
    monkeypatch.setattr(products_module, "WORTH", 2)
    rng = np.random.default_rng(0)
    left, right = ((rng.random((size, 200)) < 0.02).astype(kind) for size in (150, 90))
    for X in (left, right):
        X[:, :frequent] = rng.integers(0, 4, (len(X), frequent))
    rows = [compressed(sp.csr_matrix(X), kind) for X in (left, right)]
    np.testing.assert_array_equal(inner_products(*rows, kind), left @ right.T)


@pytest.fixture
def eager(monkeypatch):
    """Let bitmaps be used wherever they save anything at all."""
    for cost in ("MARKING", "READING", "LOOKING"):
        monkeypatch.setattr(products_module, cost, 0)


def drawn(rng, rows):
    """Return counts of all kinds: in turn few and small ones, many, many large ones, everywhere the same."""
    means = np.resize([0.02, 0.3, 1.5, 9.0], 120)
    counts = rng.poisson(means, (rows, means.size))
    counts[:, 100:] = rng.integers(0, 2, (rows, 1))
    return counts


def rows_of(counts, kind):
    return compressed(sp.csr_matrix(counts.astype(kind)), kind)


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("worth", [2, 999])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize(
    "shape", [(0, 3), (3, 0), (1, 1), (1, 700), (70, 255), (9, 256), (200, 257), (3, 513)]
)
def test_bitmaps_and_the_other_ways_add_up(shape, kind, worth, monkeypatch):
    monkeypatch.setattr(products_module, "WORTH", worth)
    rng = np.random.default_rng(1)
    left, right = (drawn(rng, rows) for rows in shape)
    block = inner_products(rows_of(left, kind), rows_of(right, kind), kind, counts=True)
    assert block.dtype == kind
    np.testing.assert_array_equal(block, left @ right.T)


@pytest.mark.parametrize("counts", [True, False])
@pytest.mark.parametrize("size", [1, 63, 300, 700])
def test_half_of_a_square_is_mirrored(size, counts):
    X = drawn(np.random.default_rng(2), size)
    rows = rows_of(X, np.float32)
    np.testing.assert_array_equal(inner_products(rows, rows, np.float64, counts), X @ X.T)


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("shared", [7, 8, 9, 248, 249, 255, 256, 1000])
def test_sums_of_bitmaps_may_be_larger_than_a_byte(shared):
    left, right = np.zeros((2, 3, 1000), int)
    left[:, :shared] = [[1], [2], [0]]
    right[:, :shared] = [[1], [3], [0]]
    right[2, 0] = 11  # above all levels
    rows = [rows_of(X, np.float64) for X in (left, right)]
    assert inner_products(*rows, np.float64, True).tolist() == (left @ right.T).tolist()


@pytest.mark.slow
@settings(deadline=None)
@given(IDS, IDS)
def test_bags_have_the_same_inner_products_by_bitmaps(left, right):
    with pytest.MonkeyPatch.context() as patch:
        for cost in ("MARKING", "READING", "LOOKING"):
            patch.setattr(products_module, cost, 0)
        some, others = Bags.of(found(left)), Bags.of(found(right))
        np.testing.assert_array_equal(some.products(others, np.float64), counts(left, right))
        np.testing.assert_array_equal(some.products(some, np.float64), counts(left, left))


def test_bitmaps_are_for_counts_that_many_rows_have():
    rng = np.random.default_rng(3)
    some, many = (rows_of(rng.poisson(mean, (400, 600)), np.float32) for mean in (0.001, 0.1))

    def levels(rows, counts=True):
        return products_module._chosen(rows, rows, counts).levels

    assert not levels(some).any()
    assert not levels(many, counts=False).any()
    assert (levels(many) > 0).all()


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("weight", [0.0, -1.0, 0.5])
def test_weights_that_are_no_counts_are_multiplied_as_they_are(weight):
    bags = Bags.of(found([[7, 8]] * 40, np.resize([1.0, weight], 80)))
    assert not bags.are_counts
    assert not bags[::2].are_counts
    assert (bags[::2].products(bags, np.float64) == 1 + weight**2).all()
    assert Bags.of(found([[7, 8]] * 40)).are_counts


def test_parts_know_what_is_known_of_the_whole():
    bags = Bags.of(found([[1, 1], [2], [3, 4]]))
    for index in (slice(1, 3), slice(None, None, 2), np.array([2, 0])):
        assert bags[index].squares.tolist() == np.array([4.0, 1.0, 2.0])[index].tolist()
        assert bags[index].are_counts


def test_labels_are_equal_when_their_ids_are():
    labels = ["a", "b", "ab", "", "3", 3, 4, -1, 2.5, b"ab", "ä", "\N{GRINNING FACE}", "\ud800x", 2**70]
    assert len(set(label_ids(labels).tolist())) == len(labels)
    assert label_id(3) == label_id(3.0) == label_id(np.int16(3)) == label_ids(np.array([3]))[0]
    assert label_id("x") == ord("x")
    assert label_ids(np.array([3, 2**63], np.uint64)).tolist() == [label_id(3), label_id(2**63)]
    # Model files hold them: they stay as they are.
    assert [label_id("word"), label_id(3), label_id(b"ab")] == [
        0x1A2BB47ADD46804F,
        0x6527FDF3EBEEC2D3,
        0x9130659AAE066E54,
    ]
    for wrong in (None, float("nan"), ["a"], {}):
        with pytest.raises(TypeError, match="is not a label"):
            label_ids([wrong])


def test_every_row_is_worked_on_once_and_errors_come_through():
    done = np.zeros(1000, int)

    def work(first, end):
        done[first:end] += 1

    for rows in (0, 1, 7, 1000):
        done[:] = 0
        in_threads(work, rows)
        assert done[:rows].tolist() == [1] * rows

    def fail(first, end):
        raise ValueError(f"from {first}")

    with pytest.raises(ValueError, match="from 0"):
        in_threads(fail, 100)
