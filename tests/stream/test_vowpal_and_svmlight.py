"""VW text and svmlight, parsed and hashed by compiled code, against slow Python that does the same."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kerneltron.stream.errors import BadLineError
from kerneltron.stream.formats.svmlight import Svmlight
from kerneltron.stream.formats.vowpal import Vowpal
from kerneltron.stream.hashing import Hashing
from kerneltron.stream.labels import Labels, canonical
from kerneltron.stream.reader import Reader, Wanted
from tests.oracle import hashed
from tests.oracle import lines as oracle

SETTINGS = [
    Hashing(bits=10),
    Hashing(bits=4),
    Hashing(bits=12, ngrams=3, skips=1),
    Hashing(bits=12, cross=("a*b", "b*b")),
    Hashing(bits=6, binary=True, cross=("a*b",), ngrams=2),
    Hashing(bits=12, copies=3, normalize=True),
    Hashing(bits=5, signed=False),
    Hashing(bits=4, damped=True, normalize=True),
    Hashing(bits=12, damped=True, ngrams=2, copies=2),
]
ORACLES = {Vowpal: oracle.read_vowpal, Svmlight: oracle.read_svmlight}


@pytest.fixture
def read(tmp_path):
    """Return a function that reads text as a stream does: rows as dicts, labels, weights, tags, faults."""

    def read(text, format, hashing, chunk=None):
        path = tmp_path / "examples.txt"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        labels = Labels()
        reader = Reader(
            [str(path)], format(), hashing, labels, wanted=Wanted(tags=True), skip_faults=True, chunk=chunk
        )
        rows, kinds, weights, tags = [], [], [], []
        for window in reader.windows():
            for i in range(window.size):
                part = slice(window.starts[i], window.starts[i + 1])
                indices = window.indices[part].tolist()
                assert len(set(indices)) == len(indices)
                rows.append(dict(zip(indices, window.values[part].tolist(), strict=True)))
            kinds += [labels.names[k] if k >= 0 else "" for k in window.labels]
            weights += window.importance.tolist()
            tags += window.tags
        return rows, kinds, weights, tags, reader.skipped.first

    return read


def assert_as_the_oracle(found, lines, format, hashing):
    rows, labels, weights, tags, faults = found
    expected = [(n, ORACLES[format](line)) for n, line in enumerate(lines, 1) if line.strip(" \t")]
    if format is Svmlight:
        expected = [(n, e) for n, e in expected if not lines[n - 1].lstrip(" \t").startswith("#")]
    assert [fault.line for fault in faults] == [n for n, example in expected if example is None]
    there = [example for _, example in expected if example is not None]
    assert labels == [canonical(label) if label else "" for label, *_ in there]
    np.testing.assert_allclose(weights, [weight for _, weight, *_ in there], rtol=1e-6)
    assert tags == [tag for _, _, tag, _ in there]
    assert len(rows) == len(there)
    for row, (*_, spaces) in zip(rows, there, strict=True):
        wanted = hashed.features(spaces, hashing)
        assert set(row) == set(wanted)
        for slot, value in wanted.items():
            assert row[slot] == pytest.approx(value, rel=1e-5, abs=1e-6)


VOWPAL = [
    "1 |a x y z |b x:2.5 y:-1e-1",
    "-1 0.5 'tag|a x x x",
    "1 2 tag|a w1 |b w2 |a w3",
    "spam |",
    "|a only:0 zero:0.0 one:1",
    "1.0 |a:2 x:3 y |b:0.5 x",
    "+1\t|\tdefault names:1e2\tabcdefghijklmnopq exactly8 seven77",
    "3 1 0.5 |a base",
    "1 -2 |a negative",
    "1 |a x:nan",
    "1 |a x:inf",
    "1 |a x:1:2",
    "1 |a :3",
    "1 |a x:",
    "no bar here",
    "ünï |ä çé:2 日本語 🎉",
    "1 |a x:1e39",
    "1 1e39 |a x",
    "1 |a:x y",
    "1|a touching",
    "   1   |a   blanks   |b   blanks   ",
    "",
    "  \t ",
    "1 |" + "a " + " ".join(f"w{i}" for i in range(300)),
]
SVMLIGHT = [
    "1 1:0.5 3:1 17:-2e-3",
    "-1 qid:4 2:1 # a comment 5:6",
    "# all a comment",
    "2",
    "1 a:3",
    "1 3:x",
    "1 3",
    "1:2 3:4",
    "1 5:0 6:1#tight",
    "1 99999999999:1",
    "class 1:1e-50 2:.5 3:5.",
]


@pytest.mark.parametrize(
    ("format", "line"),
    [(Vowpal, "1 |a x:-1e39"), (Vowpal, "1 |a:1e300 x"), (Vowpal, "1 1e39 |a x"), (Svmlight, "1 3:1e300")],
)
def test_a_finite_number_that_cannot_be_stored_is_called_too_large(tmp_path, format, line):
    (tmp_path / "a.txt").write_text(line)
    with pytest.raises(BadLineError, match=r"line 1, byte \d+: this is beyond 3\.4e38, the largest number"):
        list(Reader([str(tmp_path / "a.txt")], format(), Hashing(), Labels()).windows())


@pytest.mark.parametrize("hashing", SETTINGS, ids=str)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["feed", "both", "return"])
@pytest.mark.parametrize(("format", "lines"), [(Vowpal, VOWPAL), (Svmlight, SVMLIGHT)])
def test_lines_become_the_features_that_slow_python_gives(read, format, lines, end, hashing):
    assert_as_the_oracle(read(end.join(lines), format, hashing), lines, format, hashing)


@pytest.mark.parametrize(
    "hashing",
    [SETTINGS[0], SETTINGS[2], SETTINGS[5], SETTINGS[7]],
    ids=["plain", "groups", "copies", "damped"],
)
def test_slots_that_meet_in_a_long_row_are_summed(read, hashing):
    lines = [
        "1 |a " + " ".join(f"w{i * i % 1500}" for i in range(3000)) + " |b w1:2 " + "long_word " * 3,
        "1 |a " + " ".join(f"longer_word{i % 700}" for i in range(1500)) + " |a w " + "longer_word5 w " * 600,
        "1 |a short",
    ]
    assert_as_the_oracle(read("\n".join(lines), Vowpal, hashing), lines, Vowpal, hashing)


@pytest.mark.parametrize("chunk", [64, 100, 1000])
@pytest.mark.parametrize(
    "hashing",
    [SETTINGS[0], SETTINGS[2], SETTINGS[4], SETTINGS[8]],
    ids=["plain", "groups", "binary", "damped"],
)
def test_where_a_file_is_cut_makes_no_difference(read, chunk, hashing):
    lines = VOWPAL * 5
    text = "\r\n".join(lines) + "\r\n"
    assert_as_the_oracle(read(text, Vowpal, hashing, chunk), lines, Vowpal, hashing)


words = st.text(st.sampled_from("ab:|' \t1.-+eé\x0b\x1f#q"), max_size=30)


@settings(max_examples=300, deadline=None)
@given(st.lists(words, max_size=8), st.sampled_from(SETTINGS), st.sampled_from([Vowpal, Svmlight]))
def test_any_text_is_read_as_the_format_says_or_refused(tmp_path_factory, lines, hashing, format):
    path = tmp_path_factory.mktemp("any") / "text"
    path.write_text("\n".join(lines))
    labels = Labels()
    reader = Reader([str(path)], format(), hashing, labels, skip_faults=True)
    rows = sum(window.size for window in reader.windows())
    expected = [ORACLES[format](line) for line in lines if line.strip(" \t")]
    comments = sum(line.lstrip(" \t").startswith("#") for line in lines) if format is Svmlight else 0
    assert rows == sum(example is not None for example in expected)
    assert reader.skipped.count == sum(example is None for example in expected) - comments


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 |a x\n1 |a y:z\n", r"line 2, byte 8: this is not a finite number \('z'\)\."),
        ("no bar\n", r"line 1, byte 1: no '\|' before the features"),
        ("1 |a x\n\n\n1 1 1 |a x\n", r"line 4, byte 5: a third word before '\|'"),
        ("1 |a :1\n", r"line 1, byte 6: a feature without a name"),
        ("1 -1 |a x\n", r"line 1, byte 3: the weight of an example must be a number of at least 0"),
    ],
)
def test_a_bad_line_is_named(tmp_path, text, message):
    path = tmp_path / "bad.vw"
    path.write_text(text)
    with pytest.raises(ValueError, match=rf"bad.vw, {message}.*`skip_faults=True`"):
        list(Reader([str(path)], Vowpal(), Hashing(), Labels()).windows())


def test_a_line_longer_than_a_chunk_and_than_the_room_for_items(read):
    line = "1 |a " + " ".join(f"word{i}" for i in range(200_000))
    rows, labels, *_, faults = read(f"{line}\n1 |a x\n", Vowpal, Hashing(bits=22), chunk=1000)
    assert labels == ["1", "1"]
    assert not faults
    assert len(rows[0]) > 190_000


def test_numbers_are_one_label_however_they_are_written(read):
    _, labels, *_ = read("1 |a x\n1.0 |a x\n+1 |a x\n01 |a x\n1e0 |a x\n", Vowpal, Hashing())
    assert labels == ["1"] * 5
