"""Files of every text format, strange and damaged, plain or compressed, as files or through pipes.

Examples that are sound, the same whatever the cutting into chunks; or an error that names the place.
"""

import gzip
import os
import threading
import warnings

import numpy as np

from kerneltron.stream.declared import Declared
from kerneltron.stream.errors import REASONS, InputError
from kerneltron.stream.formats.finding import format_for
from kerneltron.stream.hashing import Hashing
from kerneltron.stream.labels import Labels
from kerneltron.stream.reader import Reader, Wanted
from tests.fuzzing.columnar import damaged
from tests.fuzzing.lines import FORMATS, format_of, strange_file

QUICK = 120


def case(rng, folder):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*each number of it as a word", UserWarning)
        read_in_many_ways(rng, folder)


def read_in_many_ways(rng, folder):
    kind = str(rng.choice(list(FORMATS)))
    data = strange_file(kind, rng)
    counting = str(rng.choice(["counts", "binary", "damped"], p=[0.6, 0.2, 0.2]))
    hashing = Hashing(
        bits=int(rng.integers(1, 10)),
        signed=bool(rng.random() < 0.8),
        binary=counting == "binary",
        damped=counting == "damped",
        normalize=bool(rng.random() < 0.2),
        ngrams=int(rng.integers(1, 4)),
        skips=int(rng.integers(0, 2)),
        copies=int(rng.choice([1, 1, 3])),
        cross=("user*text",) if rng.random() < 0.3 else (),
        lowercase=bool(rng.random() < 0.8),
    )
    skip = bool(rng.random() < 0.7)
    plain = outcome(
        folder / f"plain.{kind}", data, format_of(kind, rng), hashing, skip, watched=rng.random() < 0.3
    )
    match int(rng.integers(0, 4)):
        case 0:
            packed = packing(rng)(data)
            assert outcome(folder / "packed", packed, plain.format, hashing, skip).rows == plain.rows
        case 1:
            format = format_of(kind, None, known=True)  # roles that are guessed depend on the first chunk
            whole = outcome(folder / "whole", data, format, hashing, skip)
            pieces = outcome(folder / "pieces", data, format, hashing, skip, chunk=int(rng.integers(1, 80)))
            assert whole.rows == pieces.rows
        case 2:
            piped = through_pipe(folder / f"pipe.{kind}", data, plain.format, hashing, skip)
            assert piped.rows == plain.rows
        case 3:
            outcome(folder / "damaged", damaged(packing(rng)(data), rng), plain.format, hashing, skip)
            found_out(folder / "unknown", damaged(data, rng), hashing)


class Outcome:
    """What came of a file: its examples, None if it was refused."""

    def __init__(self, format, rows):
        self.format, self.rows = format, rows


def outcome(path, data, format, hashing, skip, chunk=None, watched=False):
    path.write_bytes(data)
    return read([str(path)], data, format, hashing, skip, chunk, watched)


def read(names, data, format, hashing, skip, chunk=None, watched=False):
    again = type(format)(format.columns) if hasattr(format, "columns") else type(format)()
    labels, rows = Labels(), []
    is_packed = data.startswith((b"\x1f\x8b", b"\x28\xb5\x2f\xfd"))
    options = {"skip_faults": skip, "watch": (lambda parsed: None) if watched else None, "chunk": chunk}
    try:
        reader = Reader(names, again, hashing, labels, wanted=Wanted(tags=True, digests=True), **options)
        for window in reader.windows():
            rows += sound(window, hashing, labels)
    except InputError as error:
        if "`cross`" not in str(error) and not any(name in str(error) for name in names):
            raise AssertionError("the error does not name the file") from error
        return Outcome(format, None)
    for fault in reader.skipped.first:
        assert 1 <= fault.line <= data.count(b"\n") + data.count(b"\r") + 1 or is_packed
        assert fault.column >= 1
        assert fault.reason in REASONS
    return Outcome(format, rows)


def sound(window, hashing, labels):
    """Return the examples of a window, after a look at all that compiled loops rely on."""
    assert window.indices.size == 0 or 0 <= window.indices.min() <= window.indices.max() < hashing.slots
    assert (np.diff(window.starts) >= 0).all()
    assert window.starts[0] == 0
    assert window.starts[-1] == window.indices.size == window.values.size
    assert np.isfinite(window.values).all()
    assert (np.isfinite(window.importance) & (window.importance >= 0)).all()
    rows = []
    for row in range(window.size):
        first, last = window.starts[row], window.starts[row + 1]
        features = sorted(
            zip(window.indices[first:last].tolist(), window.values[first:last].tolist(), strict=True)
        )
        label = labels.names[window.labels[row]] if window.labels[row] >= 0 else None
        rows.append((label, window.tags[row], int(window.digests[row]), features))
    return rows


def packing(rng):
    """Return a way to compress: all at once, or in several frames."""
    import zstandard

    def pieces(pack):
        return lambda data: pack(data[: len(data) // 2]) + pack(data[len(data) // 2 :])

    ways = [gzip.compress, zstandard.compress]
    return [*ways, *map(pieces, ways)][int(rng.integers(0, 4))]


def through_pipe(path, data, format, hashing, skip):
    """Read from a pipe that someone writes to; its format is looked for first, as the command line does."""
    os.mkfifo(path)

    def write():
        try:
            with open(path, "wb", buffering=0) as file:
                for k in range(0, len(data), 700):
                    file.write(data[k : k + 700])
        except BrokenPipeError:  # whoever reads has met an error
            pass

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    format_for([str(path)], Declared(), labelled=False)
    found = read([str(path)], data, format, hashing, skip)
    writer.join(10)
    assert not writer.is_alive()
    return found


def found_out(path, data, hashing):
    """Read a file of which nothing is known."""
    path.write_bytes(data)
    try:
        format = format_for([str(path)], Declared(), labelled=False)
    except InputError:
        return
    if format.name not in ("arrow", "parquet"):
        read([str(path)], data, format, hashing, skip=True)
