"""One battery for all: every public kernel, every combinator, and expressions nested three deep."""

import inspect

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone

from kerneltron import PassiveAggressive, Perceptron, kernels
from kerneltron.kernels import (
    AllSubsets,
    Conjunctions,
    Constant,
    FromFunction,
    Gaussian,
    Kernel,
    Linear,
    Mismatch,
    MonotoneConjunctions,
    On,
    Pack,
    PartialTrees,
    Polynomial,
    QuadraticForm,
    RandomWalks,
    RationalQuadratic,
    ScaledColumns,
    ShortestPaths,
    Spectrum,
    Subsequences,
    SubsetTrees,
    Substrings,
    Subtrees,
    WeightedDegree,
    WeisfeilerLehman,
    check,
    parse,
)
from kerneltron.kernels.after import After
from kerneltron.kernels.exponential import Exponential
from kerneltron.kernels.normalized import Normalized
from kerneltron.kernels.power import Power
from kerneltron.kernels.product import Product
from kerneltron.kernels.scaled import Scaled
from kerneltron.kernels.series import Series
from kerneltron.kernels.sum import Sum
from kerneltron.kernels.weighted import Weighted

ROWS, COLUMNS = 17, 4
COMBINATORS = (After, Exponential, Normalized, Power, Product, Scaled, Series, Sum, Weighted)
GENERATOR = np.random.default_rng(0)
VECTORS = np.round(GENERATOR.normal(size=(ROWS, COLUMNS)), 2)
VECTORS[3, 1:] = VECTORS[5, 2] = VECTORS[8, 0] = 0  # as sparse rows have them
BOOLEANS = GENERATOR.integers(0, 2, (ROWS, COLUMNS)).astype(float)
WORDS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
         "thirteen", "fourteen", "a", "aa", "zz"]  # fmt: skip
TREES = [
    "(S (NP John) (VP joins))", "(S (NP John) (VP (MD will) (VB join)))", "(S (NP Mary) (VP joins))", "S",
    "(S (NP (DT the) (NN cake)) (VP (VBZ is) (ADJP (RB very) (JJ good))))", "(NP (DT the) (NN cake))",
    "(A (B c) (B c) (B d))", "(A (B c) (B d) (B c))", "(A (A (A (A a))))", "(A a)", "(A)", "(A (B) (C))",
    "(A (B) (C) (B) (C) (B))", "(A (B b) (C (A (B b) (C c))))", "(S (NP the) (VP (VB eats) (NP the)))",
    "(ein (größer \N{GRINNING FACE}))", "(A (B c) (B c) (B c) (B c))",
]  # fmt: skip
GRAPHS = [
    (np.unique(GENERATOR.integers(0, n, (2, 2 * n)), axis=1).T[n % 3 :], labels)
    for n in (2, 3, 4, 5, 6, 7, 8)
    for labels in ([*"CNOCCNNO"][:n], [*"CCCCNCCC"][:n])
] + [([], ["C"]), ([(0, 1), (1, 2), (0, 2)], [*"CCO"]), ([(0, 1), (3, 4)], [*"CCOCC"])]
RECORDS = [
    {"text": word, "tree": tree, "graph": graph, "age": float(row[0]), "row": row}
    for word, tree, graph, row in zip(WORDS, TREES, GRAPHS, VECTORS, strict=True)
]
EXAMPLES = {"strings": WORDS, "trees": TREES, "graphs": GRAPHS, "records": RECORDS}
FACTORS = ScaledColumns([0.5, 0.0, 2.0, 1.0])
SHAPE = QuadraticForm(np.diag([1.0, 2.0, 0.0, 0.5]) + 0.25)


def first(X):
    column = X[:, [0]] if sp.issparse(X) else np.asarray(X)[:, :1]
    return np.asarray(column.toarray() if sp.issparse(column) else column).ravel() + 0.5


def halves(X):
    return X[:, :2] / 2


def positive(X):
    return (X > 0).astype(X.dtype)


def overlap(x, z):
    return float(np.minimum(np.abs(x), np.abs(z)).sum())


def products(X, Z):
    return X @ Z.T


def common_letters(x, z):
    return len(set(x) & set(z))


def lengths(words):
    return np.array([[len(word), word.count("e")] for word in words], float).reshape(-1, 2)


