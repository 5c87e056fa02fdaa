"""Learners of strings, trees, graphs and records: streams, searches, files; and what real data say."""

import pickle

import networkx as nx
import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV, cross_val_score

from kerneltron import (
    LogisticRegression,
    ManyTasks,
    Mira,
    PassiveAggressive,
    Pegasos,
    Perceptron,
    Romma,
    load,
    save,
)
from kerneltron.datasets.graphs import load_graphs
from kerneltron.datasets.networks import social_networks
from kerneltron.datasets.questions import Questions, load_questions
from kerneltron.datasets.splice import load_splice
from kerneltron.experiments import molecules, questions
from kerneltron.files.format import read, write
from kerneltron.kernels import (
    Gaussian,
    Mismatch,
    On,
    PartialTrees,
    RandomWalks,
    ShortestPaths,
    Spectrum,
    Subsequences,
    SubsetTrees,
    Substrings,
    Subtrees,
    WeightedDegree,
    WeisfeilerLehman,
    diagnose,
)

GENERATOR = np.random.default_rng(0)
N = 60
y = np.arange(N) % 3
STRINGS = ["".join(GENERATOR.choice([*("ACGT", "AACG", "GGTA")[label]], 12)) for label in y]
TREES = [f"(S (NP {string[0]}) (VP (V {string[1]}) (NP {string[2]} {string[3]})))" for string in STRINGS]
GRAPHS = [(np.stack([np.arange(11), np.arange(1, 12)], axis=1), [*string]) for string in STRINGS]
RECORDS = [
    {"text": string, "tree": tree, "graph": graph, "size": float(label)}
    for string, tree, graph, label in zip(STRINGS, TREES, GRAPHS, y, strict=True)
]
KERNELS = {
    Substrings(decay=0.5): STRINGS,
    Spectrum(2): STRINGS,
    Mismatch(3, 1): STRINGS,
    Subsequences(2): STRINGS,
    WeightedDegree(3): STRINGS,
    Gaussian(1.0, over=Spectrum(2).normalized() + Substrings(0.5).normalized()): STRINGS,
    Subtrees(): TREES,
    SubsetTrees(0.5).normalized(): TREES,
    PartialTrees() + Subtrees(): TREES,
    WeisfeilerLehman(2).normalized().exp(): GRAPHS,
    ShortestPaths(): GRAPHS,
    RandomWalks(0.05) * WeisfeilerLehman(1): GRAPHS,
    On("text", Spectrum(3)) + 0.5 * On("tree", PartialTrees()) * On("size", Gaussian(2.0)): RECORDS,
    On("graph", RandomWalks(0.05).normalized()) + On("text", Subsequences(2).normalized()): RECORDS,
}
every_kernel = pytest.mark.parametrize(("k", "X"), KERNELS.items(), ids=[repr(k) for k in KERNELS])


@pytest.mark.slow
@every_kernel
def test_learning_goes_on_after_a_file_as_if_it_had_never_been_saved(k, X, tmp_path):
    for learner in (Perceptron(kernel=k, random_state=0), PassiveAggressive(kernel=k, hypothesis="vote")):
        learner.fit(X[:30], y[:30]).partial_fit(X[30:40], y[30:40])
        save(learner, tmp_path / "a.model")
        again = load(tmp_path / "a.model")
        assert again.kernel == k
        for part in (slice(40, 50), slice(50, 60)):
            scores = [one.partial_fit_predict(X[part], y[part]).tobytes() for one in (learner, again)]
            assert scores[0] == scores[1]
        assert learner.decision_function(X).tobytes() == again.decision_function(X).tobytes()
        save(learner, tmp_path / "b.model")
        save(again, tmp_path / "c.model")
        assert (tmp_path / "b.model").read_bytes() == (tmp_path / "c.model").read_bytes()
        save(learner, tmp_path / "d.model", resumable=False)
        assert load(tmp_path / "d.model").predict(X).tolist() == learner.predict(X).tolist()


