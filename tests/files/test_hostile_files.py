"""Model files that are damaged or lie, and disks that fail: a clear error, nothing lost, nothing run."""

import errno
import json
import os
import pickle
import signal
import subprocess
import sys
import time
from contextlib import suppress
from copy import deepcopy

import numpy as np
import pytest
import safetensors.numpy
import scipy.sparse as sp

from kerneltron import LogisticRegression, ManyTasks, Perceptron, Winnow, load, save
from kerneltron.files.format import Contents, ModelFileError, read, write
from kerneltron.kernels import Gaussian, QuadraticForm

pytestmark = pytest.mark.slow

GENERATOR = np.random.default_rng(0)
X = np.abs(np.round(GENERATOR.normal(size=(40, 4)), 2))
X[X < 0.3] = 0
y = np.arange(40) % 3
FORM = QuadraticForm(np.diag([1.0, 2.0, 0.0, 0.5]) + 0.25)
DUAL = {"kernel": Gaussian(1.0) + FORM, "representation": "dual"}
MAPPED = {"kernel": "Polynomial(2)", "representation": "primal"}


def fitted(learner, rows=X, labels=y):
    return learner.fit(rows, labels)


MODELS = {
    "adaptive": fitted(
        LogisticRegression(scale=False, passes=1, random_state=0), labels=np.array(["a", "b", "c"])[y]
    ),
    "scaled": fitted(LogisticRegression(passes=1, random_state=0), sp.csr_matrix(X)),
    "dual": fitted(Perceptron(random_state=0, **DUAL), labels=y > 0),
    "dual vote": fitted(Perceptron(random_state=0, hypothesis="vote", **DUAL), sp.csr_matrix(X)),
    "drawn": fitted(Perceptron(random_state=0, hypothesis="random", **MAPPED)),
    "vote": fitted(Perceptron(random_state=0, hypothesis="vote", **MAPPED), sp.csr_matrix(X)),
    "winnow": fitted(Winnow(random_state=0, balanced=True)),
    "tasks": fitted(
        ManyTasks(Perceptron(random_state=0, **DUAL)), labels=np.where(y[:, None] == [0, 1], 1, -1)
    ),
    "tasks apart": fitted(
        ManyTasks(Perceptron(random_state=0)), labels=np.where(y[:, None] == [0, 1], 1, -1)
    ),
}


@pytest.fixture(scope="module", params=[(name, way) for name in MODELS for way in (True, False)], ids=str)
def contents(request, tmp_path_factory):
    """The contents of each model, to go on learning and for prediction only."""
    name, resumable = request.param
    path = tmp_path_factory.mktemp("models") / "some.model"
    save(MODELS[name], path, resumable)
    return read(path)


def forged(path, header, tensors, **metadata):
    """Write a file as someone else would: no check looks at what is in it."""
    text = header if isinstance(header, str) else json.dumps(header)
    path.write_bytes(safetensors.numpy.save(tensors, {"kerneltron": text, **metadata}))
    return path


def raw(index, data=b""):
    text = index if isinstance(index, bytes) else json.dumps(index).encode()
    return len(text).to_bytes(8, "little") + text + data


def is_refused(path):
    try:
        load(path)
    except ModelFileError as error:
        return str(path) in str(error)
    return False


def try_out(path):
    """Load a file that may be wrong, and use what comes; only these errors are clear ones."""
    try:
        thing = load(path)
    except ModelFileError as error:
        assert str(path) in str(error)  # noqa: PT017 - there need not be one
        return
    labels = np.where(y[:, None] == [0, 1], 1, -1)
    labels = labels if isinstance(thing, ManyTasks) else thing.classes_[y % len(thing.classes_)]
    with np.errstate(all="ignore"):
        for use in (lambda: thing.decision_function(X), lambda: thing.partial_fit(X, labels)):
            with suppress(ValueError, TypeError, ArithmeticError, MemoryError, NotImplementedError):
                use()


# -- files that are no models --------------------------------------------------------------------------

ONE = {"a": {"dtype": "F64", "shape": [1], "data_offsets": [0, 8]}}
OURS = {"__metadata__": {"kerneltron": json.dumps({"format": 1, "kind": "Kernel"})}}


