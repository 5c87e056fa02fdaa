"""Kernels with more features than any number in memory has digits for: everything but listing them works."""

import json
import subprocess
import sys
from math import comb, inf, log

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from kerneltron import LogisticRegression, ManyTasks, Perceptron, load, save
from kerneltron.cli.running import run
from kerneltron.files.format import ModelFileError, read, write
from kerneltron.kernels import AllSubsets, Conjunctions, Constant, Linear, MonotoneConjunctions, Polynomial
from kerneltron.maps.counting import log_comb, log_sum
from kerneltron.models.representation import Setting, choose

GENERATOR = np.random.default_rng(0)
BOOLEANS = GENERATOR.integers(0, 2, (60, 784)).astype(bool)
SPARSE = sp.random(60, 20_000, 0.002, "csr", random_state=0, dtype=np.float64)
NARROW = GENERATOR.normal(size=(60, 1200)) / 60

FORMS = [
    (Conjunctions().normalized(), BOOLEANS),
    (MonotoneConjunctions().normalized(), BOOLEANS),
    (MonotoneConjunctions().normalized(), np.tile(BOOLEANS, (1, 2))),
    (Conjunctions(size=5).normalized(), BOOLEANS),
    (AllSubsets(), NARROW),
    (AllSubsets(), SPARSE),
    (AllSubsets(size=9_000), SPARSE),
    (AllSubsets() * Polynomial(3), SPARSE),
    (AllSubsets() + Polynomial(3), SPARSE),
    (Polynomial(400).normalized(), NARROW),
    (Polynomial(1_000_000_000).normalized(), NARROW),
    (((Linear() + 1) ** 400).normalized(), NARROW),
    (((Linear() + 1) ** 1_000_000_000).normalized(), NARROW),
    (((((Linear() + 1) ** 300) ** 300) ** 300).normalized(), NARROW),
]


@pytest.mark.parametrize("wanted", ["auto", "dual"])
@pytest.mark.parametrize(("kernel", "X"), FORMS, ids=lambda value: str(value)[:40])
def test_learners_take_kernels_of_any_width(kernel, X, wanted, tmp_path):
    y = GENERATOR.integers(0, 2, 60)
    learner = Perceptron(kernel=kernel, representation=wanted, random_state=0).fit(X, y)
    assert learner.representation_.form == "dual"
    assert "dual form" in str(learner.representation_)
    assert repr(learner.representation_)
    save(learner, tmp_path / "some.model")
    again = load(tmp_path / "some.model")
    assert again.representation_ == learner.representation_
    np.testing.assert_array_equal(again.decision_function(X), learner.decision_function(X))


def test_many_tasks_take_them_too():
    labels = np.where(BOOLEANS[:, :3], 1, -1)
    for kernel in (Conjunctions().normalized(), AllSubsets().normalized()):
        tasks = ManyTasks(Perceptron(kernel=kernel, random_state=0)).fit(BOOLEANS, labels)
        assert tasks.representation_.form == "dual"
        assert "10^" in str(tasks.representation_)


def test_the_primal_form_says_how_many_weights_there_would_be():
    with pytest.raises(ValueError, match=r"needs about 10\^374 weights per class"):
        Perceptron(kernel=Conjunctions(), representation="primal").fit(BOOLEANS, BOOLEANS[:, 0])


