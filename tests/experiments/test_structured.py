"""The runs on plays, splice sites, graphs and questions: on made-up data, and small ones on the real."""

import io
import json

import numpy as np
import pytest
from rich.console import Console

from kerneltron import PassiveAggressive
from kerneltron.datasets.plays import COMEDY, HISTORY, TRAGEDY, Census, Speech, load_plays, speeches
from kerneltron.datasets.splice import Strings, load_splice
from kerneltron.experiments import molecules, plays, questions, splice
from kerneltron.experiments.experiment import SAME, Asked, Outcome
from kerneltron.experiments.joining import joined
from kerneltron.kernels import Spectrum, WeightedDegree

pytestmark = pytest.mark.slow

# -- plays ---------------------------------------------------------------------------------------------


def made_up(seed=0, scenes=6, lines=6):
    """Draw speeches in which each genre has words of its own, and each person too."""
    random = np.random.default_rng(seed)
    words = {
        COMEDY: "merry jest fool love song",
        TRAGEDY: "blood death night grief sword",
        HISTORY: "king crown",
    }
    common = ["the", "of", "to", "and", "in", "my", "thy", "he", "she", "is", "was", "not", "with", "for"]
    names = {
        COMEDY: ("tempest", "lll", "measure", "merchant"),
        TRAGEDY: ("hamlet", "lear", "othello", "timon"),
        HISTORY: ("1henryiv", "2henryiv"),
    }
    persons = {COMEDY: "ARIEL", TRAGEDY: "HAMLET", HISTORY: "FALSTAFF"}
    said = []
    for genre, titles in names.items():
        own = words[genre].split() + common
        for play in titles:
            for place in range(scenes * lines):
                text = " ".join(random.choice(own, 12)).capitalize() + "."
                said.append(Speech(play, genre, 1 + place // lines, persons[genre], f"{text} {text} No."))
    return said


def test_units_are_long_sentences_with_labels():
    said = [
        Speech("hamlet", TRAGEDY, 3, "HAMLET", "Words, words. " + "O " * 9 + "that."),
        Speech("john", HISTORY, 1, "KING JOHN", "A " * 12),
    ]
    found = plays.units_of(said, lambda speech: "yes" if speech.genre == TRAGEDY else None)
    assert found == [plays.Unit(["o"] * 9 + ["that"], "yes", ("hamlet", 3))]
    assert plays.units_of(said, lambda speech: "yes", whole_plays=True)[1].group == ("john", 0)


@pytest.mark.parametrize("seed", range(5))
def test_no_group_is_on_both_sides(seed):
    units = plays.units_of(made_up(), lambda speech: speech.genre)
    outside, inside = plays.parted(units, seed=seed)
    assert sorted(outside + inside) == sorted(units)
    assert not {unit.group for unit in outside} & {unit.group for unit in inside}
    for label in (COMEDY, TRAGEDY, HISTORY):
        share = np.mean([unit in inside for unit in units if unit.label == label])
        assert 0.25 <= share < 0.35
    assert plays.parted(units, seed=seed) == (outside, inside)


def test_problems_keep_scenes_or_plays_apart():
    scenes, whole, persons = plays.problems(made_up())
    assert {unit.label for unit in scenes.test} == {COMEDY, TRAGEDY}
    assert len({unit.group for unit in whole.test}) == 2
    assert not {unit.group[0] for unit in whole.test} & {unit.group[0] for unit in whole.training}
    assert {unit.label for unit in persons.training} == {"HAMLET", "FALSTAFF"}
    assert persons.name.startswith("Hamlet or Falstaff")


def test_the_majority_is_that_of_training():
    def units(labels):
        return [plays.Unit(["o"], label, ("x", 1)) for label in labels]

    assert plays.Problem("", units("aab"), units("abbb")).majority == 0.75


def test_both_ways_learn_the_same():
    """Without collisions a hashed row is the feature vector of the kernel, and so is all that follows."""
    problem = plays.problems(made_up())[0]
    y = [unit.label for unit in problem.training]
    hashed, kernel = plays.ways((22,))
    fitted = [way.learner("PA-I", 2).fit(way.read(problem.training), y) for way in (hashed, kernel)]
    assert fitted[0].representation_.form == "primal"
    assert fitted[1].representation_.form == "dual"
    assert fitted[0].mistakes_.tolist() == fitted[1].mistakes_.tolist()
    scores = [
        learner.decision_function(way.read(problem.test))
        for learner, way in zip(fitted, (hashed, kernel), strict=True)
    ]
    np.testing.assert_allclose(scores[0], scores[1], atol=1e-4)


def test_settings_are_chosen_without_the_test_part():
    problem = plays.problems(made_up())[0]
    for way in plays.ways((12,)):
        rule, passes = plays.choose(way, problem, (1, 2))
        assert rule in plays.RULES
        assert passes in (1, 2)
        assert (rule, passes) == plays.choose(way, problem._replace(test=[]), (1, 2))


def text_of(said):
    """Return speeches as a play is printed."""
    parts, scene = [], 0
    for speech in said:
        if speech.scene != scene:
            parts.append(f"ACT I\nSCENE {'I' * speech.scene}. A street.\nEnter {speech.speaker}")
            scene = speech.scene
        parts.append(f"{speech.speaker}:\n{speech.text}\nExit")
    return "\n\n".join(parts)


@pytest.fixture
def written_plays(tmp_path, monkeypatch):
    """A folder of data that has made-up plays."""
    said = made_up(scenes=3, lines=3)
    titles = dict.fromkeys(speech.play for speech in said)
    rows = [
        {"play": title, "text": text_of([speech for speech in said if speech.play == title])}
        for title in titles
    ]
    (tmp_path / "shakespeare").mkdir()
    (tmp_path / "shakespeare" / "plays.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    monkeypatch.setenv("KERNELTRON_DATA", str(tmp_path))


def test_plays_are_counted_and_told_apart(written_plays):
    outcome = plays.reproduce(Asked(quick=True))
    words, types, pairs, *errors = outcome.comparisons
    assert (words.published, types.published, pairs.published) == (884_647, 29_066, 844)
    assert pairs.ours == pytest.approx(types.ours**2 / 1e6)
    figures = json.loads(json.dumps(outcome.figures))
    assert figures["census"]["tokens"] == words.ours
    assert len(figures["problems"]) == 3
    for rows in figures["problems"].values():
        assert [row["way"] for row in rows] == [way.name for way in plays.ways()]
        assert rows[-1]["remembered"] > 0
        assert rows[-1]["training_error"] <= 0.1
        assert rows[-1]["test_error"] <= 0.2
    assert [error.ours for error in errors] == [
        100 * row["test_error"] for rows in figures["problems"].values() for row in rows[-2:]
    ]


@pytest.mark.parametrize(("words", "verdict"), [(884_647, SAME), (880_000, SAME), (812_892, "different")])
def test_counts_of_words_have_to_be_close_to_be_the_same(words, verdict):
    assert plays.counts(Census(tokens=words, types=29_066, bigrams=1))[0].verdict == verdict


def test_the_column_of_the_lecture_holds_what_the_lecture_says():
    console = Console(file=io.StringIO(), width=100)
    console.print(plays.census_table(Census(tokens=1000, types=100, bigrams=400)))
    cells = [line.split("│")[2:4] for line in console.file.getvalue().splitlines() if "│" in line]
    assert [[cell.strip() for cell in row] for row in cells] == [
        ["1,000", "884,647"],
        ["100", "29,066"],
        ["10,000", "844 million"],
        ["400", ""],
        ["4.000 %", ""],
    ]


def test_runs_say_where_their_data_come_from(monkeypatch, tmp_path):
    monkeypatch.delenv("KERNELTRON_DATA", raising=False)
    with pytest.raises(FileNotFoundError, match="KERNELTRON_DATA is not set"):
        plays.reproduce(Asked())
    monkeypatch.setenv("KERNELTRON_DATA", str(tmp_path))
    with pytest.raises(FileNotFoundError, match=r"Neither splice.data.gz nor splice.data"):
        splice.reproduce(Asked())


@pytest.mark.soak
@pytest.mark.real_data
def test_hamlet_and_falstaff():
    """By hashing and by the kernel, on the same sentences of scenes that were not seen."""
    said = [speech for play in load_plays() for speech in speeches(play)]
    problem = plays.problems(said)[2]
    hashed, kernel = (plays.judge(way, problem, (3,)) for way in plays.ways((20,)))
    assert max(hashed.training_error, kernel.training_error) < 0.05
    assert max(hashed.test_error, kernel.test_error) < problem.majority
    assert abs(hashed.test_error - kernel.test_error) < 0.06  # the rules that are chosen may differ


# -- splice --------------------------------------------------------------------------------------------

MOTIFS = {"EI": "GTAAGT", "IE": "TTTCAG", "N": ""}


def made_up_strings(n=150, seed=0):
    """Draw strings with a motif in their middle that tells the class."""
    random = np.random.default_rng(seed)
    y = random.choice([*MOTIFS], n)
    letters = ["".join(random.choice([*"ACGT"], 60)) for _ in range(n)]
    return Strings(
        [
            text[:30] + MOTIFS[label] + text[30 + len(MOTIFS[label]) :]
            for text, label in zip(letters, y, strict=True)
        ],
        y,
    )


def test_equal_strings_are_kept_once():
    data = splice.distinct(Strings(["b", "a", "b", "c", "a"], np.array(["N", "EI", "IE", "N", "EI"])))
    assert data.X == ["b", "a", "c"]
    assert data.y.tolist() == ["N", "EI", "N"]


def test_a_cut_of_the_gram_matrix_is_the_kernel():
    data = made_up_strings()
    kernel = WeightedDegree(3).normalized() ** 2
    training, test = splice.splits(data.y, 3)[0]
    learner = PassiveAggressive(kernel=kernel, passes=3, fit_intercept=False, random_state=0)
    learner.fit([data.X[place] for place in training], data.y[training])
    score = learner.score([data.X[place] for place in test], data.y[test])
    assert splice.accuracy(kernel(data.X), data.y, "PA-I", (training, test)) == pytest.approx(score)


def test_folds_are_stratified_and_complete():
    data = made_up_strings()
    folds = splice.splits(data.y, 5)
    assert sorted(np.concatenate([test for _, test in folds])) == [*range(len(data.y))]
    for training, test in folds:
        assert not set(training) & set(test)
        assert abs(np.mean(data.y[test] == "EI") - np.mean(data.y == "EI")) < 0.04


def test_the_choice_does_not_see_the_test_fold():
    data = made_up_strings()
    grams = {"near": WeightedDegree(3)(data.X), "far": Spectrum(3)(data.X)}
    training, test = splice.splits(data.y, 3)[0]
    chosen = splice.choose(grams, data.y, training)
    hidden = {name: gram.copy() for name, gram in grams.items()}
    for gram in hidden.values():
        gram[test], gram[:, test] = np.nan, np.nan
    assert splice.choose(hidden, data.y, training) == chosen
    assert chosen[0] == "near"


def test_positions_tell_where_the_border_is():
    results = splice.run(made_up_strings(), splice.QUICK, folds=3)
    means = {candidate: np.mean(found) for candidate, found in results.table.items()}
    positional = means["WeightedDegree(3).normalized()", "PA-I"]
    assert positional > 0.85
    assert positional > means["Spectrum(4).normalized()", "PA-I"] + 0.1
    wanted = [results.table[candidate][fold] for fold, candidate in enumerate(results.chosen)]
    assert results.nested == wanted


def test_splice_sites_are_compared_with_and_without_equal_strings(tmp_path, monkeypatch):
    data = made_up_strings(60)
    lines = [f"{label}, name, {letters}\n" for letters, label in zip(data.X, data.y, strict=True)]
    (tmp_path / "splice").mkdir()
    (tmp_path / "splice" / "splice.data").write_text("".join([*lines, lines[0]]))
    monkeypatch.setenv("KERNELTRON_DATA", str(tmp_path))
    both = splice.reproduce(Asked(quick=True, parts=("all", "distinct")))
    assert [comparison.what.split(",")[0] for comparison in both.comparisons] == [
        "61 strings",
        "60 distinct strings",
    ]
    figures = json.loads(json.dumps(both.figures))
    for comparison, found in zip(both.comparisons, figures.values(), strict=True):
        assert len(found["nested"]) == len(found["chosen"]) == splice.QUICK_FOLDS
        assert comparison.ours == pytest.approx(100 * np.mean(found["nested"]))
    usual = splice.reproduce(Asked(quick=True))
    assert usual.figures == {"all": both.figures["all"]}
    assert "3 of 16 kernels are compared; --full has all." in usual.notes


@pytest.mark.soak
@pytest.mark.real_data
def test_weighted_degrees_find_splice_sites():
    """Three of the ten folds; the experiment runs over all, and chooses the kernel within each."""
    data = load_splice()
    gram = (WeightedDegree(5).normalized() ** 2)(data.X).astype(np.float32)
    found = [splice.accuracy(gram, data.y, "PA-I", fold) for fold in splice.splits(data.y, 10)[:3]]
    assert np.mean(found) > 0.955


# -- graphs and questions ------------------------------------------------------------------------------


def test_graphs_are_compared_and_what_is_missing_is_said(tmp_path, monkeypatch):
    monkeypatch.setenv("KERNELTRON_DATA", str(tmp_path))
    outcome = molecules.reproduce(Asked(quick=True))
    assert list(outcome.figures) == ["networks"]
    assert list(outcome.left_out) == ["NCI1", "MUTAG"]
    assert [len(row["accuracies"]) for row in outcome.figures["networks"]] == 2 * [molecules.QUICK_FOLDS]
    assert all(comparison.ours > 90 for comparison in outcome.comparisons)
    with pytest.raises(OSError, match="MUTAG"):
        molecules.reproduce(Asked(quick=True, parts=("MUTAG",)))


def test_published_accuracies_stand_beside_the_kernels_that_they_belong_to():
    rows = [molecules.Row(repr(kernel), np.array([0.8, 0.9]), 1.0) for kernel in molecules.refined(5)]
    found = molecules.comparisons("NCI1", rows)
    assert [comparison.published for comparison in found] == [82.2, None, 85.75]
    assert found[0].ours == pytest.approx(85)
    assert found[0].spread == pytest.approx(5)
    assert [comparison.what for comparison in found] == [
        "NCI1, patterns: accuracy",
        "NCI1, exp of patterns: accuracy",
        "NCI1, exp of patterns and distances: accuracy",
    ]
    assert [comparison.published for comparison in molecules.comparisons("networks", rows)] == [None] * 3


@pytest.mark.soak
@pytest.mark.real_data
def test_questions_are_set_beside_published_accuracies():
    outcome = questions.reproduce(Asked(quick=True))
    by_kernel = {comparison.what.split(":")[0]: comparison for comparison in outcome.comparisons}
    assert list(by_kernel) == list(questions.KERNELS)
    assert by_kernel["a bag of lemmas"].published == 86.2
    assert 75 < by_kernel["a bag of lemmas"].ours < by_kernel["trees, lemmas and letters"].ours < 92
    assert not outcome.pictures  # which take minutes
    assert json.loads(json.dumps(outcome.figures))["curves"] is None


# -- parts ---------------------------------------------------------------------------------------------


def test_parts_are_joined_in_order():
    def one(name):
        if name == "gone":
            raise FileNotFoundError("put it there")
        return Outcome([name], [name], {name: None}, ["said once", name], len(name))

    found = joined(["a", "gone", "bb"], one)
    assert found.comparisons == found.tables == list(found.pictures) == ["a", "bb"]
    assert found.notes == ["said once", "a", "bb"]
    assert found.left_out == {"gone": "put it there"}
    assert found.figures == {"a": 1, "bb": 2}
    with pytest.raises(FileNotFoundError, match="put it there"):
        joined(["gone"], one)
