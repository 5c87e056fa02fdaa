"""Input that means something else than classes of examples is refused, or told of: not learned in silence."""

import json
import re
import shlex

import numpy as np
import pytest

from kerneltron.jobs.class_labels import MOST_FRACTIONS, ClassLabels
from kerneltron.learning.stream_model import StreamModel

WORDS = ["red", "green", "blue", "black", "white"]


def lines(labels, count=60):
    """Return lines of VW with two namespaces."""
    return "".join(
        f"{labels[n % len(labels)]} |user u{n % 3} |text {WORDS[n % 5]} {WORDS[n * n % 5]}\n"
        for n in range(count)
    )


def table(labels, count=60):
    """Return the same as CSV."""
    rows = [f"{labels[n % len(labels)]},u{n % 3},{WORDS[n % 5]} {WORDS[n * n % 5]}\n" for n in range(count)]
    return "label,user,text\n" + "".join(rows)


def objects(labels, count=60):
    """Return the same as JSON lines."""
    rows = [
        {"label": labels[n % len(labels)], "user": f"u{n % 3}", "text": f"{WORDS[n % 5]} {WORDS[n * n % 5]}"}
        for n in range(count)
    ]
    return "".join(json.dumps(row) + "\n" for row in rows)


@pytest.fixture
def shell(own_folder, call_command):
    """Runs a command in a folder of examples; returns its code and what it printed."""
    for name, text in (("a.vw", lines("xy")), ("a.csv", table("xy")), ("a.jsonl", objects("xy"))):
        (own_folder / name).write_text(text)
    (own_folder / "a.tsv").write_text(table("xy").replace(",", "\t"))
    (own_folder / "a.svm").write_text("x 3:1\ny 4:1\n" * 9)
    return call_command


def refused(answer, *reasons):
    """Check that an answer is a refusal in one line that gives these reasons."""
    code, printed, complaints = answer
    assert (code, printed, complaints.count("\n")) == (2, "", 1), (printed, complaints)
    for reason in reasons:
        assert re.search(reason, complaints), complaints


# -- labels that are no classes ------------------------------------------------------------------------


@pytest.mark.parametrize("write", [lines, table, objects])
def test_amounts_are_no_classes(shell, tmp_path, write):
    labels = [f"{number:.4f}" for number in np.linspace(0.01, 9.87, 300)]
    (tmp_path / "amounts").write_text(write(labels, 300))
    kind = {lines: "vw", table: "csv", objects: "jsonl"}[write]
    refused(shell(f"train amounts --format {kind} -o x.model"), r"such as 0\.01", "amounts", "--classes")
    assert not (tmp_path / "x.model").exists()


def test_whole_numbers_and_few_fractions_are_classes(shell, tmp_path):
    (tmp_path / "many.vw").write_text(lines([str(n) for n in range(1, 301)], 600))
    assert shell("train many.vw --bits 6 -o many.model")[0] == 0
    assert len(StreamModel.load("many.model").learner.known) == 300
    stars = [f"{n / 2}" for n in range(1, 11)]
    (tmp_path / "stars.vw").write_text(lines(stars))
    assert shell("train stars.vw --bits 6 -o stars.model")[0] == 0


def test_amounts_that_were_named_are_classes(shell, tmp_path):
    labels = [f"{n + 0.5}" for n in range(MOST_FRACTIONS + 5)]
    (tmp_path / "named.vw").write_text(lines(labels, 200))
    refused(shell("train named.vw --bits 6 -o x.model"), "--classes")
    assert shell(f"train named.vw --bits 6 -o named.model --classes {','.join(labels)}")[0] == 0
    assert shell("train named.vw --from named.model -o more.model")[0] == 0


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1:0:0.5 | a b\n2:1:0.5 | c\n", "'1:0:0.5' says the cost of an action"),
        ("1:0.25 | a b\n2:1 | c\n", "cost"),
        ("shared |User b\n1:0:0.5 |Action a\n|Action c\n", "'shared' says the features that actions share"),
    ],
)
def test_costs_are_no_classes(shell, tmp_path, text, reason):
    (tmp_path / "costs.vw").write_text(text)
    refused(shell("train costs.vw --bits 8 -o x.model"), re.escape(reason), "VW")


