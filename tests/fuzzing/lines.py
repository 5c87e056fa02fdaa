"""Files of the text formats with strange and damaged lines: what the doors of text share."""

import numpy as np

from kerneltron.stream.formats import named
from kerneltron.stream.formats.columns import Columns

WORDS = [
    b"free",
    b"Prize",
    b"",
    b" ",
    b"\xc3\xa9",
    b"\xc3",
    b"\xe9",
    b"\xff\xfe",
    b"\xf0\x9f\x98\x80",
    b"\x00",
    b"'",
]
WORDS += [
    b'"',
    b'""',
    b"a,b",
    b"a\tb",
    b"a|b",
    b"a:b",
    b"#",
    b"{}",
    b"\\",
    b"\\u00e9",
    b"\\ud800",
    b"\\n",
    b"null",
]
WORDS += [
    b"x" * 7,
    b"y" * 70,
    b"\xef\xbb\xbf",
    b"\xe2\x80\xa9",
    b"\x0b",
    b"\x1c",
    b"=",
    b"^",
    b"*",
    b"\xc4\xb0",
    b"\xc7\x84",
]
NUMBERS = [
    b"1",
    b"0",
    b"-2.5",
    b"1e-45",
    b"3.4028235e38",
    b"3e38",
    b"1e39",
    b"-3e38",
    b"nan",
    b"inf",
    b"1e",
    b"1_0",
]
NUMBERS += [b"1.0", b"+1", b"01", b"0x1", b"9" * 40, b"." * 3, b"1e400", b"1e-400", b"16777217", b"\xd9\xa1"]
NAMES = [b"label", b"text", b"n", b"user", b"weight", b"tag"]
ROLES = {"label": "label", "text": "text", "n": "number", "user": "user", "weight": "weight", "tag": "tag"}
ENDS = [b"\n", b"\n", b"\r\n", b"\r"]
NASTY = np.frombuffer(b"\x00\t\n\x0b\r \"#'+,-.0159:;Ee[\\]^_n{|}\x7f\x80\xc3\xa9\xe2\xf0\xff", np.uint8)


def word(rng):
    """Return some bytes for a name or a text."""
    return b"".join(WORDS[i] for i in rng.integers(0, len(WORDS), int(rng.integers(1, 3))))


def number(rng):
    """Return a number, or what is nearly one."""
    return NUMBERS[int(rng.integers(0, len(NUMBERS)))] if rng.random() < 0.4 else b"%d" % rng.integers(0, 9)


def vw(rng):
    label = [b"", b"1 ", word(rng) + b" ", number(rng) + b" ", b"1 2.5 ", b"1 0 't", b"'" + word(rng)]
    sections = b""
    for _ in range(int(rng.integers(0, 4))):
        words = [
            word(rng) + (b":" + number(rng) if rng.random() < 0.3 else b"") for _ in range(rng.integers(0, 5))
        ]
        sections += b"|" + [b"", b"a", b"text", word(rng), b"s:" + number(rng)][int(rng.integers(0, 5))]
        sections += b" " + b" ".join(words) + b" "
    return label[int(rng.integers(0, len(label)))] + (sections or b"|")


def svmlight(rng):
    label = [b"1", b"-1", b"1.0", word(rng), number(rng)][int(rng.integers(0, 5))]
    pairs = [b"%d:%s" % (rng.integers(0, 9), number(rng)) for _ in range(rng.integers(0, 5))]
    return b" ".join([label, *pairs, *([b"# end"] if rng.random() < 0.1 else [])])


def csv(rng):
    fields = [b"a", word(rng) + b" " + word(rng), number(rng), word(rng), b"1", word(rng)]
    fields = [b'"' + field.replace(b'"', b'""') + b'"' if rng.random() < 0.4 else field for field in fields]
    return b",".join(fields if rng.random() < 0.95 else [b""] * 6)


def tsv(rng):
    fields = [b"b", word(rng) + b" " + word(rng), number(rng), word(rng), b"2", word(rng)]
    return b"\t".join(fields if rng.random() < 0.95 else [b""] * 6)


def jsonl(rng):
    if rng.random() < 0.05:
        return b"{}"
    pairs = []
    for name in rng.permutation(len(NAMES))[: int(rng.integers(0, 7))].tolist():
        key = NAMES[name] if rng.random() < 0.9 else word(rng).replace(b'"', b'\\"')
        text = word(rng).replace(b'"', b'\\"')
        values = [
            b'"%s"' % text,
            number(rng),
            b"true",
            b"null",
            b'["%s", 1]' % text,
            b'{"k": 2, "%s": "z"}' % text,
        ]
        pairs.append(b'"%s": %s' % (key, values[int(rng.integers(0, 6 if rng.random() < 0.3 else 2))]))
    return b"{" + b", ".join(pairs) + b"}"


FORMATS = {"vw": vw, "svmlight": svmlight, "csv": csv, "tsv": tsv, "jsonl": jsonl}
HEADERS = {"csv": b",".join(NAMES), "tsv": b"\t".join(NAMES)}


def format_of(kind, rng, like=None, known=False):
    """Return a format, with roles that are given or guessed, unless all are `known` or those of another."""
    if kind in ("vw", "svmlight"):
        return named(kind)()
    if known:
        return named(kind)(Columns(roles=ROLES, labelled=False, complete=True))
    if like is not None:
        return named(kind)(like.columns)
    return named(kind)(Columns(roles=ROLES if rng.random() < 0.7 else {}, labelled=False))


def strange_file(kind, rng):
    """Return the bytes of a file: some lines that are made, of which a few are damaged."""
    end = ENDS[int(rng.integers(0, len(ENDS)))]
    lines = [FORMATS[kind](rng) for _ in range(int(rng.integers(0, 12)))]
    lines = [damaged(line, rng) if rng.random() < 0.1 else line for line in lines]
    if kind in HEADERS:
        lines.insert(0, HEADERS[kind])
    front = b"\xef\xbb\xbf" if kind in ("csv", "tsv", "jsonl") and rng.random() < 0.1 else b""
    return front + end.join(lines) + (end if rng.random() < 0.8 else b"")


def damaged(line, rng):
    """Return a line with a few bytes changed, missing, or doubled."""
    line = bytearray(line)
    for _ in range(int(rng.integers(1, 4))):
        place = int(rng.integers(0, len(line) + 1))
        line[place : place + int(rng.integers(0, 3))] = rng.choice(NASTY, int(rng.integers(0, 3))).tobytes()
    return bytes(line)
