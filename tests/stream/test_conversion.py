import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from kerneltron.cli.running import run
from kerneltron.stream.chunks import chunks
from kerneltron.stream.conversion import Manner, convert
from kerneltron.stream.declared import Declared
from kerneltron.stream.formats.columnar import Parquet
from kerneltron.stream.formats.columns import Columns
from kerneltron.stream.formats.finding import format_for
from kerneltron.stream.hashing import Hashing
from kerneltron.stream.labels import Labels
from kerneltron.stream.reader import Reader, Wanted
from kerneltron.stream.sources import Source

VW = """\
spam 2.5 'first|text free prize free:0.5 |user bob
ham |text Lunch At noon:-1e-3
|text see you | bare:3 names
-1 'zweite|täxt größe ∞ x=y
+1 0 |
3 |text a |text b
"""
SVMLIGHT = """\
1 3:0.5 17:-2 4:1 # comment
-1 1:1e-7 1000000:3
spam 5:0.1
"""
CSV = """\
label,message,city,age,tag,weight
spam,"Free prize, now!",New,3,t1,1
ham,"see ""you"" at
noon",York,0.25,t2,2.5
,only TEXT,,,,
"""
TSV = 'label\ttext\tsize\nspam\tFree "prize\t1\nham\tsee you\t-2.5\n'
JSON = """\
{"label": "spam", "text": "Free prize, now", "n": 2.5, "city": "Berlin", "ok": true}
{"label": "ham", "text": "see you\\nat \\u00fcber", "extra": {"a": 1, "b": "x"}, "tag": "t2"}
{"label": 3, "text": null, "n": 1e-3, "weight": 0.5, "more": ["Ab", "c", "d e"]}
"""
SOURCES = {"vw": VW, "svmlight": SVMLIGHT, "csv": CSV, "tsv": TSV, "jsonl": JSON}


pytestmark = pytest.mark.usefixtures("own_folder")


def examples(name: str, **settings):
    """Return what a file holds: label, weight, tag and features of each example."""
    labels, hashing = Labels(), Hashing(bits=22, **settings)
    format = format_for([name], Declared(), labelled=False)
    found = []
    for window in Reader([name], format, hashing, labels, wanted=Wanted(tags=True)).windows():
        for row in range(window.size):
            first, last = window.starts[row], window.starts[row + 1]
            features = dict(
                zip(window.indices[first:last].tolist(), window.values[first:last].tolist(), strict=True)
            )
            label = labels.names[window.labels[row]] if window.labels[row] >= 0 else ""
            weight = float(window.importance[row]) if label else None
            found.append((label, weight, window.tags[row], features))
    return found


def converted(source: str, output: str, *options: str, code: int = 0) -> None:
    assert run(["convert", source, "-o", output, *options]) == code


def assert_same(found, expected):
    assert [example[:3] for example in found] == [example[:3] for example in expected]
    for one, other in zip(found, expected, strict=True):
        assert one[3] == pytest.approx(other[3], rel=1e-6)


# -- laws ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("target", ["vw", "jsonl"])
@pytest.mark.parametrize("settings", [{}, {"binary": True, "normalize": True}], ids=["", "binary"])
def test_what_is_read_again_has_the_same_features(source, target, settings):
    Path(f"data.{source}").write_text(SOURCES[source])
    converted(f"data.{source}", f"out.{target}", *(["--replace", "_"] if target == "vw" else []))
    expected = examples(f"data.{source}", **settings)
    if (source, target) == ("jsonl", "vw"):  # "d e" is the one name that vw cannot hold
        expected, found = expected[:2], examples("out.vw", **settings)[:2]
    else:
        found = examples(f"out.{target}", **settings)
    assert_same(found, expected)


@pytest.mark.parametrize("source", ["vw", "csv", "tsv"])
def test_vw_keeps_word_groups(source):
    Path(f"data.{source}").write_text(SOURCES[source])
    converted(f"data.{source}", "out.vw")
    assert_same(examples("out.vw", ngrams=2, skips=1), examples(f"data.{source}", ngrams=2, skips=1))


def test_there_and_back_is_the_same_text():
    Path("data.vw").write_text(VW)
    converted("data.vw", "one.vw")
    converted("one.vw", "two.vw")
    assert Path("one.vw").read_bytes() == Path("two.vw").read_bytes()
    Path("data.svmlight").write_text(SVMLIGHT)
    converted("data.svmlight", "data2.vw")
    converted("data2.vw", "again.svmlight")
    assert_same(examples("again.svmlight"), examples("data.svmlight"))