L, Q, G, W = Linear(), Polynomial(2), Gaussian(1.5), FromFunction(common_letters)
KERNELS = [
    # Atoms.
    L,
    Q,
    Polynomial(3, c=0),
    Polynomial(4, c=0.5),
    G,
    Gaussian.from_gamma(0.1),
    RationalQuadratic(1.5, 0.5),
    AllSubsets(),
    AllSubsets(size=2),
    AllSubsets(size=2, exact=True),
    SHAPE,
    FACTORS,
    Gaussian(1.5, over=FACTORS),
    Constant(2.0),
    Conjunctions(),
    Conjunctions(size=2),
    MonotoneConjunctions(),
    MonotoneConjunctions(size=2),
    FromFunction(overlap),
    FromFunction(products, vectorized=True),
    W,
    Substrings(),
    Substrings(decay=0.5, max_length=3),
    Spectrum(2),
    Spectrum(3, blended=True),
    Mismatch(3, 1, alphabet="aefghilnorstuvwxz"),
    Subsequences(2, decay=0.5),
    WeightedDegree(3),
    Subtrees(),
    Subtrees(decay=0.5, max_size=3),
    SubsetTrees(0.5),
    SubsetTrees(0.5, max_size=2),
    PartialTrees(),
    PartialTrees(0.3, 0.6, terminal_factor=5.0),
    PartialTrees(0.5, 0.5, max_size=3),
    WeisfeilerLehman(2),
    ShortestPaths(),
    RandomWalks(0.01),
    On("text", Spectrum(2)),
    # Combinators.
    L + Q,
    L + 1,
    2 + G,
    L * G,
    0.25 * Q,
    Q / 3,
    (L + 1) ** 3,
    (0.25 * L).exp(),
    Q.normalized(),
    AllSubsets(size=2).normalized(),
    Conjunctions().normalized(),
    MonotoneConjunctions().normalized(),
    MonotoneConjunctions(size=2).normalized(),
    L.polynomial([1, 0, 2.0, 0.5]),
    L.weighted(first),
    Q.after(halves),
    Gaussian(2.0, over=Q),
    Gaussian(2.0, over=W),
    RationalQuadratic(2.0, over=Q),
    # Nested three deep, and more.
    ((L + 1) ** 2 * G).normalized() + 0.5 * L.polynomial([0, 1, 1]),
    (0.125 * (L + SHAPE) ** 2).exp().normalized(),
    Gaussian(3.0, over=(L + Q) * AllSubsets(size=2)),
    Gaussian(1.0, over=Q.after(halves).weighted(first) + L),
    (G.after(halves).normalized() * (L.after(halves) + L)).normalized(),
    ((FromFunction(products, vectorized=True) + 1) ** 2 + L.weighted(first)).normalized(),
    (2 * (G * G + Constant(0.5)).polynomial([0, 1, 0.5])) ** 2,
    ((SHAPE + L) * (Q + G) + 3 * (L * Q)).normalized(),
    (0.5 * (AllSubsets(size=1) + Q).normalized()).exp() * L,
    (Conjunctions(size=2) * MonotoneConjunctions() + Conjunctions()).normalized(),
    (0.01 * (Conjunctions() + 1) ** 2).polynomial([1, 2.0]) + MonotoneConjunctions().normalized(),
    Gaussian(4.0, over=2 * (MonotoneConjunctions(size=1) + Conjunctions(size=1))),
    (Conjunctions().after(positive) * L + G).normalized(),
    Gaussian(1.0, over=L.after(lengths) * W.normalized() + 1),
    ((W + L.after(lengths)) ** 2).normalized() + 0.5 * W.polynomial([0, 1.0]),
    (Q.weighted(first).weighted(first) + L).after(halves) * G,
    (Spectrum(2) + 0.5 * Substrings(decay=0.25) * WeightedDegree(2)).normalized(),
    (Subsequences(2).normalized() + Spectrum(1).normalized() ** 2).exp() + 1,
    Gaussian(2.0, over=SubsetTrees(0.5).normalized() + Subtrees()),
    (PartialTrees().normalized() * SubsetTrees(0.5).normalized() + 2 * Subtrees()).polynomial([0, 1, 0.5]),
    WeisfeilerLehman(3).normalized().exp(),
    Gaussian(1.0, over=(ShortestPaths() + 1).normalized() * RandomWalks(0.01).normalized()),
    On("text", Spectrum(3)) + 0.5 * On("tree", PartialTrees()) * On("age", Gaussian(2.0)),
    (On("text", Spectrum(2).normalized() + Substrings()) * On("row", Q)).normalized(),
    Gaussian(1.5, over=On("graph", WeisfeilerLehman(1)).normalized() + On("row", L + G)),
]
every_kernel = pytest.mark.parametrize("k", KERNELS, ids=repr)


