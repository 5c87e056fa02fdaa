"""Nystrom: the projection onto the span of landmarks, whatever the examples are."""

import numpy as np
import pytest
import scipy.sparse as sp

from kerneltron.kernels import (
    Conjunctions,
    Gaussian,
    Linear,
    On,
    PartialTrees,
    Polynomial,
    Spectrum,
    WeisfeilerLehman,
)
from kerneltron.kernels.precomputed import Precomputed
from kerneltron.maps.landmarks import leverage_scores
from kerneltron.maps.nystrom import Nystrom

RNG = np.random.default_rng(0)
ROWS = RNG.normal(size=(40, 4))
WORDS = ["abab", "baba", "abba", "bbbb", "aab", "bab", "abab", ""] * 3
TREES = ["(S (A a) (B b))", "(S (A a) (C c))", "(S (B b))", "(A (A a) (A a))"] * 3
GRAPHS = [([(0, 1), (1, 2)], ["C", "C", "O"]), ([(0, 1)], ["C", "O"]), ([(0, 1), (1, 2)], ["C", "O", "O"])]
RECORDS = [{"text": word, "x": float(len(word))} for word in WORDS]
GRAM = ROWS @ ROWS.T + 1.0

EVERY_DOMAIN = [
    (Gaussian(1.5), ROWS),
    (Gaussian(1.5), sp.csr_matrix(ROWS)),
    (Polynomial(2), ROWS.astype(np.float32)),
    (Conjunctions(), (ROWS > 0).astype(float)),
    (Spectrum(2).normalized(), WORDS),
    (PartialTrees(), TREES),
    (WeisfeilerLehman(2), GRAPHS),
    (On("text", Spectrum(2)) + On("x", Gaussian(2.0)), RECORDS),
    (Precomputed(), GRAM),
]


def oracle(gram, chosen):
    """The textbook formula, K_nm K_mm^+ K_mn."""
    some = gram[:, chosen]
    return some @ np.linalg.pinv(gram[np.ix_(chosen, chosen)], rcond=1e-9) @ some.T


@pytest.mark.parametrize(("kernel", "X"), EVERY_DOMAIN, ids=lambda value: str(value)[:30])
def test_with_all_landmarks_it_is_the_kernel(kernel, X):
    size = X.shape[0] if hasattr(X, "shape") else len(X)
    phi = Nystrom(size, random_state=0).fit(kernel, X)
    rows = phi(X)
    exact = kernel(X)
    assert rows.shape == (size, phi.width)
    assert phi.width <= size
    assert np.abs(rows @ rows.T - exact).max() < 1e-3 * max(1.0, np.abs(exact).max())
    assert phi.approximation_error(X) < 1e-3


@pytest.mark.parametrize(("kernel", "X"), EVERY_DOMAIN, ids=lambda value: str(value)[:30])
def test_given_landmarks_are_projected_onto(kernel, X):
    chosen = np.array([0, 2])
    if kernel == Precomputed():
        landmarks = kernel.pack(X)[chosen]
    else:
        landmarks = X[chosen] if hasattr(X, "shape") else [X[i] for i in chosen]
    rows = Nystrom(landmarks=landmarks).fit(kernel, X)(X)
    exact = np.asarray(kernel(X), np.float64)
    assert np.allclose(rows @ rows.T, oracle(exact, chosen), atol=1e-4 * max(1.0, np.abs(exact).max()))


def test_duplicates_and_combinations_are_left_out():
    some = ROWS[:3]
    X = np.concatenate([some, some, 2 * some, (some[:1] + some[1:2]) / 2])
    phi = Nystrom(landmarks=X).fit(Linear(), ROWS)
    assert phi.width == 3
    assert np.allclose(phi(some) @ phi(some).T, some @ some.T)
    assert Nystrom(landmarks=np.concatenate([some, some])).fit(Gaussian(1.0), ROWS).width == 3


def test_an_example_without_features_is_no_landmark():
    assert Nystrom(8, random_state=0).fit(Spectrum(2), WORDS[:8]).width == 4  # abab comes twice, "" is empty
    with pytest.raises(ValueError, match="no features"):
        Nystrom(landmarks=["", "a"]).fit(Spectrum(2), WORDS)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["uniform", "kmeans", "leverage"])
