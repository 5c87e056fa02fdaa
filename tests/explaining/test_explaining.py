import json
from pathlib import Path

import numpy as np
import pytest
from sklearn.utils import murmurhash3_32

from kerneltron import LogisticRegression, Perceptron, Winnow
from kerneltron.cli.running import run
from kerneltron.explaining.explanations import Contribution, Feature, table
from kerneltron.explaining.models import strongest
from kerneltron.explaining.streams import explain_examples, explain_model, explain_text
from kerneltron.jobs.job import Job
from kerneltron.kernels import FromFunction
from kerneltron.learning.learner import Learner
from kerneltron.learning.methods import method
from kerneltron.learning.stream_model import StreamModel
from kerneltron.stream.formats import named
from kerneltron.stream.hashing import Hashing
from kerneltron.stream.spelling import as_chunk

MAIL = (
    "spam |user bob |text free prize free money",
    "ham |user al |text lunch at noon tomorrow",
    "spam |user eve |text prize money:2 now",
    "ham |user bob |text see you at lunch",
    "spam |user al |text free lunch prize",
    "ham |user eve |text noon tomorrow maybe",
)
NEWS = (*MAIL, "news |user bob |text prime minister resigns at noon")
SETTINGS = (
    {},
    {"bits": 4},
    {"signed": False},
    {"bits": 6, "copies": 3},
    {"bits": 5, "binary": True, "normalize": True},
    {"bits": 4, "damped": True, "normalize": True},
    {"bits": 5, "damped": True, "ngrams": 2, "copies": 2},
    {"bits": 7, "ngrams": 2, "skips": 1, "cross": ("user*text",), "normalize": True, "copies": 2},
)


def trained(
    folder: Path,
    lines: tuple[str, ...] = MAIL,
    learner: str = "perceptron",
    format: str = "vw",
    names: bool = True,
    hashing: dict | None = None,
    **parameters,
) -> StreamModel:
    path = folder / f"data.{format}"
    path.write_text("\n".join(lines) + "\n")
    settings = Hashing(**{"bits": 10, **(hashing or {})})
    made = Learner(method(learner)(random_state=0, passes=2, **parameters), settings.slots)
    job = Job(made, settings, named(format)(), [str(path)], keep_names=names)
    training = job.training()
    training.run()
    return job.model(training)


def explained(model: StreamModel, line: str, **options):
    (found,) = explain_examples(model, [as_chunk(model.format, line.encode(), "test")], **options)
    return found


def total(explanation) -> float:
    return sum(row.contribution for row in explanation.rows) + explanation.rest


# -- what a model has learned --------------------------------------------------------------------------


@pytest.mark.parametrize("lines", [MAIL, NEWS])
def test_each_name_has_the_weight_of_its_slot_times_its_sign(tmp_path, lines):
    model = trained(tmp_path, lines)
    vectors, classes = model.learner.model.vectors(), model.learner.known
    rows = explain_model(model, top=1000).rows
    assert rows
    for row in rows:
        h = murmurhash3_32(row.name.encode())
        column = 0 if len(classes) == 2 else classes.index(row.label)
        assert row.slot == abs(h) % 1024
        assert row.weight == (1 if h >= 0 else -1) * vectors[row.slot, column]
    assert len(rows) == np.count_nonzero(vectors[:-1])
    assert [abs(row.weight) for row in rows] == sorted((abs(row.weight) for row in rows), reverse=True)


def test_the_weight_of_a_name_with_copies_is_the_score_of_an_example_with_that_name_alone(tmp_path):
    model = trained(tmp_path, hashing={"bits": 6, "copies": 3}, fit_intercept=False)
    for row in explain_model(model, top=1000).rows:
        space, word = row.name.split("^")
        assert explained(model, f"|{space} {word}").scores["spam"] == pytest.approx(row.weight, rel=1e-5)


def test_a_slot_shows_its_most_frequent_name_and_counts_the_others(tmp_path):
    lines = [
        "a |x " + " ".join(["often"] * 5 + ["sometimes"] * 3 + ["once", "twice", "thrice"]),
        "b |x often",
    ]
    row = explain_model(trained(tmp_path, tuple(lines), hashing={"bits": 1}), top=1).rows[0]
    everyone = {
        name: abs(murmurhash3_32(f"x^{name}".encode())) % 2 for name in lines[0].split("|x ")[1].split()
    }
    sharing = [f"x^{name}" for name, slot in everyone.items() if slot == row.slot]
    assert row.name == sharing[0]
    assert row.collisions == len(sharing) - 1
    assert set(row.others) <= set(sharing[1:])
    assert row.count == {"x^often": 12, "x^sometimes": 6}.get(row.name, 2) / 2


