"""The hash function, which may never change, and the laws of the hash kernel."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction import FeatureHasher
from sklearn.utils import murmurhash3_32

from kerneltron.engine.text.hashing import hash_texts
from kerneltron.engine.text.memory import SLACK
from kerneltron.stream.chunks import Chunk
from kerneltron.stream.formats.vowpal import Vowpal
from kerneltron.stream.hashing import Hashing
from kerneltron.stream.parsing import Parser
from tests.oracle import murmur as oracle

# -- what every saved model relies on: none of these numbers may ever change -----------------------------

# A key, its hash, its slot among 2^18 and among 2^10, its sign.
KEYS = [
    ("", 0x00000000, 0, 0, 1),
    ("a", 0x3C2569B2, 92594, 434, 1),
    ("ab", 0x9BBFD75F, 10401, 161, -1),
    ("abc", 0xB3DD93FA, 158726, 6, -1),
    ("free", 0x513E646E, 156782, 110, 1),
    ("prize", 0x0C7B6329, 221993, 809, 1),
    ("hello world", 0x5E928F0F, 167695, 783, 1),
    ("text^free", 0x73E5A372, 107378, 882, 1),
    ("user^alice", 0xD38E6EC4, 102716, 316, -1),
    ("naïve", 0x3B2885D5, 34261, 469, 1),
    ("καλημέρα", 0xD7AE7172, 102030, 654, -1),
    ("日本語", 0xA5A47297, 232809, 361, -1),
    ("😀", 0xBEB42EFA, 250118, 262, -1),
    ("x" * 100, 0x9C78F092, 200558, 878, -1),
    ("\x00", 0x514E28B7, 141495, 183, 1),
    ("-1", 0x71BA248A, 140426, 138, 1),
    ("12345678", 0x91B313CE, 60466, 50, -1),
    ("user1^the", 0x99B44EF5, 241931, 267, -1),
]

# Two keys, the hash of their pair, its slot among 2^18 and its sign.
PAIRS = [
    ("user^alice", "text^free", 0xC8578B6A, 29846, -1),
    ("user^bob", "text^free", 0xC33C7500, 232192, -1),
    ("u^1", "t^the", 0x68599D9D, 105885, 1),
    ("a^x", "b^y", 0x42A15991, 88465, 1),
    ("b^y", "a^x", 0x0DF4CBFD, 52221, 1),
    ("straße^ß", "子^水", 0xCE0E7822, 100318, -1),
]


def is_word(key):
    """Return whether a key can stand in a line of Vowpal Wabbit's format."""
    return key.isprintable() and len(key.split()) == 1


@pytest.mark.parametrize(("key", "h", "slot", "narrow", "sign"), KEYS)
def test_golden_keys(key, h, slot, narrow, sign):
    assert hash_texts([key.encode()]).tolist() == [h]
    assert oracle.murmur(key.encode()) == h
    assert oracle.place(h, 18) == (slot, sign)
    assert oracle.place(h, 10) == (narrow, sign)


@pytest.mark.parametrize(("key", "h", "slot", "narrow", "sign"), KEYS)
def test_golden_keys_are_those_of_scikit_learn(key, h, slot, narrow, sign):
    assert murmurhash3_32(key.encode(), 0, positive=True) == h
    for bits, place in ((18, slot), (10, narrow)):
        row = FeatureHasher(2**bits, input_type="pair").transform([[(key, 1.0)]])
        assert (row.indices.tolist(), row.data.tolist()) == ([place], [sign])


@pytest.mark.parametrize(("key", "h", "slot", "narrow", "sign"), [row for row in KEYS if is_word(row[0])])
def test_golden_keys_in_a_file(key, h, slot, narrow, sign):
    space, _, name = key.rpartition("^")
    assert parsed(f"|{space} {name}", Hashing(bits=18)) == {slot: sign}
    assert parsed(f"|{space} {name}", Hashing(bits=10)) == {narrow: sign}