def tensor(**changes):
    return {**OURS, "a": {"dtype": "F64", "shape": [1], "data_offsets": [0, 8], **changes}}


NO_MODELS = {
    "empty": (b"", "is empty"),
    "short": (b"abc", "not a model file"),
    "zeros": (bytes(100), "not a model file"),
    "pickle": (pickle.dumps({"a": [1, 2, 3]} | dict.fromkeys(range(50))), "not a model file"),
    "text": (b"label 1 | a b c\n" * 10, "not a model file"),
    "huge header": ((2**62).to_bytes(8, "little") + b"{}", "not a model file"),
    "truncated header": (raw(tensor(), bytes(8))[:30], "truncated"),
    "truncated data": (raw(tensor(), bytes(8))[:-1], "damaged or truncated"),
    "more data": (raw(tensor(), bytes(9)), "damaged or truncated"),
    "no JSON": (raw(b"{{{{{{{{"), "damaged or truncated"),
    "no text": (raw(b'{"\xff\xfe": 1}'), "damaged or truncated"),
    "deep index": (raw(b'{"a":' * 100_000), "damaged or truncated"),
    "claimed shape": (raw(tensor(shape=[2**40]), bytes(8)), "damaged or truncated"),
    "overflowing shape": (raw(tensor(shape=[2**40, 2**40]), bytes(8)), "damaged or truncated"),
    "negative shape": (raw(tensor(shape=[-1]), bytes(8)), "damaged or truncated"),
    "out of range": (raw(tensor(data_offsets=[8, 16]), bytes(8)), "damaged or truncated"),
    "backwards": (raw(tensor(data_offsets=[8, 0]), bytes(8)), "damaged or truncated"),
    "overlapping": (raw({**ONE, "b": ONE["a"]}, bytes(8)), "damaged or truncated"),
    "Python objects": (raw(tensor(dtype="O"), bytes(8)), "damaged or truncated"),
    "half floats": (raw(tensor(dtype="BF16", shape=[4]), bytes(8)), "of the type BF16, which no model has"),
    "empty and huge": (
        raw(tensor(shape=[0, 2**60], data_offsets=[0, 0])),
        r"claims the shape \[0, 1152921504606846976\]",
    ),
    "many dimensions": (raw(tensor(shape=[1] * 100), bytes(8)), "claims the shape"),
    "NaN": (raw(tensor(), np.array([np.nan]).tobytes()), "'a' holds NaN or infinity"),
    "infinity": (raw(tensor(), np.array([-np.inf]).tobytes()), "'a' holds NaN or infinity"),
    "strange truth": (raw(tensor(dtype="BOOL", shape=[8]), b"\x02" * 8), "neither true nor false"),
    "not ours": (raw(ONE, bytes(8)), "not a kerneltron model"),
}


@pytest.mark.parametrize("name", NO_MODELS)
def test_a_file_that_is_no_model_is_refused_by_name(name, tmp_path):
    data, reason = NO_MODELS[name]
    path = tmp_path / "some.model"
    path.write_bytes(data)
    with pytest.raises(ModelFileError, match=reason) as caught:
        load(path)
    assert str(path) in str(caught.value)


HEADERS = {
    "no JSON": ("{", "not JSON"),
    "no object": ("[1]", "not a JSON object"),
    "deep": ('{"format": 1, "a": ' + "[" * 5_000 + "]" * 5_000 + "}", "not JSON|nested"),
    "nested": ('{"format": 1, "a": ' + "[" * 100 + "]" * 100 + "}", "nested more than 64 deep"),
    "long number": ('{"format": 1' + "0" * 10_000 + "}", "not JSON"),
    "infinity": ('{"format": Infinity}', "not JSON"),
    "no format": ("{}", "has no 'format'"),
    "format as text": ('{"format": "1"}', "'format' in the header is '1', not a whole number"),
    "no kind": ('{"format": 1}', "has no 'kind'"),
    "kind of no kind": ('{"format": 1, "kind": "os.system"}', "'os.system', not one of .*Perceptron"),
    "another version": (
        '{"format": 3, "library": "7.1"}',
        r"written by kerneltron 7\.1, format 3; this one, .* reads up to format 2: upgrade",
    ),
    "a kernel that calls": (
        '{"format": 1, "kind": "Kernel", "arrays": [], "kernel": "__import__(\'os\').system(\'true\')"}',
        "is damaged: column",
    ),
    "a path for an array": (
        '{"format": 1, "kind": "Kernel", "arrays": ["../../etc/passwd"], "kernel": "Linear()"}',
        "no tensor 'arrays.../../etc/passwd'",
    ),
}


