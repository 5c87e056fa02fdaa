"""A million damaged lines for each reader: no crash, no hang; each is an example, or refused by its place."""

import numpy as np
import pytest

from kerneltron.stream.errors import REASONS
from kerneltron.stream.formats.columns import Columns
from kerneltron.stream.formats.delimited import Csv, Tsv
from kerneltron.stream.formats.json_lines import JsonLines
from kerneltron.stream.formats.svmlight import Svmlight
from kerneltron.stream.formats.vowpal import Vowpal
from kerneltron.stream.hashing import Hashing
from kerneltron.stream.labels import Labels
from kerneltron.stream.reader import Reader

pytestmark = pytest.mark.slow

LINES = 1_000_000
ROLES = Columns(roles={"label": "label", "user": "user", "age": "number", "text": "text", "weight": "weight"})
HEADER = b"label,user,age,text,weight\n"
SEEDS = {
    "vw": (
        Vowpal,
        b"",
        [b"1 2.5 'tag|a x:1 y |b:0.5 z:-1e-3", b"-1 |text one two three", b"| w", b"1 |a x"],
    ),
    "svmlight": (Svmlight, b"", [b"1 1:0.5 3:1e2 17:-2 # end", b"-1 qid:3 2:1", b"0", b"# all"]),
    "csv": (
        lambda: Csv(ROLES),
        HEADER,
        [b'spam,bob,3.5,"free, ""prize"" now",1', b"ham,al,,lunch at noon,2", b",,,,", b'a,b,1,"x",0.5'],
    ),
    "tsv": (
        lambda: Tsv(ROLES),
        HEADER.replace(b",", b"\t"),
        [b"spam\tbob\t3.5\tfree prize\t1", b'ham\tal\t\tlunch "at\t2', b"\t\t\t\t", b"a\tb\t1\tx\t0.5"],
    ),
    "jsonl": (
        lambda: JsonLines(ROLES),
        b"",
        [
            rb'{"label": "spam", "text": "free \u00e9\ud83d\ude00 \"x\"", "age": -1.5e3}',
            rb'{"label": "ham", "tags": ["a", 1, null, true]}',
            rb'{"label":1,"user":"bob","more":{"a":1,"b":"x"},"text":"","weight":2}',
            rb'{"text": null, "label": true}',
            rb"{}",
        ],
    ),
}
NASTY = np.frombuffer(b"\x00\t\x0b\r \"#'+,-.0159:;Ee[\\]^_n{|}\x7f\x80\xc3\xa9\xe2\xf0\xff", np.uint8)


def damaged(lines, rng, count):
    """Return so many lines with a few bytes changed, taken out, or doubled; the newlines stay."""
    texts = [bytes(line) for line in lines]
    picked = rng.integers(0, len(texts), count)
    whole = b"\n".join(texts[i] for i in picked.tolist()) + b"\n"
    bytes_ = np.frombuffer(whole, np.uint8).copy()
    inside = np.flatnonzero(bytes_ != 10)
    places = rng.choice(inside, inside.size // 30, replace=False)
    bytes_[places] = rng.choice(NASTY, places.size)
    keep = np.ones(bytes_.size, np.intp)
    changed = rng.choice(inside, inside.size // 60, replace=False)
    keep[changed] = rng.choice([0, 2, 3], changed.size)  # out, or several times
    return np.repeat(bytes_, keep).tobytes()


@pytest.mark.parametrize("kind", SEEDS)
@pytest.mark.parametrize(
    "hashing", [Hashing(bits=8), Hashing(bits=8, binary=True, ngrams=2, cross=("user*text",))]
)
def test_a_million_damaged_lines(tmp_path, kind, hashing):
    make, header, lines = SEEDS[kind]
    rng = np.random.default_rng([len(kind), hashing.ngrams])
    path = tmp_path / "damaged"
    count = LINES // 2 // 5
    for _ in range(5):
        body = damaged(lines, rng, count)
        path.write_bytes(header + body)
        reader = Reader([str(path)], make(), hashing, Labels(), skip_faults=True)
        rows, top = 0, 0.0
        for window in reader.windows():
            rows += window.size
            assert window.indices.size == 0 or (0 <= window.indices.min() <= window.indices.max() < 256)
            assert (np.diff(window.starts) >= 0).all()
            assert np.isfinite(window.importance).all()
            assert not np.isnan(window.values).any()
            top = max(top, float(window.importance.max(initial=0.0)))
        ends = body.count(b"\n") + body.count(b"\r") - body.count(b"\r\n")
        assert rows > 0
        assert reader.skipped.count > 0
        assert rows + reader.skipped.count <= ends + 1
        if kind not in ("csv", "svmlight"):  # records of several lines, comments
            empty = sum(not line.strip(b" \t") for line in body.replace(b"\r", b"\n").split(b"\n"))
            assert rows + reader.skipped.count >= ends - empty
        for fault in reader.skipped.first:
            assert 1 <= fault.line <= ends + 2
            assert fault.column >= 1
            assert fault.reason in REASONS
