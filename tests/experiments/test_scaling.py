"""How time and memory grow: the exponents, the stages and the picture, on few rows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kerneltron.experiments import scaling
from kerneltron.experiments.experiment import AS_THEORY, Asked
from kerneltron.experiments.memory import most_megabytes
from kerneltron.plots.scaling import ScalingDisplay

ROWS = 4000


def stages(time, model):
    """Return stages whose time and size grow by these powers."""
    return [
        scaling.Stage(n, 1e-6 * n**time, round(1e6 * n**model), 100.0, 0.1, n)
        for n in range(1000, 10**5, 1000)
    ]


@given(st.floats(1.0, 2.0), st.floats(0.0, 1.0))
def test_exponents_are_those_by_which_time_and_size_grow(time, model):
    assert scaling.growth(stages(time, model)) == pytest.approx((time, model), abs=0.01)


def test_the_beginning_of_a_stream_does_not_count():
    at = np.array([1.0, 10, 99, 100, 300, 1000])
    values = np.where(at < 100, 77.0, at**2)
    assert scaling.exponent(at, values) == 2.0


def test_exponents_stand_beside_those_of_theory():
    found = {name: stages(way.time, way.model) for name, way in scaling.WAYS.items()}
    assert {comparison.verdict for comparison in scaling.comparisons(found)} == {AS_THEORY}
    found["linear"] = stages(1.5, 0.5)
    verdicts = [comparison.verdict for comparison in scaling.comparisons(found)]
    assert verdicts == ["unlike theory", "unlike theory", *[AS_THEORY] * 6]


@pytest.mark.slow
def test_models_of_bounded_size_stay_small_and_the_exact_one_grows():
    found = {name: scaling.run(name, ROWS) for name in scaling.WAYS}
    for name, (*_, before, last) in found.items():
        assert last.rows == ROWS
        assert last.error < 0.4
        assert (last.bytes > before.bytes) == (name == "dual")
        assert last.seconds > before.seconds > 0
    assert found["budget"][-1].remembered == 200 < found["dual"][-1].remembered <= ROWS
    assert found["dual"][-1].error < found["linear"][-1].error - 0.05


def test_a_tenth_of_the_labels_is_wrong():
    X, y = (np.concatenate(parts) for parts in zip(*scaling.pieces(1000), strict=True))
    truth = X.sum(axis=1) + (X[:, ::2] * X[:, 1::2]).sum(axis=1) > 0
    assert X.shape == (1000, scaling.COLUMNS)
    assert np.mean(truth != y) == pytest.approx(scaling.NOISE, abs=0.04)
    assert not np.array_equal(next(scaling.pieces(1000, seed=1))[0], X[:50])


@pytest.mark.soak
def test_each_learner_has_a_process_of_its_own():
    kept = np.ones(2**26)  # half a gigabyte here, which is not to be counted there
    outcome = scaling.reproduce(Asked(quick=True, parts=("linear",)))
    assert list(outcome.figures) == ["linear"]
    assert outcome.figures["linear"][-1]["megabytes"] < kept.nbytes / 2**20 < most_megabytes()
    left, right = outcome.pictures["scaling"]().axes
    (line,) = right.lines
    assert line.get_xdata().tolist() == [stage["rows"] for stage in outcome.figures["linear"]]
    assert len(left.lines[0].get_xdata()) == len(outcome.figures["linear"]) - 1


def test_the_picture_tells_exponents_and_refuses_what_does_not_fit():
    curves = {"linear": ([10, 100], [1.0, 1.0]), "dual": ([10, 100], [1.0, 10.0])}
    display = ScalingDisplay(curves=curves, exponents={"linear": 0.0, "dual": 1.0}, of="seconds").plot()
    labels = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert labels == ["linear: $n^{0.00}$", "dual: $n^{1.00}$"]
    assert (display.ax_.get_xscale(), display.ax_.get_ylabel()) == ("log", "seconds")
    with pytest.raises(ValueError, match="'dual' has 1 costs for 2 numbers of examples"):
        ScalingDisplay(curves={"dual": ([1, 2], [1.0])}, exponents={"dual": 1.0}, of="seconds")
