"""Arrays with one row per feature, of which most are equal: each different row is written once.

A learner of streams has weights for millions of slots. Those that no example has touched are all in the same
state, and so are those that only ever occurred together: the words of one document.
"""

from typing import Any, NamedTuple

import numpy as np

from kerneltron._types import Anything, Integers
from kerneltron.files.contents import Contents, ModelFileError
from kerneltron.files.picked import Picked

SLOTS = "packed.slots"
SMALL = 2**12  # bytes up to which arrays are written as they are
GAIN = 0.9  # of the bytes, at most, are left where it pays
WIDE = 8  # numbers of a row, at least, by which equal ones are found; all are then compared
SAMPLE = 64  # rows among which the most frequent one is looked for
BLOCK = 2**14  # rows that are filled in at a time
# A small file must not claim all memory. Arrays that would take more than LARGEST bytes, and more than TIMES
# what is written of them, are written as they are.
LARGEST, TIMES = 2**31, 64


class _Rows(NamedTuple):
    """The first row, which all features have that are not in `slots`; then which row each of those has."""

    firsts: Integers  # where each of the different rows comes first
    slots: Integers
    alike: Integers | None  # None: the slots have the rows from the second on, one each


def packed(contents: Contents, features: int) -> Contents:
    """Return contents in which arrays with one row per feature are as small as they can be.

    These are all arrays of floats whose length is `features`, or a multiple of it for flat ones.

    Examples
    --------
    >>> w = np.zeros((5000, 2))
    >>> w[[7, 42, 900]] = [[2.5, -2.5], [1.0, 0.0], [2.5, -2.5]]
    >>> small = packed(Contents({}, {"w": w}), 5000)
    >>> for name, array in small.tensors.items():
    ...     print(name, np.asarray(array).tolist())
    w [[0.0, 0.0], [2.5, -2.5], [1.0, 0.0]]
    packed.slots [7, 42, 900]
    packed.alike [1, 2, 1]
    >>> np.array_equal(unpacked(small, 5000).tensors["w"], w)
    True
    """
    names = [name for name, array in contents.tensors.items() if _is_by_feature(array, features)]
    arrays = [contents.tensors[name] for name in names]
    size = sum(array.nbytes for array in arrays)
    if size <= SMALL:
        return contents
    found = _smallest([_bits(array, features) for array in arrays], features, size // features)
    if found is None:
        return contents
    tensors: dict[str, Any] = dict(contents.tensors)
    for name, array in zip(names, arrays, strict=True):
        tensors[name] = Picked(array.reshape(features, -1), found.firsts, is_flat=array.ndim == 1)
    about: dict[str, Anything] = {"slots": found.slots}
    if found.alike is not None:
        about["alike"] = found.alike
    header = {"features": features, "rows": found.firsts.size, "tensors": sorted(names)}
    return Contents(contents.header, tensors).with_part("packed", Contents(header, about))


def is_packed(contents: Contents) -> bool:
    """Return whether something in the contents was packed."""
    return any(name.endswith(SLOTS) for name in contents.tensors)


def unpacked(contents: Contents, features: int) -> Contents:
    """Return the contents that `packed` was given, to the last bit; raise unless they are for `features`."""
    if "packed" not in contents.header:
        return contents
    about = contents.part("packed")
    if about.whole("features") != features:
        raise ModelFileError(f"arrays for {about.whole('features')} features are not for {features}")
    rows = about.whole("rows", 1)
    slots = about.places("slots", (None,), features, (np.int32, np.int64))
    if (slots[1:] <= slots[:-1]).any():
        raise ModelFileError("the tensor 'packed.slots' is not in order")
    if "alike" in about.tensors:
        alike = about.places("alike", slots.shape, rows, slots.dtype)
    elif rows != slots.size + 1:
        raise ModelFileError(f"{rows} different rows are not one for each of {slots.size} slots")
    else:
        alike = np.arange(1, rows)
    arrays = _packed_arrays(contents, about.items("tensors"), rows)
    size = sum(array.nbytes for array in arrays.values())
    if not _is_bounded(size // rows * features, size + slots.nbytes + alike.nbytes):
        raise ModelFileError(f"arrays for {features:,} features are claimed by {size:,} bytes")
    header = {key: value for key, value in contents.header.items() if key != "packed"}
    tensors = {name: array for name, array in contents.tensors.items() if not name.startswith("packed.")}
    for name, array in arrays.items():
        filled = _filled(array.reshape(rows, -1), slots, alike, features)
        tensors[name] = filled.reshape(-1) if array.ndim == 1 else filled
    return Contents(header, tensors)


def _packed_arrays(contents: Contents, names: list[object], rows: int) -> dict[str, Anything]:
    """Return the arrays by their names; raise unless each has as many rows as are different."""
    arrays = {}
    for name in names:
        if not isinstance(name, str):
            raise ModelFileError(f"{str(name)[:60]} in the header is not the name of a tensor")
        is_flat = name in contents.tensors and contents.tensors[name].ndim == 1
        array = contents.array(name, (np.float32, np.float64), (None,) if is_flat else (rows, None))
        if not array.size or array.size % rows:
            raise ModelFileError(
                f"the tensor {name!r} has {array.size} numbers, which do not make {rows} rows"
            )
        arrays[name] = array
    return arrays


def _is_by_feature(array: Anything, features: int) -> bool:
    if array.dtype.kind != "f" or not array.size:
        return False
    return array.size % features == 0 if array.ndim == 1 else array.ndim == 2 and len(array) == features


def _bits(array: Anything, features: int) -> Integers:
    """View an array as rows of bits: zeros have signs."""
    from kerneltron._matrices import frozen

    kind = f"u{array.dtype.itemsize}"
    return frozen(array.reshape(features, -1).view(kind), kind)  # type: ignore[no-any-return]


def _smallest(arrays: list[Integers], features: int, width: int) -> _Rows | None:
    """Return which rows of `width` bytes to write; None for all of them."""
    from kerneltron.engine.alike import mark_others

    place = np.int32 if features < 2**31 else np.int64
    common = _most_common(arrays, features)
    marks = np.zeros(features, np.uint8)
    for rows in arrays:
        mark_others(rows, common, marks)
    slots = np.flatnonzero(marks)
    firsts, alike = _different(arrays, slots)
    apart = _Rows(np.append(common, slots), slots.astype(place), None)
    shared = _Rows(np.append(common, firsts), apart.slots, (alike + 1).astype(place))
    found = min(apart, shared, key=lambda rows: _bytes(rows, width))
    size = _bytes(found, width)
    pays = size <= GAIN * features * width and _is_bounded(features * width, size)
    return found if pays else None


def _bytes(rows: _Rows, width: int) -> int:
    return rows.firsts.size * width + rows.slots.nbytes * (1 if rows.alike is None else 2)


def _is_bounded(size: int, written: int) -> bool:
    """Return whether arrays of this size may be made of so many bytes."""
    return size <= max(LARGEST, TIMES * written)


def _hashes(arrays: list[Integers], places: Integers) -> Integers:
    """Return hashes of some rows: of all arrays, or of the first ones if these are wide."""
    from kerneltron.engine.alike import hash_rows

    hashes, hashed = np.zeros(places.size, np.uint64), 0
    for rows in arrays:
        if hashed < WIDE:
            hash_rows(rows, places, hashes)
            hashed += rows.shape[1]
    return hashes


def _most_common(arrays: list[Integers], features: int) -> int:
    """Return where the most frequent row of a sample stands, as those of untouched features are."""
    places = np.linspace(0, features - 1, SAMPLE).astype(np.int64)
    places = places[np.diff(places, prepend=-1) > 0]  # `np.unique` imports masked arrays: 10 ms
    _, first, counts = np.unique(_hashes(arrays, places), return_index=True, return_counts=True)
    return int(places[first[counts.argmax()]])


def _different(arrays: list[Integers], slots: Integers) -> tuple[Integers, Integers]:
    """Return where each of the different rows of `slots` comes first, and which of these each slot has."""
    from kerneltron.engine.alike import mark_unlike
    from kerneltron.kernels.vocabulary import Vocabulary

    # Codes are in the order in which they come first: each that is larger than all before is a new one.
    _, codes = Vocabulary.of(_hashes(arrays, slots))
    firsts = slots[np.flatnonzero(np.diff(np.maximum.accumulate(codes), prepend=-1))]
    marks, others = np.zeros(slots.size, np.uint8), firsts[codes]
    for rows in arrays:
        mark_unlike(rows, slots, others, marks)
    unlike = np.flatnonzero(marks)  # other rows of the same hash
    codes[unlike] = firsts.size + np.arange(unlike.size)
    return np.append(firsts, slots[unlike]), codes


def _filled(rows: Anything, slots: Integers, alike: Integers, features: int) -> Anything:
    """Return the first row for each feature, but for the slots those that they have."""
    shape = features, rows.shape[1]
    filled: Anything = np.zeros(shape, rows.dtype)  # zeros that are not touched take no memory
    if rows[0].view(f"u{rows.itemsize}").any():
        filled[:] = rows[0]
    for start in range(0, slots.size, BLOCK):
        part = slice(start, start + BLOCK)
        filled[slots[part]] = rows[alike[part]]
    return filled
