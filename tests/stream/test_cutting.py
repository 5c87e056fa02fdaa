"""Files in parts: each part ends where a record does, and all parts are the whole."""

import os

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kerneltron.stream.cutting import can_be_cut, cut, first_record, settle, shared_out, without_header
from kerneltron.stream.errors import InputError
from kerneltron.stream.formats import named
from kerneltron.stream.hashing import Hashing
from kerneltron.stream.labels import Labels
from kerneltron.stream.origins import Span, Text
from kerneltron.stream.reader import Reader
from kerneltron.stream.sources import opened, size_of

fields = st.sampled_from(["a b", '"x""y', '"', "p" * 40, "", "\n", "\r\n", "ü"])


def quoted(text):
    return '"' + text.replace('"', '""') + '"'


@settings(max_examples=150, deadline=None)
@given(
    texts=st.lists(fields, min_size=1, max_size=20),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
    parts=st.integers(1, 9),
    is_last=st.booleans(),
)
def test_csv_is_cut_between_records_whatever_stands_in_quotes(tmp_path_factory, texts, end, parts, is_last):
    records = [f"{number},{quoted(text)}{end}".encode() for number, text in enumerate(texts)]
    header = f"label,text{end}".encode()
    body = header + b"".join(records)
    body = body if is_last else body[: -len(end)]
    path = tmp_path_factory.mktemp("cut") / "a.csv"
    path.write_bytes(body)
    format = named("csv")()
    settle(format, str(path))
    begin = first_record(format, str(path))
    assert begin == len(header)
    spans = cut(str(path), parts, format, begin)
    ends = np.minimum(len(header) + np.cumsum([len(record) for record in records]), len(body))
    assert {span.stop for span in spans} <= set(ends.tolist())
    assert [span.start for span in spans] == [begin, *(span.stop for span in spans[:-1])]
    assert spans[-1].stop == len(body)
    assert len(spans) <= parts


@settings(max_examples=100, deadline=None)
@given(
    lines=st.lists(st.text("ab |:1", max_size=30), min_size=1, max_size=30),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
    parts=st.integers(1, 9),
)
def test_lines_are_cut_at_their_ends(tmp_path_factory, lines, end, parts):
    path = tmp_path_factory.mktemp("cut") / "a.vw"
    path.write_bytes("".join(line + end for line in lines).encode())
    spans = cut(str(path), parts, named("vw")())
    whole = path.read_bytes()
    pieces = [whole[span.start : span.stop] for span in spans]
    assert b"".join(pieces) == whole
    assert all(piece.endswith(end.encode()) for piece in pieces)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_a_reader_of_parts_sees_what_one_of_the_whole_sees(tmp_path, threads):
    path = tmp_path / "a.csv"
    path.write_text("label,text\n" + "".join(f'{n % 3},"word{n}\nand {n}"\n' for n in range(500)))
    format = named("csv")()
    settle(format, str(path))
    parts = cut(str(path), 7, format, first_record(format, str(path)))
    assert len(parts) == 7

    def rows(sources, format, threads=2):
        reader = Reader(sources, format, Hashing(bits=10), Labels(), threads=threads)
        found = [
            (window.values.copy(), window.indices.copy(), window.labels.copy()) for window in reader.windows()
        ]
        return [np.concatenate(arrays) for arrays in zip(*found, strict=True)]

    whole = rows([str(path)], named("csv")())
    for one, other in zip(whole, rows(parts, without_header(format), threads), strict=True):
        np.testing.assert_array_equal(one, other)


@given(st.lists(st.integers(0, 50), min_size=1, max_size=30), st.integers(1, 40))
def test_what_is_shared_out_is_all_of_it_and_no_part_is_empty(sizes, parts):
    ends = shared_out(sizes, parts)
    assert ends[-1] == len(sizes)
    assert len(ends) == min(parts, len(sizes))
    assert all(first < second for first, second in zip([0, *ends], ends, strict=False))


def test_row_groups_are_shared_out_by_rows(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    from pyarrow import table

    path = str(tmp_path / "a.parquet")
    parquet.write_table(table({"label": [1, 0] * 50, "x": range(100)}), path, row_group_size=10)
    format = named("parquet")()
    assert can_be_cut(path, format)
    spans = cut(path, 3, format)
    assert [(span.start, span.stop) for span in spans] == [(0, 3), (3, 7), (7, 10)]
    assert len(cut(path, 40, format)) == 10
    damaged = tmp_path / "b.parquet"
    damaged.write_bytes(b"PAR1 and no more")
    with pytest.raises(InputError, match="damaged"):
        cut(str(damaged), 2, format)


def test_compressed_files_and_what_is_not_a_file_cannot_be_cut(tmp_path):
    import gzip

    packed = tmp_path / "a.vw.gz"
    packed.write_bytes(gzip.compress(b"1 |x a\n"))
    assert not can_be_cut(str(packed), named("vw")())
    assert not can_be_cut("memory://a.vw", named("vw")())


def test_a_part_of_a_file_that_became_shorter_is_refused(tmp_path):
    path = tmp_path / "a.vw"
    path.write_text("1 |x a\n" * 10)
    with pytest.raises(InputError, match="shorter"), opened(Span(str(path), 30, 80)) as source:
        source.read(10)


def test_text_in_memory_is_a_source():
    with opened(Text("partition 3", b"abc")) as source:
        assert source.read(10) == b"abc"
    assert size_of(Text("partition 3", b"abc")) == 3


def test_one_thread_reads_without_any_other(tmp_path):
    import threading

    path = tmp_path / "a.vw"
    path.write_text("1 |x a b c\n0 |x d\n" * 2000)
    before = threading.active_count()
    reader = Reader([str(path)], named("vw")(), Hashing(bits=10), Labels(), threads=1)
    for _ in reader.windows():
        assert threading.active_count() == before
    with pytest.raises(ValueError, match="threads=0"):
        Reader([os.fspath(path)], named("vw")(), Hashing(bits=10), Labels(), threads=0)
