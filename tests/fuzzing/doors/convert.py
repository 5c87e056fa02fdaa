"""Conversion of strange files: what is written reads back as the same examples, or there was an error."""

import numpy as np

from kerneltron.stream.conversion import Manner, chunks_of, convert
from kerneltron.stream.errors import InputError
from kerneltron.stream.formats import named
from kerneltron.stream.formats.columns import Columns
from kerneltron.stream.hashing import Hashing
from kerneltron.stream.labels import Labels
from kerneltron.stream.reader import Reader, Wanted
from tests.fuzzing.lines import FORMATS, format_of, strange_file

QUICK = 150
TARGETS = ["vw", "svmlight", "jsonl", "csv", "tsv"]


def case(rng, folder):
    kind, to = str(rng.choice(list(FORMATS))), str(rng.choice(TARGETS))
    path, target = folder / f"in.{kind}", folder / f"out.{to}"
    path.write_bytes(strange_file(kind, rng))
    format = format_of(kind, rng)
    replacement = "_" if rng.random() < 0.2 else None
    try:
        with open(target, "wb") as file:
            manner = Manner(to, bool(rng.random() < 0.8), replacement, skip_faults=True)
            done = convert(chunks_of([str(path)], format), format, file, manner)
        expected = examples(path, format_of(kind, None, format), manner)
    except (InputError, ValueError):
        return
    if done.skipped and (to == "tsv" or (to == "csv" and kind == "jsonl")):
        return  # lists, objects and late keys are no examples of a table, nor are blank lines
    if replacement is not None:
        return  # other names are other features
    columns = Columns(roles=format.roles, labelled=False) if to in ("csv", "tsv") else Columns(labelled=False)
    again = named(to)(columns) if to in ("csv", "tsv", "jsonl") else named(to)()
    found = examples(target, again, manner)
    assert len(found) == len(expected), (len(found), len(expected), done)
    assert len(found) == done.examples or to in ("csv", "tsv")  # where values are not looked at
    for one, other in zip(found, expected, strict=True):
        assert one[0] == other[0] or to in ("vw", "svmlight"), (one, other)
        assert one[1] == other[1] or not other[0], (one, other)
        assert one[2] == other[2] or to == "svmlight", (one, other)
        assert one[3].keys() == other[3].keys(), (one, other)
        for slot, value in one[3].items():
            np.testing.assert_allclose(value, other[3][slot], rtol=1e-5, atol=1e-30)


def examples(path, format, manner):
    """Return label, weight, tag and features of each example; features of value 0 are none."""
    labels, found = Labels(), []
    hashing = Hashing(bits=30, lowercase=manner.lowercase)
    reader = Reader([str(path)], format, hashing, labels, wanted=Wanted(tags=True), skip_faults=True)
    for window in reader.windows():
        for row in range(window.size):
            first, last = window.starts[row], window.starts[row + 1]
            pairs = zip(window.indices[first:last].tolist(), window.values[first:last].tolist(), strict=True)
            label = labels.names[window.labels[row]] if window.labels[row] >= 0 else ""
            features = {slot: value for slot, value in pairs if value}
            found.append((label, float(window.importance[row]), window.tags[row], features))
    return found
