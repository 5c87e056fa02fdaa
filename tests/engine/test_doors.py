"""Doors from Python to machine code: what they take, what they leave to others, and what they return."""

import pickle
import threading
from typing import NamedTuple

import numpy as np
import pytest

from kerneltron.engine.compiled import compiled, inlined
from kerneltron.engine.machine.kinds import common, fits, kinds_of, read, written


class Pair(NamedTuple):
    """Two arrays, for these tests."""

    left: np.ndarray
    right: np.ndarray


class Other(NamedTuple):
    """The same, and not the same."""

    left: np.ndarray
    right: np.ndarray


@inlined
def product(pair, k):
    """Return one product."""
    return pair.left[k] * pair.right[k]


@compiled
def total(pair, scale, is_negative, out, first=0):
    """Add products up."""
    answer = 0.0
    for k in range(first, pair.left.size):
        answer += product(pair, k)
    out[0] = -scale * answer if is_negative else scale * answer
    return out[0], pair.left.size, is_negative


@compiled
def largest_of(numbers):
    """Return the largest number."""
    most = numbers[0]
    for number in numbers:
        most = max(most, number)
    return most


@compiled
def twice(seed):
    """Return twice a number, as numbers of 64 bits are."""
    return seed + seed


@compiled
def says_nothing(matrix):
    """Set the corner of a matrix to 7."""
    matrix[0, 0] = 7.0


def test_numbers_arrays_and_tuples_go_in_and_come_out():
    left, right, out = np.arange(5.0), np.ones(5), np.zeros(1)
    assert total(Pair(left, right), 2.0, False, out) == (20.0, 5, False)
    assert total(Pair(left, right), 2.0, np.True_, out, first=4) == (-8.0, 5, True)
    assert total(Pair(left, right), np.float32(0.5), True, out, np.int32(3)) == (-3.5, 5, True)
    assert out[0] == -3.5
    assert [type(each) for each in total(Pair(left, right), 2.0, False, out)] == [float, int, bool]


@pytest.mark.parametrize(
    "dtype", ["int8", "uint8", "int32", "uint32", "int64", "longlong", "uint64", "float32", "float64"]
)
def test_every_type_of_numbers_has_its_own_code(dtype):
    numbers = np.array([1, 3, 2], dtype)
    assert largest_of(numbers) == 3
    assert largest_of(np.array([np.iinfo(dtype).max if numbers.dtype.kind in "iu" else 1e30], dtype)) >= 127
    assert largest_of(numbers[::2]) == 2  # of another layout


def test_whole_numbers_keep_their_64_bits():
    assert twice(np.uint64(2**63 - 1)) == 2**64 - 2
    assert twice(2**63) == 0
    assert twice(-4) == -8
    assert twice(1.5) == 3.0
    assert type(twice(4)) is int  # also after the others


def test_nothing_is_returned_by_what_returns_nothing():
    matrix = np.zeros((2, 2))
    assert says_nothing(matrix) is None
    assert matrix[0, 0] == 7.0
    assert says_nothing(np.asfortranarray(np.zeros((2, 3)))) is None
    mapped = np.zeros((2, 2)).view(np.memmap)
    assert says_nothing(mapped) is None
    assert mapped[0, 0] == 7.0


def test_other_arguments_are_refused_and_never_read_as_if_they_were_right():
    left, right, out = np.arange(5.0), np.ones(5), np.zeros(1)
    total(Pair(left, right), 2.0, False, out)
    door = total._doors[0]
    for wrong in (
        (Pair(left, right), 2.0, False, out),  # one too few
        (Other(left, right), 2.0, False, out, 0),
        ((left, right), 2.0, False, out, 0),
        (Pair(left.astype(np.float32), right), 2.0, False, out, 0),
        (Pair(left.astype(">f8"), right), 2.0, False, out, 0),
        (Pair(left[::2], right), 2.0, False, out, 0),
        (Pair(left.reshape(5, 1), right), 2.0, False, out, 0),
        (Pair(left, None), 2.0, False, out, 0),
        (Pair(left, right), "2", False, out, 0),
        (Pair(left, right), 2, False, out, 0),
        (Pair(left, right), right[:1], False, out, 0),
        (Pair(left, right), 2.0, 0, out, 0),
        (Pair(left, right), 2.0, left, out, 0),
        (Pair(left, right), 2.0, False, [0.0], 0),
        (Pair(left, right), 2.0, False, out, 1.5),
        (Pair(left, right), 2.0, False, out, 2**70),
        (
            Pair(np.frombuffer(b"x" * 41, np.uint8)[1:].view(np.float64), right),
            2.0,
            False,
            out,
            0,
        ),  # unaligned
    ):
        assert door(*wrong) is NotImplemented
    out.flags.writeable = False
    assert door(Pair(left, right), 2.0, False, out, 0) is NotImplemented
    with pytest.raises(TypeError, match="numbers, arrays and tuples"):
        total(Pair(left, right), "2", False, out)
    with pytest.raises(TypeError, match=r"largest_of: .* order"):
        largest_of(left.astype(">f8"))
    odd = np.frombuffer(b"x" + left.tobytes(), np.uint8)[1:].view(float)
    assert not odd.flags.aligned
    assert largest_of(odd) == 4.0


def test_functions_are_pickled_by_their_names():
    assert pickle.loads(pickle.dumps(total)) is total
    assert pickle.loads(pickle.dumps(product)) is product


def test_threads_may_call_what_none_of_them_has_called_before():
    @compiled
    def fresh(numbers):
        answer = 0.0
        for number in numbers:
            answer += number
        return answer

    results = []
    threads = [threading.Thread(target=lambda: results.append(fresh(np.ones(1000)))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [1000.0] * 4


def test_kinds_are_read_as_they_were_written():
    frozen = np.arange(3)
    frozen.flags.writeable = False
    given = (1, 2.0, True, (frozen, (1, 2)), np.zeros((2, 3, 1), np.float32)[:, ::2])
    text = written(kinds_of(given))
    assert text == "int64, float64, bool, (int64[1Cr], (int64, int64)), float32[3A]"
    assert read(text) == kinds_of(given)
    odd = np.frombuffer(bytes(9), np.uint8)[1:].view(float)
    assert written(kinds_of((odd,))) == "float64[1Cur]"
    assert read("float64[1Cur]") == kinds_of((odd,))
    assert fits("int64[1Cr], bool", "int64[1C], bool")
    assert not fits("int64[1C], bool", "int64[1Cr], bool")
    assert not fits("int64[1C]", "int64[1C], bool")
    assert common("a(int64[1C], int64[1Cr])", "a(int64[1Cr], int64[1C])") == "a(int64[1Cr], int64[1Cr])"
    assert common("int64[1C]", "int32[1C]") is None


def test_a_named_tuple_without_its_fields_is_refused():
    left, out = np.arange(5.0), np.zeros(1)
    assert total(Pair(left, left), 1.0, False, out)[0] == 30.0
    with pytest.raises((TypeError, AttributeError, ValueError)):
        total(tuple.__new__(Pair, (left,)), 1.0, False, out)


def test_the_byte_order_of_this_machine_by_either_name():
    numbers = np.arange(4.0)
    turned = numbers.astype(">f8")
    by_name = turned.byteswap().view(turned.dtype.newbyteorder())
    assert by_name.dtype.byteorder == "<"
    assert largest_of(by_name) == largest_of(numbers) == 3.0


def test_what_is_refused_opens_one_door():
    for _ in range(3):
        with pytest.raises(TypeError, match="takes no such arguments"):
            twice(2**70)
    assert [*map(written, twice.met)].count("uint64") == 1