def test_labels_that_look_like_costs_are_classes_elsewhere_and_where_they_were_named(shell, tmp_path):
    (tmp_path / "results.csv").write_text(table(["2:1", "0:0", "shared"]))
    assert shell("train results.csv --bits 8 -o results.model")[0] == 0
    (tmp_path / "named.vw").write_text(lines(["shared", "private"]))
    refused(shell("train named.vw --bits 8 -o x.model"), "shared")
    assert shell("train named.vw --bits 8 -o named.model --classes shared,private")[0] == 0


@pytest.mark.parametrize(("name", "line"), [("a.vw", 7), ("a.csv", 8), ("a.jsonl", 7)])
def test_a_label_that_stands_for_a_missing_one_is_a_bad_line_unless_it_was_named(shell, tmp_path, name, line):
    write = {"a.vw": lines, "a.csv": table, "a.jsonl": objects}[name]
    (tmp_path / name).write_text(write(["None", "NA"] * 3 + ["NaN"]))
    place = f"{name}, line {line}, byte "
    refused(shell(f"train {name} --bits 8 -o x.model"), place, "a missing label, unless --classes names it")
    assert shell(f"train {name} --bits 8 -o x.model --on-error skip")[0] == 0
    refused(shell(f"evaluate x.model {name}"), place, "a missing label")
    assert shell(f"predict x.model {name}")[1].count("\n") == 60
    assert shell(f"train {name} --bits 8 -o x.model --classes None,NA,NaN")[0] == 0
    assert shell(f"evaluate x.model {name}")[0] == 0


def test_labels_are_looked_at_once_and_numbered_as_before():
    labels = ClassLabels(has_costs=True)
    codes = np.array([0, 1, -1, 0], np.int32)
    assert labels.numbers(codes, [b"b", b"a"], str).tolist() == [0, 1, -1, 0]
    assert labels.names == ["b", "a"]


@pytest.mark.parametrize("name", ["a.vw", "a.csv", "a.jsonl"])
def test_one_class_is_refused_as_fit_refuses_it(shell, tmp_path, name):
    path = tmp_path / name
    path.write_text({"a.vw": lines, "a.csv": table, "a.jsonl": objects}[name]("x"))
    refused(shell(f"train {name} --bits 8 -o x.model"), "all labels are 'x'", "two", "--classes")
    assert not (tmp_path / "x.model").exists()
    assert shell(f"train {name} --bits 8 -o x.model --classes x,y")[0] == 0


# -- names that never come -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.parquet", "a.arrow"])
def test_a_table_that_has_not_the_column_of_a_cross_or_role_is_refused(shell, tmp_path, name):
    if name.endswith(("parquet", "arrow")):
        arrow = pytest.importorskip("pyarrow")
        import pyarrow.feather
        import pyarrow.parquet

        rows = arrow.Table.from_pylist([json.loads(line) for line in objects("xy").splitlines()])
        if name == "a.parquet":
            pyarrow.parquet.write_table(rows, tmp_path / name)
        else:
            pyarrow.feather.write_feather(rows, tmp_path / name, compression="uncompressed")
    refused(shell(f"train {name} --bits 8 --cross 'usr*text' -o x.model"), "'usr'")
    refused(shell(f"train {name} --bits 8 --role usr=ignore -o x.model"), "'usr'")
    refused(shell(f"train {name} --bits 8 --role user=ignore --cross 'user*text' -o x.model"), "'user'")
    assert shell(f"train {name} --bits 8 --cross 'user*text' -o x.model")[0] == 0


@pytest.mark.filterwarnings("always:.*no example has a namespace")
@pytest.mark.parametrize("name", ["a.vw", "a.jsonl"])
def test_a_cross_of_a_namespace_that_never_comes_is_told_at_the_end(shell, name):
    code, _, complaints = shell(f"train {name} --bits 8 --cross 'usr*text' -o x.model")
    assert code == 0
    assert re.match(r"kerneltron: warning: 'usr': named by --cross", complaints)
    assert shell(f"train {name} --bits 8 --cross 'user*text' -o x.model")[::2] == (0, "")
    code, _, complaints = shell(f"evaluate {name} --bits 8 --folds 2 --cross 'usr*text'")
    assert (code, "'usr'" in complaints) == (0, True)


