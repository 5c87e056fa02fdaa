"""Records that are too long, too rich or too large: refused by their place, in little memory."""

import builtins
import gzip
import hashlib
import io
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from kerneltron.cli.running import run
from kerneltron.engine.text import alphabet
from kerneltron.features import Hasher
from kerneltron.stream.chunks import chunks
from kerneltron.stream.declared import Declared
from kerneltron.stream.errors import BadLineError, InputError
from kerneltron.stream.formats.columns import Columns
from kerneltron.stream.formats.delimited import Csv, Tsv
from kerneltron.stream.formats.finding import format_for
from kerneltron.stream.formats.json_lines import JsonLines
from kerneltron.stream.formats.vowpal import Vowpal
from kerneltron.stream.hashing import Hashing
from kerneltron.stream.labels import Labels
from kerneltron.stream.reader import Reader
from kerneltron.stream.source import Source

MEGABYTE = 1 << 20
LONG = b"1 | " + b"word " * (MEGABYTE // 4) + b"\n"


def reader_of(path, format, **options):
    return Reader([str(path)], format, Hashing(bits=8), Labels(), **options)


def rows(reader):
    return sum(window.size for window in reader.windows())


def test_a_longer_record_than_the_limit_is_named_by_line_with_the_limit(tmp_path):
    path = tmp_path / "long.vw"
    path.write_bytes(b"1 | a\n-1 | b\n" + LONG + b"1 | c\n")
    assert rows(reader_of(path, Vowpal())) == 4
    message = r"long.vw, line 3, byte 1: .* record limit of 1 MB; `record_limit` sets another"
    with pytest.raises(BadLineError, match=message):
        rows(reader_of(path, Vowpal(), record_limit=1))
    skipping = reader_of(path, Vowpal(), record_limit=1, skip_faults=True)
    assert rows(skipping) == 3
    assert [fault.line for fault in skipping.skipped.first] == [3]


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("size", [7, 64, 1000])
def test_records_after_a_long_one_keep_their_lines(end, size):
    short = [b"1 | a", b"", b"-1 | bad:x", b"1 | " + b"b " * 300, b"2 | c", b"1 | " + b"d" * 999, b"bad"]
    source = Source("lines", io.BytesIO(end.join(short)))
    reader = Reader([], Vowpal(), Hashing(bits=8), Labels(), skip_faults=True)
    reader._chunks = lambda: chunks(source, Vowpal(), size, limit=100)
    assert rows(reader) == 2
    assert [(fault.line, fault.exceeded) for fault in reader.skipped.first] == [
        (3, 0),
        (4, 100),
        (6, 100),
        (7, 0),
    ]


@pytest.mark.parametrize("size", [10, 100, 1 << 20])
def test_whether_a_record_is_too_long_depends_on_its_bytes_alone(size):
    for excess in (-1, 0, 1):
        lines = [b"1 | a", b"1 | " + b"b" * (100 + excess - 5), b"1 | c", b"1 | " + b"d" * (100 + excess - 5)]
        source = Source("lines", io.BytesIO(b"\n".join(lines) + b"\n"))
        found = [chunk.exceeded for chunk in chunks(source, Vowpal(), size, limit=100)]
        assert found.count(100) == (2 if excess > 0 else 0)


def test_a_long_record_in_quotes_costs_its_first_line():
    format = Csv(Columns(roles={"label": "label", "text": "text"}))
    text = b'label,text\n1,"a\nb"\n1,"' + b"c\n" * 100 + b'"\n2,d\n'
    pieces = list(chunks(Source("rows", io.BytesIO(text)), format, 50, limit=60))
    assert sum(piece.exceeded > 0 for piece in pieces) == 1
    assert pieces[-1].text[pieces[-1].start : pieces[-1].stop].tobytes().endswith(b'"\n2,d\n')


def test_a_long_header_is_refused_even_if_faults_are_skipped(tmp_path):
    path = tmp_path / "wide.csv"
    path.write_bytes(b",".join(b"column%d" % i for i in range(200_000)) + b"\n1\n")
    with pytest.raises(InputError, match=r"wide\.csv: the header has more than 1,048,576 bytes"):
        rows(reader_of(path, Csv(), record_limit=1, skip_faults=True))


@pytest.mark.parametrize("limit", [0, 1025, -1])
def test_the_limit_itself_has_limits(limit):
    with pytest.raises(ValueError, match=r"must be from 1 to 1024 \(MB\)"):
        Reader([], Vowpal(), Hashing(), Labels(), record_limit=limit)


@pytest.mark.slow
def test_the_command_line_sets_the_limit(tmp_path, capsys):
    path, model = tmp_path / "long.vw", tmp_path / "m"
    path.write_bytes(b"1 | a\n-1 | b\n" + LONG)
    given = ["train", str(path), "-o", str(model), "--bits", "8", "--quiet"]
    assert run([*given, "--record-limit", "1"]) == 2
    assert "long.vw, line 3, byte 1" in capsys.readouterr().err
    assert run([*given, "--record-limit", "1", "--on-error", "skip"]) == 0
    assert "skipped" in capsys.readouterr().out
    assert run(["convert", str(path), "-o", str(tmp_path / "x.jsonl"), "--record-limit", "1"]) == 2
    assert "record limit of 1 MB" in capsys.readouterr().err


@pytest.mark.slow
def test_one_line_that_grows_from_a_small_compressed_file_takes_little_memory(tmp_path):
    path = tmp_path / "bomb.vw.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(b"1 | ")
        for _ in range(300):
            file.write(b"a" * MEGABYTE)
    code = f"""
import re, resource
from kerneltron.cli.running import run
limit = {6 << 30}
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
assert run(["train", {str(path)!r}, "-o", {str(tmp_path / "m")!r}, "--quiet"]) == 2
print(*re.findall("VmHWM:(.*)kB", open("/proc/self/status").read()))  # ru_maxrss may be the parent's
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True
    )
    assert "bomb.vw.gz, line 1, byte 1: a longer record than the record limit of 64 MB" in done.stderr
    assert int(done.stdout) < 700_000  # KB; of which the process itself takes 200,000


def test_a_cut_makes_no_array_of_places(monkeypatch):
    text = np.full(MEGABYTE, ord("a"), np.uint8)
    monkeypatch.setattr(np, "arange", None)
    monkeypatch.setattr(np, "flatnonzero", None)
    assert Vowpal().cut(text, 0, text.size) == 0
    text[[5, 9]] = 10, 13
    assert Vowpal().cut(text, 0, text.size) == 10
    assert Vowpal().cut(text, 0, 10) == 6  # a return at the very end may be half of a line end


@pytest.mark.slow
def test_an_example_with_too_many_features_is_a_bad_line(tmp_path):
    path = tmp_path / "crossed.vw"
    many = b" ".join(b"w%d" % i for i in range(6000))
    path.write_bytes(b"1 |a x |b y\n1 |a " + many + b" |b " + many + b"\n-1 |a x |b y\n")
    hashing = Hashing(bits=8, cross=("a*b",))
    reader = Reader([str(path)], Vowpal(), hashing, Labels(), skip_faults=True)
    assert rows(reader) == 2
    assert str(reader.skipped.first[0]).endswith("more than 33,554,432 features")


@pytest.mark.parametrize(
    ("format", "text"),
    [
        (Vowpal(), b"1 | a\n1 | x:3e38 x:3e38\n2 | b\n"),
        (Vowpal(), b"1 | a\n1 |s:3e38 x x\n2 | b\n"),
        (JsonLines(), b'{"label":1,"a":1}\n{"label":1,"n":{"x":3e38,"x":3e38}}\n{"label":2,"a":1}\n'),
        (Tsv(Columns(names=("label", "a", "b", "c"))), b"1\t1\t1\t1\n1\t3e38\t3e38\t3e38\n2\t1\t1\t1\n"),
    ],
)
def test_values_that_overflow_in_a_slot_are_a_bad_line(tmp_path, format, text):
    path = tmp_path / "sums"
    path.write_bytes(text)
    hashing = Hashing(bits=1, signed=False)
    with pytest.raises(BadLineError, match=r"sums, line 2, byte 1: values that are added up in a slot"):
        rows(Reader([str(path)], format, hashing, Labels()))
    reader = Reader([str(path)], format, hashing, Labels(), skip_faults=True)
    windows = [window.values.copy() for window in reader.windows()]
    assert all(np.isfinite(values).all() for values in windows)
    assert [fault.line for fault in reader.skipped.first] == [2]


@pytest.mark.parametrize("settings", [{"ngrams": 2}, {"cross": ("a*b",)}, {"ngrams": 2, "normalize": True}])
def test_products_that_overflow_are_a_bad_line(tmp_path, settings):
    path = tmp_path / "products.vw"
    path.write_bytes(b"1 |a x:1e30 |b y:1e30\n1 |a x:1e30 y:1e30 |b z:1e30\n")
    reader = Reader([str(path)], Vowpal(), Hashing(bits=18, **settings), Labels(), skip_faults=True)
    for window in reader.windows():
        assert np.isfinite(window.values).all()
    assert 2 in [fault.line for fault in reader.skipped.first]


def test_the_hasher_names_the_example_whose_values_overflow():
    with pytest.raises(ValueError, match=r"X\[1\].*add"):
        Hasher(bits=8).transform([[("a", 1.0)], [("a", 3e38), ("a", 3e38)]])


def test_the_command_line_skips_what_overflows(tmp_path, capsys):
    path = tmp_path / "sums.vw"
    path.write_text("1 | a\n1 | x:3e38 x:3e38\n-1 | b\n")
    given = ["train", str(path), "-o", str(tmp_path / "m"), "--bits", "8", "--quiet"]
    assert run(given) == 2
    assert "sums.vw, line 2, byte 1" in capsys.readouterr().err
    assert run([*given, "--on-error", "skip"]) == 0
    assert "1 (the first: " in capsys.readouterr().out


def test_the_tables_of_characters_are_fixed_for_ever():
    tables = (alphabet.KIND_OF_CODE, alphabet.KIND_OF_BYTE, alphabet.LOWERED)
    digest = hashlib.sha256(b"".join(table.tobytes() for table in tables)).hexdigest()
    assert digest == "39e51f0e44c082f7ef3aff8e20c9f9ea604c83b4131444f68dd472035706da2b"


def test_the_tables_of_characters_do_not_ask_python():
    def asked(*given):
        raise AssertionError("Python's Unicode was asked")

    source = Path(alphabet.__file__).read_text()
    scope = {"__builtins__": {**vars(builtins), "chr": asked}, "__name__": "alphabet"}
    exec(compile(source, "alphabet.py", "exec"), scope)
    assert ".lower(" not in source
    assert np.array_equal(scope["LOWERED"], alphabet.LOWERED)


@pytest.mark.parametrize("kind", ["json", "csv"])
def test_first_records_above_a_chunk_tell_the_columns(tmp_path, kind):
    path = tmp_path / f"first.{kind}"
    text = "two words " * (MEGABYTE // 8)
    if kind == "json":
        path.write_text(f'\n{{"label":"a","text":"{text}"}}\n{{"label":"b","text":"c"}}\n')
    else:
        path.write_text(f"label,text\na,{text}\nb,c\n")
    format = format_for([str(path)], Declared())
    assert rows(reader_of(path, format)) == 2
    assert format.roles == {"label": "label", "text": "text"}
