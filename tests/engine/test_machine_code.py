"""Where machine code comes from: the package, an earlier process, numba; and what may be wrong with each."""

import json
import logging
import os
import re
import shutil
import subprocess
import sys
import zlib
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

from kerneltron.engine.compiled import compiled
from kerneltron.engine.machine import announcing, content, finding, kept, listed, shipped
from kerneltron.engine.machine.kinds import kinds_of, written


def made():
    """Return a small function that no other test has called."""

    @compiled
    def total(numbers):
        answer = 0.0
        for number in numbers:
            answer += number
        return answer

    return total


NUMBERS = np.arange(4.0)


@pytest.fixture
def compilings(tmp_path, monkeypatch):
    """The functions that were compiled, with a folder of its own for what is kept."""
    monkeypatch.setenv(kept.VARIABLE, str(tmp_path / "kept"))
    calls, compile_now = [], finding.compiled
    monkeypatch.setattr(finding, "compiled", lambda *given: calls.append(given) or compile_now(*given))
    return calls


@pytest.fixture
def ship(tmp_path, monkeypatch):
    """Puts the code of a function where a wheel has it; returns the folder."""
    monkeypatch.setattr(shipped, "FOLDER", tmp_path / "shipped")
    monkeypatch.setattr(finding, "is_foreign", lambda thing: False)
    folder = tmp_path / "shipped" / shipped.level()

    def put(function, engine=None, abi=content.ABI):
        kinds = kinds_of((NUMBERS,))
        door = finding.door_name(function.name, written(kinds))
        code = zlib.compress(finding.compiled(function, kinds, door)[0])
        folder.mkdir(parents=True, exist_ok=True)
        row = [written(kinds), door, 0, len(code), zlib.crc32(code)]
        index = {"abi": abi, "engine": engine or content.engine_digest(), "functions": {function.name: [row]}}
        (folder / shipped.INDEX).write_text(json.dumps(index))
        (folder / shipped.CODE).write_bytes(code)
        shipped._index.cache_clear()
        return folder

    shipped._index.cache_clear()
    yield put
    shipped._index.cache_clear()


# -- kept by an earlier process ------------------------------------------------------------------------


def test_code_is_compiled_once_and_kept(compilings):
    assert [made()(NUMBERS) for _ in range(3)] == [6.0] * 3
    assert len(compilings) == 1
    assert made()(NUMBERS.astype(np.float32)) == 6.0
    assert len(compilings) == 2


def flipped(data):
    """Return data with one bit that is another one."""
    return data[:700] + bytes([data[700] ^ 1]) + data[701:]


@pytest.mark.parametrize("damaged", [bytes, lambda data: data[:7], lambda data: data[:-1], flipped])
def test_a_damaged_file_is_compiled_anew_and_mended(compilings, tmp_path, damaged):
    made()(NUMBERS)
    (path,) = (tmp_path / "kept").rglob("*.o")
    path.write_bytes(damaged(path.read_bytes()) if damaged is not bytes else b"")
    assert made()(NUMBERS) == 6.0
    assert made()(NUMBERS) == 6.0
    assert len(compilings) == 2


def test_without_a_place_to_write_code_is_compiled_in_each_process(compilings, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(kept.VARIABLE, str(tmp_path / "file" / "below"))
    assert made()(NUMBERS) == made()(NUMBERS) == 6.0
    assert len(compilings) == 2


def test_a_user_without_a_home_keeps_nothing(compilings, monkeypatch):
    def no_home():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv(kept.VARIABLE)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(kept.Path, "home", no_home)
    assert made()(NUMBERS) == made()(NUMBERS) == 6.0
    assert len(compilings) == 2


def test_code_of_a_source_that_has_changed_meanwhile_is_not_kept(compilings, tmp_path, monkeypatch):
    monkeypatch.setattr(content, "digest_now", lambda: "of another branch")
    assert made()(NUMBERS) == 6.0
    assert not (tmp_path / "kept").exists()


def test_threads_compile_a_function_once(compilings):
    function = made()
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(function, [NUMBERS] * 8)) == [6.0] * 8
    assert len(compilings) == len(function.met) == 1


def test_a_missing_numba_is_named(compilings, monkeypatch):
    monkeypatch.delitem(sys.modules, "kerneltron.engine.machine.numba_inside", raising=False)
    monkeypatch.setitem(sys.modules, "numba", None)
    with pytest.raises(ModuleNotFoundError, match=r"has to be compiled.* numba is not installed"):
        made()(NUMBERS)


