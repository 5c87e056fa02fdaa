"""Parquet and Arrow files have the features of the same table in CSV or JSON lines."""

import datetime
import io
import json
import sys

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

from kerneltron.engine.text import faults
from kerneltron.stream.errors import InputError
from kerneltron.stream.formats.columnar import Arrow, Parquet
from kerneltron.stream.formats.columns import Columns
from kerneltron.stream.formats.delimited import Csv
from kerneltron.stream.formats.json_lines import JsonLines
from kerneltron.stream.hashing import Hashing
from tests.reading import read

HASHING = Hashing(ngrams=2, cross=["user*text"])
ROWS = [
    {"label": "spam", "user": "ann", "text": 'WIN "now", or\nnever', "n": 1.5, "ok": True},
    {"label": "ham", "user": None, "text": None, "n": None, "ok": None},
    {"label": "ham", "user": "Bob B.", "text": "", "n": 0.0, "ok": False},
    {"label": "", "user": "", "text": "Öl, £5\r\nmore", "n": -1e-7, "ok": True},
]


def file_of(table, kind):
    file = io.BytesIO()
    if kind is Parquet:
        pyarrow.parquet.write_table(table, file, row_group_size=3)
    else:
        with pa.ipc.new_file(file, table.schema) as writer:
            writer.write_table(table, max_chunksize=3)
    file.seek(0)
    return file


def read_columnar(table, kind, columns=None, hashing=HASHING, size=1 << 20):
    format = kind(columns)
    text = format.records(file_of(table, kind), "file")
    return format, read(format, text.readall(), hashing, size)


def features(found):
    return [(row.label, row.tag, row.weight, row.features, row.line) for row in found.rows]


@pytest.mark.parametrize("kind", [Parquet, Arrow])
@pytest.mark.parametrize("size", [10, 1 << 20])
def test_a_flat_table_has_the_features_of_the_same_csv(kind, size):
    table = pa.Table.from_pylist(ROWS)
    format, found = read_columnar(table, kind, size=size)
    assert format.roles == {"label": "label", "user": "user", "text": "text", "n": "number", "ok": "category"}
    lines = [
        "label,user,text,n,ok",
        'spam,ann,"WIN ""now"", or never",1.5,true',
        "ham,,,,",
        "ham,Bob B.,,0,false",
    ]
    same = read(Csv(), "\n".join([*lines, ',,"Öl, £5 more",-1e-7,true']).encode(), HASHING)
    assert not found.faults
    assert features(found) == [(*row[:-1], row[-1] - 1) for row in features(same)]


@pytest.mark.parametrize("kind", [Parquet, Arrow])
def test_a_nested_table_has_the_features_of_the_same_json(kind):
    rows = [
        {
            "label": 1,
            "words": ["Free", "money", None],
            "o": {"a": 1.5, "b": "x"},
            "day": datetime.date(2020, 1, 2),
        },
        {"label": 0, "words": None, "o": None, "day": None},
        {"label": 1, "words": [], "o": {"a": None, "b": "y"}, "day": datetime.date(2020, 1, 3)},
    ]
    format, found = read_columnar(pa.Table.from_pylist(rows), kind)
    assert format.roles == {"label": "label", "words": "text", "o": "category", "day": "category"}
    same = read(JsonLines(), "\n".join(json.dumps(row, default=str) for row in rows).encode(), HASHING)
    assert not found.faults
    assert features(found) == features(same)


def test_rows_of_a_single_column_are_kept_when_they_are_missing():
    _, found = read_columnar(pa.table({"n": [1.0, None, 2.0]}), Parquet, Columns(labelled=False))
    assert [len(row.features) for row in found.rows] == [1, 0, 1]


def test_strings_are_never_numbers():
    table = pa.table(
        {"y": ["1", "2"], "zip": ["01234", "99"], "kind": pa.array(["a", "b"]).dictionary_encode()}
    )
    format, found = read_columnar(table, Arrow, hashing=Hashing())
    assert format.roles == {"y": "label", "zip": "category", "kind": "category"}
    same = read(Csv(Columns(roles=format.roles)), b"y,zip,kind\n1,01234,a\n2,99,b\n", Hashing())
    assert [row[3] for row in features(found)] == [row[3] for row in features(same)]