@pytest.mark.filterwarnings("always:.*no example has a namespace")
def test_numbers_have_no_namespaces_to_cross(shell):
    code, _, complaints = shell("train a.svm --bits 8 --cross 'a*b' -o x.model")
    assert (code, "'a', 'b': named by --cross" in complaints) == (0, True)


@pytest.mark.filterwarnings("always:.*no example has a namespace")
def test_a_role_for_a_key_that_never_comes_is_told_at_the_end(shell):
    code, _, complaints = shell("train a.jsonl --bits 8 --role usr=ignore --role txt=text -o x.model")
    assert (code, complaints.count("'txt', 'usr'")) == (0, 1)
    assert shell("train a.jsonl --bits 8 --role user=ignore -o x.model")[::2] == (0, "")


@pytest.mark.parametrize("key", ["usér", 'a"b', "t\tab", "emoji 👩", "back\\slash"])
@pytest.mark.parametrize("escaped", [True, False])
def test_a_key_counts_as_met_however_it_is_written(shell, tmp_path, key, escaped):
    rows = [{"label": "xy"[n % 2], key: f"u{n % 3}"} for n in range(9)]
    text = "\n".join(json.dumps(row, ensure_ascii=escaped) for row in rows)
    (tmp_path / "keys.jsonl").write_text(text + "\n")
    assert shell(f"train keys.jsonl --bits 8 --role {shlex.quote(key)}=user -o x.model")[::2] == (0, "")


def test_a_cross_of_what_gives_no_features_is_refused(shell):
    refused(shell("train a.jsonl --bits 8 --role user=ignore --cross 'user*text' -o x.model"), "'user'")
    refused(shell("train a.jsonl --bits 8 --cross 'label*text' -o x.model"), "'label'")


# -- formats that have other features ------------------------------------------------------------------


@pytest.mark.parametrize("other", ["a.csv", "a.tsv"])
def test_a_model_of_lines_refuses_a_table(shell, other):
    assert shell("train a.vw --bits 8 -o a.model")[0] == 0
    both = ("trained on vw", rf"this is {other[2:]}")
    refused(shell(f"predict a.model {other}"), *both)
    refused(shell(f"evaluate a.model {other}"), *both)
    refused(shell(f"explain a.model --example @{other}"), *both)
    refused(shell(f"train {other} --from a.model -o b.model"), *both)
    refused(shell(f"predict a.model a.vw --format {other[2:]}"), *both)


def test_a_model_of_words_refuses_numbers(shell, tmp_path):
    assert shell("train a.csv --bits 8 -o a.model")[0] == 0
    refused(shell("predict a.model a.svm"), "trained on csv", "this is svmlight")
    (tmp_path / "numbers.csv").write_text("label,3,4\nx,1,0\ny,0,1\n" * 5)
    assert shell("train numbers.csv --bits 8 -o numbers.model")[0] == 0
    assert shell("predict numbers.model a.svm")[0] == 0


@pytest.mark.parametrize("trained", ["a.csv", "a.tsv", "a.jsonl"])
def test_tables_share_their_columns(shell, trained):
    assert shell(f"train {trained} --bits 8 --passes 5 -o a.model")[0] == 0
    answers = {shell(f"predict a.model {name} --scores")[:2] for name in ("a.csv", "a.tsv", "a.jsonl")}
    assert len(answers) == 1
    assert next(iter(answers))[0] == 0


def test_converted_examples_are_predicted_alike(shell):
    assert shell("train a.csv --bits 8 --passes 5 -o a.model")[0] == 0
    assert shell("convert a.csv -o b.vw")[0] == 0
    assert shell("predict a.model b.vw --scores") == shell("predict a.model a.csv --scores")
    assert shell("train a.vw --bits 8 --passes 5 -o a.model")[0] == 0
    assert shell("convert a.vw -o b.jsonl")[0] == 0
    assert shell("predict a.model b.jsonl --scores") == shell("predict a.model a.vw --scores")
