"""Labels of symbols, nodes and edges as 64-bit content hashes: the same everywhere and for all time."""

from collections.abc import Iterable, Sized
from hashlib import blake2b
from numbers import Integral, Real
from typing import Any

import numpy as np

from kerneltron._types import Integers
from kerneltron.engine.hash_finalizer import mix_all

WORD = 2**64 - 1
WHOLE = 0x632BE59BD9B4E019  # where whole numbers begin, away from the code points of single letters


def label_ids(labels: Iterable[Any]) -> Integers:
    """Return one id per label, text, bytes or a number: equal labels have equal ids.

    A single letter is its code point, so that a list of letters equals a text. 3 equals 3.0, but not "3".
    """
    if isinstance(labels, np.ndarray) and labels.dtype.kind in "iu" and labels.dtype != np.uint64:
        return whole_ids(labels)
    listed = labels if isinstance(labels, Sized) else list(labels)
    try:
        # Without a call of our own for each label: twice as quick.
        return np.fromiter(map(_Known().__getitem__, listed), np.uint64, len(listed))
    except TypeError:  # of what is not a label, or not even hashable
        for label in listed:
            label_id(label)
        raise


class _Known(dict[Any, int]):
    """Ids of the labels that were met."""

    def __missing__(self, label: Any) -> int:
        self[label] = found = label_id(label)
        return found


def whole_ids(numbers: Integers) -> Integers:
    """Return an id for each whole number: SplitMix64, a bijection."""
    hashes = np.ascontiguousarray(numbers, np.int64).astype(np.uint64) + np.uint64(WHOLE)
    mix_all(hashes.reshape(-1))
    return hashes


def label_id(label: Any) -> int:
    """Return the id of one label."""
    if isinstance(label, str):
        return ord(label) if len(label) == 1 else _hash(b"text", label.encode("utf-8", "surrogatepass"))
    if isinstance(label, bytes):
        return _hash(b"bytes", label)
    if isinstance(label, Integral) or (isinstance(label, Real) and float(label).is_integer()):
        number = int(label if isinstance(label, Integral) else float(label))
        if -(2**63) <= number < 2**63:
            return int(whole_ids(np.array([number], np.int64))[0])
        return _hash(b"whole", str(number).encode())
    if isinstance(label, Real) and float(label) == float(label):
        return _hash(b"real", repr(float(label)).encode())
    raise TypeError(f"{label!r} is not a label: give text, bytes or a number.")


def _hash(label_type: bytes, content: bytes) -> int:
    return int.from_bytes(blake2b(content, digest_size=8, person=label_type).digest(), "little")
