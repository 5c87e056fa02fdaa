"""JSON lines against Python's own parser."""

import json
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kerneltron.engine.text import faults
from kerneltron.stream.errors import InputError
from kerneltron.stream.formats.columns import Columns
from kerneltron.stream.formats.json_lines import JsonLines
from kerneltron.stream.hashing import Hashing
from tests.oracle import tables
from tests.reading import TINY, Capacity, assert_same, read

ROLES = {"y": "label", "t": "text", "n": "number", "c": "category", "id": "tag", "w": "weight", "x": "ignore"}
HASHINGS = [
    Hashing(bits=12),
    Hashing(bits=5, signed=False, lowercase=False),
    Hashing(ngrams=2, cross=["c*t"]),
    Hashing(ngrams=3, skips=1, binary=True),
    Hashing(copies=3, normalize=True, cross=["n*c", "t*t"]),
    Hashing(damped=True, ngrams=2, normalize=True, bits=4),
]
SIZES = [1, 3, 20, 1 << 20]

strings = st.text(
    st.one_of(st.characters(), st.sampled_from('ab "\\/\b\f\n\r\t\x00\x1fÄ!\ud83d\ude00\ud800')), max_size=8
)
numbers = st.one_of(st.integers(-999, 999), st.floats(-1e6, 1e6, width=32))
scalars = st.one_of(st.none(), st.booleans(), numbers, strings)
anything = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(strings, inner, max_size=3),
    max_leaves=6,
)
objects = st.fixed_dictionaries(
    {},
    optional={
        "y": st.one_of(strings, numbers, st.none(), st.booleans()),
        "t": st.one_of(strings, scalars, st.lists(scalars, max_size=4)),
        "n": st.one_of(numbers, st.none(), st.integers(-9, 9).map(str)),
        "c": st.one_of(scalars, st.lists(scalars, max_size=3), st.dictionaries(strings, scalars, max_size=3)),
        "id": st.one_of(strings, st.integers(0, 9)),
        "w": st.one_of(st.none(), st.integers(0, 3), st.floats(0, 9, width=32)),
        "x": anything,
        "new": st.one_of(scalars, st.lists(scalars, max_size=3)),
    },
)


def line(value, draw):
    """Write an object with escapes, keys and blanks as they may be."""
    text = json.dumps(value, ensure_ascii=draw[0] or "\\ud" in json.dumps(value), separators=draw[1])
    return text.replace('"t":', '"\\u0074" :') if draw[2] else text


ways = st.tuples(st.booleans(), st.sampled_from([(",", ":"), (", ", ": "), (" ,\t", " :  ")]), st.booleans())


def format():
    return JsonLines(Columns(roles=ROLES, labelled=False, complete=True))


@pytest.mark.slow
@settings(max_examples=400, deadline=None)
@given(
    st.lists(st.tuples(objects, ways), max_size=3),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.sampled_from(HASHINGS),
)
def test_objects_are_what_python_reads(values, end, hashing):
    text = "".join(line(value, way) + end for value, way in values)
    found = read(format(), text.encode(), hashing)
    assert not found.faults
    assert_same(found, list(tables.json_lines(text, ROLES, hashing.lowercase)), hashing)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(objects, ways), max_size=4), st.sampled_from(HASHINGS), st.sampled_from(SIZES))
def test_features_depend_neither_on_the_chunks_nor_on_the_room(values, hashing, size):
    data = "".join(line(value, way) + "\n" for value, way in values).encode()
    at_once = read(format(), data, hashing, digest=True)
    assert read(format(), data, hashing, size, TINY, digest=True) == at_once


def is_object(text):
    """Return whether a line is an object, by Python's parser; NaN and the like are not JSON."""

    def refuse(name):
        raise ValueError(name)

    try:
        return isinstance(json.loads(text, parse_constant=refuse), dict)
    except ValueError:
        return False


