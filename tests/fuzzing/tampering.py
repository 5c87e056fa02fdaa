"""Files that someone has tampered with: values of the header, tensors, and bytes."""

import json
from copy import deepcopy

import numpy as np
import safetensors.numpy

WORDS = ["", "x", "inf", "-inf", "primal", "dual", "without", "mapped", "vote", "random", "last", "average"]
WORDS += [
    "MiraRule",
    "WinnowRule",
    "Adaptive",
    "Linear()",
    "Polynomial(1000000000)",
    "AllSubsets()",
    "é\0\x1b",
]
WORDS += [
    "WeisfeilerLehman(h=1000)",
    "Conjunctions(size=100000)",
    "Linear() ** 99999999",
    "a" * 5000,
    "stream",
]
NUMBERS = [0, 1, -1, 2, 3, 4, 5, 7, 255, 2**16, 2**20, 2**31 - 1, 2**31, 2**40, 2**62, 2**63, 10**30]
NUMBERS += [0.0, 0.5, -0.5, 1e-300, 1e300, 1e308, -1e308]
UNCLEAR = ("MemoryError", "AttributeError", "RecursionError")  # what no error may be, or name
VALUES = [None, True, 0, -1, 7, 0.5, "", "x", [], [1], ["x", "y"], [["x", "text"]], {}, {"x": 1}]
DTYPES = [np.float32, np.float64, np.int32, np.int64, np.uint32, np.uint64, np.uint8, np.bool_]


def strange(rng, others):
    """Return a value that may stand anywhere in a header; `others` are values of other headers."""
    kind = rng.integers(0, 8)
    if kind == 0:
        return NUMBERS[rng.integers(0, len(NUMBERS))]
    if kind == 1:
        return WORDS[rng.integers(0, len(WORDS))]
    if kind == 2:
        return [strange(rng, others) for _ in range(rng.integers(0, 4))]
    if kind == 3:
        return {str(rng.choice(WORDS)): strange(rng, others) for _ in range(rng.integers(0, 3))}
    if kind == 4:
        return [None, True, False, {"number": "inf"}, {"number": "nan"}, {"integer": "0x" + "f" * 99}][
            rng.integers(0, 6)
        ]
    return deepcopy(others[rng.integers(0, len(others))])


def places(value, path=()):
    """Yield the paths to all values in a header."""
    for key, inside in value.items() if isinstance(value, dict) else enumerate(value):
        yield (*path, key)
        if isinstance(inside, dict | list):
            yield from places(inside, (*path, key))


def at(header, path):
    for key in path:
        header = header[key]
    return header


def change_header(rng, header, other):
    """Change one value of a header in place."""
    paths, strangers = list(places(header)), list(places(other))
    path = paths[rng.integers(0, len(paths))]
    holder, kind = at(header, path[:-1]), rng.integers(0, 8)
    if kind == 0 and isinstance(holder, dict):
        del holder[path[-1]]
    elif kind == 1 and isinstance(holder, dict):
        name = str(rng.choice(sorted(holder)))
        holder[name] = holder.pop(path[-1])
    elif kind == 2:
        source = paths[rng.integers(0, len(paths))]
        holder[path[-1]] = deepcopy(at(header, source))
    elif kind == 3:
        namesake = [there for there in strangers if there[-1] == path[-1]]
        if namesake:
            holder[path[-1]] = deepcopy(at(other, namesake[rng.integers(0, len(namesake))]))
    else:
        holder[path[-1]] = strange(rng, [at(other, there) for there in strangers[:200]])


