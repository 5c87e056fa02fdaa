"""Conversion loses nothing in silence: what a target cannot hold is refused by its line."""

from pathlib import Path

import pytest

from kerneltron.cli.running import run
from kerneltron.stream.declared import Declared
from kerneltron.stream.formats.finding import format_for
from kerneltron.stream.hashing import Hashing
from kerneltron.stream.labels import Labels
from kerneltron.stream.reader import Reader, Wanted

MEGABYTE = 1 << 20


pytestmark = pytest.mark.usefixtures("own_folder")


def converted(data, source, target, *options, code=0):
    """Return the bytes that a conversion writes."""
    Path(source).write_bytes(data)
    assert run(["convert", source, "-o", target, *options]) == code
    return Path(target).read_bytes() if Path(target).exists() else b""


def tags_and_labels(name):
    format = format_for([name], Declared(), labelled=False)
    labels = Labels()
    reader = Reader([name], format, Hashing(bits=8), labels, wanted=Wanted(tags=True))
    tags = [tag for window in reader.windows() for tag in list(window.tags)]
    return tags, labels.names


def test_labels_and_tags_that_are_not_utf_8_stay_apart(capsys):
    data = b"\xe9 'n\xe9|t a\n\xe8 'n\xe8|t b\n"
    assert converted(data, "a.vw", "b.vw") == b"\xe9 'n\xe9|t a\n\xe8 'n\xe8|t b\n"
    assert tags_and_labels("b.vw") == (["n\\xe9", "n\\xe8"], ["\\xe9", "\\xe8"])
    assert converted(b"label,t\n\xe9,a\n\xe8,b\n", "a.csv", "c.vw") == b"\xe9 |t a\n\xe8 |t b\n"
    assert converted(b"\xe9 1:2\n\xe8 3:4\n", "a.svmlight", "b.svmlight") == b"\xe9 1:2\n\xe8 3:4\n"
    for data in (b"\xe9 |t a\n", b"1 '\xe9|t a\n"):
        assert converted(data, "a.vw", "b.jsonl", code=2) == b""
        assert "line 1: jsonl holds Unicode only" in capsys.readouterr().err


@pytest.mark.parametrize("target", ["vw", "svmlight"])
def test_labels_that_would_become_one_number_are_refused(target, capsys):
    data = b"1.0,2\n1,3\n"
    assert converted(data, "a.csv", f"b.{target}", "--columns", "label,7", code=2) == b""
    assert f"line 2: {target} cannot tell the labels '1.0' and '1' apart" in capsys.readouterr().err


@pytest.mark.parametrize("rest", [b"", b', "u": "b"'])
def test_an_object_without_values_is_no_blank_line(rest, capsys):
    data = b'{"label": "a"' + rest + b'}\n{}\n{"label": "c"}\n'
    assert converted(data, "a.jsonl", "b.tsv", code=2) == b""
    assert (
        "a.jsonl, line 2: in tsv an example without any value would be a blank line"
        in capsys.readouterr().err
    )
    assert converted(data, "a.jsonl", "b.tsv", "--on-error", "skip").count(b"\n") == 3
    assert "skipped   1" in capsys.readouterr().out
    assert converted(data, "a.jsonl", "b.csv").count(b"\n") == 4
    assert len(tags_and_labels("b.csv")[0]) == 3


def test_rows_without_values_are_rows():
    assert converted(b"label,text\n,\na,b\n\n , \n", "a.csv", "b.csv") == b"label,text\n,\na,b\n , \n"
    assert converted(b'text\n""\n" "\nx\n', "a.csv", "b.csv") == b'text\n""\n" "\nx\n'
    assert len(tags_and_labels("b.csv")[0]) == 3


def test_a_header_alone_is_kept():
    assert converted(b"label,text\n", "a.csv", "b.tsv") == b"label\ttext\n"


@pytest.mark.slow
def test_a_first_object_above_a_megabyte_is_an_object():
    text = b"word " * (MEGABYTE // 4)
    data = b'{"label": "a", "text": "' + text + b'"}\n{"label": "b", "text": "c"}\n'
    assert converted(data, "a.jsonl", "b.csv") == b"label,text\na," + text + b"\nb,c\n"
    assert converted(data, "a.jsonl", "b.vw").startswith(b"a |text word word")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"label": NaN}', "NaN is not JSON"),
        (b'{"label": "a", "label": "b"}', "a key comes twice"),
        (b"[" * 100_000, "recursion"),
        (b'{"label": "\xff\\ud800"}', "halves of surrogate pairs"),
        (b'{"label": "a"', "line 2"),
    ],
)
def test_lines_that_no_table_can_hold_are_told_by_line(line, reason, capsys):
    assert converted(b'{"label": "a"}\n' + line + b"\n", "a.jsonl", "b.csv", code=2) == b""
    told = capsys.readouterr().err
    assert "a.jsonl, line 2" in told
    assert reason in told


def test_what_would_be_read_as_a_line_end_stands_in_quotes():
    data = b'{"label": "a\\rb", "t": "\\ud800 \\"x\\""}\n'
    assert converted(data, "a.jsonl", "b.csv") == 'label,t\n"a\rb","\ufffd ""x"""\n'.encode()


def test_an_open_quote_costs_its_line_as_in_reading(capsys):
    data = b'label,text\na,"b\nc,d\n'
    assert converted(data, "a.csv", "b.tsv", code=2) == b""
    assert "a.csv, line 2, byte 3: this quote is never closed" in capsys.readouterr().err
    assert converted(data, "a.csv", "b.tsv", "--on-error", "skip") == b"label\ttext\nc\td\n"


@pytest.mark.parametrize(
    ("data", "source", "target", "reason"),
    [
        (b'{"label": "a", " b": 1}\n', "a.jsonl", "b.csv", "a header cannot hold the name ' b'"),
        (b'{"label": "a", "": 1}\n', "a.jsonl", "b.csv", "a header cannot hold the name ''"),
        (b'{"label": "a", "t": {"": 1}}\n', "a.jsonl", "b.vw", "whose name is empty"),
        (b"1 | a\n1 |a b\n", "a.vw", "b.jsonl", "line 2: in jsonl the key 'a' is a namespace and a feature"),
        (b"{}\n", "a.jsonl", "b.csv", "there are no columns"),
    ],
)
def test_names_that_would_be_others_are_refused(data, source, target, reason, capsys):
    assert converted(data, source, target, code=2) == b""
    assert reason in capsys.readouterr().err


def test_features_of_a_column_without_a_name_keep_their_keys():
    assert converted(b'{"label": "a", "": {"k": 2}}\n', "a.jsonl", "b.vw") == b"a | ^k:2\n"


def test_features_that_are_large_each_are_no_overflow_together():
    assert converted(b"1 | a:3e38 b:3e38 c:3e38\n", "a.vw", "b.vw") == b"1 | a:3e+38 b:3e+38 c:3e+38\n"
