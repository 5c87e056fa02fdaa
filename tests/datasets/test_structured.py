"""Loaders of questions, strings, e-mails and plays, and the folder that they look into."""

import gzip
import json
from types import SimpleNamespace

import numpy as np
import pytest

from kerneltron.datasets import plays, splice
from kerneltron.datasets.folder import folder_of, found_folder, json_lines
from kerneltron.datasets.plays import Play, census, is_direction, load_plays, sentences, speeches, words
from kerneltron.datasets.questions import load_questions
from kerneltron.datasets.spambase import load_spambase
from kerneltron.datasets.splice import load_splice


def write(path, rows, packed=True):
    """Write objects, one a line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    content = "".join(json.dumps(row) + "\n" for row in rows).encode()
    path.with_name(path.name + ".gz" * packed).write_bytes(gzip.compress(content) if packed else content)


# -- the folder ----------------------------------------------------------------------------------------


def test_what_is_given_comes_before_the_variable(tmp_path, monkeypatch):
    monkeypatch.setenv("KERNELTRON_DATA", "/data")
    assert folder_of("splice", tmp_path) == tmp_path
    assert str(folder_of("splice")) == "/data/splice"
    monkeypatch.setenv("KERNELTRON_DATA", "")
    assert folder_of("splice") is None
    with pytest.raises(FileNotFoundError, match=r"KERNELTRON_DATA is not set.*`splice`.*From UCI"):
        found_folder("splice", None, "From UCI.")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"play": "x"', "line 2 is not JSON"),
        ("[1]", "line 2 is not an object with texts under play, text"),
        ('{"play": "x"}', "line 2 is not an object with texts under play, text"),
        ('{"play": "x", "text": 3}', "line 2 is not an object"),
    ],
)
def test_a_damaged_line_is_named(tmp_path, line, message):
    path = tmp_path / "plays.jsonl"
    path.write_text('{"play": "x", "text": "y"}\n' + line + "\n")
    with pytest.raises(ValueError, match=message):
        json_lines(path, ("play", "text"))


def test_a_text_in_another_encoding_is_named(tmp_path):
    path = tmp_path / "plays.jsonl"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(ValueError, match=r"plays.jsonl is not text in UTF-8"):
        json_lines(path, ("play",))


# -- questions -----------------------------------------------------------------------------------------

QUESTION = {"label": "HUM", "text": "Who was Galileo ?", "grct": "(SYNT##root(LEX##be::v))", "lct": "S"}


@pytest.mark.parametrize("packed", [True, False])
def test_questions_are_records(tmp_path, monkeypatch, packed):
    other = QUESTION | {"label": "DESC", "text": "What is an atom ?"}
    write(tmp_path / "trec_questions" / "train.jsonl", [QUESTION, other], packed)
    write(tmp_path / "trec_questions" / "test.jsonl", [other], packed)
    monkeypatch.setenv("KERNELTRON_DATA", str(tmp_path))
    data = load_questions()
    wanted = {key: QUESTION[key] for key in ("text", "grct", "lct")}
    assert data.X[0] == wanted | {"words": ["who", "was", "galileo", "?"], "lemmas": ["be"]}
    assert data.y.tolist() == ["HUM", "DESC"]
    assert data.y_test.tolist() == ["DESC"]
    assert len(data.X_test) == 1


def test_questions_say_where_they_come_from(tmp_path, monkeypatch):
    with pytest.raises(FileNotFoundError, match=r"Neither train.jsonl.gz nor train.jsonl.*KeLP"):
        load_questions(tmp_path)
    monkeypatch.delenv("KERNELTRON_DATA", raising=False)
    with pytest.raises(FileNotFoundError, match=r"KERNELTRON_DATA is not set.*KeLP"):
        load_questions()


@pytest.mark.real_data
def test_all_questions():
    data = load_questions()
    assert (len(data.X), len(data.X_test)) == (5452, 500)
    assert set(data.y) == set(data.y_test) | {"ABBR"}
    for record in data.X + data.X_test:
        assert " ".join(record["words"]) == record["text"].lower()
        for tree in (record["grct"], record["lct"]):
            assert tree.count("(") == tree.count(")") > 0


# -- splice --------------------------------------------------------------------------------------------


def test_strings_are_read_as_written(tmp_path):
    first, second = "ACGT" * 15, "NTTD" * 15
    lines = f"EI,   A-DONOR-1,    {first}\nN,B-NEG-2,{second}\n\n"
    (tmp_path / "splice.data").write_text(lines)
    data = load_splice(tmp_path)
    assert list(zip(data.X, data.y, strict=True)) == [(first, "EI"), (second, "N")]


@pytest.mark.parametrize("line", ["EI,name,ACGT", "XX,name," + "A" * 60, "EI," + "A" * 60, "nonsense"])
def test_a_line_that_is_no_string_is_named(tmp_path, line):
    (tmp_path / "splice.data").write_text("N,name," + "A" * 60 + "\n" + line + "\n")
    with pytest.raises(ValueError, match=r"splice.data, line 2: .* 60 letters"):
        load_splice(tmp_path)


def test_strings_are_downloaded_where_there_is_no_folder(monkeypatch):
    monkeypatch.delenv("KERNELTRON_DATA", raising=False)
    monkeypatch.setattr(splice, "LENGTH", 3)

    def fetch(name, version, **options):
        assert (name, version, options["as_frame"]) == ("splice", 1, False)
        return SimpleNamespace(
            data=np.array([[7, 0, 1, 1], [8, 1, 0, 0]], float),
            feature_names=["name", "a", "b", "c"],
            categories={"a": ["A", "G"], "b": ["T", "C"], "c": ["G", "N"]},
            target=np.array(["EI", "N"], object),
        )

    monkeypatch.setattr("sklearn.datasets.fetch_openml", fetch)
    data = load_splice()
    assert data.X == ["ACN", "GTG"]
    assert data.y.tolist() == ["EI", "N"]

    def fail(*_, **__):
        raise OSError("no network")

    monkeypatch.setattr("sklearn.datasets.fetch_openml", fail)
    with pytest.raises(OSError, match=r"no network.*KERNELTRON_DATA"):
        load_splice()


@pytest.mark.real_data
def test_all_strings():
    data = load_splice()
    assert dict(zip(*np.unique(data.y, return_counts=True), strict=True)) == {"EI": 767, "IE": 768, "N": 1655}
    assert {len(letters) for letters in data.X} == {60}
    assert set("".join(data.X)) == set("ACGTDNRS")
    assert len(set(data.X)) == 3005


# -- spambase ------------------------------------------------------------------------------------------


def test_emails_are_read_as_written(tmp_path):
    first, second = [0.5 * column for column in range(57)], [0] * 57
    lines = [",".join(map(str, [*row, label])) for row, label in ((first, 1), (second, 0))]
    (tmp_path / "spambase.data").write_text("\n".join(lines) + "\n\n")
    data = load_spambase(tmp_path)
    assert data.X.tolist() == [first, second]
    assert data.y.tolist() == [1, 0]


ZEROS = "0," * 56


@pytest.mark.parametrize(
    "line", [ZEROS + "0", ZEROS + "0,0,1", ZEROS + "0,2", ZEROS + "nan,1", ZEROS + "x,1", "nonsense"]
)
def test_a_line_that_is_no_email_is_named(tmp_path, line):
    (tmp_path / "spambase.data").write_text(f"{ZEROS}0,1\n{line}\n")
    with pytest.raises(ValueError, match=r"spambase.data, line 2: .* 57 numbers and 0 or 1"):
        load_spambase(tmp_path)


def test_emails_are_downloaded_where_there_is_no_folder(tmp_path, monkeypatch):
    with pytest.raises(FileNotFoundError, match=r"Neither spambase.data.gz nor spambase.data.*UCI's"):
        load_spambase(tmp_path)
    monkeypatch.delenv("KERNELTRON_DATA", raising=False)

    def fetch(name, version, **options):
        assert (name, version, options["as_frame"]) == ("spambase", 1, False)
        return np.ones((2, 57)), np.array(["1", "0"], object)

    monkeypatch.setattr("sklearn.datasets.fetch_openml", fetch)
    data = load_spambase()
    assert data.X.shape == (2, 57)
    assert data.y.tolist() == [1, 0]

    def fail(*_, **__):
        raise OSError("no network")

    monkeypatch.setattr("sklearn.datasets.fetch_openml", fail)
    with pytest.raises(OSError, match=r"no network.*KERNELTRON_DATA"):
        load_spambase()


@pytest.mark.real_data
def test_all_emails():
    data = load_spambase()
    assert data.X.shape == (4601, 57)
    assert np.bincount(data.y).tolist() == [2788, 1813]
    assert data.X.min() == 0
    assert (data.X[:, :54] <= 100).all()  # percentages
    assert (data.X[:, 54:] >= 1).all()  # lengths


# -- plays ---------------------------------------------------------------------------------------------

TEXT = """ACT I
PROLOGUE
Two households, both alike in dignity,
In fair Verona.
Exit
SCENE I. A street: a tempestuous noise
of thunder heard.
Enter ANTIPHOLUS and a Page