def is_over_objects(k):
    return k.domain in EXAMPLES or "<common_letters>" in repr(k) or "<lengths>" in repr(k)


def examples(k):
    """Return examples that the kernel compares."""
    if is_over_objects(k):
        return EXAMPLES.get(k.domain, WORDS)
    return BOOLEANS if k.domain == "booleans" else VECTORS


def holds_a_function(k):
    return "<" in repr(k)


def inside(k):
    """Yield the kernels in an expression."""
    yield k
    for part in k._parts():
        yield from inside(part)


def close(actual, expected, rtol=1e-10):
    np.testing.assert_allclose(
        actual, expected, rtol=rtol, atol=rtol * max(1.0, np.abs(expected).max(initial=0))
    )


# -- nothing is left out -------------------------------------------------------------------------------


def test_every_public_kernel_and_every_combinator_is_in_the_battery():
    public = [getattr(kernels, name) for name in kernels.__all__]
    wanted = {k for k in public if inspect.isclass(k) and issubclass(k, Kernel) and k is not Kernel}
    wanted.remove(kernels.Precomputed)  # its examples are the Gram matrix
    there = {type(part) for k in KERNELS for part in inside(k)}
    assert wanted <= there, f"not in the battery: {wanted - there}"
    assert set(COMBINATORS) <= there


def test_every_class_of_kernels_is_in_the_battery():
    def subclasses(kind):
        for below in kind.__subclasses__():
            yield below
            yield from subclasses(below)

    named = {
        kind
        for kind in subclasses(Kernel)
        if kind.__module__.startswith("kerneltron.kernels")
        and not kind.__name__.startswith("_")
        and not inspect.isabstract(kind)
    }
    there = {type(part) for k in KERNELS for part in inside(k)}
    missing = {kind.__name__ for kind in named - there}
    assert missing <= {
        "Precomputed",
        "Auto",
    }  # whose examples are the Gram matrix; which is still to be found


def test_expressions_are_three_deep():
    def depth(k):
        return 1 + max((depth(part) for part in k._parts()), default=0)

    assert len(KERNELS) == len(set(KERNELS)) >= 40
    assert sum(depth(k) >= 4 for k in KERNELS) >= 10


# -- what every kernel is ------------------------------------------------------------------------------


@every_kernel
def test_it_is_an_inner_product(k):
    X = examples(k)
    gram = k(X)
    assert gram.shape == (ROWS, ROWS)
    assert np.isfinite(gram).all()
    np.testing.assert_array_equal(gram, gram.T)
    assert check(k, X).is_kernel
    diagonal = k.diag(X)
    assert diagonal.dtype == np.float64
    assert (diagonal >= 0).all()
    close(gram.diagonal(), diagonal)
    bound = np.sqrt(np.outer(diagonal, diagonal))
    assert (np.abs(gram) <= bound + 1e-9 * bound.max()).all()  # Cauchy and Schwarz
    distances = diagonal[:, None] + diagonal - 2 * gram
    assert distances.min() >= -1e-9 * diagonal.max()


@every_kernel
def test_blocks_are_parts_of_the_gram_matrix(k):
    X = examples(k)
    gram, pack = k(X), k.pack(X)
    assert len(pack) == ROWS
    places = np.array([7, 0, 3])
    close(k.gram(pack, pack), gram)
    close(k.gram(pack[2:6], pack[places]), gram[2:6][:, places])
    close(k.gram(pack[places][1:], pack[4:][::2]), gram[places[1:]][:, 4::2])
    apart = k.gram(k.pack(X[:6]), k.pack(X[6:]))
    close(apart, gram[:6, 6:])
    close(k(X[:6], X[6:]), gram[:6, 6:])
    joined = Pack.join([k.pack(X[:4]), k.pack(X[4:5]), k.pack(X[5:])])
    close(k.gram(joined, pack), gram)
    close(k.gram(joined[3:9], joined), gram[3:9])
    close(k.diag(joined), gram.diagonal())
    assert k.pack(pack) is pack


