"""Words, fields and objects the slow way: from text to pairs of a key and a value."""

import csv
import io
import json
import re
from typing import NamedTuple

import numpy as np

SIGNS = "!?$%£€"
PARTING = (
    "\u0080-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7\u037e\u0387\u055a-\u055f\u0589\u058a"
    "\u05be\u05c0\u05c3\u05c6\u05f3\u05f4\u0600-\u060f\u061b-\u061f\u066a-\u066d\u06d4\u0700-\u070d\u0964\u0965"
    "\u1680\u2000-\u206f\u20a0-\u20cf\u2e00-\u2e7f\u3000-\u303f\u30fb\ufe00-\ufe1f\ufe30-\ufe6f\ufeff"
    "\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\uffe0-\uffff"
)
PICTURE = "\u2190-\u2bff\U0001f000-\U0001faff"
LETTER = f"(?:[0-9A-Za-z_]|(?![{PARTING}{PICTURE}])[^\\x00-\\x7f])"
WORD = re.compile(f"[{SIGNS}{PICTURE}]|{LETTER}+(?:['\u2019]{LETTER}+)*")


class Example(NamedTuple):
    """What a record says: its features are pairs of a key and a value, in order, by namespace."""

    label: str
    tag: str
    weight: float
    spaces: list  # (namespace, pairs, whether they are words in a row)


def lowered(text):
    """Lower the letters whose two cases have the same size, one or two bytes."""

    def low(letter):
        small = letter.lower()
        one_or_two = len(letter.encode("utf-8", "surrogateescape")) <= 2
        same = len(small) == 1 and len(small.encode("utf-8", "surrogateescape")) == len(
            letter.encode("utf-8", "surrogateescape")
        )
        return small if one_or_two and same else letter

    return "".join(map(low, text))


def words(text, lowercase=True):
    return WORD.findall(lowered(text) if lowercase else text)


def single(value):
    return float(np.float32(value))


def example(columns, lowercase=True):
    """Make an example of (name, role, value) with values as text; None is missing."""
    found = {"label": "", "tag": "", "weight": 1.0}
    spaces = []
    for name, role, written in columns:
        if written is None or role == "ignore":
            continue
        if role == "text":
            spaces.append((name, [(f"{name}^{word}", 1.0) for word in words(written, lowercase)], True))
            continue
        value = written.strip(" \t")
        if not value:
            continue
        if role == "number":
            number = single(float(value))
            spaces.append((name, [(name, number)] if number != 0 else [], False))
        elif role in ("category", "user"):
            spaces.append((name, [(f"{name}^{value}", 1.0)], False))
        else:
            found[role] = float(value) if role == "weight" else value
    return Example(found["label"], found["tag"], found["weight"], spaces)


def records(text, delimiter):
    """Yield (fields, fault) of each record, character by character; texts are shorter than any open quote."""
    at = 0
    while at < len(text):
        begin, fields, fault = at, [], None
        while True:
            field, at, wrong = one_field(text, at, delimiter + "\r\n")
            fields.append(field)
            fault = wrong if wrong == "open" else fault or wrong
            if at >= len(text) or text[at] in "\r\n":
                break
            at += 1
        if text[begin:at].strip(" \t"):
            yield fields, fault
        at += 2 if text[at : at + 2] == "\r\n" else 1


def one_field(text, begin, ends):
    """Return a field, the place of what ends it, and what is wrong with it."""
    if text[begin : begin + 1] != '"':
        end = first_of(text, begin, ends)
        return text[begin:end], end, None
    field, at = "", begin + 1
    while at < len(text) and (text[at] != '"' or text[at + 1 : at + 2] == '"'):
        field += text[at]
        at += 2 if text[at] == '"' else 1
    if at >= len(text):
        return field, first_of(text, begin, "\r\n"), "open"
    end = first_of(text, at + 1, ends)
    return field, end, "after" if text[at + 1 : end].strip(" \t") else None


def first_of(text, begin, characters):
    return next((at for at in range(begin, len(text)) if text[at] in characters), len(text))


def delimited(text, names, roles, delimiter, quoted=True, lowercase=True):
    """Read records with Python's own reader."""
    quoting = csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE
    for record in csv.reader(
        io.StringIO(text, newline=""), delimiter=delimiter, quoting=quoting, strict=quoted
    ):
        if any(field.strip(" \t") for field in record) or len(record) > 1:
            yield example(list(zip(names, roles, record, strict=True)), lowercase)


def json_lines(text, roles, lowercase=True):
    """Read objects with Python's own parser."""
    for line in re.split("\r\n|\r|\n", text):
        if line.strip(" \t"):
            yield json_example(json.loads(line, object_pairs_hook=Pairs), roles, lowercase)


class Pairs(list):
    """The members of an object, those that come twice too."""


def whole(text):
    """Replace halves of surrogate pairs."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def plain(value):
    """Return a value as it is written, None if it is missing."""
    if value is None or isinstance(value, str):
        return None if value is None else whole(value)
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)


def json_example(members, roles, lowercase):
    label, tag, weight, spaces = "", "", 1.0, []
    for key, value in members:
        name = whole(key)
        role = roles.get(name)
        if role == "ignore" or value is None:
            continue
        if isinstance(value, Pairs):
            spaces.append((name, list(nested(name, value)), False))
        elif isinstance(value, list):
            runs = role != "category"
            listed = [plain(item).strip(" \t") for item in value if item is not None]
            listed = [lowered(item) if runs and lowercase else item for item in listed if item]
            spaces.append((name, [(f"{name}^{item}", 1.0) for item in listed], runs))
        else:
            one = example([(name, role or by_value(value), plain(value))], lowercase)
            label, tag = one.label or label, one.tag or tag
            weight = one.weight if role == "weight" else weight
            spaces += one.spaces
    return Example(label, tag, weight, spaces)


def by_value(value):
    if isinstance(value, str):
        return "text" if re.search("[ \t\r\n]", whole(value).strip(" \t")) else "category"
    return "category" if isinstance(value, bool) else "number"


def nested(name, members):
    for key, value in members:
        if isinstance(value, int | float) and not isinstance(value, bool):
            if single(value) != 0:
                yield f"{name}^{whole(key)}", single(value)
        elif value is not None and plain(value).strip(" \t"):
            yield f"{name}^{whole(key)}={plain(value).strip(chr(32) + chr(9))}", 1.0
