"""What `kerneltron train` does with texts unless told otherwise, and what it leaves alone."""

import json
import re
from functools import partial

import numpy as np
import pandas
import pytest

from kerneltron.files import format as files
from kerneltron.jobs.choosing import choose
from kerneltron.learning.methods import METHODS, method
from kerneltron.learning.stream_model import StreamModel
from kerneltron.stream.declared import Declared
from kerneltron.stream.formats.finding import format_for
from kerneltron.stream.looking import first_look
from kerneltron.training.checkpoints import Checkpoints

SPAM = ("free", "prize", "win", "cash", "claim", "now")
BOTH = ("at", "noon")
HAM = ("lunch", "see", "you", "home", "soon", "never", "again")


def sentence(number):
    """Return from 2 to 9 words; odd and even numbers have vocabularies of their own."""
    random = np.random.default_rng(number)
    half = (*SPAM, *BOTH) if number % 2 else (*BOTH, *HAM)
    return " ".join(random.choice(half, random.integers(2, 10)))


TEXTS = [(f"{number % 2}", sentence(number)) for number in range(120)]
LABELS = [label for label, _ in TEXTS]
NUMBERS = np.random.default_rng(0).normal(size=(120, 6)).round(3)


def vowpal(lines):
    return "".join(f"{label} |f {line}\n" for (label, _), line in zip(TEXTS, lines, strict=True))


def table(delimiter, *columns):
    head = delimiter.join(["label", *(f"c{number}" for number in range(len(columns)))])
    body = [
        delimiter.join(map(str, row)) for row in zip([label for label, _ in TEXTS], *columns, strict=True)
    ]
    return "\n".join([head, *body]) + "\n"


SENTENCES = [text for _, text in TEXTS]
LOOKS = {
    "text.vw": (vowpal(SENTENCES), True),
    "values.vw": (vowpal(" ".join(f"c{j}:{x}" for j, x in enumerate(row)) for row in NUMBERS), False),
    "ones.vw": (vowpal(" ".join(f"{word}:1" for word in text.split()) for text in SENTENCES), False),
    "identifiers.vw": (vowpal(" ".join(str(len(w)) for w in text.split()) for text in SENTENCES), False),
    "categories.vw": (vowpal(f"age={n % 7} job={n % 5} town={n % 11}" for n in range(120)), False),
    "numbers.svm": (
        "".join(
            f"{label} " + " ".join(f"{j + 1}:{x}" for j, x in enumerate(row)) + "\n"
            for (label, _), row in zip(TEXTS, NUMBERS, strict=True)
        ),
        False,
    ),
    "text.csv": (table(",", SENTENCES), True),
    "text.tsv": (table("\t", SENTENCES), True),
    "numbers.csv": (table(",", *NUMBERS.T), False),
    "categories.csv": (table(",", ["a", "b"] * 60, ["c", "d", "e"] * 40), False),
    "names_and_numbers.csv": (table(",", ["Ann Lee"] * 120, *NUMBERS.T), False),
    "text_and_a_number.csv": (table(",", SENTENCES, NUMBERS[:, 0]), True),
    "text.jsonl": ("".join(json.dumps({"label": y, "body": t}) + "\n" for y, t in TEXTS), True),
    "lists.jsonl": ("".join(json.dumps({"label": y, "body": t.split()}) + "\n" for y, t in TEXTS), True),
    "numbers.jsonl": (
        "".join(f'{{"label": {y}, "a": {a}}}\n' for y, a in zip(LABELS, NUMBERS[:, 0], strict=True)),
        False,
    ),
    "empty.vw": ("", False),
    "bad.csv": ("label,text\n1\n2,3,4\n", False),
}  # fmt: skip


def look(path):
    return first_look([str(path)], format_for([str(path)], Declared()))