def test_a_full_disk_leaves_nothing_half_written(compilings, tmp_path, monkeypatch):
    def full(path, data):
        with path.open("wb") as file:
            file.write(data[:10])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.write_bytes", full)
    assert made()(NUMBERS) == 6.0
    assert not [path for path in (tmp_path / "kept").rglob("*") if path.is_file()]


def test_an_edit_of_the_engine_is_another_folder(compilings, monkeypatch):
    made()(NUMBERS)
    monkeypatch.setattr(kept, "engine_digest", lambda: "f" * 64)
    made()(NUMBERS)
    assert len(compilings) == 2


def test_the_digest_is_that_of_the_files(tmp_path, monkeypatch):
    engine = tmp_path / "engine"
    engine.mkdir()
    (tmp_path / "_types.py").write_text("")
    (engine / "a.py").write_text("1")
    monkeypatch.setattr(content, "ENGINE", engine)
    digest = content.engine_digest.__wrapped__
    first = digest()
    (engine / "a.py").write_text("2")
    second = digest()
    (engine / "a.py").rename(engine / "b.py")
    assert len({first, second, digest()}) == 3


@pytest.mark.slow
def test_many_processes_at_once_and_a_fork(compilings, tmp_path):
    program = """
import numpy as np
from kerneltron.engine.alike import mark_others
marks = np.zeros(3, np.uint8)
mark_others(np.array([[1, 2], [1, 2], [3, 4]], np.uint64), 0, marks)
print(marks.sum())
"""
    environment = {**os.environ, kept.VARIABLE: str(tmp_path / "kept")}
    pipes = {"env": environment, "stdout": subprocess.PIPE, "text": True}
    running = [subprocess.Popen([sys.executable, "-c", program], **pipes) for _ in range(3)]
    assert len({each.communicate()[0] for each in running}) == 1
    assert [each.returncode for each in running] == [0, 0, 0]
    function = made()
    function(NUMBERS)
    answers = get_context("fork").Queue()
    child = get_context("fork").Process(target=lambda: answers.put(function(NUMBERS)))
    child.start()
    assert answers.get(timeout=60) == 6.0
    child.join()


# -- with the package ------------------------------------------------------------------------------------


def test_shipped_code_is_found_and_nothing_is_compiled(compilings, ship):
    function = made()
    ship(function)
    compilings.clear()
    assert function(NUMBERS) == 6.0
    assert not compilings


@pytest.mark.parametrize("wrong", [{"engine": "another"}, {"abi": 0}])
def test_code_of_another_engine_is_left_alone_with_one_warning(compilings, ship, caplog, wrong):
    function = made()
    ship(function, **wrong)
    compilings.clear()
    with caplog.at_level(logging.WARNING, "kerneltron"):
        assert function(NUMBERS) == made()(NUMBERS) == 6.0
    assert len(compilings) == 1
    assert [record.message for record in caplog.records if "another version" in record.message]
    assert len(caplog.records) == 1


@pytest.mark.parametrize("name", [shipped.INDEX, shipped.CODE])
def test_damaged_shipped_code_is_left_alone_with_one_warning(compilings, ship, caplog, name):
    function = made()
    path = ship(function) / name
    path.write_bytes(path.read_bytes()[:-20])
    compilings.clear()
    with caplog.at_level(logging.WARNING, "kerneltron"):
        assert function(NUMBERS) == 6.0
    assert len(compilings) == len(caplog.records) == 1
    assert "compiled when they are first used" in caplog.text


def with_other_door(index):
    for rows in index["functions"].values():
        rows[0][1] += "x"


def without_a_number(index):
    for rows in index["functions"].values():
        rows[0].pop()


def with_text(index):
    for rows in index["functions"].values():
        rows[0][2] = "here"


@pytest.mark.parametrize("damage", [with_other_door, without_a_number, with_text])
def test_an_index_that_says_what_is_not_so_is_left_alone_with_one_warning(compilings, ship, caplog, damage):
    function = made()
    path = ship(function) / shipped.INDEX
    index = json.loads(path.read_text())
    damage(index)
    path.write_text(json.dumps(index))
    compilings.clear()
    with caplog.at_level(logging.WARNING, "kerneltron"):
        assert function(NUMBERS) == 6.0
    assert len(compilings) == len(caplog.records) == 1
    assert "compiled when they are first used" in caplog.text


BEYOND = re.compile(r"%zmm|%k[0-7]\b|%[xy]mm(1[6-9]|2\d|3[01])\b")  # registers that x86-64-v3 does not have


