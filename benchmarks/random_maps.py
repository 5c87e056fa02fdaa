"""Random maps beside scikit-learn's: rows become random waves, and sketches of polynomials."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.kernel_approximation import PolynomialCountSketch, RBFSampler

from benchmarks.compare import Work, faster
from benchmarks.measure import take_turns, with_slow_ones
from benchmarks.settings import Settings
from benchmarks.table import Row, Target
from kerneltron.features import RandomFourier, TensorSketch
from kerneltron.kernels import Gaussian

GAMMA = 0.005
PIXELS = 784
FEW, MANY = 1000, 4000  # components
HASHED = 2**18  # columns of hashed rows
WORDS = 50  # of a hashed row
VOCABULARY = 200_000
AS_FAST = Target("at least", 1.0)


def random_fourier(settings: Settings) -> list[Row]:
    """Measure waves of rows as large as those of MNIST, and of hashed rows beside narrower ones."""
    rows = 1_200 if settings.quick else 12_000
    X = np.random.default_rng(0).random((rows, PIXELS), dtype=np.float32)
    hashed = hashed_words(rows // 3)
    out = []
    for m in (FEW, MANY):
        ours, theirs = f"RandomFourier({m}).transform", f"RBFSampler({m}).transform"
        waves = RandomFourier(m, kernel=Gaussian.from_gamma(GAMMA), random_state=0).fit(X)
        sampler = RBFSampler(gamma=GAMMA, n_components=m, random_state=0).fit(X)
        waves.transform(X[:10])
        contestants = {ours: partial(_transform, waves, X), theirs: partial(_transform, sampler, X)}
        timings = take_turns(contestants, lambda: None, settings.repeats)
        out.append(faster(timings, ours, theirs, Work(rows, "rows"), AS_FAST))
    return [*out, _hashed(hashed, settings)]


def _hashed(hashed: sp.csr_matrix, settings: Settings) -> Row:
    """Set 2^18 columns, whose frequencies are drawn again, beside 4,096 columns, whose are kept."""
    narrow = sp.csr_matrix((hashed.data, hashed.indices % 4096, hashed.indptr), (hashed.shape[0], 4096))
    narrow.sum_duplicates()
    waves = RandomFourier(4096, orthogonal=False, kernel=Gaussian(3.0), random_state=0)
    drawn, kept = waves.fit(hashed).map_, waves.fit(narrow).map_
    drawn(hashed[:10])
    kept(narrow[:10])
    ours, theirs = "RandomFourier(4096), 2^18 columns", "RandomFourier(4096), 4,096 columns"
    contestants = {ours: lambda _: drawn(hashed), theirs: lambda _: kept(narrow)}
    timings = take_turns(contestants, lambda: None, settings.repeats)
    return faster(timings, ours, theirs, Work(hashed.shape[0], "rows"))


def tensor_sketch(settings: Settings) -> list[Row]:
    """Measure sketches of dense and sparse rows; theirs of 4,096 columns take long."""
    rows = 500 if settings.quick else 5_000
    dense = np.random.default_rng(0).random((rows, PIXELS), dtype=np.float32)
    sparse = sp.random(rows, PIXELS, 0.19, "csr", np.float32, random_state=0)
    wide = sp.random(rows // 5, 4096, WORDS / 4096, "csr", np.float32, random_state=0)
    named: dict[str, Any] = {"dense": dense, "sparse": sparse, "wide": wide}
    ours = {name: TensorSketch(1024, kernel="Polynomial(3)", random_state=0) for name in named}
    theirs = {
        name: PolynomialCountSketch(degree=3, coef0=1, n_components=1024, random_state=0) for name in ours
    }
    quick: dict[str, Callable[[None], object]] = {}
    slow: dict[str, Callable[[None], object]] = {}
    for name, X in named.items():
        ours[name].fit(X).transform(X[:10])
        theirs[name].fit(X)
        quick[f"TensorSketch, {name}"] = partial(_transform, ours[name], X)
        others = slow if name == "wide" else quick
        others[f"PolynomialCountSketch, {name}"] = partial(_transform, theirs[name], X)
    timings = with_slow_ones(quick, slow, lambda: None, settings.repeats)
    pairs = [(f"TensorSketch, {name}", f"PolynomialCountSketch, {name}") for name in ours]
    amounts = [rows, rows, wide.shape[0]]
    table = [
        faster(timings, *pair, Work(amount, "rows"), AS_FAST)
        for pair, amount in zip(pairs, amounts, strict=True)
    ]
    return [
        *table,
        faster(timings, "TensorSketch, sparse", "TensorSketch, dense", Work(rows, "rows"), AS_FAST),
    ]


def _transform(transformer: Any, X: Any, _: None) -> object:
    return transformer.transform(X)


def hashed_words(rows: int) -> sp.csr_matrix:
    """Return rows of words that are as frequent as those of a language, after Zipf, in hashed columns."""
    draw = np.random.default_rng(0)
    shares = np.cumsum(1 / np.arange(1, VOCABULARY + 1))
    words = np.searchsorted(shares, shares[-1] * draw.random(rows * WORDS))
    columns = draw.integers(0, HASHED, VOCABULARY + 1)[words]
    starts = np.arange(0, rows * WORDS + 1, WORDS)
    matrix = sp.csr_matrix((np.ones(rows * WORDS, np.float32), columns, starts), shape=(rows, HASHED))
    matrix.sum_duplicates()
    return matrix