@pytest.mark.parametrize("name", LOOKS)
def test_first_examples_tell_texts_from_other_data(tmp_path, name):
    contents, is_text = LOOKS[name]
    path = tmp_path / name
    path.write_text(contents)
    declared = Declared(format="vw") if name == "empty.vw" else Declared()
    seen = first_look([str(path)], format_for([str(path)], declared))
    assert seen.is_text == is_text, seen
    if is_text:
        assert seen.examples == 120
        assert seen.labels == {"0", "1"}


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet"])
def test_all_words_of_columns_of_text_are_counted_and_nothing_else(tmp_path, ending):
    frame = pandas.DataFrame(
        {"label": LABELS, "a": SENTENCES, "n": NUMBERS[:, 0], "b": SENTENCES, "c": LABELS}
    )
    frame["c"] = "c" + frame["c"]
    path = tmp_path / f"data.{ending}"
    if ending == "jsonl":
        frame.to_json(path, orient="records", lines=True)
    elif ending == "parquet":
        pytest.importorskip("pyarrow")
        frame.to_parquet(path)
    else:
        frame.to_csv(path, sep="," if ending == "csv" else "\t", index=False)
    seen, words = look(path), sum(len(text.split()) for text in SENTENCES)
    assert (seen.words, seen.features) == (2 * words, 2 * words + 2 * len(SENTENCES))


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
@pytest.mark.parametrize(("column", "is_text"), [("text", True), ("number", False)])
def test_columns_with_types_tell_it_too(tmp_path, ending, column, is_text):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import feather, parquet

    values = SENTENCES if column == "text" else NUMBERS[:, 0]
    made = pyarrow.table({"label": [label for label, _ in TEXTS], "c": values})
    path = tmp_path / f"data.{ending}"
    if ending == "parquet":
        parquet.write_table(made, path)
    else:
        feather.write_feather(made, str(path), compression="uncompressed")
    assert look(path).is_text == is_text


def test_an_empty_file_before_the_first_examples_is_passed_over(tmp_path):
    (tmp_path / "a.vw").write_text("")
    (tmp_path / "b.vw").write_text(LOOKS["text.vw"][0])
    names = [str(tmp_path / name) for name in ("a.vw", "b.vw")]
    assert first_look(names, format_for(names, Declared(format="vw"))).is_text


CHOSEN = {
    "damped": True, "normalize": True, "ngrams": 2, "bits": 22, "learning_rate": 1.0, "passes": 5,
}  # fmt: skip
TEXT_ROWS = ("damped", "normalize", "ngrams", "bits")
PLAIN = {"damped": False, "normalize": False, "ngrams": 1, "bits": 18, "learning_rate": 0.1, "passes": 1}
GIVEN = [
    ({}, {}, {}),
    ({"damped": False}, {}, {"damped": False}),
    ({"binary": True}, {}, {"damped": False, "binary": True}),
    ({"binary": False}, {}, {"damped": False, "binary": False}),
    ({"normalize": False}, {}, {"normalize": False, "learning_rate": 0.1}),
    ({"ngrams": 1}, {}, {"ngrams": 1}),
    ({"ngrams": 3}, {}, {"ngrams": 3}),
    ({"bits": 10}, {}, {"bits": 10}),
    ({"skips": 1}, {}, {"skips": 1}),
    ({}, {"learning_rate": 0.1}, {"learning_rate": 0.1}),
    ({}, {"passes": 1}, {"passes": 1}),
    ({}, {"l2": 0.0}, {"l2": 0.0}),
    ({"normalize": False}, {"learning_rate": 2.0}, {"normalize": False, "learning_rate": 2.0}),
]


def chosen(path, words, parameters, is_text=None, learner="logistic", scale=None):
    """Return all settings that are learned with, and those that are said to be chosen."""
    look = partial(first_look, [str(path)], format_for([str(path)], Declared()))
    method, hashing, said = choose(learner, words, parameters, look, is_text, scale)
    return {**hashing.to_json(), "damped": hashing.damped, **vars(method)}, said


@pytest.mark.parametrize(("words", "parameters", "wins"), GIVEN)
def test_what_is_given_wins_one_by_one(tmp_path, words, parameters, wins):
    path = tmp_path / "text.vw"
    path.write_text(LOOKS["text.vw"][0])
    settings, said = chosen(path, words, parameters)
    expected = {**CHOSEN, **wins}
    assert {name: settings[name] for name in expected} == expected
    unlike_other_data = {name for name, value in PLAIN.items() if expected[name] != value}
    assert set(said.settings) == unlike_other_data - {*words, *parameters}


@pytest.mark.parametrize(
    ("name", "is_text", "words", "parameters", "learner", "differs"),
    [
        ("numbers.csv", None, {}, {}, "logistic", {"passes": 5}),
        ("numbers.csv", None, {"normalize": True}, {}, "logistic", {"normalize": True, "learning_rate": 1.0}),
        ("numbers.csv", True, {}, {}, "logistic", {**CHOSEN, "learning_rate": 0.5}),
        ("text_and_a_number.csv", None, {}, {}, "logistic", {**CHOSEN, "learning_rate": 0.5}),
        ("text_and_a_number.csv", None, {}, {}, "perceptron", CHOSEN),
        ("categories.vw", None, {}, {}, "logistic", {}),
        ("text.csv", False, {}, {}, "logistic", {}),
        ("text.csv", None, {}, {"kernel": "Polynomial(2)"}, "logistic", {}),
        ("text.csv", None, {}, {"budget": 9}, "perceptron", {"learning_rate": 1.0}),
        ("text.csv", None, {}, {"hypothesis": "vote"}, "perceptron", {"learning_rate": 1.0}),
        ("text.csv", None, {}, {"hypothesis": "last"}, "perceptron", CHOSEN),
    ],
)
def test_other_data_and_learners_keep_what_they_had(
    tmp_path, name, is_text, words, parameters, learner, differs
):
    path = tmp_path / name
    path.write_text(LOOKS[name][0])
    settings, _ = chosen(path, words, parameters, is_text, learner)
    expected = {**PLAIN, **differs}
    assert {each: settings.get(each, expected[each]) for each in expected} == expected


