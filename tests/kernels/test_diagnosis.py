"""Verdicts and advice: what is not a kernel is found out, and what does not suit the data is said so."""

import math
from itertools import permutations

import numpy as np
import pytest
import scipy.sparse as sp

from kerneltron.kernels.checking import check
from kerneltron.kernels.conjunctions import Conjunctions
from kerneltron.kernels.constant import Constant
from kerneltron.kernels.diagnosis import diagnose
from kerneltron.kernels.from_function import FromFunction
from kerneltron.kernels.gaussian import Gaussian
from kerneltron.kernels.linear import Linear
from kerneltron.kernels.polynomial import Polynomial
from kerneltron.kernels.precomputed import Precomputed
from kerneltron.kernels.search.proposing import propose_sigma
from kerneltron.kernels.strings.spectrum import Spectrum

generator = np.random.default_rng(0)
X = generator.normal(size=(80, 5))
y = np.where(X[:, 0] > 0, "yes", "no")
TRUTHS = generator.integers(0, 2, size=(40, 6))


def asymmetric(x, z):
    return float(x[0] * z[1] + x @ z)


def tanh(x, z):
    return math.tanh(x @ z - 1)


def negative_distance(x, z):
    return -math.dist(x, z)


def name_of(value):
    """Names without addresses: they are the same in every process."""
    return getattr(value, "__name__", None) or str(value)[:30]


GOOD = [
    (Linear(), X),
    (Linear(), sp.csr_matrix(X)),
    (Polynomial(4, c=0.5), X.astype(np.float32)),
    (Gaussian(1.0), X + 100),
    (Gaussian(0.5, over=Polynomial(2)) * Linear() + 1, X),
    (Conjunctions(2), TRUTHS),
    (Constant(0), X),
    (FromFunction(lambda x, z: len(set(x) & set(z))), ["one", "two", "three", "four"]),
    (FromFunction(lambda A, B: A @ B.T, vectorized=True), X),
    (lambda x, z: float(x @ z), X),
    (Precomputed(), X @ X.T),
]


@pytest.mark.parametrize(("kernel", "examples"), GOOD, ids=name_of)
def test_kernels_pass(kernel, examples):
    found = check(kernel, examples)
    assert found.is_symmetric
    assert found.is_kernel
    assert "No counter-example" in str(found)


BAD = [
    (tanh, "negative eigenvalue"),
    (negative_distance, "negative eigenvalue"),
    (asymmetric, "differ by up to"),
    (FromFunction(tanh), "negative eigenvalue"),
    (FromFunction(asymmetric), "differ by up to"),
    (lambda x, z: math.nan, "infinite or NaN"),
    (lambda x, z: -1.0, "negative eigenvalue"),
]


@pytest.mark.parametrize(("function", "verdict"), BAD, ids=name_of)
def test_what_is_no_kernel_is_found_out(function, verdict):
    found = check(function, X)
    assert not found.is_kernel
    assert found.is_symmetric == ("negative" in verdict)
    assert str(found).startswith("Not a kernel: ")
    assert verdict in str(found)


def test_the_numbers_of_a_check():
    matrix = np.diag([4.0, 2.0, -1.0])
    matrix[0, 1] = 0.5
    found = check(Precomputed(), matrix)
    assert found.asymmetry == 0.5
    assert found.smallest_eigenvalue == pytest.approx(-1.0)
    assert found.largest_eigenvalue == pytest.approx(4.0, abs=0.1)
    assert not check(Precomputed(), matrix, tolerance=0.2).is_kernel
    assert check(Precomputed(), matrix, tolerance=0.3).is_kernel


def test_many_examples_are_sampled_evenly():
    found = check(Linear(), X, most=7)
    assert (found.rows, found.total) == (7, 80)
    assert "7 of 80" in str(found)
    seen = set()
    check(lambda x, z: seen.add(x[0]) or x[0] * z[0], np.arange(100.0)[:, None], most=3)
    assert seen == {0.0, 50.0, 99.0}


def test_check_refuses():
    with pytest.raises(ValueError, match="no examples"):
        check(Linear(), X[:0])
    with pytest.raises(ValueError, match="most=0"):
        check(Linear(), X, most=0)
    with pytest.raises(TypeError, match="neither a kernel nor a function"):
        check(3, X)


