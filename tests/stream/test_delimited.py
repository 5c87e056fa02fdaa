"""CSV and TSV against Python's own reader and a reader that goes character by character."""

import csv
import io
import random

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kerneltron.engine.text import faults
from kerneltron.engine.text.delimited import LONGEST
from kerneltron.stream.errors import InputError
from kerneltron.stream.formats.columns import Columns
from kerneltron.stream.formats.delimited import Csv, Tsv
from kerneltron.stream.hashing import Hashing
from tests.oracle import tables
from tests.reading import AMPLE, TINY, assert_same, read

ROLES = {"y": "label", "t": "text", "u": "user", "n": "number", "c": "category", "id": "tag", "w": "weight"}
NAMES = tuple(ROLES)
COLUMNS = Columns(roles=ROLES, names=NAMES)
HASHINGS = [
    Hashing(bits=12),
    Hashing(bits=5, signed=False, lowercase=False),
    Hashing(ngrams=2, cross=["u*t"]),
    Hashing(ngrams=3, skips=1, binary=True),
    Hashing(copies=3, normalize=True, cross=["n*c", "t*t"]),
    Hashing(binary=True, copies=2, normalize=True, bits=3),
    Hashing(damped=True, ngrams=2, normalize=True, bits=4),
]
SIZES = [1, 2, 5, 17, 1 << 20]

values = st.text(
    st.one_of(st.characters(codec="utf-8", exclude_characters="\x00"), st.sampled_from('ab ",;\t\r\nÄ!')),
    max_size=12,
)
numbers = st.one_of(st.just(""), st.integers(-99, 99).map(str), st.floats(-1e6, 1e6, width=32).map(repr))
rows = st.lists(
    st.tuples(values, values, values, numbers, values, values, st.sampled_from(["", "0", "2.5", " 1e-3 "])),
    max_size=5,
)


def written(table, end="\n", all_quoted=True):
    """Write a table; Python's writer quotes line ends of a kind that it does not write only if told to."""
    text = io.StringIO(newline="")
    quoting = csv.QUOTE_ALL if all_quoted or end != "\r\n" else csv.QUOTE_MINIMAL
    csv.writer(text, lineterminator=end, quoting=quoting).writerows(table)
    return text.getvalue()


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(rows, st.sampled_from(["\n", "\r\n", "\r"]), st.sampled_from(HASHINGS), st.booleans(), st.booleans())
def test_csv_is_what_python_reads(table, end, hashing, all_quoted, cut_off):
    text = written(table, end, all_quoted)
    text = text.removesuffix(end) if cut_off else text
    found = read(Csv(COLUMNS), text.encode(), hashing)
    assert not found.faults
    assert_same(
        found, list(tables.delimited(text, NAMES, ROLES.values(), ",", True, hashing.lowercase)), hashing
    )


@settings(max_examples=60, deadline=None)
@given(rows, st.sampled_from(HASHINGS), st.sampled_from(SIZES))
def test_features_depend_neither_on_the_chunks_nor_on_the_room(table, hashing, size):
    data = written(table).encode()
    at_once = read(Csv(COLUMNS), data, hashing, digest=True)
    in_pieces = read(Csv(COLUMNS), data, hashing, size, TINY, digest=True)
    assert at_once == in_pieces


@settings(max_examples=60, deadline=None)
@given(rows, st.sampled_from(HASHINGS), st.sampled_from(SIZES))
def test_quotes_are_ordinary_between_tabs(table, hashing, size):
    table = [[field.translate({9: 32, 10: 32, 13: 32}) for field in row] for row in table]
    text = "".join("\t".join(row) + "\n" for row in table)
    found = read(Tsv(COLUMNS), text.encode(), hashing, size)
    expected = [
        tables.example(list(zip(NAMES, ROLES.values(), row, strict=True)), hashing.lowercase)
        for row in table
        if any(field.strip(" ") for field in row)
    ]
    assert not found.faults
    assert_same(found, expected, hashing)