LEARNERS = sorted(name for name in METHODS if method(name).on_texts)
ON_TEXTS = {
    "pegasos": {"passes": 10},
    "perceptron": {"margin": 1.0},
    "romma": {"aggressive": True, "passes": 10},
    "winnow": {"balanced": True, "threshold": 0.0},
}


@pytest.mark.parametrize("learner", LEARNERS)
def test_every_learner_has_settings_for_texts_and_for_numbers(tmp_path, learner):
    assert "svm" not in LEARNERS
    for name in ("text.csv", "numbers.csv"):
        (tmp_path / name).write_text(LOOKS[name][0])
    settings, said = chosen(tmp_path / "text.csv", {}, {}, learner=learner)
    expected = {**{name: CHOSEN[name] for name in TEXT_ROWS}, "passes": 5, **ON_TEXTS.get(learner, {})}
    assert {name: settings[name] for name in expected} == expected
    assert {**said.settings, "learning_rate": 1.0} == {**expected, "learning_rate": 1.0}
    assert settings.get("scale", False) is said.scales is False
    settings, said = chosen(tmp_path / "numbers.csv", {}, {}, learner=learner)
    assert (said.settings, said.scales) == ({"scale": True, "passes": 5}, True)
    assert (settings["normalize"], settings["bits"]) == (False, 18)


@pytest.mark.parametrize(
    ("given", "differs"),
    [
        ({"balanced": True}, {}),
        ({"threshold": 3.0}, {"threshold": 3.0}),
        ({"balanced": False}, {"balanced": False, "threshold": None}),
        ({"balanced": False, "threshold": 3.0}, {"balanced": False, "threshold": 3.0}),
    ],
)
def test_no_threshold_of_0_where_winnow_has_one_weight_per_feature(tmp_path, given, differs):
    (tmp_path / "text.csv").write_text(LOOKS["text.csv"][0])
    settings, said = chosen(tmp_path / "text.csv", {}, given, learner="winnow")
    expected = {"balanced": True, "threshold": 0.0, **differs}
    assert {name: settings[name] for name in expected} == expected
    assert not set(said.settings) & set(given)


def test_scaling_that_is_asked_for_has_the_passes_of_scaling_that_is_chosen(tmp_path):
    (tmp_path / "numbers.csv").write_text(LOOKS["numbers.csv"][0])
    for scale, passes, learned in ((None, 5, ["scale", "passes"]), (True, 5, ["passes"]), (False, 1, [])):
        settings, said = chosen(tmp_path / "numbers.csv", {}, {}, scale=scale)
        assert (settings["passes"], list(said.settings)) == (passes, learned)
    settings, said = chosen(tmp_path / "numbers.csv", {}, {"kernel": "Gaussian(1)"}, scale=True)
    assert (settings["passes"], said.settings, said.scales) == (1, {}, True)


@pytest.mark.parametrize(("is_text", "because"), [(None, "texts with numbers"), (False, "numbers")])
def test_scaling_and_settings_for_texts_are_chosen_apart(tmp_path, is_text, because):
    lines = [f"{'ab'[i % 2]},some words of text number{i},{i * 1000.5}\n" for i in range(50)]
    (tmp_path / "mixed.csv").write_text("".join(["label,text,amount\n", *lines]))
    automatic, said = chosen(tmp_path / "mixed.csv", {}, {}, is_text)
    assert (said.scales, said.because.split(":")[0]) == (True, f"as suits {because}")
    assert chosen(tmp_path / "mixed.csv", {}, {}, is_text, scale=True)[0] == automatic
    assert not chosen(tmp_path / "mixed.csv", {}, {}, is_text, scale=False)[1].scales


@pytest.mark.parametrize(("labels", "bits"), [(1, 20), (2, 22), (3, 20), (64, 20), (65, 18)])
def test_many_classes_share_the_memory(tmp_path, labels, bits):
    path = tmp_path / "text.vw"
    path.write_text("".join(f"l{n % labels} |f {sentence(n)}\n" for n in range(130)))
    assert chosen(path, {}, {})[0]["bits"] == bits


