"""The pictures of the lectures: all are drawn, and the numbers say what the sentences say."""

import json

import numpy as np
import pytest

from kerneltron.experiments import lectures, lessons_of_runs
from kerneltron.experiments.experiment import AS_THEORY, THEORY, Asked
from kerneltron.plots import SeparatorDisplay

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def outcome():
    return lectures.reproduce(Asked(quick=True))


def test_every_lesson_is_drawn_and_can_be_saved_as_numbers(outcome):
    assert set(outcome.pictures) == set(outcome.figures) == set(lectures.PARTS)
    assert outcome.tables[0].row_count == len(lectures.PARTS)
    assert json.loads(json.dumps(outcome.figures))
    panels = {name: len(draw().axes) for name, draw in outcome.pictures.items()}
    expected = {"separators": 2, "cases": 4, "run": 11, "entering": 2, "bounds": 3, "boundary": 3, "noise": 4}
    assert expected.items() <= panels.items()
    assert panels["images"] == 16
    assert min(panels.values()) >= 1


def test_as_many_points_enter_as_in_the_lectures(outcome):
    assert [comparison.verdict for comparison in outcome.comparisons] == [AS_THEORY, AS_THEORY]
    for comparison in outcome.comparisons:
        assert comparison.kind == THEORY  # a check of the construction, not a publication
        assert "constructed" in comparison.reason
    assert outcome.figures["entering"]["support"] == {
        "ten points, w = x1 - x7": [0, 6],
        "an ellipse of three": [0, 4, 10],
    }
    assert outcome.figures["run"]["mistakes at visits"] == [1, 7]


def test_theorems_are_seen_holding(outcome):
    thin, wide = outcome.figures["separators"].values()
    assert 0 < 3 * thin["width"] < wide["width"]
    assert wide["bound"] < thin["bound"] < np.inf
    for line in (thin, wide):
        assert line["bound"] == pytest.approx((line["radius"] / line["margin"]) ** 2)
    bounds = outcome.figures["bounds"]
    assert bounds["mistakes"] <= bounds["bound"]
    assert bounds["lemmas hold"]
    assert bounds["least error"] < bounds["progressive error"] < 0.5
    *found, promised = outcome.figures["cases"].values()
    assert len(found) == 2
    for case in found:
        assert case["projection"] >= promised["projection"]
        assert case["square"] <= promised["square"]


@pytest.mark.parametrize("seed", [3, 21, 33])
def test_no_line_is_wider_than_the_widest(seed):
    from sklearn.svm import SVC

    X, y = lessons_of_runs._clouds(14, seed)
    w, b = lessons_of_runs.widest_line(X, y)
    machine = SVC(kernel="linear", C=1e6, tol=1e-9).fit(X, y)
    found = np.array([*w, b]) / np.linalg.norm(w)
    expected = np.array([*machine.coef_[0], *machine.intercept_]) / np.linalg.norm(machine.coef_)
    np.testing.assert_allclose(found, expected, atol=1e-4)
    touched = SeparatorDisplay(X=X, y=y, w=w, b=b).nearest
    assert sorted(touched) == sorted(machine.support_)
    assert set(y[touched]) == {-1, 1}  # the band touches both classes


def test_kernels_do_what_is_said_of_them(outcome):
    tiny, *_, huge = outcome.figures["widths"].values()
    assert max(tiny.values()) < 1e-3
    assert min(huge.values()) > 0.999
    for alike in outcome.figures["gram"].values():
        assert alike["same class"] > alike["others"]
    assert set(outcome.figures["lifted"]["errors"].values()) == {0}
    narrow, middle, wide = (each["support"] for each in outcome.figures["boundary"].values())
    assert middle < min(narrow, wide)
    errors = list(outcome.figures["expansion"]["errors"].values())
    assert errors == sorted(errors, reverse=True)
    assert errors[12] < 1e-3  # with 91 features of two columns


def test_what_is_said_of_digits_is_so(outcome):
    curves = outcome.figures["learning-curves"]["kernels, averaged"]
    assert curves["Polynomial(4)"][-1] < curves["Polynomial(2)"][-1] < curves["Linear()"][-1]
    scores = outcome.figures["images"]["mean score"]
    assert scores["remembered"] < scores["all"]


def test_words_of_spam_speak_for_spam(outcome):
    weights = {row["name"]: row["weight"] for row in outcome.figures["weights"]["rows"]}
    assert outcome.figures["weights"]["coverage"] > 0.99
    assert min(weights.values()) < 0 < max(weights.values())


def test_a_kernel_helps_against_a_wrong_feature_space_and_not_against_noise(outcome):
    noisy, wrong = outcome.figures["noise"].values()
    for found in (noisy, wrong):
        assert min(*found["linear"], *found["Gaussian(1)"]) >= found["bayes_error"]  # nobody can do better
    assert noisy["linear"][-1] < noisy["bayes_error"] + 0.02
    assert min(wrong["linear"]) > 0.35
    assert wrong["Gaussian(1)"][-1] < wrong["bayes_error"] + 0.03


def test_some_parts_alone_are_done_and_others_are_offered():
    assert list(lectures.reproduce(Asked(parts=("widths",))).pictures) == ["widths"]
    with pytest.raises(ValueError, match="did you mean 'widths'"):
        lectures.reproduce(Asked(parts=("width",)))