def of_labels(labels):
    labels = np.asarray(labels)
    return (labels[:, None] == labels[None, :]).astype(float)


@pytest.mark.parametrize("labels", [y, np.arange(80) % 3, np.arange(80) < 7], ids=["text", "three", "uneven"])
def test_the_kernel_that_knows_the_labels_is_aligned(labels):
    found = diagnose(Precomputed(), 3.5 * of_labels(labels), labels)
    assert found.alignment == pytest.approx(1.0)
    assert found.conflicts == 0
    assert found.error == 0
    assert found.advice == (
        "Precomputed() gets 0.0% of held-out examples wrong, and the largest class alone "
        f"{found.majority:.1%}; no other kernel was there to compare."
    )


SUITABLE = "Looks suitable: {}, the best that it was compared with."
INSTEAD = "{}: take that instead, or the best of kernels.propose(X, y)."


def compared(found, kernel):
    rival, error = found.rivals[0]
    return f"{kernel} gets {found.error:.1%} of held-out examples wrong, and {rival} {error:.1%}"


@pytest.mark.parametrize(
    ("kernel", "advice"),
    [(Linear(), SUITABLE), (Polynomial(2), INSTEAD), (Gaussian(3.0), SUITABLE)],
    ids=["linear", "quadratic", "gaussian"],
)
def test_alignment_tells_labels_from_noise(kernel, advice):
    good = diagnose(kernel, X, y)
    assert good.alignment > 1.5 * good.chance
    assert good.advice == advice.format(compared(good, kernel))  # the sides of a plane: linear is enough
    noise = np.random.default_rng(1).permutation(y)
    noisy = diagnose(kernel, X, noise)
    assert noisy.alignment < 0.1
    assert "unrelated" in noisy.advice


def test_alignment_is_the_cosine_of_the_centred_matrices():
    labels = np.arange(80) % 3
    H = np.eye(80) - 1 / 80
    K, L = H @ Polynomial(2)(X) @ H, H @ of_labels(labels) @ H
    expected = np.sum(K * L) / np.linalg.norm(K) / np.linalg.norm(L)
    assert diagnose(Polynomial(2), X, labels).alignment == pytest.approx(expected)


def test_effective_dimension():
    labels = np.arange(30) % 2
    assert diagnose(Precomputed(), 7 * np.eye(30), labels).effective_dimension == pytest.approx(30)
    column = np.arange(1.0, 31.0)[:, None]
    assert diagnose(Linear(), column, labels).effective_dimension == pytest.approx(1)
    values = np.linalg.eigvalsh(Polynomial(3)(X))
    expected = values.sum() ** 2 / (values**2).sum()
    assert diagnose(Polynomial(3), X, y).effective_dimension == pytest.approx(expected)


def test_diagonality_and_spread():
    labels = np.arange(30) % 2
    one = diagnose(Precomputed(), np.diag(np.arange(1.0, 31.0)), labels)
    assert (one.diagonality, one.spread) == (1.0, 0.0)
    zero = diagnose(Linear(), np.arange(1.0, 31.0)[:, None], labels)
    assert zero.diagonality == pytest.approx(0, abs=1e-12)
    cosines = Linear().normalized()(X)[~np.eye(80, dtype=bool)]
    found = diagnose(Linear(), X, y)
    assert found.diagonality == pytest.approx(1 - np.abs(cosines).mean())
    assert found.spread == pytest.approx(cosines.std())


@pytest.mark.parametrize(
    ("wrap", "advice"),
    [(lambda k: k, SUITABLE), (lambda k: (2 * k).normalized(), SUITABLE), (lambda k: k * k, INSTEAD)],
    ids=["itself", "normalised", "squared"],
)
def test_the_limits_of_the_gaussian_are_named(wrap, advice):
    middle = propose_sigma(X)
    narrow, wide = Gaussian(middle / 100), Gaussian(middle * 100)
    small, large = diagnose(wrap(narrow), X, y), diagnose(wrap(wide), X, y)
    assert "similar only to itself" in small.advice
    assert f"is too small, try sigma={middle:.3g}" in small.advice
    assert small.diagonality > 0.99
    assert "almost alike" in large.advice
    assert f"is too large, try sigma={middle:.3g}" in large.advice
    assert large.diagonality < 0.01
    fitting = diagnose(wrap(Gaussian(middle)), X, y)  # its square is narrower than that
    assert fitting.advice == advice.format(compared(fitting, wrap(Gaussian(middle))))