@pytest.mark.skipif(not shutil.which("objdump"), reason="objdump is not installed")
def test_shipped_code_has_no_instructions_beyond_its_level(tmp_path):
    folder = shipped.FOLDER / str(shipped.level())
    if not (folder / shipped.INDEX).exists():
        pytest.skip("no code was compiled beforehand")
    places = [
        row for rows in json.loads((folder / shipped.INDEX).read_text())["functions"].values() for row in rows
    ]
    code = (folder / shipped.CODE).read_bytes()
    for number, (_, _, offset, size, _) in enumerate(sorted(places, key=lambda row: -row[3])[::8]):
        path = tmp_path / f"{number}.o"
        path.write_bytes(zlib.decompress(code[offset : offset + size]))
    listing = subprocess.run(
        ["objdump", "-d", *sorted(tmp_path.iterdir())], capture_output=True, text=True, check=True
    )
    assert "%ymm" in listing.stdout
    assert not BEYOND.search(listing.stdout)


def test_a_processor_without_the_instructions_gets_none_of_it(compilings, ship, monkeypatch):
    function = made()
    ship(function)
    compilings.clear()
    monkeypatch.setattr(shipped, "features", lambda: {"sse2"})
    assert shipped.level() is None
    assert function(NUMBERS) == 6.0
    assert len(compilings) == 1


# -- compiled now ------------------------------------------------------------------------------------------


def test_waiting_is_announced_once(compilings, caplog, monkeypatch):
    monkeypatch.setattr(announcing, "PATIENCE", 0.0)
    monkeypatch.setattr(announcing, "spent", announcing.Spent())
    with caplog.at_level(logging.WARNING, "kerneltron"):
        made()(NUMBERS)
        made()(NUMBERS.astype(np.float32))
    (record,) = caplog.records
    assert "total" in record.message
    assert "no machine code" in record.message


def test_what_does_not_compile_is_a_clear_error(compilings):
    @compiled
    def wrong(numbers):
        return numbers.no_such_thing

    with pytest.raises(Exception, match="no_such_thing"):
        wrong(NUMBERS)
    assert made()(NUMBERS) == 6.0


@pytest.mark.slow
def test_a_fork_waits_for_a_compilation_in_another_thread(tmp_path):
    program = """
import os, threading, time
import numpy as np
from kerneltron.engine.alike import mark_others
from kerneltron.engine.compiled import compiled
from kerneltron.engine.machine.entry import LOCK

@compiled
def one(numbers):
    return numbers[0]

@compiled
def other(numbers):
    return numbers[1]

def is_compiling():
    if LOCK.acquire(blocking=False):
        LOCK.release()
        return False
    return True

thread = threading.Thread(target=one, args=(np.arange(3.0),))
thread.start()
while thread.is_alive() and not is_compiling():
    time.sleep(0.001)
child = os.fork()
if not child:
    os._exit(int(other(np.arange(3.0))))
thread.join()
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    path = tmp_path / "program.py"
    path.write_text(program)
    environment = {**os.environ, kept.VARIABLE: str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", path],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert done.stdout.split() == ["1"]


@pytest.mark.slow
@pytest.mark.parametrize("setting", ["NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK"])
def test_settings_of_numba(setting, tmp_path):
    program = """
import numpy as np
from kerneltron.engine.order import fill_order
from kerneltron.engine.compiled import compiled

@compiled
def at(numbers, k):
    return numbers[k]

print(at(np.arange(3.0), 2))
try:
    at(np.arange(3.0), 3)
    print("unchecked")
except IndexError:
    print("checked")
"""
    environment = {**os.environ, setting: "1", kept.VARIABLE: str(tmp_path), "NUMBA_CACHE_DIR": str(tmp_path)}
    path = tmp_path / "program.py"
    path.write_text(program)
    done = subprocess.run([sys.executable, path], env=environment, capture_output=True, text=True, check=True)
    checked = "checked" if setting == "NUMBA_BOUNDSCHECK" else "unchecked"
    assert done.stdout.split() == ["2.0", checked]


# -- the list ------------------------------------------------------------------------------------------------


def test_every_function_that_is_listed_is_there():
    assert all(listed.entry_named(name).name == name for name in {name for name, _, _ in listed.entries()})


def test_the_list_is_read_as_it_was_written(tmp_path, monkeypatch):
    before = {(name, kinds): is_common for name, kinds, is_common in listed.entries()}
    assert before
    monkeypatch.setattr(listed, "PATH", tmp_path / "listed.txt")
    listed.write(before)
    assert {(name, kinds): is_common for name, kinds, is_common in listed.entries()} == before