def change_tensor(rng, tensors, others):
    """Change one tensor in place of the dict: its content, shape, type, or all of it."""
    if not tensors:
        return
    name = str(rng.choice(sorted(tensors)))
    array, kind = tensors[name], rng.integers(0, 8)
    if kind == 0:
        del tensors[name]
    elif kind == 1:
        tensors[name] = array[: len(array) // 2] if array.ndim else array
    elif kind == 2:
        tensors[name] = np.concatenate([array, array])
    elif kind == 3:
        shapes = [(-1,), (1, -1), (-1, 1), (0, 5)]
        shape = shapes[rng.integers(0, 4)]
        tensors[name] = np.empty(shape, array.dtype) if 0 in shape else array.reshape(shape)
    elif kind == 4:
        with np.errstate(all="ignore"):
            tensors[name] = array.astype(DTYPES[rng.integers(0, len(DTYPES))])
    elif kind == 5 and others:
        alike = [there for there in sorted(others) if there.rpartition(".")[2] == name.rpartition(".")[2]]
        tensors[name] = others[str(rng.choice(alike or sorted(others)))]
    elif array.size:
        changed = array.copy().reshape(-1)
        some = rng.integers(0, changed.size, rng.integers(1, 4))
        with np.errstate(all="ignore"):
            value = np.array(NUMBERS[rng.integers(0, len(NUMBERS))], object)
            if changed.dtype.kind == "f":
                changed[some] = float(value)
            else:
                changed[some] = np.array([int(value) & (2**63 - 1)]).astype(changed.dtype)
                if changed.dtype.kind == "i" and rng.random() < 0.5:
                    changed[some] = -changed[some]
        tensors[name] = changed.reshape(array.shape)


def tampered(rng, contents, other, path):
    """Write a file with one to three changes to the contents, or to the bytes."""
    header, tensors = deepcopy(contents.header), dict(contents.tensors)
    for _ in range(rng.integers(1, 4)):
        if rng.random() < 0.6:
            change_header(rng, header, other.header)
        else:
            change_tensor(rng, tensors, other.tensors)
    if rng.random() < 0.1:
        tensors = dict(other.tensors)
    data = forged(header, tensors)
    if rng.random() < 0.15:
        data = damaged(rng, data)
    path.write_bytes(data)


def forged(header, tensors):
    """Return the bytes of a file, whatever stands in it."""
    arrays = {name: np.ascontiguousarray(array) for name, array in tensors.items()}
    return safetensors.numpy.save(arrays, {"kerneltron": json.dumps(header)})


def replaced(contents, path):
    """Yield headers in which the value at a path is gone, or another in turn."""
    header = deepcopy(contents.header)
    holder, before = at(header, path[:-1]), at(header, path)
    for value in VALUES:
        if type(value) is not type(before) or value != before:
            holder[path[-1]] = deepcopy(value)
            yield header
    if isinstance(before, str):
        for value in WORDS:
            holder[path[-1]] = value
            yield header
    if isinstance(before, int | float):
        for value in NUMBERS:
            holder[path[-1]] = value
            yield header
    if isinstance(holder, dict):
        del holder[path[-1]]
        yield header


def changed(array):
    """Yield arrays to put in the place of one: of other shapes and types, and with other numbers in it."""
    yield array[:0]
    yield array[: len(array) // 2]
    yield array[::-1]
    yield np.concatenate([array, array])
    yield array.reshape(1, *array.shape)
    yield array.reshape(-1, 1)
    with np.errstate(all="ignore"):
        yield from (array.astype(dtype) for dtype in DTYPES if dtype != array.dtype)
    if array.dtype.kind == "f":
        extremes = [0.0, -1.0, 1e300, -1e30, 1e-300, np.nan, np.inf]
    else:
        limits = np.iinfo(array.dtype) if array.dtype.kind in "iu" else None
        extremes = [0, 1] if limits is None else [0, 1, limits.min, limits.max, min(10**9, limits.max)]
    for value in extremes:
        with np.errstate(all="ignore"):
            yield np.full_like(array, value)
            one = array.copy()
            one.reshape(-1)[-1:] = value
            yield one


def damaged(rng, data):
    """Return bytes some of which are changed, left out or doubled, or that end too early."""
    raw = bytearray(data)
    for _ in range(rng.integers(1, 6)):
        place = int(rng.integers(0, len(raw)))
        kind = rng.integers(0, 4)
        if kind == 0:
            raw[place] = int(rng.integers(0, 256))
        elif kind == 1:
            del raw[place : place + int(rng.integers(1, 9))]
        elif kind == 2:
            raw[place:place] = raw[place : place + 8]
        elif rng.random() < 0.1:
            del raw[place:]
        if not raw:
            raw = bytearray(b"x")
    return bytes(raw)