@pytest.mark.parametrize("source", ["csv", "tsv", "jsonl"])
def test_columns_are_taken_over_as_they_are(source):
    text = SOURCES[source]
    if source == "jsonl":
        text = '{"label":"a","text":"Free, prize","n":2.5}\n{"label":"b","text":"see \\"you\\"\\nat","n":1}\n'
    Path(f"data.{source}").write_text(text)
    converted(f"data.{source}", "out.csv")
    assert_same(examples("out.csv"), examples(f"data.{source}"))
    converted("out.csv", "out.tsv", "--replace", " ")
    assert_same(examples("out.tsv"), examples(f"data.{source}"))


def test_random_examples_survive():
    random = np.random.default_rng(0)
    letters = list("abcÄß€x'\"\\{}^*=0.,;#!")
    lines = []
    for _ in range(300):
        sections = []
        for _ in range(random.integers(0, 4)):
            words = [
                "".join(random.choice(letters, random.integers(1, 6))) for _ in range(random.integers(0, 6))
            ]
            values = [f":{np.float32(random.normal())}" if random.random() < 0.3 else "" for _ in words]
            space = random.choice(["s", "Täg", "x", "n{"])
            sections.append(f"|{space} " + " ".join(map("".join, zip(words, values, strict=True))))
        lines.append(f"{random.choice(['a', 'b', '1.0'])} {''.join(sections) or '|'}")
    Path("data.vw").write_text("\n".join(lines) + "\n")
    for output in ("out.vw", "out.jsonl"):
        converted("data.vw", output)
        assert_same(examples(output), examples("data.vw"))


# -- what the files look like --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "target", "text", "expected"),
    [
        ("csv", "vw", "label,text,age\nspam,Free prize,3\n", "spam |text free prize | age:3\n"),
        ("vw", "jsonl", "a |t b c |u d:2\n", '{"label":"a","t":["b","c"],"u":{"d":2}}\n'),
        ("vw", "jsonl", "1 2 'x|t B\n", '{"label":"1","tag":"x","weight":2,"t":{"B":1}}\n'),
        ("vw", "jsonl", "| b c:0.5\n", '{"label":null,"b":1,"c":0.5}\n'),
        ("svmlight", "vw", "1 3:0.5 17:1\n", "1 | 3:0.5 17\n"),
        ("vw", "svmlight", "1 'x| 3:0.5 17\n", "1 3:0.5 17:1 # x\n"),
        ("csv", "tsv", 'label,text\na,"x, ""y"""\n', 'label\ttext\na\tx, "y"\n'),
        ("tsv", "csv", 'label\ttext\na\tx, "y"\n', 'label,text\na,"x, ""y"""\n'),
        ("jsonl", "csv", '{"label":1,"ok":true,"n":2.50}\n{"label":2}\n', "label,ok,n\n1,true,2.50\n2,,\n"),
    ],
)
def test_golden(source, target, text, expected):
    Path(f"data.{source}").write_text(text)
    converted(f"data.{source}", f"out.{target}")
    assert Path(f"out.{target}").read_text() == expected


def test_case_is_kept_if_that_is_wanted():
    Path("data.csv").write_text("label,text\na,Free Prize\n")
    converted("data.csv", "out.vw", "--no-lowercase")
    assert Path("out.vw").read_text() == "a |text Free Prize\n"


def test_output_is_compressed_by_its_name_and_goes_to_standard_output(capfdbinary):
    Path("data.vw").write_text("a |t b\n")
    converted("data.vw", "out.jsonl.gz")
    assert gzip.decompress(Path("out.jsonl.gz").read_bytes()) == b'{"label":"a","t":["b"]}\n'
    converted("data.vw", "again.jsonl.gz")
    assert Path("again.jsonl.gz").read_bytes() == Path("out.jsonl.gz").read_bytes()
    capfdbinary.readouterr()
    converted("out.jsonl.gz", "-", "--to", "vw")
    assert capfdbinary.readouterr().out == b"a |t b\n"
    pytest.importorskip("zstandard")
    converted("data.vw", "out.vw.zst")
    assert_same(examples("out.vw.zst"), examples("data.vw"))


