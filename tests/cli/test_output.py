"""Text of strangers on the way to a terminal, a TSV or JSON: it is seen, and acts on nothing."""

import json
import re
import shlex
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from kerneltron import Perceptron
from kerneltron._visible import visible
from kerneltron.cli.lines import Lines
from kerneltron.cli.running import run
from kerneltron.cli.standard_streams import prepare
from kerneltron.files import format as files
from kerneltron.jobs.answering import Answers
from kerneltron.stream.window import Window

EVIL = "a\nb\tc\x1b[31m\x9b2J\u202e\u2028\u2029\u2066\ufeff\\x"
RAW = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


@pytest.fixture
def shell(tmp_path, monkeypatch, capsysbinary):
    """Runs a command in an empty folder; returns its code and what it printed."""
    monkeypatch.chdir(tmp_path)

    def call(command):
        capsysbinary.readouterr()
        code = run(shlex.split(command) if isinstance(command, str) else command)
        printed = capsysbinary.readouterr()
        return code, printed.out.decode(), printed.err.decode()

    return call


@pytest.fixture
def evil(shell, tmp_path):
    """A model whose labels, columns and tags are those of an attacker."""
    rows = [
        {"label": EVIL if n % 2 else "ham", "id": f"{EVIL}{n}", EVIL: f"w{n % 2} of {n % 3}"}
        for n in range(20)
    ]
    (tmp_path / "evil.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n")
    code, _, complaints = shell("train evil.jsonl --bits 8 --names -o evil.model")
    assert code == 0, complaints
    return "evil.model"


@pytest.mark.parametrize(
    "command",
    [
        "train evil.jsonl --bits 8 -o other.model --test evil.jsonl --class-weight 'x\x1b=2'",
        "train evil.jsonl --bits 8 --from evil.model -o other.model",
        "evaluate evil.model evil.jsonl",
        "evaluate evil.jsonl --bits 8 --folds 2",
        "inspect evil.model",
        "explain evil.model",
        "explain evil.model --example @evil.jsonl",
        "merge evil.model evil.model -o merged.model",
        "predict evil.model evil.jsonl --scores --probabilities",
        "convert evil.jsonl -o 'x\x1b.jsonl'",
    ],
)
@pytest.mark.parametrize("json_too", [False, True])
def test_no_command_prints_a_control_character(shell, evil, command, json_too):
    code, printed, complaints = shell(f"{command} --json" if json_too else command)
    assert code == 0, complaints
    assert printed
    assert not RAW.search(printed + complaints)
    assert "\t" not in complaints + printed * (not command.startswith("predict") or json_too)
    for line in printed.split("\n")[:-1] if json_too else []:
        json.loads(line, parse_constant=lambda word: pytest.fail(f"{word} is not JSON"))


def test_a_label_or_tag_makes_neither_a_line_nor_a_field_of_its_own(shell, evil):
    _, printed, _ = shell("predict evil.model evil.jsonl --scores")
    lines = printed.removesuffix("\n").split("\n")
    assert len(lines) == 20
    rows = [line.split("\t") for line in lines]
    assert {len(row) for row in rows} == {4}
    meant = [f"{EVIL}{n}" for n in range(20)]
    assert [row[1].encode("latin-1").decode("unicode_escape") for row in rows] == meant
    _, printed, _ = shell("predict evil.model evil.jsonl --json")
    assert [json.loads(line)["tag"] for line in printed.split("\n")[:-1]] == meant


def test_a_backslash_in_a_field_can_be_told_from_an_escape(shell, tmp_path):
    (tmp_path / "paths.csv").write_text("label,text\n" + '"C:\\new",a b\n"C:\new",b c\n' * 4)
    assert shell("train paths.csv --bits 8 --passes 5 -o paths.model")[0] == 0
    _, printed, _ = shell("predict paths.model paths.csv")
    assert set(printed.split("\n")[:-1]) == {"C:\\\\new", "C:\\new"}