def test_the_width_is_that_of_the_kernel_inside():
    base = Polynomial(2)
    found = diagnose(Gaussian(1e-3, over=base), X, y)
    assert f"try sigma={propose_sigma(X, over=base):.3g}" in found.advice
    behind = Gaussian(1e-3).after(np.abs)
    assert "sigma" not in diagnose(behind, X, y).advice


def test_limits_of_other_kernels():
    assert "almost alike to this kernel: centre" in diagnose(Linear(), X + 1000, y).advice
    assert "smoother" in diagnose(Linear(), np.eye(20), np.arange(20) % 2).advice
    twice = np.repeat(np.eye(20), 2, axis=0)
    assert "smoother" in diagnose(Linear(), twice, np.arange(40) // 2 % 2).advice


def test_conflicts_are_found():
    doubled = np.vstack([X, X[:3], X[5:6]])
    labels = np.concatenate([y, np.where(y[:3] == "yes", "no", "yes"), y[5:6]])
    for examples in (doubled, sp.csr_matrix(doubled), doubled.astype(np.float32)):
        for kernel in (Linear(), Gaussian(2.0), Polynomial(3) + 1):
            found = diagnose(kernel, examples, labels)
            assert found.conflicts == 3
            assert found.first_conflicts == ((0, 80), (1, 81), (2, 82))
            assert "delta" in found.advice
            assert "0 and 80" in found.advice
            assert "rows 0 and 80, 1 and 81" in str(found)
    assert diagnose(Linear(), X, y).conflicts == 0


def test_kernels_that_cannot_tell_examples_apart_have_conflicts():
    even = diagnose(Polynomial(2, c=0), np.vstack([X, -X]), np.repeat([0, 1], 80))
    assert even.conflicts == 80


def test_zero_rows_have_no_direction():
    rows = X.copy()
    rows[:10] = 0
    found = diagnose(Linear(), rows, y)
    assert 0 < found.diagonality < 1
    assert found.conflicts > 0
    empty = diagnose(Linear(), np.zeros((5, 2)), [0, 0, 0, 1, 1])
    assert "nothing to compare" in empty.advice
    assert np.isnan(empty.diagonality)
    assert empty.conflicts == 6
    assert "nan" not in str(empty)


def test_structures_have_no_columns_to_scale():
    alike = diagnose(Spectrum(1), ["aaaa"] * 12, [0, 1] * 6)
    assert "compare larger parts" in alike.advice
    alone = diagnose(Spectrum(4).normalized(), ["".join(p) for p in permutations("abcd")], [0, 1] * 12)
    assert "compare smaller parts" in alone.advice
    for found in (alike, alone):
        assert "column" not in found.advice
        assert "nan" not in str(found)


def test_one_class_has_no_alignment():
    found = diagnose(Linear(), X, ["a"] * 80)
    assert np.isnan(found.alignment)
    assert "All labels are the same" in found.advice


def test_one_example():
    assert "nothing to compare" in diagnose(Linear(), [[1.0]], ["a"]).advice


def test_large_numbers_do_not_overflow():
    huge = diagnose(Polynomial(40), 1000 * X, y)
    assert np.isfinite([huge.diagonality, huge.alignment, huge.effective_dimension]).all()


def test_a_diagnosis_is_a_table_and_advice():
    found = diagnose(Linear(), X, y, most=20)
    lines = str(found).split("\n")
    assert lines[0].endswith("20 of 80")
    assert lines[-1] == found.advice
    names = [
        "examples",
        "diagonality",
        "spread",
        "alignment",
        "effective dimension",
        "conflicts",
        "held-out error",
    ]
    assert [line[:20].strip() for line in lines[:7]] == names


def test_a_better_width_is_named():
    labels = (np.floor(2 * X[:, 0]) % 2).astype(int)
    points = X[:, :1]
    found = diagnose(Gaussian(2.0), points, labels)
    best, error = found.rivals[0]
    assert error < found.error - found.standard_error
    assert best.sigma < 2.0
    assert (
        f"Gaussian(2.0) gets {found.error:.1%} of held-out examples wrong, and {best} {error:.1%}"
        in found.advice
    )
    assert "take that instead" in found.advice


def test_linear_and_scaled_columns_are_rivals():
    sides = diagnose(Gaussian(0.3), X, y)
    assert any(rival == Linear() for rival, _ in sides.rivals)
    assert "take that instead" in sides.advice
    units = diagnose(Gaussian(propose_sigma(X * [1e-3, 1, 1, 1, 1])), X * [1e-3, 1, 1, 1, 1], y)
    assert "ScaledColumns" in units.advice


def test_a_kernel_is_never_suitable_without_comparison():
    few = diagnose(Linear(), X[:8], y[:8])
    assert np.isnan(few.error)
    assert "suitable" not in few.advice
    with pytest.raises(ValueError, match="no width yet"):
        diagnose("gaussian", X, y)


def test_diagnose_refuses():
    with pytest.raises(ValueError, match=r"y has the shape \(79,\), but X has 80 examples"):
        diagnose(Linear(), X, y[1:])
    with pytest.raises(ValueError, match="y holds NaN in row 3"):
        diagnose(Linear(), X, np.where(np.arange(80) == 3, np.nan, 1.0))
    with pytest.raises(ValueError, match="None in row 0"):
        diagnose(Linear(), X, [None, *y[1:]])
    with pytest.raises(ValueError, match="no examples"):
        diagnose(Linear(), X[:0], y[:0])


@pytest.mark.parametrize("scale", [1e-150, 0.5, 3.0, 1e100])
@pytest.mark.parametrize("layout", [np.asarray, sp.csr_matrix])
def test_widths_grow_with_the_data(scale, layout):
    assert propose_sigma(layout(scale * X)) == pytest.approx(scale * propose_sigma(X))


def test_widths_do_not_depend_on_the_origin():
    assert propose_sigma(X + 1e7) == pytest.approx(propose_sigma(X), rel=1e-6)


def test_the_width_is_the_median_distance():
    distances = np.linalg.norm(X[:, None] - X[None], axis=2)[np.triu_indices(80, 1)]
    assert propose_sigma(X) == pytest.approx(np.median(distances))
    assert propose_sigma(X, quantile=0.1) == pytest.approx(np.quantile(distances, 0.1))
    assert propose_sigma(X, over=Linear()) == pytest.approx(np.median(distances))
    assert propose_sigma(np.repeat(X, 5, axis=0)) == pytest.approx(np.median(distances))
    assert propose_sigma(X.astype(np.float32)) == pytest.approx(np.median(distances), rel=1e-5)


def test_the_width_of_a_sample():
    many = np.random.default_rng(3).normal(size=(3000, 4))
    assert propose_sigma(many, sample=300) == pytest.approx(propose_sigma(many, sample=1500), rel=0.05)
    assert propose_sigma(many, sample=50) == propose_sigma(many, sample=50)
    assert propose_sigma(many, sample=50, seed=1) != propose_sigma(many, sample=50)


def test_the_width_in_a_feature_space():
    words = ["a", "ab", "abc", "abcd"]
    letters = FromFunction(lambda x, z: len(set(x) & set(z)))
    assert propose_sigma(words, over=letters) == pytest.approx(math.sqrt(1.5))


def test_the_width_without_differences():
    for same in (np.ones((5, 2)), np.zeros((5, 2)), sp.csr_matrix((5, 2)), np.ones((1, 2)), np.zeros((3, 0))):
        assert propose_sigma(same) == 1.0


def test_propose_refuses():
    with pytest.raises(ValueError, match="quantile=2"):
        propose_sigma(X, quantile=2)
    with pytest.raises(ValueError, match="sample=1"):
        propose_sigma(X, sample=1)
    with pytest.raises(ValueError, match="NaN"):
        propose_sigma([[np.nan]])
