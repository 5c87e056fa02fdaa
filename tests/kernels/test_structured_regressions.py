"""What once went wrong with strings, trees, graphs and records."""

import os
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from kerneltron import Perceptron
from kerneltron.features import NGrams, Substructures
from kerneltron.kernels import (
    Gaussian,
    Linear,
    Mismatch,
    On,
    Spectrum,
    Subsequences,
    SubsetTrees,
    Substrings,
    Subtrees,
    WeightedDegree,
    WeisfeilerLehman,
    parse,
)

INTERRUPTED = """
import os, signal, threading, time
from kerneltron.kernels.threads import in_threads
begun = []
def work(first, end):
    begun.append(first)
    time.sleep(0.2)
threading.Timer(0.1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    in_threads(work, 10_000)
    time.sleep(10)  # on a single core the work is one share
except KeyboardInterrupt:
    print(len(begun))
"""


def test_an_interrupt_does_not_wait_for_what_has_not_begun():
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, check=True)
    assert int(done.stdout) <= 2 * os.cpu_count()


@pytest.mark.parametrize("decay", [2.0**-80, 1e-300, 0.5])
def test_counts_of_any_size_are_multiplied(decay):
    np.testing.assert_allclose(
        Subtrees(decay)(["(S a)", "(S b)"]), [[decay + decay**2, 0], [0, decay + decay**2]]
    )


def test_huge_values_of_bags_do_not_break_the_process():
    trees = ["(S a)", "(S b)"] * 40
    gram = Subtrees(decay=1.0)(trees) * 1e200
    assert np.isfinite(gram).all()
    try:
        assert np.isfinite(Subtrees(decay=2.0**80)(trees)).all()
    except ValueError as error:
        assert "decay" in str(error)  # noqa: PT017


def test_strings_too_long_for_a_kernel_are_named():
    long = "ab" * 500_000
    with pytest.raises(ValueError, match=r"X\[1\] has 1,000,000 symbols.*Substrings"):
        Subsequences(2)(["ab", long])
    with pytest.raises(ValueError, match=r"pieces of these strings.*Substrings"):
        Spectrum(100_000, blended=True)([long])
    assert Spectrum(3)([long], ["aba"])[0, 0] == 499_999
    assert WeightedDegree(3)([long], ["ab"])[0, 0] == pytest.approx(0.5 + 0.5 + 1 / 3)
    assert Substrings()([long], ["ab"])[0, 0] == 3 * 500_000


def test_so_many_mismatches_are_refused_at_once():
    with pytest.raises(ValueError, match="more than 20,000"):
        Mismatch(20_000, 10_000)
    with pytest.raises(ValueError, match="more than 20,000"):
        parse("Mismatch(2000, 1000)")


def test_large_labels_of_graphs_are_themselves():
    large = [([], np.array([2**64 - 1], np.uint64))]
    assert WeisfeilerLehman(1)(large, [([], np.array([-1]))])[0, 0] == 0
    assert WeisfeilerLehman(1)(large, [([], [2**64 - 1])])[0, 0] == 2


def test_names_do_not_change_with_the_examples_they_came_from():
    words = ["a", "b", "c"]
    pairs = NGrams(2, 2).fit([words])
    words[:] = ["q", "r"]
    assert pairs.get_feature_names_out().tolist() == ["a_b", "b_c"]


@pytest.mark.parametrize("k", [Spectrum(10**30, blended=True), WeightedDegree(10**30)])
def test_a_length_beyond_all_numbers_is_one(k):
    assert len(Substructures(k).fit(["ab"]).get_feature_names_out()) == 3


def test_a_series_of_structures_is_explained():
    texts = pd.Series(["aba", "bab", "abb", "aaa"] * 5, index=range(100, 120))
    learner = Perceptron(kernel=Spectrum(2), random_state=0).fit(texts, texts.str.count("a") > 1)
    assert learner.explain(texts.iloc[:1]).rows == learner.explain(["aba"]).rows


@pytest.mark.parametrize(
    ("call", "error", "match"),
    [
        (lambda: Perceptron(kernel=Spectrum(2)).fit([], []), ValueError, "no examples"),
        (lambda: Spectrum(2)(None), TypeError, "NoneType: give a sequence"),
        (lambda: Spectrum(2)(3), TypeError, "int: give a sequence"),
        (lambda: Linear()(np.array(3.0)), TypeError, "give a sequence"),
        (lambda: SubsetTrees()(tree for tree in ["S"]), TypeError, "generator: give a sequence"),
        (lambda: Spectrum(2)(np.random.default_rng(0).random((3, 4))), TypeError, "matrix of real numbers"),
        (lambda: Spectrum(2, blended="no"), TypeError, "blended='no' is neither True nor False"),
        (
            lambda: On("v", Gaussian(1.0))([{"v": [1, 2]}, {"v": [1, 3, 4]}]),
            ValueError,
            r"field 'v': X\[1\] holds 3 numbers where X\[0\] holds 2 numbers",
        ),
        (
            lambda: On("v", Gaussian(1.0))([{"v": 1}, {"v": [1]}]),
            ValueError,
            r"X\[1\] holds 1 numbers where X\[0\] holds a number",
        ),
        (
            lambda: Perceptron(kernel=Spectrum(2), representation="primal").fit(["ab", "ba"], [0, 1]),
            ValueError,
            r"compares strings.*Substructures",
        ),
    ],
)
def test_errors_say_what_to_do(call, error, match):
    with pytest.raises(error, match=match):
        call()
