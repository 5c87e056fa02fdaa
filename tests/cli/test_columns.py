"""The command line on files with columns, and on real messages."""

import gzip
import json

import numpy as np
import pytest

ROWS = [
    ("spam", "ann", "Free prize, claim it now!"),
    ("ham", "bob", "See you at noon"),
    ("ham", "ann", "Lunch at home?"),
]
KINDS = {".csv": (",", '"'), ".tsv": ("\t", "")}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("columns")
    rows = [(*row, str(number)) for number, row in enumerate(ROWS * 10)]
    for ending, (delimiter, quote) in KINDS.items():
        lines = [delimiter.join(quote + value + quote for value in row) for row in rows]
        (folder / f"bare{ending}").write_text("\n".join(lines) + "\n")
        (folder / f"mail{ending}").write_text(
            delimiter.join(["kind", "who", "body", "id"]) + "\n" + "\n".join(lines)
        )
    (folder / "semi.csv").write_text("label;text\n" + "".join(f"{row[0]};{row[2]}\n" for row in rows))
    objects = [dict(zip(("kind", "who", "body", "id"), row, strict=True)) for row in rows]
    (folder / "mail.jsonl").write_text("".join(json.dumps(row) + "\n" for row in objects))
    for row in objects:
        del row["kind"]
    (folder / "new.jsonl").write_text("".join(json.dumps(row) + "\n" for row in objects[:3]))
    (folder / "new.csv").write_text("who,extra,body,id\nann,1,free prize now,7\nbob,2,lunch at noon,8\n")
    (folder / "mail.vw").write_text("spam |body free\nham |body lunch\n")
    (folder / "bad.csv").write_text("kind,body\nspam,free,prize\n")
    return folder


@pytest.fixture
def shell(folder, monkeypatch, call_command):
    monkeypatch.chdir(folder)
    return call_command


ROLES = "--label kind --role who=user --role id=tag"


def test_the_same_columns_are_the_same_features_in_every_format(shell, folder):
    for command in (
        f"train mail.csv {ROLES} -o csv.model",
        f"train mail.tsv {ROLES} -o tsv.model",
        f"train mail.jsonl {ROLES} -o jsonl.model",
        f"train bare.csv --columns kind,who,body,id {ROLES} -o bare.model",
    ):
        assert shell(f"{command} --bits 12 --passes 3 --cross 'who*body' --json")[0] == 0, command
    answers = [
        shell(f"predict {model}.model {data} --scores")[1]
        for model, data in (
            ("csv", "mail.tsv"),
            ("tsv", "mail.tsv"),
            ("jsonl", "mail.jsonl"),
            ("csv", "mail.csv"),
        )
    ]
    assert len(set(answers)) == 1
    assert answers[0].splitlines()[1].split("\t")[:2] == ["ham", "1"]
    said = json.loads(shell("inspect csv.model --json")[1])["reading"]
    assert said["columns"] == [["kind", "label"], ["who", "user"], ["body", "text"], ["id", "tag"]]


def test_a_model_knows_the_columns_that_it_needs(shell):
    assert shell(f"train mail.csv {ROLES} --bits 12 --passes 3 -o csv.model")[0] == 0
    assert shell("predict csv.model new.jsonl")[1] == "spam\t0\nham\t1\nham\t2\n"
    assert shell("predict csv.model new.csv")[1] == "spam\t7\nham\t8\n"
    code, _, complaints = shell("evaluate csv.model new.csv")
    assert code == 2
    assert "label" in complaints
    code, _, complaints = shell("predict csv.model semi.csv --delimiter ';'")
    assert code == 2
    assert "'who'" in complaints
    assert shell("evaluate csv.model mail.jsonl")[0] == 0
    assert shell("evaluate csv.model mail.vw")[0] == 0


def test_delimiters_and_roles_are_declared(shell):
    assert shell("train semi.csv --delimiter ';' --bits 12 -o semi.model")[0] == 0
    assert shell("predict semi.model semi.csv")[1].count("\n") == 30
    assert shell("train mail.csv --label kind --role body=ignore --role who=category -o x.model")[0] == 0
    roles = json.loads(shell("inspect x.model --json")[1])["reading"]["columns"]
    assert ["body", "ignore"] in roles
    assert ["who", "category"] in roles


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("train mail.csv -o x.model", "Name it with --label NAME"),
        ("train mail.csv --label knd -o x.model", "Did you mean 'kind'?"),
        ("train mail.csv --label kind --role who=person -o x.model", "'person' is not a role"),
        ("train bare.csv -o x.model", "--columns"),
        ("train bad.csv --label kind -o x.model", "bad.csv, line 2"),
        ("train mail.jsonl --label kind --delimiter ';' -o x.model", "has no delimiter"),
    ],
)
def test_columns_that_do_not_fit_are_refused(shell, command, reason):
    code, _, complaints = shell(command)
    assert code == 2
    assert reason in complaints


@pytest.mark.real_data
def test_five_folds_of_the_sms_messages_are_right_on_98_3_percent(shell, data_folder):
    messages = data_folder / "sms_spam" / "SMSSpamCollection"
    words = "--format tsv --columns label,text --folds 5 --ngrams 2 --passes 10"
    result = json.loads(shell(f"evaluate {messages} {words} --json")[1])
    assert result["examples"] == 5574
    assert result["accuracy"] >= 0.983


@pytest.fixture
def groups(shell, data_folder):
    """Returns the accuracy on the newsgroups' test set after training on a file."""
    home = data_folder / "newsgroups"

    def right(source, passes, seed=0):
        words = f"--passes {passes} --binary --normalize --learning-rate 0.5 --random-state {seed}"
        printed = shell(f"train {source} {words} --test {home / 'test.jsonl.gz'} -o groups.model --json")[1]
        return json.loads(printed)["test"]["accuracy"]

    return right


@pytest.mark.soak
@pytest.mark.real_data
def test_newsgroups_by_date_are_right_on_80_percent(groups, data_folder):
    assert groups(data_folder / "newsgroups" / "train.jsonl.gz", passes=5) >= 0.8


@pytest.mark.soak
@pytest.mark.real_data
def test_a_file_sorted_by_label_is_learned_as_well_as_its_shuffled_copy(groups, folder, data_folder):
    with gzip.open(data_folder / "newsgroups" / "train.jsonl.gz", "rb") as file:
        lines = file.readlines()
    order = np.random.default_rng(0).permutation(len(lines))
    (folder / "sorted.jsonl").write_bytes(b"".join(lines))
    (folder / "shuffled.jsonl").write_bytes(b"".join(lines[place] for place in order.tolist()))
    # Any two orders differ by some 0.3 points: a mean over a few is what can be compared.
    accuracy = {
        name: np.mean([groups(f"{name}.jsonl", passes=3, seed=seed) for seed in range(3)])
        for name in ("sorted", "shuffled")
    }
    assert accuracy["sorted"] >= accuracy["shuffled"] - 0.005
