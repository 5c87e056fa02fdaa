"""Judging by hand-made numbers."""

import numpy as np
import pytest
from sklearn.metrics import log_loss

from benchmarks.defaults import probabilities
from benchmarks.defaults.evaluating import Outcome, leaving_out
from benchmarks.defaults.judging import (
    Wrong,
    are_passes_harmless,
    is_close,
    is_no_worse,
    share,
    standard_error,
)
from benchmarks.defaults.probabilities import Predicted
from benchmarks.defaults.shares import shares


def wrong(errors: int, rows: int = 1000) -> Wrong:
    return Wrong([np.arange(rows) < errors], 2000)


def test_the_standard_error_of_one_split_is_binomial():
    assert standard_error(wrong(100)) == pytest.approx(np.sqrt(0.1 * 0.9 / 1000))


def test_splits_that_share_rows_are_less_certain_than_independent_ones():
    means = (0.1, 0.2, 0.3)
    splits = Wrong([np.arange(50) < 50 * mean for mean in means], 100)
    assert splits.mean == pytest.approx(0.2)
    assert standard_error(splits) == pytest.approx(np.sqrt((1 / 3 + 50 / 100) * np.var(means, ddof=1)))


def test_the_same_mistakes_have_no_difference_and_are_no_worse():
    assert standard_error(wrong(100).minus(wrong(100))) == 0
    assert is_no_worse(wrong(100), wrong(100))


def test_differences_are_paired_by_rows():
    # Five more errors on the same rows: a difference of 0.005 with a standard error of 0.0022.
    assert not is_no_worse(wrong(105), wrong(100))
    assert is_no_worse(wrong(103), wrong(100))
    # The same counts on other rows are within chance.
    elsewhere = Wrong([np.arange(1000) >= 900], 2000)
    assert is_no_worse(wrong(105), elsewhere)
    assert is_no_worse(wrong(95), wrong(100))


def test_close_is_within_a_tenth_or_within_chance():
    assert is_close(wrong(110), wrong(100))
    assert not is_close(wrong(112), wrong(100))
    assert is_close(wrong(2), wrong(1))  # twice as many, yet within two standard errors
    assert is_close(wrong(0), wrong(0))


@pytest.mark.parametrize(
    ("errors", "losses", "expected"),
    [
        ((100, 90, 80), (0.5, 0.4, 0.3), True),
        ((100, 102, 100), (0.5, 0.51, 0.5), True),
        ((100, 120, 80), (0.5, 0.4, 0.3), False),
        ((100, 90, 80), (0.5, 0.52, 0.3), False),
        ((100, 90, 80), (None, None, None), True),
    ],
)
def test_passes_are_harmless_if_none_makes_it_worse(errors, losses, expected):
    assert are_passes_harmless([wrong(count) for count in errors], losses) is expected


def test_what_could_not_be_judged_does_not_count():
    assert share([True, None, False, True]) == pytest.approx(2 / 3)
    assert share([None]) is None


def test_log_loss_is_that_of_scikit_learn():
    random = np.random.default_rng(0)
    likely, y = random.dirichlet(np.ones(3), 50), random.choice(["a", "b", "c"], 50)
    predicted = Predicted.of(likely, ["a", "b", "c"], y)
    assert probabilities.log_loss([predicted]) == pytest.approx(log_loss(y, likely, labels=["a", "b", "c"]))


def test_an_unknown_class_has_the_least_probability():
    predicted = Predicted.of(np.array([[1.0, 0.0]]), ["a", "b"], ["c"])
    assert probabilities.log_loss([predicted]) == pytest.approx(-np.log(probabilities.LEAST))
    assert not predicted.is_right.any()


def test_calibration_compares_confidence_with_accuracy():
    # Ten rows of confidence 0.8, six of them right; ten of confidence 0.55, all right.
    likely = np.array([[0.8, 0.2]] * 10 + [[0.55, 0.45]] * 10)
    y = [0] * 6 + [1] * 4 + [0] * 10
    assert probabilities.calibration([Predicted.of(likely, [0, 1], y)]) == pytest.approx(
        0.5 * 0.2 + 0.5 * 0.45
    )


def test_the_choice_on_other_sets_is_tested_on_the_one_left_out():
    def outcome(errors: int) -> Outcome:
        return Outcome(wrong(errors), None, None, 0.0)

    found = leaving_out(
        {
            "steady": {"one": outcome(100), "two": outcome(100), "three": outcome(100)},
            "lucky": {"one": outcome(1), "two": outcome(150), "three": outcome(150)},
        }
    )
    assert [found[name][0] for name in found] == ["steady", "lucky", "lucky"]
    assert found["one"][1] == pytest.approx(100.5 / 1.5)
    assert found["two"][1] == pytest.approx(150.5 / 100.5)


def test_shares_count_the_sets_and_name_those_that_fail():
    def figures(name: str, close: bool, peers: dict[str, bool]) -> dict[str, object]:
        verdicts = {"close": close, "linear_close": None, "no_worse": peers, "no_worse_than_svc": None}
        likely = {"VW": {"log_loss": 0.3 if close else 0.2}, "SGD": {"log_loss": None}}
        return {
            "set": name,
            "recommended": "ours",
            "ours": {"ours": {"log_loss": 0.25}},
            "peers": likely,
            "verdicts": {**verdicts, "passes_harmless": True},
        }

    found = {
        each.question: each
        for each in shares(
            [figures("one", True, {"VW": True, "SGD": False}), figures("two", False, {"VW": True})]
        )
    }
    first, *_ = found.values()
    assert (first.share, first.failing) == (0.5, ["two"])
    assert found["the linear default is no worse than VW"].share == 1
    assert found["the linear default is no worse than SGD"].judged == 1
    assert found["the linear default is no worse than any of these"].failing == ["one"]
    assert found["the kernel machine is no worse than SVC"].share is None
    likely = next(each for question, each in found.items() if question.startswith("the log-loss"))
    assert (likely.share, likely.failing) == (0.5, ["two"])