def check_records(text, size, capacity=AMPLE):
    """Compare rows and reasons, in order, with the reader that goes character by character."""
    format = Csv(Columns(names=("a", "b"), roles={"a": "category", "b": "tag"}, labelled=False))
    found = read(format, text.encode(), Hashing(), size, capacity)
    expected_rows, expected_faults = [], []
    for fields, fault in tables.records(text, ","):
        if fault == "open":
            expected_faults.append({faults.OPEN_QUOTE})
        elif fault or len(fields) != 2:
            wrong_number = {faults.FEW_FIELDS} if len(fields) < 2 else {faults.MANY_FIELDS}
            expected_faults.append({faults.AFTER_QUOTE, *wrong_number} if fault else wrong_number)
        else:
            expected_rows.append(fields[1].strip(" \t"))
    assert [row.tag for row in found.rows] == expected_rows
    assert len(found.faults) == len(expected_faults)
    for (_, _, reason), possible in zip(found.faults, expected_faults, strict=True):
        assert reason in possible
    return found


@settings(max_examples=500, deadline=None)
@given(st.text(st.sampled_from('",\n\r ax'), max_size=30), st.sampled_from(SIZES))
@example('a,"b\n\n"c\n', 1)
@example('"\n""\n,\na,b\n', 1)
@example('a,"b" ,\r\n"x""","\r"\r\n', 2)
def test_any_text_is_cut_into_the_same_records(text, size):
    whole = check_records(text, 1 << 20)
    assert check_records(text, size, TINY) == whole


def test_mutated_lines_are_rows_or_faults():
    random_ = random.Random(0)
    lines = [written([[f"a{i}", f'say "{i}", ok\n']]) for i in range(40)]
    for _ in range(150):
        text = list("".join(random_.choices(lines, k=60)))
        for _ in range(random_.randrange(12)):
            text[random_.randrange(len(text))] = random_.choice('",\n\r ax\u00e4\x00')
        check_records("".join(text), random_.choice([7, 64, 4096]))


def test_random_bytes_are_rows_or_faults():
    generator = np.random.default_rng(0)
    for format in (Csv(COLUMNS), Tsv(COLUMNS)):
        for size in (3, 1 << 16):
            data = generator.choice(
                np.frombuffer(b'",\t\n\rab1.e-\xc3\xa4\xff\x00', np.uint8), 40_000
            ).tobytes()
            found = read(format, data, HASHINGS[2], size)
            assert len(found.rows) + len(found.faults) > 100
            lines = data.count(b"\n") + data.count(b"\r") - data.count(b"\r\n")
            assert found.lines in (lines, lines + 1)


def test_faults_name_line_byte_and_reason():
    data = b'y,n\n1,2\n1\n"a\nb",x\n1,2,3\n1,"2"x\n\n1,inf\n1,"2\n'
    found = read(Csv(Columns(label="y", roles={"n": "number"})), data, Hashing())
    assert found.faults == [
        (3, 2, faults.FEW_FIELDS),
        (4, 7, faults.BAD_VALUE),
        (6, 5, faults.MANY_FIELDS),
        (7, 6, faults.AFTER_QUOTE),
        (9, 3, faults.BAD_VALUE),
        (10, 3, faults.OPEN_QUOTE),
    ]
    assert [row.line for row in found.rows] == [2]


@pytest.mark.parametrize(
    ("weight", "fault"),
    [
        ("-1", faults.BAD_WEIGHT),
        ("nan", faults.BAD_WEIGHT),
        ("x", faults.BAD_WEIGHT),
        ("1e39", faults.TOO_LARGE),
    ],
)
def test_a_weight_that_is_none_is_a_fault(weight, fault):
    format = Csv(Columns(names=("y", "w"), roles={"w": "weight"}, label="y"))
    assert [reason for *_, reason in read(format, f"a,{weight}\n".encode(), Hashing()).faults] == [fault]


