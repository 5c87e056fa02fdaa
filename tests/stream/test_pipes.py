"""What is not a regular file is read once, from its first byte: no example is lost, nothing hangs."""

import gzip
import io
import json
import os
import subprocess
import sys
import threading
import time

import pytest

from kerneltron.cli.running import run
from kerneltron.stream import sources
from kerneltron.stream.declared import Declared
from kerneltron.stream.errors import InputError
from kerneltron.stream.formats.finding import format_for
from kerneltron.stream.hashing import Hashing
from kerneltron.stream.labels import Labels
from kerneltron.stream.reader import Reader
from kerneltron.stream.source import Source
from kerneltron.stream.sources import expand, head_of, opened

pytestmark = pytest.mark.slow

KERNELTRON = f"{sys.executable} -m kerneltron"
LINES = "".join(f"{1 if i % 2 else -1} |text word{i % 7} other{i % 11} odd{i % 2}\n" for i in range(10_000))
TABLE = "label,text\n" + "".join(f"{'ab'[i % 2]},word{i % 7} odd{i % 2}\n" for i in range(10_000))


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "a.vw").write_text(LINES)
    (tmp_path / "a.csv").write_text(TABLE)
    (tmp_path / "a.vw.gz").write_bytes(gzip.compress(LINES.encode()))
    return tmp_path


@pytest.fixture
def written():
    """Write to pipes in the background, at the pace at which they are read; wait for the ends."""
    threads = []

    def write(path, data, pieces=1):
        def go():
            with open(path, "wb", buffering=0) as file:
                for k in range(pieces):
                    file.write(data[k * len(data) // pieces : (k + 1) * len(data) // pieces])
                    time.sleep(0.001 if pieces > 1 else 0)

        threads.append(threading.Thread(target=go, daemon=True))
        threads[-1].start()

    yield write
    for thread in threads:
        thread.join(10)
        assert not thread.is_alive()


def bash(folder, command, code=0):
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == code, done.stderr
    return done.stdout if code == 0 else done.stderr


@pytest.mark.parametrize(
    "given",
    [
        "<(cat a.vw)",
        "<(cat a.csv)",
        "<(cat a.vw.gz)",
        "/dev/stdin < <(cat a.vw)",
        "/dev/stdin < a.vw",
        "- < a.csv",
        "/dev/fd/7 7< <(cat a.vw)",
    ],
)
def test_a_shell_s_pipes_lose_nothing(folder, given):
    result = json.loads(bash(folder, f"{KERNELTRON} train {given} --bits 8 -o m --json --quiet --passes 2"))
    assert result["examples"] == 20_000
    assert result["skipped"] == 0


def test_a_named_pipe_gives_the_model_of_the_file(folder, written, capsys):
    pipe = folder / "pipe"
    os.mkfifo(pipe)
    options = ["--bits", "8", "--quiet", "--passes", "2", "--json"]
    assert run(["train", str(folder / "a.csv"), "-o", str(folder / "file.model"), *options]) == 0
    written(pipe, TABLE.encode(), pieces=50)
    assert run(["train", str(pipe), "-o", str(folder / "pipe.model"), *options]) == 0
    assert (folder / "pipe.model").read_bytes() == (folder / "file.model").read_bytes()
    written(pipe, TABLE.encode())
    capsys.readouterr()
    assert run(["predict", str(folder / "pipe.model"), str(pipe)]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 10_000
    written(pipe, TABLE.encode())
    assert run(["convert", str(pipe), "-o", str(folder / "copy.vw")]) == 0
    assert (folder / "copy.vw").read_bytes().count(b"\n") == 10_000


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_bytes_that_come_one_by_one_are_recognised(tmp_path, written, pack):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    data = pack(b"1 | a b\n-1 | c\n")
    written(pipe, data, pieces=len(data))
    format = format_for([str(pipe)], Declared())
    assert format.name == "vw"
    reader = Reader([str(pipe)], format, Hashing(bits=4), Labels())
    assert sum(window.size for window in reader.windows()) == 2


def test_what_was_looked_at_is_still_there_and_is_not_kept_for_another(tmp_path, written):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    written(pipe, b"1 | first\n")
    assert head_of(str(pipe), 100) == b"1 | first\n"
    assert head_of(str(pipe), 3) == b"1 |"
    with opened(str(pipe)) as source:
        assert source.read(100) == b"1 | first\n"
    written(pipe, b"1 | second\n")
    head_of(str(pipe), 100)
    pipe.unlink()
    pipe.write_bytes(b"1 | third\n")
    assert head_of(str(pipe), 100) == b"1 | third\n"
    sources._LOOKED_AT.pop(str(pipe)).raw.close()


def test_a_pipe_is_not_read_twice(folder, written):
    pipe = folder / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(InputError, match="which is a pipe, can be read only once"):
        expand([str(pipe), str(folder / "a.vw"), str(pipe)])
    written(pipe, LINES.encode())
    reader = Reader([str(pipe)], format_for([str(pipe)], Declared()), Hashing(bits=8), Labels())
    assert sum(window.size for window in reader.windows()) == 10_000
    with pytest.raises(InputError, match=r"pipe is a pipe, and can be read only once: save"):
        next(reader.windows())


def test_folds_of_a_pipe_are_refused_and_so_are_columns_of_types(folder):
    told = bash(folder, f"{KERNELTRON} evaluate <(cat a.vw) --folds 3 --bits 8", code=2)
    assert "folds go over the input several times, and /dev/fd/" in told
    told = bash(folder, f"{KERNELTRON} train <(cat a.vw) --format parquet -o m", code=2)
    assert "a parquet file cannot be read from a pipe" in told
    told = bash(folder, f"cat a.vw | {KERNELTRON} train - /dev/stdin --bits 8 -o m", code=2)
    assert "can be read only once" in told


def test_devices_are_read_once_too(folder):
    assert "no labelled example" in bash(folder, f"{KERNELTRON} train /dev/null --format vw -o m", code=2)
    told = bash(folder, f"{KERNELTRON} train /dev/zero --format vw --record-limit 1 -o m", code=2)
    assert "/dev/zero, line 1, byte 1: a longer record than the record limit of 1 MB" in told


def test_a_pipe_that_does_not_wait_is_refused():
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    with os.fdopen(reading, "rb", buffering=0) as raw, os.fdopen(writing, "wb", buffering=0) as to:
        with pytest.raises(InputError, match="O_NONBLOCK"):
            Source("pipe", raw)
        to.write(b"1 | a\n")
        with pytest.raises(InputError, match="O_NONBLOCK"):
            Source("pipe", raw).read(100)


def test_a_folder_is_named_as_one(folder):
    with pytest.raises(InputError, match="is a folder: name files"), opened(str(folder)):
        pass


def test_standard_input_that_is_a_file_is_looked_at_from_where_it_stands(monkeypatch):
    buffer = io.BytesIO(b"skipped\n1 | a\n")
    buffer.seek(8)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(buffer))
    assert head_of("-", 100) == b"1 | a\n"
    with opened("-") as source:
        assert source.read(100) == b"1 | a\n"