# -- on the command line -----------------------------------------------------------------------------


@pytest.fixture
def shell(tmp_path, monkeypatch, call_command):
    """Runs a command in a folder with texts."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text.vw").write_text(LOOKS["text.vw"][0])
    (tmp_path / "text.jsonl").write_text(LOOKS["text.jsonl"][0])
    return call_command


SMALL = "--bits 12"  # the bits that texts have would make files of 80 MB


def test_what_was_chosen_is_printed_and_saved(shell, tmp_path):
    code, printed, complaints = shell(f"train text.vw {SMALL} -o a.model")
    assert (code, complaints) == (0, "")
    assert "--damped --normalize --ngrams 2 --learning-rate 1 --passes 5 (as suits texts: 100 % of" in printed
    assert re.search(
        r"progressive error +[\d.]+ % in the first pass \([\d.]+ % by what predicts\), [\d.]+ % in all",
        printed,
    )
    model = StreamModel.load(tmp_path / "a.model")
    assert (model.hashing.damped, model.hashing.normalize, model.hashing.ngrams) == (True, True, 2)
    assert (model.learner.method.learning_rate, model.learner.method.passes) == (1.0, 5)
    said = json.loads(shell(f"train text.vw {SMALL} -o b.model --json")[1])
    assert said["chosen"] == {name: value for name, value in CHOSEN.items() if name != "bits"}
    assert (tmp_path / "a.model").read_bytes() == (tmp_path / "b.model").read_bytes()
    folds = json.loads(shell(f"evaluate text.vw {SMALL} --folds 2 --json")[1])
    assert folds["chosen"] == said["chosen"]


def test_what_is_chosen_can_be_given(shell, tmp_path):
    assert shell(f"train text.jsonl {SMALL} -o a.model")[0] == 0
    given = "--damped --normalize --ngrams 2 --learning-rate 1 --passes 5 --no-text"
    assert shell(f"train text.jsonl {SMALL} {given} -o b.model")[0] == 0
    assert (tmp_path / "a.model").read_bytes() == (tmp_path / "b.model").read_bytes()


def test_a_model_goes_on_with_its_own_settings(shell, tmp_path):
    assert shell(f"train text.vw {SMALL} --no-text -o plain.model")[0] == 0
    assert shell(f"train text.vw {SMALL} -o text.model")[0] == 0
    for name, damped in (("plain", False), ("text", True)):
        code, printed, _ = shell(f"train text.vw --from {name}.model -o on.model")
        assert (code, "chosen" in printed) == (0, False)
        model = StreamModel.load(tmp_path / "on.model")
        assert (model.hashing.damped, model.learner.method.passes) == (damped, 1)
    assert shell("predict text.model text.vw")[0] == 0
    assert shell("evaluate text.model text.vw")[0] == 0
    assert shell("merge text.model text.model -o merged.model")[0] == 0
    assert StreamModel.load(tmp_path / "merged.model").hashing.damped
    code, _, complaints = shell("predict text.model text.vw --counts")
    assert code == 0  # as it was: counts are what is damped
    code, _, complaints = shell("predict text.model text.vw --no-damped")
    assert (code, "damped=True and damped=False" in complaints) == (2, True)


def test_binary_and_damped_contradict(shell):
    code, _, complaints = shell("train text.vw --binary --damped -o a.model")
    assert (code, "give one of them" in complaints) == (2, True)


@pytest.mark.parametrize("options", ["", "--no-text"])
def test_a_training_is_taken_up_with_the_settings_that_it_was_begun_with(
    shell, tmp_path, monkeypatch, options
):
    """One that was begun before texts had settings of their own is like one that was begun with --no-text."""
    monkeypatch.setattr(Checkpoints, "end", lambda self: None)
    assert shell(f"train text.vw {SMALL} {options} --checkpoint-every 50 -o a.model")[0] == 0
    whole = (tmp_path / "a.model").read_bytes()
    assert "damped" in files.restored("a.model.checkpoint", lambda c: c.part("options").header) or options
    assert shell(f"train text.vw {SMALL} --checkpoint-every 50 --resume -o a.model")[0] == 0
    assert (tmp_path / "a.model").read_bytes() == whole


def test_texts_that_leave_no_room_for_a_cache_are_passed_over_once(shell, monkeypatch):
    monkeypatch.setattr("kerneltron.jobs.new_job.ROOM", 100)
    assert json.loads(shell(f"train text.vw {SMALL} -o a.model --json")[1])["passes"] == 1
    assert json.loads(shell(f"train text.vw {SMALL} --passes 3 -o a.model --json")[1])["passes"] == 3