def test_a_quote_that_is_never_closed_costs_its_line_and_not_the_file():
    line = b"c," + b"d" * 9_997 + b"\n"
    before, after = b"a,b\n" * 10, line * (LONGEST // len(line) + 100)
    format = Csv(Columns(names=("y", "t"), roles={"t": "category"}, label="y"))
    for size in (1 << 20, 1 << 26):
        found = read(format, before + b'a,"b\n' + after, Hashing(), size)
        assert found.faults == [(11, 3, faults.OPEN_QUOTE)]
        assert len(found.rows) == 10 + len(after) // len(line)


def test_a_byte_order_mark_is_no_part_of_the_first_name():
    format = Csv()
    found = read(format, b"\xef\xbb\xbflabel,n\na,1\n", Hashing())
    assert format.roles == {"label": "label", "n": "number"}
    assert [row.label for row in found.rows] == ["a"]


def test_every_line_is_a_record_if_columns_are_given():
    found = read(Tsv(Columns(names=("label", "text"))), b'ham\tsay "hi\nspam\tWIN "now"', Hashing())
    assert [(row.label, row.line) for row in found.rows] == [("ham", 1), ("spam", 2)]


@pytest.mark.parametrize("delimiter", ["", ",,", "a", "1", '"', "'", "_", ".", "-", "\n", "ä"])
def test_a_delimiter_that_values_could_hold_is_refused(delimiter):
    with pytest.raises(ValueError, match="delimiter"):
        Csv(delimiter=delimiter)


def test_another_delimiter_is_taken():
    format = Csv(delimiter=";")
    found = read(format, b"label;n\na;1,5\n", Hashing())
    assert format.roles == {"label": "label", "n": "category"}
    assert Csv.from_json(format.to_json()).delimiter == ";"
    assert [row.label for row in found.rows] == ["a"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"label,,text\n", "column 2 has no name"),
        (b"label,a,b,a\n", "columns 2 and 4 are both called 'a'"),
        (
            b"ham,Go until\nham,Ok\n",
            r"none of the columns is the label.*`label='NAME'`.*`columns=\('label', 'text'\)`",
        ),
        (b'label,"text\n', "in the header: this quote is never closed"),
        (b"", "There are no columns"),
    ],
)
def test_headers_that_cannot_be_used_are_refused(data, message):
    with pytest.raises(InputError, match=message):
        Csv().begin(data, "file.csv")


def test_further_files_must_have_the_same_columns():
    format = Csv()
    format.begin(b"label,text\n", "one.csv")
    assert format.begin(b"label,text\na,b\n", "two.csv") == 11
    with pytest.raises(InputError, match=r"three.csv: column 2 is 'words', and 'text' in the first file"):
        format.begin(b"label,words\n", "three.csv")
    with pytest.raises(InputError, match="there are 3 columns, and 2"):
        format.begin(b"label,text,x\n", "four.csv")


def test_a_model_finds_its_columns_in_any_order():
    format = Csv()
    read(format, b"label,age,town\na,3,Rome\n", Hashing())
    again = Csv.from_json(format.to_json())
    found = read(again, b"town,extra,age\nRome,9,3\n", Hashing())
    assert again.roles == {"town": "category", "extra": "ignore", "age": "number"}
    assert found.rows[0].features == read(format, b"label,age,town\na,3,Rome\n", Hashing()).rows[0].features
    with pytest.raises(InputError, match=r"The model knows a column 'age' \(number\), but there is none"):
        Csv.from_json(format.to_json()).begin(b"town\nRome\n", "new.csv")


def test_contents_are_recognised():
    assert Csv.recognises(b'label,text\nham,"a,b"\n')
    assert Tsv.recognises(b"ham\tone\nspam\ttwo\nspam")
    assert not Csv.recognises(b"1 |a b, c\n0 |d\n")
    assert not Tsv.recognises(b"label,text\n")
    assert not Csv.recognises(b"")