def check_lines(lines):
    """Check that a line becomes a row only if Python takes it, and is bad JSON only if Python refuses it."""
    roles = {"a": "ignore", "b": "text", "c": "category"}
    unlabelled = JsonLines(Columns(roles=roles, labelled=False, complete=True))
    found = read(
        unlabelled,
        "\n".join(["{}", *lines]).encode(),
        Hashing(),
        capacity=Capacity(rows=1 << 15, faults=1 << 8),
    )
    reasons = {line - 2: reason for line, _, reason in found.faults}
    taken = {row.line - 2 for row in found.rows}
    assert taken.isdisjoint(reasons)
    for number, text in enumerate(lines):
        if is_object(text):
            assert number in taken or reasons[number] in (faults.TOO_DEEP, faults.TOO_LARGE), text
        elif text.strip(" \t"):
            assert number in reasons, text


LINES = [
    '{"a": [1, {"b": [null, true]}, "x"], "b": "He said \\"no\\" \\u00e4", "c": {"k": -1.5e-3, "l": "v"}}',
    '{"b": ["one", 2, false, null], "c": "x", "a": {}}',
    '{"a": [], "new": 0.5, "n": "two words", "o": {"p": true}}',
    "{}",
]


def test_lines_are_refused_as_python_refuses_them():
    beginnings = [
        *LINES,
        "[]",
        "1",
        '{"a"}',
        '{"a":}',
        '{"a":1,}',
        '{"a":01}',
        '{"a":1.}',
        '{"a":-}',
        "{",
        '{"a',
    ]
    endings = ["", " ", "}", "x", ",", '{"a":1}', "\x00", "\u2028", "[", '"']
    check_lines([beginning + ending for beginning in beginnings for ending in endings])


def test_values_are_refused_as_python_refuses_them():
    values = [
        '"\\u12"', '"\\u12G4"', '"\\x"', '"\\', '"', '"\t"', "+1", ".5", "1e", "1e+", "1.5E-3", "-0", "00",
        "nul", "nulls", "tru", "true ", "truefalse", "NaN", "Infinity", "-Infinity", "1e999", "'a'",
        "[1,]", "[,1]", "[1 2]", "[1", '["a":1]', "[[1]]", '[{"a":1}]', "[]", "[ ]", "[[],[{}]]", "[}", "[1}",
        '{"k"}', '{"k":1,}', "{k:1}", '{"k" 1}', '{"k":[1,2]}', "{}", "{ }", '{"":{"":[]}}', "{]", '{"k":1]',
    ]  # fmt: skip
    check_lines([f'{{"{key}": {value}}}' for key in ("a", "b", "c", "new") for value in values])


def test_mutated_lines_are_refused_as_python_refuses_them():
    random_ = random.Random(0)
    lines = []
    for _ in range(20_000):
        text = list(random_.choice(LINES))
        for _ in range(random_.randrange(1, 4)):
            place = random_.randrange(len(text))
            text[place : place + random_.randrange(3)] = random_.choice('{}[],:"\\ untf01-.eE\x01ä')
        lines.append("".join(text))
    check_lines(lines)


def test_random_bytes_are_rows_or_faults():
    generator = np.random.default_rng(0)
    alphabet = np.frombuffer(b'{}[]",:\\u0d8e1.-tn \n\r\xc3\xa4\xff\x00', np.uint8)
    for size in (3, 1 << 16):
        data = b"{}\n" + generator.choice(alphabet, 40_000).tobytes()
        found = read(format(), data, HASHINGS[2], size)
        lines = [text for text in data.splitlines() if text.strip(b" \t")]
        assert len(found.rows) + len(found.faults) == len(lines)