@pytest.mark.parametrize(("left", "right", "h", "slot", "sign"), PAIRS)
def test_golden_pairs(left, right, h, slot, sign):
    assert oracle.cross(oracle.murmur(left.encode()), oracle.murmur(right.encode())) == h
    assert oracle.place(h, 18) == (slot, sign)
    (space, name), (other_space, other_name) = left.split("^"), right.split("^")
    line = f"|{space} {name} |{other_space} {other_name}"
    singles = parsed(line, Hashing())
    both = parsed(line, Hashing(cross=(f"{space}*{other_space}",)))
    assert {place: value for place, value in both.items() if place not in singles} == {slot: sign}


def test_the_least_hash_has_a_slot_and_a_sign():
    # Its absolute value has no room in 32 bits.
    assert oracle.place(0x80000000, 18) == (0, -1)


# -- the compiled hash against the slow one --------------------------------------------------------------


@settings(max_examples=300, deadline=None)
@given(st.lists(st.binary(max_size=40), max_size=5))
def test_any_bytes_hash_as_in_the_oracle(keys):
    assert hash_texts(keys).tolist() == [oracle.murmur(key) for key in keys]


names = st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"], exclude_characters="|:"), min_size=1)


@settings(max_examples=150, deadline=None)
@given(
    pairs=st.lists(st.tuples(names, st.integers(-8, 8).filter(bool)), min_size=1, max_size=12),
    bits=st.sampled_from([1, 4, 18]),
    signed=st.booleans(),
    copies=st.sampled_from([1, 4, 16]),
)
def test_a_row_is_that_of_the_oracle(pairs, bits, signed, copies):
    line = "| " + " ".join(f"{name}:{value}" for name, value in pairs)
    expected = oracle.row(
        [(oracle.murmur(name.encode()), value) for name, value in pairs], bits, signed, copies
    )
    # Copies of 1, 4 and 16 have exact square roots.
    assert parsed(line, Hashing(bits=bits, signed=signed, copies=copies)) == expected


def parsed(line, hashing):
    """Return the features of one line of Vowpal Wabbit's format, as a dict from slot to value."""
    line = line.encode()
    text = np.frombuffer(line + b"\n" * (1 + SLACK), np.uint8).copy()
    parser = Parser(Vowpal(), hashing.recipe(), False)
    done = parser.parse(Chunk(text, 0, len(line), "line", 1, 0))
    assert (done.reached.rows, done.reached.faults) == (1, 0)
    count = done.reached.features
    return dict(zip(done.buffers.indices[:count].tolist(), done.buffers.values[:count].tolist(), strict=True))


# -- laws, over many hash functions: the namespace chooses one -------------------------------------------

FUNCTIONS = 4000
SLOTS = 64


def places(functions, n, slots=SLOTS, copies=1):
    """Return slots and signs of n features (and of their copies) under so many hash functions."""
    h = hash_texts([f"{number}^{i}".encode() for number in range(functions) for i in range(n * copies)])
    number = h.astype(np.int32).astype(np.int64).reshape(functions, n * copies)
    return np.abs(number) % slots, np.where(number < 0, -1.0, 1.0)


