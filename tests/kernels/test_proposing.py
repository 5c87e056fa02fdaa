"""Proposals: the right kernel comes first, for rows and structures, and one sentence says so."""

import numpy as np
import pytest
import scipy.sparse as sp

from kerneltron.kernels import Gaussian, Linear, Polynomial, ScaledColumns, propose
from kerneltron.kernels.domains import domain_of

generator = np.random.default_rng(0)
X = generator.normal(size=(200, 3))


def test_a_product_wants_degree_2():
    found = propose(X, X[:, 0] * X[:, 1] > 0)
    assert found.rows[0].error < 0.1
    kernels = [row.kernel for row in found.rows]
    assert kernels.index(Polynomial(2)) < kernels.index(Linear())
    assert [row.error for row in found.rows] == sorted(row.error for row in found.rows)
    assert f"Take {found.best}: it gets" in found.sentence
    assert str(found).endswith(found.sentence)
    assert str(found).count("\n") == len(found.rows) + 2


def test_units_do_not_hide_what_matters():
    found = propose(X * [1e-4, 1.0, 1.0], X[:, 0] > 0)
    assert isinstance(getattr(found.best, "over", found.best), ScaledColumns)


def test_sides_are_linear():
    found = propose(X, X @ [1.0, 2.0, 3.0] > 0)
    linear = next(row for row in found.rows if row.kernel == Linear())
    assert linear.error < 0.05
    assert found.examples == 200


def test_others_are_ranked_beside():
    mine = Gaussian(0.37)
    found = propose(X, X[:, 0] > 0, kernels=[mine, "Polynomial(5)", "Gaussian('auto', over=Polynomial(2))"])
    kernels = [row.kernel for row in found.rows]
    assert mine in kernels
    assert Polynomial(5) in kernels
    assert sum(getattr(kernel, "over", None) == Polynomial(2) for kernel in kernels) == 4


def test_strings_trees_and_graphs_have_kernels_of_their_own():
    words = ["ab" * (1 + n % 4) + "ba" * (n % 3) + "c" * (n % 2) for n in range(30)]
    assert propose(words, ["c" in word for word in words]).rows[0].error == 0
    trees = [f"(S (A a) ({'B' if n % 2 else 'C'} b{n % 5}))" for n in range(30)]
    assert propose(trees, np.arange(30) % 2).rows[0].error == 0
    rings = [([(i, (i + 1) % size) for i in range(size)], ["C"] * size) for size in range(3, 18)]
    paths = [(edges[:-1], labels) for edges, labels in rings]
    assert propose(rings + paths, [1] * 15 + [0] * 15).rows[0].error < 0.2
    assert [domain_of(each) for each in (words, trees, rings, X, X.tolist())] == [
        "strings", "trees", "graphs", "vectors", "vectors",
    ]  # fmt: skip


def test_the_same_seed_gives_the_same_ranking():
    first, second = (propose(X, X[:, 0] > 0, sample=50, seed=2) for _ in range(2))
    assert [row[:4] for row in first.rows] == [row[:4] for row in second.rows]
    sparse = propose(sp.csr_matrix(X), X[:, 0] > 0, sample=50, seed=2)
    assert sparse.rows[0].error == first.rows[0].error


def test_what_cannot_be_compared_is_refused():
    with pytest.raises(ValueError, match="5 examples of 1 classes"):
        propose(X[:5], np.zeros(5))
    with pytest.raises(ValueError, match="200 examples of 1 classes"):
        propose(X, np.zeros(200))
    with pytest.raises(ValueError, match="sample=3"):
        propose(X, X[:, 0] > 0, sample=3)
    with pytest.raises(ValueError, match="NaN in row 0"):
        propose(X, np.full(200, np.nan))


def test_a_kernel_to_which_all_are_alike_has_no_alignment():
    assert "nan" not in str(propose(["a", "b"] * 6, [0, 1] * 6))


@pytest.mark.parametrize(
    ("examples", "reason"),
    [
        (["(S (A a)"] * 29 + ["(S (A a) )(B)"], r"X\[\d+\] is not a tree"),
        (
            [{"tree": "(S (A a) )(B)", "age": n % 3} for n in range(29)] + [{"tree": "(S b)", "age": 1}],
            "field 'tree'",
        ),
        ([([(0, 7)], ["C"])] * 30, r"X\[0\] has the edge"),
    ],
    ids=["trees", "records", "graphs"],
)
def test_examples_that_no_kernel_can_read_are_named(examples, reason):
    with pytest.raises(ValueError, match=reason):
        propose(examples, np.arange(30) % 2)