@pytest.mark.parametrize("bad", ["no\nsuch.vw", "\x1b[31mred.model", "\udcff.vw"])
@pytest.mark.parametrize("debug", [[], ["--debug"]])
def test_errors_show_foreign_text_on_one_line(shell, bad, debug):
    code, printed, complaints = shell([*debug, "train", bad, "-o", "x.model"])
    assert (code, printed) == (2, "")
    assert not RAW.search(complaints)
    assert complaints.split("\n")[-2].startswith("kerneltron: error: ")
    assert shell(["inspect", bad])[0] == 2
    assert shell(["predict", bad, bad])[0] == 2
    assert shell(["train", "--bits", bad, "-o", bad])[0] == 2


def test_a_model_file_of_a_stranger_is_shown_as_text(shell, tmp_path, monkeypatch):
    learner = Perceptron(random_state=0).fit([[0.0, 1.0], [1.0, 0.0]], ["no", "yes"])
    learner.save(tmp_path / "theirs.model")
    contents = files.read(tmp_path / "theirs.model")
    contents.header["parameters"]["hypothesis"] = "last\x1b[2J"
    contents.header["parameters"]["forged\nkind"] = "\x9b31m"
    monkeypatch.setattr(files, "__version__", "9.9\x1b]0;title\x07")
    files.write(tmp_path / "theirs.model", contents)
    code, printed, complaints = shell("inspect theirs.model")
    assert code == 0, complaints
    assert not RAW.search(printed + complaints)
    assert "last\\x1b[2J" in printed
    assert "kerneltron 9.9\\x1b]0;title\\x07" in printed
    assert "forged\\nkind=\\x9b31m" in printed
    assert not RAW.search(shell("inspect theirs.model --json")[1])


def test_scores_that_are_not_finite_are_null_in_json():
    window = Window(*([np.zeros(0)] * 3), np.zeros(3, np.int64), np.ones(3), np.empty(0), ["a", "", "b"], 0)
    raw = np.array([[np.inf, 0.5, 1.0], [-np.inf, np.nan, 2.0], [1.0, 2.0, 3.0]])
    learner = SimpleNamespace(known=["a", "b", "c"])
    text = Lines(["a%d", "b", "c"], True, False, True).of(
        Answers(window, np.zeros(3, np.int64), raw, learner)
    )
    read = [json.loads(line, parse_constant=pytest.fail) for line in text.splitlines()]
    assert [list(row["scores"].values()) for row in read] == [[None, 0.5, 1], [None, None, 2], [1, 2, 3]]
    assert [row.get("tag") for row in read] == ["a", None, "b"]


def test_explanations_in_python_show_foreign_labels_and_names():
    learner = Perceptron(random_state=0).fit([[0.0, 1.0], [1.0, 0.0]], ["no\x1b[31m", "yes\n"])
    printed = f"{learner.explain()}\n{learner.explain([1.0, 0.0])}"
    assert not RAW.search(printed)
    assert "yes\\n" in printed


def test_every_character_that_acts_is_made_visible_and_others_stay():
    for code in range(0x3000):
        letter = chr(code)
        assert visible(letter).isascii() or not RAW.search(letter)
        assert not RAW.search(visible(letter))
    assert visible("Grüße, 世界 👩‍🔬\u00a0x") == "Grüße, 世界 👩‍🔬\u00a0x"


def test_labels_that_a_model_does_not_know_are_named(shell, tmp_path):
    (tmp_path / "whole.csv").write_text("label,a\n1,1\n0,-1\n1,2\n0,-2\n")
    (tmp_path / "points.csv").write_text("label,a\n1.0,1\n0,-1\n")
    code, _, complaints = shell("train whole.csv --test points.csv -o a.model")
    assert (code, "1 example has a label" in complaints, "'1.0'" in complaints) == (0, True, True)
    assert "know" not in shell("evaluate a.model whole.csv")[2]


def test_labels_are_printed_where_the_encoding_lacks_them(monkeypatch, tmp_path):
    """Python stopped with 'ascii' codec can't encode, after half of the table."""
    with (tmp_path / "out").open("w", encoding="ascii") as file:
        monkeypatch.setattr(sys, "stdout", file)
        prepare()
        assert sys.stdout.errors == "backslashreplace"
        sys.stdout.detach()
