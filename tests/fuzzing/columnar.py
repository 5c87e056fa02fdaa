"""Small valid files of typed columns, damaged: what the doors `arrow` and `parquet` share."""

import numpy as np

from kerneltron.stream.errors import InputError
from kerneltron.stream.formats import named
from kerneltron.stream.hashing import Hashing
from kerneltron.stream.labels import Labels
from kerneltron.stream.reader import Reader


def table(rng):
    """Return a table of a few rows, with columns of some of the types that files can have."""
    import pyarrow

    rows = int(rng.integers(1, 40))
    words = np.array(["spam", "ham", "", "é😀", "a longer text than a view holds inline, with words"])
    strings = [str(word) if rng.random() < 0.9 else None for word in rng.choice(words, rows)]
    numbers = rng.normal(size=rows)
    columns = {
        "label": pyarrow.array(rng.choice(["a", "b"], rows).tolist()),
        "text": pyarrow.array(strings),
        "large": pyarrow.array(strings, pyarrow.large_string()),
        "view": pyarrow.array(strings, pyarrow.string_view()),
        "kind": pyarrow.array(strings, pyarrow.string()).dictionary_encode(),
        "number": pyarrow.array(numbers),
        "small": pyarrow.array(numbers.astype(np.float32)),
        "whole": pyarrow.array(rng.integers(-9, 9, rows)),
        "truth": pyarrow.array(numbers > 0),
        "time": pyarrow.array(rng.integers(0, 2**40, rows), pyarrow.timestamp("us")),
        "day": pyarrow.array(rng.integers(0, 2**14, rows).astype(np.int32), pyarrow.date32()),
        "list": pyarrow.array([strings[: i % 3] for i in range(rows)]),
        "struct": pyarrow.array([{"x": float(x), "y": y} for x, y in zip(numbers, strings, strict=True)]),
    }
    chosen = ["label", *rng.choice(list(columns)[1:], int(rng.integers(0, 6)), replace=False).tolist()]
    return pyarrow.table({name: columns[name] for name in chosen})


def damaged(data, rng):
    """Return bytes of which some are changed, missing or doubled, or the end is cut off."""
    data = bytearray(data)
    for _ in range(int(rng.integers(0, 6)) if data else 0):
        place = int(rng.integers(0, len(data)))
        match int(rng.integers(0, 5)):
            case 0:
                data[place] ^= 1 << int(rng.integers(0, 8))
            case 1:
                data[place] = int(rng.choice([0, 1, 0x7F, 0x80, 0xFF]))
            case 2:
                data[place : place + 4] = int(rng.integers(0, 2**32)).to_bytes(4, "little")
            case 3:
                del data[max(place, 1) : place + int(rng.integers(1, 9))]
            case 4:
                data[place:place] = data[place : place + int(rng.integers(1, 9))]
    if rng.random() < 0.1:
        del data[int(rng.integers(0, len(data) + 1)) :]
    return bytes(data)


def read(path, kind, rng):
    """Read a file to its end: examples, or an InputError."""
    hashing = Hashing(bits=int(rng.integers(1, 12)), ngrams=int(rng.integers(1, 3)))
    try:
        format = named(kind)()
        reader = Reader([str(path)], format, hashing, Labels(), skip_faults=rng.random() < 0.5)
        for window in reader.windows():
            assert (
                window.indices.size == 0 or 0 <= window.indices.min() <= window.indices.max() < hashing.slots
            )
            assert np.isfinite(window.values).all()
    except InputError as error:
        if str(path) not in str(error):
            raise AssertionError("the error does not name the file") from error