def test_the_result_is_told_with_what_was_left_out(capsys):
    Path("data.vw").write_text("a |t b\nno bar\nb |t c\n")
    converted("data.vw", "out.jsonl", "--on-error", "skip")
    assert capsys.readouterr().out == "output    out.jsonl (jsonl)\nexamples  2\nskipped   1\n"
    converted("data.vw", "out.jsonl", "--on-error", "skip", "--json")
    assert json.loads(capsys.readouterr().out) == {
        "output": "out.jsonl", "format": "jsonl", "examples": 2, "skipped": 1,
    }  # fmt: skip


# -- errors --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "target", "text", "message"),
    [
        ("csv", "vw", "label,text,my city\na,b c,Bern\n", "line 2: vw cannot hold ' ', which the namespace"),
        (
            "csv",
            "vw",
            "label,text\na,b c\nnot spam,d e\n",
            "line 3: vw cannot hold ' ', which the label 'not spam'",
        ),
        ("jsonl", "vw", '{"label":"a","t":["b|c"]}\n', "line 1: vw cannot hold '|', which the name 'b|c'"),
        ("vw", "svmlight", "1 | 3:1\n1 | word\n", "line 2: svmlight has whole numbers for names, not 'word'"),
        ("vw", "svmlight", "1 |a 3:1\n", "not 'a^3'"),
        ("vw", "svmlight", "| 3:1\n", "svmlight needs a label"),
        ("vw", "svmlight", "1 2 | 3:1\n", "has no weights"),
        ("vw", "csv", "1 | a\n", "vw has no columns"),
        (
            "vw",
            "jsonl",
            "1 | a\n\n1 | text\n",
            "line 3: in jsonl the key 'text' would be read as something else",
        ),
        ("vw", "jsonl", "1 |t a | t\n", "is a namespace and a feature"),
        ("vw", "jsonl", "1 |t a\nbroken\n", "line 2, byte 1: no '|'"),
        ("csv", "tsv", 'label,text\na,"b\tc"\n', "line 2: tsv cannot hold the tab"),
        ("jsonl", "csv", '{"label":"a","t":["b"]}\n', "line 1: csv cannot hold the list or object of 't'"),
        ("csv", "tsv", "label,text\na,b\na,b,c\n", "line 3: 3 fields, where there are 2 columns"),
        ("vw", "parquet", "1 | a\n", "the name does not tell the format"),
    ],
)
def test_what_cannot_be_held_is_refused_by_line_and_the_old_file_stays(capsys, source, target, text, message):
    Path(f"data.{source}").write_text(text)
    Path(f"out.{target}").write_text("old")
    converted(f"data.{source}", f"out.{target}", code=2)
    assert message in capsys.readouterr().err
    assert Path(f"out.{target}").read_text() == "old"
    assert sorted(path.name for path in Path().iterdir()) == sorted([f"data.{source}", f"out.{target}"])


def test_names_that_cannot_be_held_are_changed_only_if_that_is_said():
    Path("data.csv").write_text("label,city\na,New York: 5|6\n")
    options = ["--role", "city=category"]
    converted("data.csv", "out.vw", *options, code=2)
    converted("data.csv", "out.vw", *options, "--replace", "_")
    assert Path("out.vw").read_text() == "a |city New_York__5_6\n"
    converted("data.csv", "out.vw", *options, "--replace", ":", code=2)


def test_examples_that_are_not_utf_8_cannot_be_json(capsys):
    Path("data.vw").write_bytes(b"1 |t caf\xe9\n")
    converted("data.vw", "out.jsonl", code=2)
    assert "jsonl holds Unicode only" in capsys.readouterr().err


@pytest.mark.parametrize("target", ["vw", "jsonl", "csv", "tsv"])
def test_tables_of_typed_columns_are_converted_too(target):
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    columns = {"label": ["a", "b"], "text": ["Free, prize", "see you"], "n": [2.5, None]}
    parquet.write_table(arrow.table(columns), "data.parquet")
    Path("data.jsonl").write_text(
        '{"label":"a","text":"Free, prize","n":2.5}\n{"label":"b","text":"see you","n":null}\n'
    )
    format = Parquet(Columns(labelled=False))
    with open("data.parquet", "rb") as raw, open(f"out.{target}", "wb") as file:
        source = Source("data.parquet", format.records(raw, "data.parquet"))
        assert convert(chunks(source, format), format, file, Manner(target)).examples == 2
    assert_same(examples(f"out.{target}"), examples("data.jsonl"))