@every_kernel
def test_empty_packs_and_single_rows(k):
    X = examples(k)
    pack = k.pack(X)
    assert k.gram(pack[:0], pack).shape == (0, ROWS)
    assert k.gram(pack, pack[:0]).shape == (ROWS, 0)
    assert k.diag(pack[:0]).shape == (0,)
    assert k(X[:0]).shape == (0, 0)
    assert k(X[:0], X[:2]).shape == (0, 2)
    close(k(X[:1]), k(X)[:1, :1])
    close(k.gram(pack[1:2], pack[2:3]), k(X)[1:2, 2:3])
    close(k.gram(Pack.join([k.pack(X[:0]), pack[:2]]), pack), k(X)[:2])


@every_kernel
def test_blocks_may_be_written_to(k):
    pack = k.pack(examples(k))
    before = k.gram(pack, pack)
    k.gram(pack, pack)[:] = 7
    np.testing.assert_array_equal(k.gram(pack, pack), before)


@pytest.mark.parametrize("k", [k for k in KERNELS if not is_over_objects(k)], ids=repr)
def test_dense_sparse_single_and_double_agree(k):
    X = examples(k)
    gram = k(X)
    single = k(X.astype(np.float32))
    close(single, gram, rtol=1e-4)
    assert gram.dtype == np.float64
    atoms = {type(part) for part in inside(k) if not list(part._parts())}
    if "over=" not in repr(k) and not atoms <= {Constant, FromFunction}:  # these do not look at the rows
        assert single.dtype == np.float32
    if "<products>" in repr(k) or "<positive>" in repr(k):
        return  # functions that take what they are given, and these take dense rows
    sparse = sp.csr_matrix(X)
    close(k(sparse), gram)
    close(k(sparse, X[:3]), gram[:, :3])
    close(k(X[:3], sparse), gram[:3])
    close(k(sp.csr_array(X.astype(np.float32))), gram, rtol=1e-4)
    close(k.diag(sparse), gram.diagonal())


@every_kernel
def test_the_text_is_read_back(k):
    if holds_a_function(k):
        with pytest.raises(ValueError, match=r"column"):
            parse(repr(k), k.arrays())
        return
    again = parse(repr(k), k.arrays())
    assert again == k
    assert repr(again) == repr(k)
    close(again(examples(k)), k(examples(k)), rtol=1e-15)


@every_kernel
def test_kernels_are_values(k):
    shallow = k.get_params(deep=False)
    rebuilt = type(k)(**shallow)
    assert rebuilt == k
    assert hash(rebuilt) == hash(k)
    assert len({k, rebuilt}) == 1
    assert k.replace() == k
    for name, value in k.get_params().items():
        assert k.replace(**{name: value}) == k
    assert clone(k) == k
    assert clone(Perceptron(kernel=k)).kernel == k
    assert [other for other in KERNELS if other == k] == [k]
    with pytest.raises(AttributeError):
        k.domain = "other"


@every_kernel
def test_explicit_features_have_the_inner_products_of_the_kernel(k):
    if is_over_objects(k):
        return  # whose features have no columns before examples are seen: see test_structure_features
    phi = k.feature_map(COLUMNS)
    if phi is None:
        assert any(
            word in repr(k)
            for word in ("Gaussian", "RationalQuadratic", "exp()", "<", "onjunctions().normalized")
        )
        return
    assert phi.width == sum(1 for _ in phi.features())
    if phi.width <= 5000:
        X = examples(k)
        close(phi(X) @ phi(X).T, k(X), rtol=1e-8)
        names = list(phi.features())
        for place in {0, len(names) // 2, len(names) - 1}:
            close(phi.column(X, names[place]), phi(X)[:, place])


@pytest.mark.slow
@every_kernel
def test_learners_take_it(k):
    X = examples(k)
    X = X * 3 if isinstance(X, list) else np.vstack([X] * 3)
    for classes in (2, 3):
        y = np.tile(np.arange(ROWS) % classes, 3)
        for learner in (Perceptron(passes=2), PassiveAggressive(), Perceptron(hypothesis="vote")):
            learner.set_params(kernel=k, representation="dual", random_state=0).fit(X, y)
            scores = learner.decision_function(X)
            assert np.isfinite(scores).all()
            assert set(learner.predict(X)) <= set(y)
            if learner.hypothesis == "average":
                coefficients = learner.dual_coef_
                rows = [X[i] for i in learner.support_] if isinstance(X, list) else X[learner.support_]
                expected = k(X, rows) @ coefficients.T + coefficients.sum(axis=1)
                close(scores.reshape(len(X), -1), expected, rtol=1e-7)