@pytest.mark.parametrize("name", HEADERS)
def test_a_header_that_makes_no_sense_is_refused_by_name(name, tmp_path):
    text, reason = HEADERS[name]
    path = forged(tmp_path / "some.model", text, {})
    with pytest.raises(ModelFileError, match=reason) as caught:
        load(path)
    assert str(path) in str(caught.value)


def test_what_is_no_file_is_refused(tmp_path):
    with pytest.raises(ModelFileError, match="is a folder"):
        load(tmp_path)
    with pytest.raises(FileNotFoundError, match=r"missing\.model"):
        load(tmp_path / "missing.model")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ModelFileError, match="not a regular file"):
        load(tmp_path / "pipe")
    for place in (tmp_path, tmp_path / "pipe"):
        with pytest.raises(ValueError, match=r"is a folder|not a regular file"):
            save(MODELS["winnow"], place)
    with pytest.raises(FileNotFoundError, match=r"nothing was written.*some\.model"):
        save(MODELS["winnow"], tmp_path / "no folder" / "some.model")


def test_a_claim_costs_no_memory(tmp_path):
    program = (
        "import resource, sys\n"
        "from kerneltron.files.format import ModelFileError, restored\n"
        "from kerneltron.learning.learner import Learner\n"
        "import kerneltron.files.dual\n"
        "limit = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize() + 2**28\n"
        "resource.setrlimit(resource.RLIMIT_AS, (limit, limit))\n"
        "try:\n"
        "    restored(sys.argv[1], Learner.restore)\n"
        "except ModelFileError as error:\n"
        "    print(error)\n"
    )
    path = tmp_path / "some.model"
    for name, learner, changes in (
        ("adaptive", "logistic", {"width": 2**60}),
        ("adaptive", "logistic", {"width": 2**36, "form": "mapped"}),
        ("dual vote", "perceptron", {"seen": 2**62, "form": "primal", "width": 2**60, "dtype": "float64"}),
    ):
        save(MODELS[name], path)
        contents = read(path)
        contents.header["model_"] |= changes
        write(path, contents)
        run = subprocess.run(
            [sys.executable, "-c", program, path, learner], capture_output=True, text=True, check=True
        )
        assert str(path) in run.stdout
        assert "MemoryError" not in run.stdout


# -- models that were changed --------------------------------------------------------------------------