ANTIPHOLUS:
[Aside to Page]  Who's there?  Stay,
Draws his sword
And fight! 'Tis he.
They fight
ANTIPHOLUS

OF EPHESUS :
He is a god, and knows
What is most right.
He dies

Here stand I:
lady, dart thy skill at me.
Stabs LAERTES. Exeunt
SCENE II. The same.

Page:
Enter his chamber, view his corpse,
And tell me.
Exeunt.

Scene III:
Another room.
Enter Page

Page:
[Within]
To-morrow.
EPILOGUE

Page:
Farewell.
"""


def test_speeches_are_told_from_directions():
    found = [(speech.scene, speech.speaker, speech.text) for speech in speeches(Play("x", "comedy", TEXT))]
    assert found == [
        (1, "Prologue", "Two households, both alike in dignity,\nIn fair Verona."),
        (2, "ANTIPHOLUS", "Who's there? Stay,\nAnd fight! 'Tis he."),
        (
            2,
            "ANTIPHOLUS OF EPHESUS",
            "He is a god, and knows\nWhat is most right.\nHere stand I:\nlady, dart thy skill at me.",
        ),
        (3, "Page", "Enter his chamber, view his corpse,\nAnd tell me."),
        (4, "Page", "To-morrow."),
        (5, "Page", "Farewell."),
    ]


@pytest.mark.parametrize(
    "line", ["Exit", "Re-enter Ghost", "To the Fool", "Knocking within", "Sings", "A tucket sounds"]
)
def test_directions(line):
    assert is_direction(line, "What is it?")


@pytest.mark.parametrize(
    "line", ["Enter'd his ear", "Exit,", "Dies.", "They have been at a great feast", "O God! O God!"]
)
def test_what_is_said(line):
    assert not is_direction(line, "NAME:")


def test_nobody_says_nothing():
    assert list(speeches(Play("x", "comedy", ""))) == []
    assert list(speeches(Play("x", "comedy", "ACT I\nSCENE I. A street.\nEnter KENT\n\nKENT:\nExit"))) == []


def test_sentences_and_words():
    text = "O, what?\nhear me! 'Tis 'the end.' Away"
    assert sentences(text) == ["O, what? hear me!", "'Tis 'the end.'", "Away"]
    assert words(text) == ["o", "what", "hear", "me", "tis", "the", "end", "away"]
    assert sentences("") == [""]


def test_census_counts_pairs_within_speeches():
    said = [
        plays.Speech("x", "comedy", 1, "A", "To be, or not to be"),
        plays.Speech("x", "comedy", 1, "B", "Or to be"),
    ]
    found = census(said)
    assert found == (9, 4, 5)  # to be, be or, or not, not to; or to
    assert found.possible == 16


def test_plays_have_the_genres_of_the_first_folio(tmp_path, monkeypatch):
    write(
        tmp_path / "plays.jsonl",
        [{"play": name, "text": "x"} for name in ("lear", "pericles", "tempest", "john")],
    )
    genres = [play.genre for play in load_plays(tmp_path)]
    assert genres == ["tragedy", "unlisted", "comedy", "history"]
    monkeypatch.delenv("KERNELTRON_DATA", raising=False)
    with pytest.raises(FileNotFoundError, match=r"KERNELTRON_DATA is not set.*public domain"):
        load_plays()


@pytest.mark.real_data
def test_all_plays():
    found = load_plays()
    genres = [play.genre for play in found]
    assert [genres.count(genre) for genre in ("comedy", "history", "tragedy", "unlisted")] == [14, 10, 12, 1]
    said = [speech for play in found for speech in speeches(play)]
    assert all(speech.speaker for speech in said)
    assert 30_900 < len(said) < 31_000
    scenes = {speech.play: speech.scene for speech in said}
    assert scenes["hamlet"] == 20
    assert scenes["cleopatra"] == 42
    by_hamlet = " ".join(speech.text for speech in said if speech.speaker == "HAMLET")
    assert "To be, or not to be, that is the question," in by_hamlet
    spoken = " ".join(speech.text for speech in said)
    assert not [direction for direction in ("Exeunt", "Re-enter", "SCENE", "[Aside]") if direction in spoken]
    counted = census(said)
    assert abs(counted.tokens - 813_000) < 1_000
    assert abs(counted.types - 27_400) < 100
    assert abs(counted.bigrams - 303_000) < 1_000
