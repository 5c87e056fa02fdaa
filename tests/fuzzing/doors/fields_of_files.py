"""Every value and every tensor of a file in turn, replaced by all kinds of others: refused by name, or used.

Where `model_files` and `checkpoints` make random changes, several at a time, here is one at a time, and none
is left out: a case is one value of one file, and all that can take its place.
"""

from functools import cache
from pathlib import Path

from kerneltron.files.format import read
from tests.fuzzing.doors import checkpoints, model_files
from tests.fuzzing.tampering import changed, forged, places, replaced

QUICK = 15
GOLDEN = sorted((Path(__file__).parents[2] / "golden").glob("*.model"))
FILES = [
    *(("model", name, resumable) for name in sorted(model_files.MAKERS) for resumable in (True, False)),
    *(("golden", path, None) for path in GOLDEN),
    *(("checkpoint", number, None) for number in range(len(checkpoints.TRAININGS))),
]


@cache
def contents_of(file):
    kind, name, resumable = file
    if kind == "model":
        return model_files.saved(name, resumable)[0]
    return read(name) if kind == "golden" else checkpoints.saved(name)


def case(rng, folder):
    file = FILES[rng.integers(0, len(FILES))]
    contents = contents_of(file)
    fields = list(places(contents.header))
    number = int(rng.integers(0, len(fields) + len(contents.tensors)))
    if number < len(fields):
        for header in replaced(contents, fields[number]):
            use(file, folder, forged(header, contents.tensors))
        return
    name = sorted(contents.tensors)[number - len(fields)]
    for array in changed(contents.tensors[name]):
        use(file, folder, forged(contents.header, {**contents.tensors, name: array}))
    use(file, folder, forged(contents.header, {k: a for k, a in contents.tensors.items() if k != name}))


def use(file, folder, data):
    kind, name, _ = file
    if kind == "checkpoint":
        checkpoints.path_in(folder).write_bytes(data)
        checkpoints.go_on(name, folder)
        return
    path = folder / "some.model"
    path.write_bytes(data)
    model_files.try_out(path, *(() if kind == "golden" else (name,)))