def products(x, z, slots=SLOTS, copies=1, signed=True):
    """Return the inner product of hashed x and hashed z under each hash function."""
    x, z = (np.repeat(v, copies) / np.sqrt(copies) for v in (x, z))
    where, signs = places(FUNCTIONS, x.size // copies, slots, copies)
    signs = signs if signed else np.ones_like(signs)
    row = np.arange(FUNCTIONS)[:, None] * slots + where
    hashed = [np.bincount(row.ravel(), (signs * v).ravel(), FUNCTIONS * slots) for v in (x, z)]
    return (hashed[0] * hashed[1]).reshape(FUNCTIONS, slots).sum(axis=1)


def variance(x, z, slots=SLOTS, copies=1):
    """Return (1/m)(sum over i != j of x_i^2 z_j^2 + x_i z_i x_j z_j); copies count as features."""
    both = np.sum(x**2) * np.sum(z**2) + (x @ z) ** 2 - 2 / copies * np.sum(x**2 * z**2)
    return both / slots


def assert_mean(found, expected, deviation):
    """Assert that a mean over the hash functions is as expected, within five of its standard errors."""
    assert abs(found.mean() - expected) < 5 * deviation / np.sqrt(found.size)


def assert_variance(found, expected):
    """Likewise for the variance, whose own standard error comes from the fourth moment."""
    squares = (found - found.mean()) ** 2
    assert abs(squares.mean() - expected) < 5 * squares.std() / np.sqrt(found.size)


@pytest.fixture(scope="module")
def vectors():
    random = np.random.default_rng(0)
    common = random.exponential(size=50) * (random.random(50) < 0.7)
    return common + random.exponential(size=50), common + random.normal(size=50)


def test_the_signed_kernel_is_unbiased_and_its_variance_is_as_stated(vectors):
    x, z = vectors
    found = products(x, z)
    assert_mean(found, x @ z, np.sqrt(variance(x, z)))
    assert_variance(found, variance(x, z))


def test_the_unsigned_kernel_is_biased_by_all_that_meets(vectors):
    x = z = np.abs(vectors[0])
    found = products(x, z, signed=False)
    bias = (x.sum() * z.sum() - x @ z) / SLOTS
    assert bias > 5 * found.std() / np.sqrt(FUNCTIONS)  # so that the test can see it
    assert_mean(found - x @ z, bias, found.std())
    assert_mean(products(x, z) - x @ z, 0.0, np.sqrt(variance(x, z)))


@pytest.mark.slow
@pytest.mark.parametrize("slots", [16, 256, 4096])
def test_the_variance_falls_with_the_number_of_slots(vectors, slots):
    x, z = vectors
    found = products(x, z, slots)
    assert_variance(found, variance(x, z, slots))


def test_norms_concentrate(vectors):
    x = vectors[0] / np.linalg.norm(vectors[0])
    for slots in (64, 1024):
        norms = products(x, x, slots)
        assert_mean(norms, 1.0, np.sqrt(variance(x, x, slots)))
        for deviation in (0.25, 0.5):  # Chebyshev's inequality, with the stated variance
            far = np.mean(np.abs(norms - 1) > deviation)
            assert far <= variance(x, x, slots) / deviation**2 + 5 / np.sqrt(FUNCTIONS)


def test_distances_are_kept_on_average(vectors):
    x, z = vectors
    assert_mean(products(x - z, x - z), np.sum((x - z) ** 2), np.sqrt(variance(x - z, x - z)))


def test_copies_keep_the_mean_and_trade_variance_for_rare_disasters():
    x = np.array([3.0, 4.0]) / 5  # all depends on whether two heavy features meet
    once, often = products(x, x), products(x, x, copies=16)
    for found, copies in ((once, 1), (often, 16)):
        assert_mean(found, 1.0, np.sqrt(variance(x, x, copies=copies)))
        assert_variance(found, variance(x, x, copies=copies))
    assert variance(x, x, copies=16) > variance(x, x)  # copies of one feature meet each other
    worst = 2 * x[0] * x[1]  # how far the norm is off when the two meet
    assert np.mean(np.abs(once - 1) > 0.9 * worst) > 0.5 / SLOTS
    assert np.mean(np.abs(often - 1) > 0.9 * worst) < 0.1 / SLOTS


def test_slots_and_signs_are_even_and_do_not_depend_on_each_other():
    where, signs = places(FUNCTIONS, 16)
    for chosen in (signs > 0, signs < 0):
        counts = np.bincount(where[chosen], minlength=SLOTS)
        expected = chosen.size / 2 / SLOTS
        assert np.abs(counts - expected).max() < 5 * np.sqrt(expected)


def test_pairs_are_spread_as_evenly_as_names():
    left = hash_texts([f"user^{i}".encode() for i in range(200)]).tolist()
    right = hash_texts([f"text^{i}".encode() for i in range(200)]).tolist()
    found = [oracle.place(oracle.cross(a, b), 6) for a in left for b in right]
    counts = np.bincount([slot for slot, _ in found], minlength=64)
    assert np.abs(counts - 625).max() < 5 * np.sqrt(625)
    assert abs(sum(sign for _, sign in found)) < 5 * np.sqrt(len(found))