@every_kernel
def test_pieces_learn_what_the_whole_does(k, X):
    # A perceptron would meet scores of exactly 0, where rounding decides.
    whole = PassiveAggressive(kernel=k, C=0.37, shuffle=False, passes=1).fit(X, y)
    pieces = PassiveAggressive(kernel=k, C=0.37)
    for low in range(0, N, 7):
        pieces.partial_fit(X[low : low + 7], y[low : low + 7], classes=[0, 1, 2])
    np.testing.assert_array_equal(pieces.support_, whole.support_)
    np.testing.assert_allclose(pieces.decision_function(X), whole.decision_function(X), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("kind", [Perceptron, PassiveAggressive, Romma, Mira, LogisticRegression, Pegasos])
def test_every_learner_takes_structures(kind):
    for k in (Spectrum(2).normalized(), SubsetTrees(0.5).normalized(), WeisfeilerLehman(1).normalized()):
        learner = kind(kernel=k, passes=5, random_state=0)
        X = KERNELS.get(k) or {"strings": STRINGS, "trees": TREES, "graphs": GRAPHS}[k.domain]
        assert learner.fit(X, y).score(X, y) > 0.5
        assert pickle.loads(pickle.dumps(learner)).predict(X).tolist() == learner.predict(X).tolist()
        assert np.isfinite(diagnose(k, X, y).alignment)


def test_grids_search_over_lists_of_structures():
    for k, X, grid in (
        (Spectrum(2).normalized(), STRINGS, {"kernel__base__k": [1, 2, 3]}),
        (SubsetTrees(0.5), TREES, {"kernel__decay": [0.1, 0.5], "kernel__max_size": [None, 2]}),
        (WeisfeilerLehman(1), GRAPHS, {"kernel__h": [0, 1, 2]}),
        ("Spectrum(2) + Substrings(0.5)", STRINGS, {"kernel": ["Spectrum(1)", WeightedDegree(2)]}),
    ):
        search = GridSearchCV(PassiveAggressive(kernel=k, random_state=0), grid, cv=3).fit(X, y)
        assert set(search.best_params_) == set(grid)
        assert set(search.predict(X)) <= {0, 1, 2}


def test_tasks_early_stopping_and_delta_take_structures():
    tasks = np.where(np.stack([y == 0, y == 1], axis=1), 1, -1)
    assert ManyTasks(Perceptron(kernel=Spectrum(2), passes=5)).fit(STRINGS, tasks).predict(STRINGS).shape == (
        N,
        2,
    )
    learner = Perceptron(kernel=Subtrees(), passes=5, early_stopping=True, random_state=0).fit(TREES, y)
    assert learner.validation_scores_.size <= 5
    assert (
        PassiveAggressive(kernel=WeisfeilerLehman(1), delta="auto", random_state=0).fit(GRAPHS, y).delta_ >= 0
    )


def test_networkx_graphs_are_graphs():
    graphs = []
    for edges, labels in GRAPHS:
        graph = nx.Graph(edges.tolist())
        nx.set_node_attributes(graph, dict(enumerate(labels)), "label")
        graphs.append(graph)
    k = WeisfeilerLehman(2)
    np.testing.assert_array_equal(k(graphs), k(GRAPHS))
    np.testing.assert_array_equal(k(graphs[:5], GRAPHS[5:]), k(GRAPHS)[:5, 5:])
    assert cross_val_score(Perceptron(kernel=k, passes=3, random_state=0), graphs, y, cv=3).mean() > 0.4


def test_one_structure_is_explained_alone_and_refused_where_several_are_asked_for():
    named = [nx.relabel_nodes(nx.path_graph(n), str) for n in (2, 3, 4, 5)]
    plain = [([(i, i + 1) for i in range(n - 1)], n) for n in (2, 3, 4, 5)]
    words = ["ab", "ba", "abab", "bb"]
    cases = [
        ("WeisfeilerLehman(1)", named),
        ("WeisfeilerLehman(1)", plain),
        ("Subtrees()", ["(S a)", "(S b)", "(S a b)", "(S (A b))"]),
        ("Subtrees()", [("S", "a"), ("S", "b"), ("S", "a", "b"), ("S", ("A", "b"))]),
        ("Spectrum(1)", words),
        ("On('word', Spectrum(1))", [{"word": word} for word in words]),
    ]
    for kernel, X in cases:
        learner = Perceptron(kernel=kernel, random_state=0).fit(X, [0, 0, 1, 1])
        assert learner.explain(X[2]).rows == learner.explain(X[2:3]).rows
    learner = Perceptron(kernel="WeisfeilerLehman(1)").fit(named, [0, 0, 1, 1])
    for call in (learner.predict, lambda X: learner.fit(X, [0, 1])):
        with pytest.raises(TypeError, match=r"X is a Graph: give a sequence of examples, such as \[X\]"):
            call(named[0])


def test_damaged_structures_in_a_file_are_refused(tmp_path):
    for k, X in (
        (Spectrum(2), STRINGS),
        (Substrings(), STRINGS),
        (SubsetTrees(), TREES),
        (RandomWalks(0.05), GRAPHS),
    ):
        path = tmp_path / "whole.model"
        save(Perceptron(kernel=k, random_state=0).fit(X, y), path)
        contents = read(path)
        parts = [name for name in contents.tensors if ".part0." in name]
        assert parts
        for name in parts:
            array = contents.tensors[name]
            if array.dtype.kind != "i" or not array.size:
                continue
            for value in (-7, 10**6, np.iinfo(array.dtype).max):
                changed = array.copy()
                changed[array.size // 2] = value
                write(
                    tmp_path / "broken.model", contents._replace(tensors=contents.tensors | {name: changed})
                )
                with pytest.raises(ValueError, match=r"damaged|fit"):
                    load(tmp_path / "broken.model")
            write(tmp_path / "broken.model", contents._replace(tensors=contents.tensors | {name: array[:-1]}))
            with pytest.raises(ValueError, match=r"damaged|fit"):
                load(tmp_path / "broken.model")


# -- what they learn -----------------------------------------------------------------------------------


def test_networks_are_told_apart_nearly_as_well_as_can_be():
    data = social_networks(400, seed=1, noise=0.05)
    learner = molecules.learner(molecules.sharpened(WeisfeilerLehman(1)))
    assert cross_val_score(learner, data.X, data.y, cv=5).mean() > 1 - data.bayes_error - 0.03


@pytest.mark.real_data
def test_a_tree_kernel_alone_tells_most_questions():
    data = load_questions()
    some = Questions(data.X[::3], data.y[::3], data.X_test, data.y_test)
    alone = questions.row("tree", questions.TREE, some, passes=5)
    assert alone.accuracy > 0.83
    assert alone.evaluations > 10**6
    mixed = questions.TREE + questions.LEMMAS + questions.LETTERS
    assert questions.row("all", mixed, some, passes=5).accuracy > 0.83
    shown = questions.table([alone], some)
    assert shown.row_count == 1


@pytest.mark.real_data
def test_fragments_of_one_production_are_too_small_and_the_curves_are_drawn(tmp_path, monkeypatch):
    data = load_questions()
    monkeypatch.setattr(questions, "DECAYS", (0.4,))
    monkeypatch.setattr(questions, "SIZES", (1, 3))
    some = Questions(data.X[::8], data.y[::8], data.X_test, data.y_test)
    errors = questions.curves(some, (1, 3))
    assert all(small >= large for [[small, large]] in errors.values())
    questions.picture(errors).savefig(tmp_path / "curves.png")


@pytest.mark.real_data
def test_molecules_are_told_apart():
    problem = molecules.molecules("MUTAG", 1)
    results = molecules.rows(problem._replace(kernels=problem.kernels[:2]))
    assert results[1].accuracies.mean() > 0.8
    assert molecules.table("MUTAG", problem, results).row_count == 2
    data = load_graphs("NCI1")
    learner = molecules.learner(molecules.sharpened(WeisfeilerLehman(3)))
    assert cross_val_score(learner, data.graphs[::4], data.y[::4], cv=3).mean() > 0.74


@pytest.mark.real_data
def test_splice_sites_are_told_apart():
    data = load_splice()
    learner = PassiveAggressive(kernel=WeightedDegree(5).normalized() ** 2, passes=5, random_state=0)
    assert cross_val_score(learner, data.X[::2], data.y[::2], cv=3).mean() > 0.94