def test_coverage_is_the_part_of_the_weight_in_slots_with_names(tmp_path):
    model = trained(tmp_path)
    assert explain_model(model).coverage == 1.0
    assert model.names is not None
    index = model.names
    keep = [number for number, text in enumerate(index.texts) if text.startswith(b"text")]
    model.names = type(index)(
        index.hashing, index.keys[keep], index.counts[keep], [index.texts[n] for n in keep]
    )
    weights = np.abs(model.learner.model.vectors()[:-1, 0])
    there = np.unique(model.names.slots())
    found = explain_model(model, top=1000)
    assert found.coverage == pytest.approx(weights[there].sum() / weights.sum())
    assert any(row.name.startswith("slot ") for row in found.rows)


def test_without_names_slots_are_listed_with_a_remark(tmp_path):
    found = explain_model(trained(tmp_path, names=False))
    assert found.rows[0].name == f"slot {found.rows[0].slot}"
    assert found.coverage == 0.0
    assert "`keep_names`" in str(found)


def test_the_first_of_two_classes_has_the_opposite_weights(tmp_path):
    model = trained(tmp_path)
    for a, b in zip(
        explain_model(model, label="ham").rows, explain_model(model, label="spam").rows, strict=True
    ):
        assert a == b._replace(weight=-b.weight, label="ham")


def test_a_class_that_is_not_known_is_refused_with_those_that_are(tmp_path):
    with pytest.raises(ValueError, match="there is no class 'eggs': choose one of ham, spam"):
        explain_model(trained(tmp_path), label="eggs")


def test_winnows_strongest_features_are_those_that_moved(tmp_path):
    model = trained(tmp_path, learner="winnow", hashing={"signed": False}, threshold=3.0)
    rows = explain_model(model, top=1000).rows
    assert all(row.weight != 1.0 and not row.name.startswith("slot") for row in rows)


def test_the_strongest_are_those_of_a_full_sort():
    strength = np.abs(np.random.default_rng(0).integers(-3, 4, (50, 3)).astype(float))
    for top in (1, 7, 149, 150, 1000):
        found = [strength[place] for place in strongest(strength, top)]
        assert found == sorted(strength[strength > 0].tolist(), reverse=True)[:top]


# -- why an example is classified so -------------------------------------------------------------------


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize("lines", [MAIL, NEWS], ids=["two", "three"])
def test_contributions_sum_to_the_score_that_predicts(tmp_path, settings, lines):
    model = trained(tmp_path, lines, hashing=settings)
    for line in (*lines, "|text nothing known", "|", "|text free:-2.5 free:0.25 |user bob"):
        for label in model.learner.known:
            for top in (None, 1, 3):
                found = explained(model, line, label=label, top=top)
                assert total(found) == pytest.approx(found.score, abs=1e-5)
                assert found.score == found.scores[label]
        found = explained(model, line)
        assert found.label == found.predicted
        assert found.score == max(found.scores.values()) or found.score == 0.0


def test_names_of_word_groups_and_crosses_are_written_out(tmp_path):
    model = trained(tmp_path, hashing={"ngrams": 2, "cross": ("user*text",)}, names=False)
    names = {row.name for row in explained(model, "|user bob |text free prize", top=None).rows}
    assert names == {
        "user^bob", "text^free", "text^prize", "text^free prize", "constant",
        "user^bob*text^free", "user^bob*text^prize", "user^bob*text^free prize",
    }  # fmt: skip


def test_a_repeated_word_is_one_row_with_its_count(tmp_path):
    rows = explained(trained(tmp_path), "|text free free:0.5", top=None).rows
    assert [row.value for row in rows if row.name == "text^free"] == [1.5]


def test_logistic_regression_tells_probabilities(tmp_path):
    found = explained(trained(tmp_path, learner="logistic"), MAIL[0])
    assert found.probabilities["spam"] == pytest.approx(1 / (1 + np.exp(-found.scores["spam"])))
    assert "probability" in str(found)


@pytest.mark.parametrize("lines", [MAIL, NEWS], ids=["two", "three"])
def test_a_dual_model_is_explained_by_the_examples_that_it_remembers(tmp_path, lines):
    model = trained(tmp_path, lines, kernel="Polynomial(2)", representation="dual", names=False)
    remembered = {row.example for row in explain_model(model).rows}
    found = explained(model, lines[0], top=None)
    assert total(found) == pytest.approx(found.score, abs=1e-5)
    assert {row.example for row in found.rows} == {None, *remembered}
    for row in found.rows:
        assert row.contribution == pytest.approx(row.coefficient * row.kernel)
    own = next(row for row in found.rows if row.example == 0)
    assert own.kernel == pytest.approx((1 + 1 + 4 + 1 + 1) ** 2)  # user, free twice, prize, money; and c = 1
    assert own.common[0] == "text^free"