def test_the_command_line_takes_them_at_its_default_bits(tmp_path, capsys):
    lines = [f"{'ab'[i % 2]} | w{i % 7}:0.5 v{i % 2} u{i}\n" for i in range(40)]
    (tmp_path / "some.vw").write_text("".join(lines))
    for kernel in ("AllSubsets()", "AllSubsets(200000)", "Polynomial(1000000000).normalized()"):
        command = ["train", str(tmp_path / "some.vw"), "--kernel", kernel, "-o", str(tmp_path / "some.model")]
        assert run([*command, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["examples"] == 40


def test_a_map_that_is_too_wide_says_so_without_counting():
    for phi in (Polynomial(10**9).feature_map(10**5), AllSubsets().feature_map(2**18)):
        with pytest.raises(ValueError, match=r"1 rows of about 10\^\d+ features"):
            phi(sp.csr_matrix((1, phi.inputs)))


def test_a_file_may_not_make_the_reader_count(tmp_path):
    path = tmp_path / "some.model"
    rows = GENERATOR.normal(size=(30, 4))
    save(Perceptron(kernel="Polynomial(2)", representation="primal").fit(rows, np.arange(30) % 2), path)
    for kernel in ("Polynomial(1000000000)", "(Linear() + 1) ** 1000000000", "AllSubsets(100000)"):
        contents = read(path)
        contents.header["model_"]["map"] |= {"kernel": kernel, "inputs": 2**16 - 1}
        contents.header["n_features_in_"] = 2**16 - 1
        other = tmp_path / "other.model"
        write(other, contents)
        with pytest.raises(ModelFileError, match="feature"):
            load(other)


def test_a_weight_beyond_floats_is_an_error_that_says_so():
    phi = Polynomial(2000).feature_map(3)
    with pytest.raises(ValueError, match="a weight beyond 1e308"):
        phi.column(np.ones((1, 3)), (0,) * 1000)
    wide = Conjunctions().normalized().feature_map(1200)
    with pytest.raises(ValueError, match="beyond 1e308"):
        wide.column(np.zeros((1, 1200)), ((0, False),))


# -- the logarithms ----------------------------------------------------------------------------------------


@given(st.integers(0, 3000), st.integers(0, 3000))
def test_log_comb_is_the_logarithm_of_comb(n, k):
    expected = log(comb(n, k)) if k <= n else -inf
    assert log_comb(n, k) == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_log_comb_of_large_numbers():
    for n, k in ((10**6, 20_000), (60_000, 30_000), (10**12, 15_000), (10**300, 3)):
        assert log_comb(n, k) == pytest.approx(log(comb(n, k)), rel=1e-8)


@given(st.lists(st.integers(1, 10**9), min_size=1, max_size=5))
def test_log_sum_is_the_logarithm_of_a_sum(terms):
    assert log_sum(map(log, terms)) == pytest.approx(log(sum(terms)), rel=1e-12, abs=1e-12)


KERNELS = st.sampled_from(
    [
        Linear(),
        Constant(2.0),
        Polynomial(3),
        Polynomial(3, c=0),
        Polynomial(40),
        AllSubsets(),
        AllSubsets(3),
        AllSubsets(2, exact=True),
        AllSubsets(900, exact=True),
        Linear() + 1,
        (Linear() + 1) ** 3,
        Linear().polynomial([1, 0, 2.0]),
        Polynomial(2) * AllSubsets(2) + Linear(),
    ]
)


@given(KERNELS, st.sampled_from([0, 1, 2, 5, 30, 300, 1500]))
def test_log_width_is_the_logarithm_of_the_width(kernel, inputs):
    phi = kernel.feature_map(inputs)
    expected = log(phi.width) if phi.width else -inf
    # Beyond a googol of googols only the commonest degree counts: a hundredth is more than enough.
    assert phi.log_width == pytest.approx(expected, rel=1e-9 if expected < 600 else 0.01)


@pytest.mark.parametrize("kernel", [Conjunctions(), Conjunctions(4), Conjunctions(900)])
@pytest.mark.parametrize("inputs", [1, 2, 7, 300, 1500])
def test_log_width_of_conjunctions(kernel, inputs):
    phi = kernel.feature_map(inputs)
    assert phi.log_width == pytest.approx(log(phi.width), rel=1e-9 if inputs < 300 else 0.01)


def test_no_number_of_a_million_digits_is_built():
    program = (
        "from kerneltron.kernels import Polynomial, AllSubsets, Conjunctions\n"
        "from kerneltron.models.representation import Setting, choose\n"
        "for kernel in (Polynomial(10**9), Polynomial(10**300), AllSubsets(10**5), Conjunctions(10**5)):\n"
        "    print(choose(kernel, 'auto', Setting(1000, 2**18, 3, False)))\n"
    )
    said = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    assert said.stdout.count("10^") == 4


# -- what is said ------------------------------------------------------------------------------------------


def test_what_decided_is_said():
    texts = ["abc", "abd", "xyz", "xyw"]
    auto = Perceptron(kernel="Spectrum(2)").fit(texts, [0, 0, 1, 1]).representation_
    assert auto.reason == "the kernel compares strings, which are no rows of numbers"
    asked = Perceptron(kernel="Spectrum(2)", representation="dual").fit(texts, [0, 0, 1, 1])
    assert asked.representation_.reason == "as asked for"
    rows, labels = GENERATOR.normal(size=(40, 3)), np.arange(40) % 2
    delta = Perceptron(kernel="Polynomial(2)", delta=0.5).fit(rows, labels).representation_
    assert delta.reason.startswith("delta gives every example a feature of its own")
    assert Perceptron(representation="primal").fit(rows, labels).representation_.reason == "as asked for"
    assert "an estimated" in str(LogisticRegression(kernel="Gaussian(1)").fit(rows, labels).representation_)


def test_a_width_that_is_just_small_enough_is_compared_exactly():
    setting = Setting(examples=1, inputs=2047, columns=1, always_moves=False)
    assert choose(Linear() + 1, "auto", setting).form == "primal"  # 2 times 2,048 weights
    assert choose(Linear() + 1, "auto", setting._replace(inputs=2048)).form == "dual"


def test_the_number_of_remembered_examples_is_estimated_within_a_factor_of_four():
    from sklearn.datasets import load_digits

    digits = load_digits()
    noise = GENERATOR.normal(size=(200, 3)), GENERATOR.integers(0, 2, 200)
    odd = digits.data, digits.target % 2
    for rows, labels, sigma in ((digits.data, digits.target, 25.0), (*noise, 1.0), (*odd, 25.0)):
        for passes in (1, 10):
            learner = Perceptron(kernel=f"Gaussian({sigma})", passes=passes, random_state=0)
            learner.fit(rows, labels)
            estimate, truth = learner.representation_.expected_support, len(learner.support_)
            assert estimate / 4 <= truth <= 4 * estimate, (sigma, passes, estimate, truth)