def test_types_without_features_are_ignored_and_refused_if_wanted():
    table = pa.table({"y": [1, 2], "raw": [b"a", b"b"], "n": [1, 2]})
    format, found = read_columnar(table, Parquet)
    assert format.roles == {"y": "label", "raw": "ignore", "n": "number"}
    assert [len(row.features) for row in found.rows] == [1, 1]
    with pytest.raises(
        InputError, match=r"no features can be made of the column 'raw' of type binary.*ignore"
    ):
        read_columnar(table, Parquet, Columns(roles={"raw": "text"}))


def test_numbers_that_are_not_finite_are_faults_of_their_row():
    _, found = read_columnar(pa.table({"y": ["a\nb", "c"], "n": [1.0, float("nan")]}), Parquet)
    assert [fault[2] for fault in found.faults] == [faults.BAD_VALUE]
    assert len(found.rows) == 1


def test_texts_are_made_piece_by_piece_and_tell_how_far_they_are():
    table = pa.table({"y": ["a"] * 10_000, "t": ["some words"] * 10_000})
    format = Arrow()
    size = len(file_of(table, Arrow).getvalue())
    text = format.records(file_of(table, Arrow), "file")
    assert text.tell() == 0
    buffered = io.BufferedReader(text)
    assert len(buffered.read(1000)) == 1000
    assert 0 < text.tell() < size / 2
    assert len(buffered.read().splitlines()) > 9_000
    assert text.tell() == size


def test_a_model_finds_its_columns_in_any_format():
    table = pa.Table.from_pylist(ROWS)
    format, _ = read_columnar(table, Parquet)
    other = Arrow(Columns(roles=format.roles, labelled=False, complete=True))
    text = other.records(file_of(table.select(["text", "n", "ok", "user"]), Arrow), "file")
    again = read(other, text.readall(), Hashing())
    plain = read_columnar(table, Parquet, hashing=Hashing())[1]
    assert [row.features for row in again.rows] == [row.features for row in plain.rows]
    assert Parquet.from_json(format.to_json()).roles == format.roles


@pytest.mark.parametrize("kind", [Parquet, Arrow])
def test_damaged_files_are_refused(kind):
    whole = file_of(pa.Table.from_pylist(ROWS), kind).getvalue()
    for data in (b"", b"PAR1", whole[: len(whole) // 2], whole[:-3], b"label,text\n"):
        with pytest.raises(InputError, match=r"file: not a file in (parquet|arrow) format, or a damaged one"):
            kind().records(io.BytesIO(data), "file")


def test_a_damaged_page_is_an_input_error():
    whole = bytearray(
        file_of(pa.table({"y": ["a", "b"] * 500, "t": [f"w{i}" for i in range(1000)]}), Parquet).getvalue()
    )
    whole[60:2000] = bytes(1940)
    with pytest.raises(InputError, match="damaged"):
        Parquet().records(io.BytesIO(bytes(whole)), "file").readall()


def test_a_pipe_and_a_missing_pyarrow_say_what_to_do(monkeypatch):
    class Pipe(io.BytesIO):
        def seekable(self):
            return False

    with pytest.raises(InputError, match="cannot be read from a pipe"):
        Parquet().records(Pipe(), "standard input")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(InputError, match=r"pip install 'kerneltron\[parquet\]'"):
        Parquet().records(io.BytesIO(), "file")


def test_files_are_recognised_by_their_first_bytes(tmp_path):
    table = pa.Table.from_pylist(ROWS)
    assert Parquet.recognises(file_of(table, Parquet).getvalue())
    assert not Parquet.recognises(file_of(table, Arrow).getvalue())
    pyarrow.feather.write_feather(table, tmp_path / "table.feather")
    assert Arrow.recognises((tmp_path / "table.feather").read_bytes())
    format = Arrow()
    with open(tmp_path / "table.feather", "rb", buffering=0) as raw:
        assert len(read(format, format.records(raw, "file").readall(), Hashing()).rows) == 4


def test_further_files_must_have_the_same_columns():
    format = Parquet()
    format.records(file_of(pa.table({"y": [1], "n": [1]}), Parquet), "one")
    with pytest.raises(InputError, match="two: the columns are not those of the first file, 'y', 'n'"):
        format.records(file_of(pa.table({"y": [1], "m": [1]}), Parquet), "two")