def test_features_of_a_kernel_are_products_of_names(tmp_path):
    options = {"kernel": "Polynomial(2)", "representation": "primal"}
    model = trained(tmp_path, hashing={"bits": 6}, **options)
    assert any(row.name == "text^free*text^free" for row in explain_model(model, top=1000).rows)
    found = explained(model, MAIL[0], top=None)
    assert total(found) == pytest.approx(found.score, abs=1e-4)
    assert "user^bob*text^prize" in {row.name for row in found.rows} | {
        "*".join(row.name.split("*")[::-1]) for row in found.rows
    }


@pytest.mark.parametrize("format", ["csv", "jsonl"])
def test_a_file_of_another_format_with_the_same_columns_is_explained(tmp_path, capsys, format):
    lines = {
        "csv": ("label,text,n", "spam,free prize,2", "ham,at noon,1", "spam,Free money,3"),
        "jsonl": ('{"label":"spam","text":"free prize","n":2}', '{"label":"ham","text":"at noon","n":1}'),
    }
    trained(tmp_path, lines[format], format=format).save(tmp_path / "text.model")
    (tmp_path / "new.jsonl").write_text('{"text":"Free lunch","n":1}\n')
    for example in (f"@{tmp_path}/new.jsonl", "Free lunch"):
        assert run(["explain", str(tmp_path / "text.model"), "--example", example, "--json"]) == 0
        names = {row["name"] for row in json.loads(capsys.readouterr().out)["rows"]}
        assert names == {"text^free", "text^lunch", "constant"} | ({"n"} if example[0] == "@" else set())


def test_plain_text_is_taken_for_the_one_column_of_text(tmp_path):
    lines = ("label,text", "spam,free prize money", 'ham,"lunch, at noon"', "spam,free money", "ham,see you")
    model = trained(tmp_path, lines, format="csv")
    for text in ("free lunch", "free, lunch", "free\nlunch", "Free\tLunch"):
        (found,) = explain_text(model, text, top=None)
        assert {row.name for row in found.rows} == {"text^free", "text^lunch", "constant"}
    (found,) = explain_text(model, "spam,free")
    assert {row.name for row in found.rows} == {"text^free", "constant"}
    assert len(list(explain_text(model, "spam,free\nham,at noon"))) == 2


# -- learners ------------------------------------------------------------------------------------------

X = np.random.default_rng(0).integers(-2, 3, (60, 4)).astype(float)
Y = np.where(X[:, 0] + X[:, 1] * X[:, 2] > 0, "yes", "no")
THREE = np.array(["a", "b", "c"])[np.clip(X[:, 0].astype(int), -1, 1) + 1]


@pytest.mark.parametrize("y", [Y, THREE], ids=["two", "three"])
@pytest.mark.parametrize(
    "learner",
    [
        Perceptron(random_state=0),
        LogisticRegression(random_state=0),
        Perceptron(random_state=0, fit_intercept=False, hypothesis="last"),
        Perceptron(random_state=0, hypothesis="random", kernel="Gaussian(1.5)"),
        Perceptron(random_state=0, kernel="Polynomial(2)", representation="primal"),
        Perceptron(random_state=0, kernel="Polynomial(2)", representation="dual"),
    ],
    ids=str,
)
def test_a_learner_explains_an_example_by_contributions_that_sum_to_its_score(learner, y):
    learner.fit(X, y)
    for row, predicted in zip(X[:5], learner.predict(X[:5]), strict=True):
        found = learner.explain(row, top=3)
        assert found.predicted == predicted
        assert len(found.rows) <= 3
        assert total(found) == pytest.approx(found.score)
        scores = learner.decision_function(row[None])
        expected = [-scores[0], scores[0]] if len(learner.classes_) == 2 else scores[0]
        assert list(found.scores.values()) == pytest.approx(list(expected))


def test_a_learner_lists_its_coefficients():
    learner = Perceptron(random_state=0).fit(X, THREE)
    rows = learner.explain(top=1000).rows
    weights = {
        (f"x{j}", label): w
        for label, row in zip("abc", learner.coef_, strict=True)
        for j, w in enumerate(row)
    }
    assert {(row.name, row.label): row.weight for row in rows} == {key: w for key, w in weights.items() if w}
    assert {row.label for row in learner.explain(label="b").rows} == {"b"}


def test_a_learner_lists_the_examples_that_it_remembers():
    learner = Perceptron(random_state=0, kernel="Gaussian(1.5)").fit(X, Y)
    rows = learner.explain(top=1000).rows
    expected = dict(zip(learner.support_.tolist(), learner.dual_coef_[0].tolist(), strict=True))
    assert {row.example: row.coefficient for row in rows} == expected