def test_the_error_falls_with_the_number_of_landmarks(method):
    X = np.random.default_rng(1).normal(size=(400, 6))
    errors = [
        np.mean(
            [
                Nystrom(m, method, random_state=seed).fit(Gaussian(3.0), X).approximation_error(X)
                for seed in range(4)
            ]
        )
        for m in (5, 20, 80)
    ]
    assert errors[0] > 1.5 * errors[1] > 3 * errors[2]


def test_leverage_finds_what_is_rare():
    """Of 1,000 examples 10 are far away from the others: their cluster is less often left out."""
    rng = np.random.default_rng(2)
    X = np.concatenate([rng.normal(size=(990, 3)), rng.normal(size=(10, 3)) * 0.1 + 20])

    def worst(method, seed):
        phi = Nystrom(50, method, random_state=seed).fit(Gaussian(2.0), X)
        return (1 - np.square(phi(X)).sum(axis=1)).max()

    uniform, leverage = ([worst(method, seed) for seed in range(8)] for method in ("uniform", "leverage"))
    assert np.mean(leverage) < np.mean(uniform) - 0.2


def test_leverage_scores_are_estimated():
    pack = Gaussian(1.0).pack(ROWS)
    gram = Gaussian(1.0)(ROWS)
    exact = np.diag(gram @ np.linalg.inv(gram + 2.0 * np.eye(40)))
    assert np.allclose(leverage_scores(Gaussian(1.0), pack, np.arange(40), ridge=2.0), exact)  # all are drawn
    estimated = leverage_scores(Gaussian(1.0), pack, np.arange(0, 40, 2), ridge=2.0)
    assert 0.7 < estimated.sum() / exact.sum() < 1.4
    assert np.diag(gram @ np.linalg.inv(gram + np.trace(gram) / 10 * np.eye(40))).sum() <= 10


def test_k_means_is_near_the_clusters():
    rng = np.random.default_rng(3)
    centres = rng.normal(size=(6, 5)) * 20
    X = np.repeat(centres, 30, axis=0) + rng.normal(size=(180, 5)) * 0.1
    phi = Nystrom(30, "kmeans", random_state=1).fit(Gaussian(5.0), X)
    assert phi.approximation_error(X) < 1e-3


def test_more_landmarks_than_examples_are_all_of_them():
    with pytest.warns(UserWarning, match="n_landmarks=500 is more than the 40 examples"):
        assert Nystrom(500).fit(Gaussian(1.0), ROWS).width == 40


@pytest.mark.parametrize(
    ("kernel", "X", "what", "message"),
    [
        (Spectrum(2), WORDS, {"method": "kmeans", "n_landmarks": 3}, "strings: use `method='uniform'`"),
        (Conjunctions(), (ROWS > 0) * 1.0, {"method": "kmeans", "n_landmarks": 3}, "booleans"),
        (Gaussian(1.0), ROWS, {"landmarks": np.zeros((0, 4))}, "no landmarks"),
        (Gaussian(1.0), ROWS, {"landmarks": [[np.nan] * 4]}, "NaN"),
    ],
)
def test_what_cannot_be_is_said(kernel, X, what, message):
    with pytest.raises(ValueError, match=message):
        Nystrom(**what).fit(kernel, X)


@pytest.mark.parametrize(
    "what", [{"n_landmarks": 0}, {"method": "best"}, {"ridge": -1.0}, {"n_landmarks": 2.5}, {"ridge": "x"}]
)
def test_wrong_parameters(what):
    with pytest.raises((ValueError, TypeError), match=next(iter(what))):
        Nystrom(**what)


def test_rows_of_another_width_are_refused():
    phi = Nystrom(3).fit(Gaussian(1.0), ROWS)
    with pytest.raises(ValueError, match="5 columns, but the landmarks have 4"):
        phi(np.zeros((2, 5)))
    assert phi(np.zeros((0, 4))).shape == (0, 3)


def test_its_own_text_is_read_back():
    from kerneltron.maps.text import parse as parse_map

    for asked in (Nystrom(7), Nystrom(7, "leverage", ridge=0.5, random_state=3)):
        assert parse_map(repr(asked)) == asked
    assert Nystrom(landmarks=ROWS) != Nystrom(landmarks=ROWS + 1)
