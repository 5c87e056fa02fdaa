"""The words of running text, against an oracle written with regular expressions."""

# ruff: noqa: RUF001 - letters that look like others are what this is about

import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kerneltron.stream.formats.columns import Columns
from kerneltron.stream.formats.json_lines import JsonLines
from kerneltron.stream.hashing import Hashing
from tests.oracle import tables
from tests.reading import Capacity, read
from tests.texts import TEXTS


def words(text, lowercase=True):
    """Return the words that the compiled code finds."""
    format = JsonLines(Columns(roles={"t": "text"}, labelled=False))
    line = b'{"t": ' + text + b"}\n" if isinstance(text, bytes) else json.dumps({"t": text}).encode()
    found = read(format, line, Hashing(lowercase=lowercase), capacity=Capacity(rows=1), naming=True)
    return [name.removeprefix("t^") for name in found.rows[0].names]


@settings(max_examples=400, deadline=None)
@given(TEXTS, st.booleans())
@example("don't 'quote' rock'n'roll dogs' '", True)
@example("İstanbul ẞ ǅ ΑΣ", True)
def test_words_are_those_of_the_oracle(text, lowercase):
    assert words(text, lowercase) == tables.words(text, lowercase)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hello, World", ["hello", "world"]),
        ("snake_case x2 3.5", ["snake_case", "x2", "3", "5"]),
        ("don't don’t dogs' 'tis", ["don't", "don’t", "dogs", "tis"]),
        ("WIN £100!! 50% off?", ["win", "£", "100", "!", "!", "50", "%", "off", "?"]),
        ("ÉCOLE ΣΟΦΊΑ МОСКВА", ["école", "σοφία", "москва"]),
        ("love❤️you😀", ["love", "❤", "you", "😀"]),
        ("中文。日本", ["中文", "日本"]),
        ("no\u00a0break\u2003wide\u3000cell", ["no", "break", "wide", "cell"]),
        ("", []),
        (" .,;: ", []),
        ("a" * 1000, ["a" * 1000]),
    ],
)
def test_words_of_known_texts(text, expected):
    assert words(text) == expected


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=24))
def test_bytes_that_are_not_unicode_are_letters(data):
    data = bytes(byte for byte in data if byte >= 32 and byte not in b'"\\')
    text = data.decode("utf-8", "surrogateescape")
    assert words(b'"' + data + b'"') == tables.words(text)


def test_text_in_latin_1_has_words():
    assert words('"Café crème"'.encode("latin-1")) == ["caf\udce9", "cr\udce8me"]