def test_a_file_that_stops_anywhere_is_refused(contents, tmp_path):
    path = tmp_path / "some.model"
    write(path, contents)
    data = path.read_bytes()
    header = 8 + int.from_bytes(data[:8], "little")
    places = {0, 1, 7, 8, 9, header // 2, header - 1, header, header + 1, len(data) - 8, len(data) - 1}
    for place in places:
        path.write_bytes(data[:place])
        with pytest.raises(ModelFileError, match=r"some\.model"):
            load(path)


def test_flipped_bytes_are_noticed_or_do_no_harm(contents, tmp_path):
    path = tmp_path / "some.model"
    write(path, contents)
    data = path.read_bytes()
    generator = np.random.default_rng(1)
    for _ in range(60):
        changed = bytearray(data)
        for place in generator.integers(0, len(data), generator.integers(1, 4)):
            changed[place] ^= 1 << int(generator.integers(8))
        path.write_bytes(changed)
        try_out(path)


def leaves(value, path=()):
    """Yield the places of all values inside a header."""
    if path:
        yield path
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in inside:
        yield from leaves(below, (*path, key))


def replaced(header, place, value):
    header = deepcopy(header)
    inside = header
    for key in place[:-1]:
        inside = inside[key]
    if value is None and isinstance(inside, dict):
        del inside[place[-1]]
    else:
        inside[place[-1]] = value
    return header


def test_every_value_of_the_header_may_be_missing_or_wrong(contents, tmp_path):
    path = tmp_path / "some.model"
    values = (None, -1, 2**70, 1.5, "x", [], {"number": "nan"}, True)
    for number, place in enumerate(leaves(contents.header)):
        # Two of the values for each place, in turn, keep this quick; over all places and models each occurs.
        for value in (None, values[number % len(values)]):
            forged(path, replaced(contents.header, place, value), contents.tensors)
            try_out(path)


# What may be otherwise: a pass more, a norm that is computed anew, a row that no move speaks of.
FREE = (
    ("mistakes_", "missing"),
    ("mistakes_", "longer"),
    (".squares", "missing"),
    (".drawn", "missing"),
    (".rows.rows", "longer"),
    ("classes_.labels", "shorter"),  # one class has as many vectors as two
)


def test_every_tensor_must_be_there_with_its_type_and_shape(contents, tmp_path):
    path = tmp_path / "some.model"
    for name, array in contents.tensors.items():
        others = {key: other for key, other in contents.tensors.items() if key != name}
        changes = {
            "missing": others,
            "other type": {**others, name: array.astype(np.int16)},
            "one more dimension": {**others, name: array[None]},
            "longer": {**others, name: np.concatenate([array, array[-1:]])},
            "shorter": {**others, name: array[:-1]},
        }
        for change, tensors in changes.items():
            forged(path, contents.header, tensors)
            is_free = any(name.endswith(end) and change == what for end, what in FREE)
            assert is_free or is_refused(path), f"{name}: {change}"


def test_places_beyond_the_end_are_refused(tmp_path):
    path = tmp_path / "some.model"
    cases = 0
    for model in MODELS.values():
        save(model, path)
        contents = read(path)
        for name, array in contents.tensors.items():
            if name.rpartition(".")[2] in ("slots", "columns", "starts", "places") and array.size:
                for value in (-1, 2**31 - 1):
                    changed = array.copy()
                    changed[array.size // 2] = value
                    forged(path, contents.header, {**contents.tensors, name: changed})
                    with pytest.raises(ModelFileError, match=r"some\.model"):
                        load(path)
                    cases += 1
    assert cases >= 12


def test_a_column_that_comes_twice_is_refused(tmp_path):
    path = tmp_path / "some.model"
    save(MODELS["dual vote"], path)
    contents = read(path)
    (name,) = [name for name in contents.tensors if name.endswith("pack0.part0.columns")]
    columns = contents.tensors[name]
    starts = contents.tensors[name.replace("columns", "starts")]
    row = int(np.argmax(np.diff(starts) > 1))
    columns[starts[row] + 1] = columns[starts[row]]
    forged(path, contents.header, contents.tensors)
    with pytest.raises(ModelFileError, match="comes twice"):
        load(path)


def test_weights_that_are_not_finite_are_refused(tmp_path):
    path = tmp_path / "some.model"
    save(MODELS["adaptive"], path)
    contents = read(path)
    for value in (np.nan, np.inf, -np.inf):
        contents.tensors["model_.weights.v"][3] = value
        forged(path, contents.header, contents.tensors)
        with pytest.raises(ModelFileError, match=r"'model_\.weights\.v' holds NaN or infinity"):
            load(path)


@pytest.mark.parametrize("name", ["drawn", "vote"])
def test_features_that_a_map_has_no_room_for_are_refused(name, tmp_path):
    path = tmp_path / "some.model"
    save(MODELS[name], path)
    contents = read(path)
    forged(path, replaced(contents.header, ("model_", "delta"), 0.5), contents.tensors)
    assert is_refused(path)


def test_names_of_tensors_are_no_paths(tmp_path):
    path = tmp_path / "folder" / "some.model"
    path.parent.mkdir()
    save(MODELS["adaptive"], path)
    contents = read(path)
    more = {name: np.zeros(1) for name in ("../escaped", "/tmp/escaped", "a\0b", "", "..", "C:\\escaped")}
    forged(path, contents.header, {**contents.tensors, **more})
    load(path)
    assert [file.name for file in tmp_path.rglob("*")] == ["folder", "some.model"]


def test_loading_runs_nothing_and_imports_nothing_and_writes_nothing(tmp_path):
    for name, model in MODELS.items():
        save(model, tmp_path / f"{name}.model")
    program = (
        "import sys, glob, kerneltron\n"
        "paths = sorted(glob.glob(sys.argv[1] + '/*.model'))\n"
        "for path in paths:\n"
        "    kerneltron.load(path)\n"  # all modules are there now
        "assert 'torch' not in sys.modules\n"
        "seen = []\n"
        "def watch(event, arguments):\n"
        "    writes = event == 'open' and arguments[1] is not None and set(arguments[1]) & set('wax+')\n"
        "    parts = event.partition('.')[0]\n"
        "    if writes or event in ('exec', 'import') or parts in ('os', 'subprocess', 'socket', 'pickle',\n"
        "        'marshal', 'ctypes', 'shutil', 'urllib'):\n"
        "        seen.append((event, str(arguments)[:200]))\n"
        "sys.addaudithook(watch)\n"
        "for path in paths:\n"
        "    kerneltron.load(path)\n"
        "print(len(paths), seen)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == f"{len(MODELS)} []"


# -- disks that fail -----------------------------------------------------------------------------------


def full(*_):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def interrupted(*_):
    raise KeyboardInterrupt


@pytest.mark.parametrize("step", ["fsync", "replace"])
@pytest.mark.parametrize(("failure", "error"), [(full, OSError), (interrupted, KeyboardInterrupt)])
@pytest.mark.parametrize("is_there", [True, False])
def test_a_failure_while_saving_leaves_the_old_file_and_nothing_else(
    step, failure, error, is_there, tmp_path, monkeypatch
):
    path = tmp_path / "some.model"
    if is_there:
        save(MODELS["adaptive"], path)
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    monkeypatch.setattr(os, step, failure)
    with pytest.raises(error) as caught:
        save(MODELS["dual"], path)
    monkeypatch.undo()
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before
    if error is OSError:
        assert caught.value.errno == errno.ENOSPC
        assert str(path) in str(caught.value)
        assert "what stood there before is as it was" in str(caught.value)
    save(MODELS["dual"], path)
    assert load(path).predict(X).tolist() == MODELS["dual"].predict(X).tolist()


def test_a_disk_that_takes_no_more_in_the_middle_of_a_file_leaves_the_old_one(tmp_path):
    path = tmp_path / "some.model"
    write(path, Contents({"old": True}, {}))
    program = (
        "import resource, sys\n"
        "import numpy as np\n"
        "from kerneltron.files.format import Contents, write\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))\n"
        "write(sys.argv[1], Contents({}, {'a': np.zeros(100_000)}))\n"
    )
    run = subprocess.run([sys.executable, "-c", program, path], capture_output=True, text=True, check=False)
    assert run.returncode != 0
    assert "OSError" in run.stderr
    assert str(path) in run.stderr
    assert read(path).header["old"] is True
    assert [file.name for file in tmp_path.iterdir()] == ["some.model"]


def test_a_device_is_no_place_for_a_model():
    with pytest.raises(ValueError, match="/dev/full is not a regular file"):
        save(MODELS["winnow"], "/dev/full")


def test_a_process_that_is_killed_while_saving_leaves_a_whole_file(tmp_path):
    path = tmp_path / "some.model"
    program = (
        "import sys, itertools\n"
        "import numpy as np\n"
        "from kerneltron.files.format import Contents, write\n"
        "for number in itertools.count():\n"
        "    write(sys.argv[1], Contents({'number': number}, {'a': np.full(300_000, number)}))\n"
    )
    process = subprocess.Popen([sys.executable, "-c", program, path])
    try:
        while not path.exists():
            assert process.poll() is None
            time.sleep(0.01)
        time.sleep(0.2)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    contents = read(path)
    assert (contents.tensors["a"] == contents.header["number"]).all()