def test_features_of_a_map_are_products_of_column_names():
    frame = pytest.importorskip("pandas").DataFrame(X, columns=["age", "size", "dose", "time"])
    learner = Perceptron(random_state=0, kernel="Polynomial(2)", representation="primal").fit(frame, Y)
    assert "size*dose" in [row.name for row in learner.explain(top=3).rows]
    assert learner.explain(frame.iloc[0]).rows[0].name.split("*")[0] in [*frame.columns, "constant", "1"]


def test_examples_that_are_no_rows_of_numbers_are_explained_too():
    kernel = FromFunction(lambda a, b: float(len(set(a) & set(b))))
    learner = Perceptron(kernel=kernel, random_state=0).fit(["ab", "bc", "xy", "yz"], [0, 0, 1, 1])
    found = learner.explain(["ay"])
    assert total(found) == pytest.approx(found.score)


def test_what_cannot_be_explained_says_why():
    with pytest.raises(ValueError, match="vote of many vectors"):
        Perceptron(hypothesis="vote", random_state=0).fit(X, Y).explain()
    learner = Perceptron(random_state=0).fit(X, Y)
    with pytest.raises(ValueError, match="X has 60 examples: explain takes one"):
        learner.explain(X)
    with pytest.raises(ValueError, match="there is no class 'maybe'"):
        learner.explain(label="maybe")
    with pytest.raises(ValueError, match="top"):
        learner.explain(top=0)


def test_a_weight_of_winnow_is_that_of_the_vector_that_predicts():
    learner = Winnow(random_state=0).fit(X > 0, Y)
    found = learner.explain((X[0] > 0).astype(float), top=100)
    assert total(found) == pytest.approx(found.score)


def test_a_table_leaves_out_empty_columns_and_what_cannot_be_printed():
    lines = table([Feature("a\x1b[31m" + "b" * 100, 1.0, "spam")]).splitlines()
    assert lines[0].split() == ["name", "weight", "label"]
    assert "\x1b" not in lines[1]
    assert "..." in lines[1]
    assert table([Contribution("x", 1.0, 2.0, 2.0)]).splitlines()[1].split() == ["x", "1", "+2", "+2"]


# -- the command line ----------------------------------------------------------------------------------

MODEL = """\
name         weight  label  count  slot  collisions
text^free        +2  spam       3   882           0
text^prize       +1  spam       3   610           0
text^money       +1  spam       2   701           0
text^at     -0.8333  spam       2   340           0
Constant feature: spam: -0.4167
Named: 100.0 % of the weight.
Above 0 speaks for spam, below 0 for ham.
"""
EXAMPLE = """\
Predicted: spam (score +5.75, probability 0.939)
Other scores: ham: -5.75
For spam:
name        value  weight  contribution
text^free       2      +2            +4
text^prize      1      +1            +1
and 3 more, together +0.75
"""


def test_the_command_line_prints_what_python_says(tmp_path, capsys):
    model = trained(tmp_path)
    path = str(tmp_path / "mail.model")
    model.save(path, resumable=False)
    assert run(["explain", path, "--top", "4"]) == 0
    assert capsys.readouterr().out == MODEL
    assert run(["explain", path, "--class", "ham", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == explain_model(model, label="ham").to_json()
    assert run(["explain", path, "--example", MAIL[0], "--top", "2"]) == 0
    assert capsys.readouterr().out == EXAMPLE
    assert run(["explain", path, "--example", f"@{tmp_path}/data.vw", "--json"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [json.loads(line) for line in lines] == [explained(model, line).to_json() for line in MAIL]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nowhere.model"], "nowhere.model"),
        (["MODEL", "--class", "eggs"], "there is no class 'eggs'"),
        (["MODEL", "--top", "0"], "--top"),
        (["MODEL", "--example", "no bar"], "example, line 1, byte 1: no '|'"),
        (["MODEL", "--example", "|a b\n|a b:x"], "example, line 2, byte 6: this is not a finite number"),
        (["MODEL", "--example", "  "], "holds no example"),
        (["MODEL", "--example", "@nowhere.vw"], "nowhere.vw"),
        (["data.vw"], "not a model file"),
    ],
)
def test_what_cannot_be_exits_with_2_and_a_reason(tmp_path, capsys, monkeypatch, words, message):
    monkeypatch.chdir(tmp_path)
    trained(tmp_path).save("mail.model")
    assert run(["explain", *(word.replace("MODEL", "mail.model") for word in words)]) == 2
    assert message in capsys.readouterr().err