@pytest.mark.parametrize("depth", [1, 2, 63, 64, 65, 1000, 100_000])
def test_values_that_are_ignored_may_be_64_deep(depth):
    found = read(format(), b'{"x":' + b"[" * depth + b"]" * depth + b"}\n{}\n", Hashing())
    assert [reason for *_, reason in found.faults] == ([] if depth <= 64 else [faults.TOO_DEEP])
    mixed = b'{"x":' + b'{"k":[' * depth + b"]}" * depth + b"}\n{}\n"
    assert bool(read(format(), mixed, Hashing()).faults) == (2 * depth > 64)


def test_faults_name_line_byte_and_reason():
    data = (
        b'{"y":1}\n{"n":"x"}\n{"c":[[1]]}\n\n{"n":[1]}\n{"w":-1}\n{"n":1e999}\n{"y":2,}\n'
        b'{"c":"\\u000a","n":"\\n"}\nx'
    )
    found = read(format(), data, Hashing(), capacity=TINY)
    assert found.faults == [
        (2, 7, faults.BAD_VALUE),
        (3, 7, faults.TOO_DEEP),
        (5, 6, faults.WRONG_KIND),
        (6, 6, faults.BAD_WEIGHT),
        (7, 6, faults.TOO_LARGE),
        (8, 8, faults.BAD_JSON),
        (9, 20, faults.BAD_VALUE),
        (10, 1, faults.BAD_JSON),
    ]
    assert [row.line for row in found.rows] == [1]


def test_names_are_those_of_keys_and_values():
    data = b'{"t": ["One", "two"], "c": {"size": 2, "col\\u006fr": " r\\u0065d "}, "n": 3, "k": "A b"}'
    found = read(format(), data, Hashing(ngrams=2), capacity=Capacity(rows=1), naming=True)
    expected = ["t^one", "t^two", "t^one two", "c^size", "c^color=red", "n", "k^a", "k^b", "k^a b"]
    assert found.rows[0].names == expected


def test_keys_get_their_roles_from_the_first_objects():
    lines = (
        '{"label": 1, "n": 2, "words": ["a"], "o": {"k": 1}, "b": true, "s": "x", "t": "a b", "text": "c"}\n'
        '{"label": 2, "n": 2.5, "s": "12", "id": 7, "z": null, "\\ud800": 1}\n'
    )
    found = JsonLines()
    read(found, lines.encode(), Hashing())
    assert found.roles == {
        "label": "label", "n": "number", "words": "text", "o": "category", "b": "category", "s": "category",
        "t": "text", "text": "text", "id": "tag", "z": "category",
    }  # fmt: skip


def test_a_model_takes_other_keys_by_their_values_as_in_training():
    trained = JsonLines(Columns(label="y"))
    head = b'{"y": 1, "t": "a b"}\n' * 200
    late = b'{"y": 1, "t": "c", "late": "New key"}\n'
    row = read(trained, head + late, Hashing()).rows[-1]
    again = JsonLines.from_json(trained.to_json())
    assert read(again, late, Hashing()).rows[0].features == row.features


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'[{"a": 1}]', "a JSON list. Write one object per line"),
        (b'{"text": "a"}\n', "none of the columns is the label. The columns are 'text'"),
    ],
)
def test_files_that_cannot_be_used_are_refused(data, message):
    with pytest.raises(InputError, match=message):
        JsonLines().begin(data, "file.jsonl")


def test_a_label_that_no_object_has_is_refused():
    with pytest.raises(InputError, match="The columns are 'kind', 'text'"):
        JsonLines(Columns(label="knd")).begin(b'{"kind": 1, "text": "a"}\n', "file.jsonl")


def test_contents_are_recognised():
    assert JsonLines.recognises(b'{"a": 1}\n')
    assert JsonLines.recognises(b'\xef\xbb\xbf\n{"a": 1}\r\nx')
    assert JsonLines.recognises(b'{"text": "a long one that is cut')
    assert not JsonLines.recognises(b'{"text": "not closed\n{}\n')
    assert not JsonLines.recognises(b"1 |a {b\n")
    assert not JsonLines.recognises(b"")
